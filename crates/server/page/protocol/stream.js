// Decoder of the live stream: the server's messages about a running terminal.
//
// `decode` parses a message, `apply` updates a view with it. Both mirror the functions of the same
// name in `crates/core/src/formats/stream` and check the same things in the same order; a test
// compares them. `docs/formats/stream.md` gives the bytes.
//
// A view changes completely or not at all. If `apply` throws, request a keyframe.
//
// See also: `protocol/screen_state.js` (the types of a screen).

/** @import { Cell, CellStyle, Color, Cursor, Ended, Image, Link, Modes, Palette, PixelRect, Row, ScreenState, View } from "./screen_state.js" */

/**
 * @typedef {object} Metadata
 * @property {Cursor} [cursor]
 * @property {string} [title]
 * @property {string} [workingDirectory]
 * @property {Modes} [modes]
 * @property {number} [scrollbackRows]
 * @property {number} [bells]
 * @property {Palette} [palette]
 */

/**
 * A changed row: the first `kept` cells of the old row, then `cells`, then, if `rest` is true, the
 * old cells to the right of them.
 * @typedef {{ index: number, wrapped: boolean, kept: number, rest: boolean, zones: Row["zones"], cells: Cell[] }} RowChange
 */

/**
 * @typedef {object} Changes
 * @property {Metadata} metadata
 * @property {{ to: number, from: number, count: number }[]} moves
 * @property {RowChange[]} rows
 * @property {Image[] | null} images null if they are unchanged
 */

/**
 * @typedef {{ channel: number, revision: number } & (
 *   | { kind: "keyframe", cols: number, rows: number, changes: Changes }
 *   | { kind: "delta", base: number, changes: Changes }
 *   | { kind: "ended", how: Ended }
 *   | { kind: "closed" })} Message
 */

/** The newest version; version 1 has no palette, and version 2 no images. */
const VERSION = 3;
const VERSION_WITH_IMAGES = 3;
const MAX_COLS = 2000;
const MAX_ROWS = 2000;
const MAX_CELLS = MAX_COLS * MAX_ROWS;
const MAX_TEXT = 4096;
const MAX_ROW = 65536;
const MAX_MESSAGE = (MAX_ROWS + 1) * MAX_ROW;
const MAX_SIGNAL = 32;
const MAX_IMAGES = 300;
const MAX_RECTS = 1024;
const MAX_SIDE = 10_000;
const MAX_PIXELS = 2 ** 23;
/** The most columns, rows and pixels of an image's place. */
const MAX_LENGTH = 2 ** 20;

const UNDERLINES = /** @type {const} */ (["none", "single", "double", "curly", "dotted", "dashed"]);
const ATTRIBUTES = /** @type {const} */ ([
  "bold", "faint", "italic", "blink", "rapidBlink", "inverse", "invisible", "strikethrough", "overline",
]);
const SHAPES = /** @type {const} */ (["block", "underline", "bar"]);
const SWITCHES = /** @type {const} */ ([
  "alternateScreen", "applicationCursor", "applicationKeypad", "bracketedPaste", "focusEvents", "alternateScroll", "autowrap",
  "origin", "insert", "newline", "synchronized",
]);
const TRACKINGS = /** @type {const} */ (["off", "clicks", "drags", "motion"]);
const ENCODINGS = /** @type {const} */ (["default", "utf8", "sgr"]);
const ZONES = /** @type {const} */ (["none", "prompt", "input", "output"]);
/** The colours of a palette after the 256 indexed ones. */
const NAMED_COLORS = ["fg", "bg", "cursor", "selection", "selection-fg"];
const IMAGE_KINDS = /** @type {const} */ (["sixel", "kitty", "iterm"]);

/** The default style, which has number 0 in every message. @type {CellStyle} */
export const DEFAULT_STYLE = Object.freeze({
  fg: null, bg: null, underlineColor: null, underline: "none", bold: false, faint: false, italic: false, blink: false,
  rapidBlink: false, inverse: false, invisible: false, strikethrough: false, overline: false, link: null,
});

/** A blank cell. @type {Cell} */
export const BLANK_CELL = Object.freeze({ text: " ", width: 1, style: DEFAULT_STYLE });

/** A palette without changes. @type {Palette} */
export const UNCHANGED_PALETTE = Object.freeze({});

/** @type {Row} */
const BLANK_ROW = Object.freeze({ cells: [], wrapped: false, zones: [] });

/** Invalid bytes; `offset` is where decoding failed. */
export class StreamError extends Error {
  /** @param {number} offset @param {string} problem */
  constructor(offset, problem) {
    super(`${problem} at byte ${offset}`);
    this.name = "StreamError";
    this.offset = offset;
  }
}

/** A valid message that does not fit the view. Request a keyframe. */
export class ApplyError extends Error {
  /** @param {string} problem */
  constructor(problem) {
    super(`${problem}; request a keyframe`);
    this.name = "ApplyError";
  }
}

/** A read position in a message. */
class MessageReader {
  // A byte order mark is an ordinary character here.
  #utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  /** @param {number} count */
  take(count) {
    const left = this.bytes.length - this.at;
    if (left < count) {
      throw new StreamError(this.bytes.length, `unexpected end: ${count - left} more bytes are needed`);
    }
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  byte() {
    return this.take(1)[0];
  }

  /**
   * A varint: seven bits per byte, lowest first. Multiplication instead of shifts, because
   * JavaScript shifts only 32 bits.
   */
  number() {
    const offset = this.at;
    let number = 0;
    let unit = 1;
    for (let index = 0; index < 8; index += 1) {
      const byte = this.byte();
      number += (byte & 0x7f) * unit;
      unit *= 128;
      if (byte < 0x80) {
        if ((byte === 0 && index > 0) || number > Number.MAX_SAFE_INTEGER) break;
        return number;
      }
    }
    throw new StreamError(offset, "a number that is too large or not minimally encoded");
  }

  /** @param {string} what @param {number} least @param {number} most */
  within(what, least, most) {
    const offset = this.at;
    const value = this.number();
    if (value < least || value > most) {
      throw new StreamError(offset, `invalid ${what}: ${value} (expected ${least} to ${most})`);
    }
    return value;
  }

  /** @param {string} what @param {number} least @param {number} most */
  text(what, least, most) {
    return this.utf8(this.within(what, least, most));
  }

  /** @param {number} length */
  utf8(length) {
    const offset = this.at;
    const bytes = this.take(length);
    try {
      return this.#utf8.decode(bytes);
    } catch {
      throw new StreamError(offset, "text is not valid UTF-8");
    }
  }

  /** Reads one code point, whose first byte gives its length. */
  char() {
    const offset = this.at;
    const lead = this.byte();
    this.at = offset;
    if (lead < 0x80) return this.utf8(1);
    if (lead >= 0xc2 && lead <= 0xdf) return this.utf8(2);
    if (lead >= 0xe0 && lead <= 0xef) return this.utf8(3);
    if (lead >= 0xf0 && lead <= 0xf4) return this.utf8(4);
    throw new StreamError(offset, "text is not valid UTF-8");
  }
}

/**
 * Decodes a message. Throws a `StreamError` if the bytes are invalid.
 * @param {ArrayBuffer | Uint8Array} buffer
 * @returns {Message}
 */
export function decode(buffer) {
  const bytes = buffer instanceof Uint8Array ? buffer : new Uint8Array(buffer);
  if (bytes.length > MAX_MESSAGE) throw new StreamError(MAX_MESSAGE, `message too long (${bytes.length} bytes)`);
  const reader = new MessageReader(bytes);
  const version = reader.byte();
  if (version < 1 || version > VERSION) throw new StreamError(0, `unsupported version ${version} (expected ${VERSION} or lower)`);
  const kind = reader.byte();
  if (kind < 1 || kind > 4) throw new StreamError(1, `unknown message kind ${kind}`);
  const channel = reader.within("channel", 0, 2 ** 32 - 1);
  const revision = reader.within("revision", 0, Number.MAX_SAFE_INTEGER);
  /** @type {Message} */
  let message;
  if (kind === 1) {
    const cols = reader.within("columns", 2, MAX_COLS);
    const rows = reader.within("rows", 1, MAX_ROWS);
    message = { kind: "keyframe", channel, revision, cols, rows, changes: readChanges(reader, version) };
  } else if (kind === 2) {
    const base = revision - reader.within("revisions back", 1, revision);
    message = { kind: "delta", channel, revision, base, changes: readChanges(reader, version) };
  } else if (kind === 3) {
    message = { kind: "ended", channel, revision, how: readEnded(reader) };
  } else {
    message = { kind: "closed", channel, revision };
  }
  const left = bytes.length - reader.at;
  if (left > 0) throw new StreamError(reader.at, `${left} extra bytes after the end of the message`);
  return message;
}

/** @param {MessageReader} reader @returns {Ended} */
function readEnded(reader) {
  const offset = reader.at;
  const exit = reader.byte();
  if (exit === 0) return { unknown: true };
  if (exit === 1) {
    const code = reader.within("exit code", 0, 2 ** 32 - 1);
    return { code: code % 2 === 0 ? code / 2 : -(code + 1) / 2 };
  }
  if (exit === 2) return { signal: reader.text("bytes of a signal", 0, MAX_SIGNAL) };
  throw new StreamError(offset, `unknown kind of end ${exit}`);
}

/** @param {MessageReader} reader @param {number} version @returns {Changes} */
function readChanges(reader, version) {
  const metadata = readMetadata(reader, version);
  const moves = readMoves(reader);
  const styles = readStyles(reader);
  const rows = readRows(reader, styles);
  return { metadata, moves, rows, images: version === VERSION_WITH_IMAGES ? readImages(reader) : null };
}

/** @param {MessageReader} reader @returns {Image[] | null} */
function readImages(reader) {
  const count = reader.within("images", 0, MAX_IMAGES + 1) - 1;
  if (count < 0) return null;
  /** @type {Image[]} */
  const images = [];
  let rectsLeft = MAX_RECTS;
  while (images.length < count) {
    const image = readImage(reader, rectsLeft);
    rectsLeft -= image.visible.length;
    images.push(image);
  }
  return images;
}

/** @param {MessageReader} reader @param {number} rectsLeft @returns {Image} */
function readImage(reader, rectsLeft) {
  const offset = reader.at;
  const kind = IMAGE_KINDS[reader.byte()];
  if (kind === undefined) throw new StreamError(offset, "unknown kind of image");
  const hash = Array.from(reader.take(32), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const sizeOffset = reader.at;
  const width = reader.within("the width of an image", 1, MAX_SIDE);
  const height = reader.within("the height of an image", 1, MAX_SIDE);
  if (width * height > MAX_PIXELS) throw new StreamError(sizeOffset, `invalid size of an image: ${width}x${height}`);
  const row = readSigned(reader);
  const col = readSigned(reader);
  const cols = reader.within("columns of an image", 1, MAX_LENGTH);
  const rows = reader.within("rows of an image", 1, MAX_LENGTH);
  const source = readPixelRect(reader);
  const drawn = readPixelRect(reader);
  const z = readSigned(reader);
  const visible = [];
  for (let count = reader.within("rectangles of an image", 1, rectsLeft); count > 0; count -= 1) {
    visible.push({
      row: reader.within("an image's row", 0, MAX_ROWS - 1),
      col: reader.within("an image's column", 0, MAX_COLS - 1),
      rows: reader.within("rows of an image", 1, MAX_ROWS),
      cols: reader.within("columns of an image", 1, MAX_COLS),
    });
  }
  return Object.freeze({ kind, hash, width, height, row, col, cols, rows, source, drawn, z, visible });
}

/** @param {MessageReader} reader @returns {PixelRect} */
function readPixelRect(reader) {
  return {
    x: reader.within("pixels", 0, MAX_LENGTH),
    y: reader.within("pixels", 0, MAX_LENGTH),
    width: reader.within("pixels", 1, MAX_LENGTH),
    height: reader.within("pixels", 1, MAX_LENGTH),
  };
}

/** Reads a number with its sign in the lowest bit. @param {MessageReader} reader */
function readSigned(reader) {
  const number = reader.within("signed number", 0, 2 ** 32 - 1);
  return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
}

/** @param {MessageReader} reader @param {number} version @returns {Metadata} */
function readMetadata(reader, version) {
  const there = reader.within("metadata", 0, version === 1 ? 63 : 127);
  /** @type {Metadata} */
  const metadata = {};
  if (there & 1) {
    const row = reader.within("the cursor's row", 0, MAX_ROWS - 1);
    const col = reader.within("the cursor's column", 0, MAX_COLS - 1);
    const bits = reader.within("the cursor's shape", 0, (SHAPES.length << 3) - 1);
    metadata.cursor = {
      row, col, visible: (bits & 1) !== 0, blinking: (bits & 2) !== 0, pendingWrap: (bits & 4) !== 0, shape: SHAPES[bits >> 3],
    };
  }
  if (there & 2) metadata.title = reader.text("bytes of a title", 0, MAX_TEXT);
  if (there & 4) metadata.workingDirectory = reader.text("bytes of a working directory", 0, MAX_TEXT);
  if (there & 8) {
    const offset = reader.at;
    const bits = reader.within("modes", 0, 2 ** 20 - 1);
    if (((bits >> 13) & 3) >= ENCODINGS.length) throw new StreamError(offset, `invalid modes ${bits}`);
    metadata.modes = modesOf(bits);
  }
  if (there & 16) metadata.scrollbackRows = reader.number();
  if (there & 32) metadata.bells = reader.number();
  if (there & 64) metadata.palette = readPalette(reader);
  return metadata;
}

/** @param {MessageReader} reader @returns {Palette} */
function readPalette(reader) {
  const end = 256 + NAMED_COLORS.length;
  /** @type {Palette} */
  const palette = {};
  let least = 0;
  for (let count = reader.within("changed colours", 0, end); count > 0; count -= 1) {
    const number = reader.within("changed colour", least, end - 1);
    least = number + 1;
    palette[number < 256 ? `c${number}` : NAMED_COLORS[number - 256]] = readRgb(reader);
  }
  return Object.freeze(palette);
}

/** @param {number} bits @returns {Modes} */
function modesOf(bits) {
  const switches = Object.fromEntries(SWITCHES.map((name, bit) => [name, ((bits >> bit) & 1) === 1]));
  const mouse = TRACKINGS[(bits >> 11) & 3];
  const mouseEncoding = ENCODINGS[(bits >> 13) & 3];
  return /** @type {Modes} */ ({ ...switches, mouse, mouseEncoding, kittyKeyboard: bits >> 15 });
}

/** @param {MessageReader} reader */
function readMoves(reader) {
  const count = reader.within("moves", 0, MAX_ROWS);
  const moves = [];
  let free = 0;
  for (let index = 0; index < count; index += 1) {
    const to = reader.within("target row of a move", free, MAX_ROWS - 1);
    const from = reader.within("source row of a move", 0, MAX_ROWS - 1);
    const rows = reader.within("rows of a move", 1, MAX_ROWS - Math.max(to, from));
    free = to + rows;
    moves.push({ to, from, count: rows });
  }
  return moves;
}

/**
 * Reads the table of styles, which cells refer to by index.
 * @param {MessageReader} reader
 * @returns {CellStyle[]}
 */
function readStyles(reader) {
  /** @type {Link[]} */
  const links = [];
  for (let count = reader.within("links", 0, MAX_CELLS); count > 0; count -= 1) {
    const uri = reader.text("bytes of a link's URI", 0, MAX_ROW);
    // An empty name differs from no name.
    const named = reader.within("bytes of a link's id, plus one", 0, MAX_ROW + 1);
    links.push(Object.freeze({ uri, id: named === 0 ? null : reader.utf8(named - 1) }));
  }
  const styles = [DEFAULT_STYLE];
  for (let count = reader.within("styles", 0, MAX_CELLS); count > 0; count -= 1) {
    styles.push(readStyle(reader, links));
  }
  return styles;
}

/** @param {MessageReader} reader @param {Link[]} links @returns {CellStyle} */
function readStyle(reader, links) {
  const offset = reader.at;
  const head = reader.byte();
  const kinds = [head & 3, (head >> 2) & 3, (head >> 4) & 3];
  if (head === 0 || kinds.includes(3)) throw new StreamError(offset, `invalid style ${head}`);
  const [fg, bg, underlineColor] = kinds.map((kind) => readColor(reader, kind));
  /** @type {CellStyle} */
  const style = { ...DEFAULT_STYLE, fg, bg, underlineColor };
  if (head & 0x40) {
    const bits = reader.within("attributes", 1, (UNDERLINES.length << 9) - 1);
    ATTRIBUTES.forEach((name, bit) => {
      style[name] = ((bits >> bit) & 1) === 1;
    });
    style.underline = UNDERLINES[bits >> 9];
  }
  if (head & 0x80) {
    if (links.length === 0) throw new StreamError(offset, `invalid style ${head}: the message has no links`);
    style.link = links[reader.within("link", 0, links.length - 1)];
  }
  return Object.freeze(style);
}

/** @param {MessageReader} reader @param {number} kind @returns {Color} */
function readColor(reader, kind) {
  if (kind === 0) return null;
  if (kind === 1) return reader.byte();
  return readRgb(reader);
}

/** Reads red, green and blue. @param {MessageReader} reader */
function readRgb(reader) {
  return `#${Array.from(reader.take(3), (part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** @param {MessageReader} reader @param {CellStyle[]} styles @returns {RowChange[]} */
function readRows(reader, styles) {
  const count = reader.within("rows", 0, MAX_ROWS);
  const rows = [];
  let next = 0;
  for (let listed = 0; listed < count; listed += 1) {
    const offset = reader.at;
    const index = next + reader.within("unchanged rows", 0, MAX_ROWS - 1);
    if (index >= MAX_ROWS) throw new StreamError(offset, `invalid row ${index} (expected ${next} to ${MAX_ROWS - 1})`);
    next = index + 1;
    rows.push(readRow(reader, styles, index));
  }
  return rows;
}

/**
 * @param {MessageReader} reader
 * @param {CellStyle[]} styles
 * @param {number} index
 * @returns {RowChange}
 */
function readRow(reader, styles, index) {
  const head = reader.within("head of a row", 0, ((MAX_COLS + 1) << 4) - 1);
  const kept = head & 4 ? reader.within("kept cells", 1, MAX_COLS) : 0;
  const zones = head & 2 ? readZones(reader) : [];
  /** @type {Cell[]} */
  const cells = [];
  for (let pieces = head >> 4; pieces > 0; pieces -= 1) {
    const offset = reader.at;
    readRun(reader, styles, cells);
    const cols = kept + cells.length;
    if (cols > MAX_COLS) throw new StreamError(offset, `a row has ${cols} columns (at most ${MAX_COLS})`);
  }
  return { index, wrapped: (head & 1) !== 0, kept, rest: (head & 8) !== 0, zones, cells };
}

/** @param {MessageReader} reader @returns {Row["zones"]} */
function readZones(reader) {
  const count = reader.within("zones", 1, MAX_ROW);
  /** @type {Row["zones"]} */
  const zones = [];
  let last = { col: 0, zone: ZONES[0] };
  for (let index = 0; index < count; index += 1) {
    const offset = reader.at;
    const value = reader.within("zone", last.col << 2, ((MAX_COLS + 1) << 2) - 1);
    const start = { col: value >> 2, zone: ZONES[value & 3] };
    if (start.zone === last.zone) throw new StreamError(offset, `zone ${value} repeats the kind of the previous one`);
    zones.push(start);
    last = /** @type {typeof last} */ (start);
  }
  return zones;
}

/**
 * Appends the cells of a run.
 * @param {MessageReader} reader
 * @param {CellStyle[]} styles
 * @param {Cell[]} cells
 */
function readRun(reader, styles, cells) {
  const offset = reader.at;
  // Division instead of shifts, because style indices may be large.
  const head = reader.within("head of a run", 0, styles.length * 8 - 1);
  const kind = head % 8;
  const style = styles[(head - kind) / 8];
  /** @type {Cell} */
  const spacer = { text: "", width: 0, style };
  if (kind === 0 || kind === 1) {
    const text = reader.text("bytes of a text", 1, MAX_COLS * 4);
    for (const char of text) {
      cells.push({ text: char, width: kind === 0 ? 1 : 2, style });
      if (kind === 1) cells.push(spacer);
    }
  } else if (kind === 2) {
    const count = reader.within("characters", 1, MAX_COLS);
    /** @type {Cell} */
    const cell = { text: reader.char(), width: 1, style };
    for (let left = count; left > 0; left -= 1) cells.push(cell);
  } else if (kind === 3 || kind === 4) {
    const at = reader.at;
    const text = reader.text("bytes of a character", 2, MAX_ROW);
    // A code point has at most two UTF-16 units.
    if (text.length <= 2 && [...text].length === 1) throw new StreamError(at, "a cell text without combining characters");
    cells.push({ text, width: kind === 3 ? 1 : 2, style });
    if (kind === 4) cells.push(spacer);
  } else if (kind === 5) {
    for (let left = reader.within("spacer cells", 1, MAX_COLS); left > 0; left -= 1) cells.push(spacer);
  } else {
    throw new StreamError(offset, `invalid run ${head}`);
  }
}

/** Returns a view that has received no message. @param {number} channel @returns {View} */
export function emptyView(channel) {
  return { channel, revision: null, shown: null, ended: null, closed: false };
}

/**
 * Applies a message to a view. Returns the indices of the rows to redraw, in order. Throws an
 * `ApplyError` if the message does not fit the view, which then stays unchanged.
 * @param {View} view
 * @param {Message} message
 * @returns {number[]}
 */
export function apply(view, message) {
  if (message.channel !== view.channel) {
    throw new ApplyError(`a message for channel ${message.channel} was applied to the view of channel ${view.channel}`);
  }
  if (message.kind === "ended") {
    view.ended = message.how;
    return [];
  }
  if (message.kind === "closed") {
    view.closed = true;
    return [];
  }
  if (message.kind === "keyframe") {
    const shown = changed(blankScreen(message.cols, message.rows), message.changes);
    view.shown = shown;
    view.revision = message.revision;
    return shown.lines.map((_, index) => index);
  }
  if (view.shown === null) throw new ApplyError(`a delta since revision ${message.base}, but the view has no screen`);
  if (view.revision !== message.base) {
    throw new ApplyError(`a delta since revision ${message.base}, but the view has revision ${view.revision}`);
  }
  const before = view.shown.lines;
  const shown = changed(view.shown, message.changes);
  view.shown = shown;
  view.revision = message.revision;
  return shown.lines.flatMap((row, index) => (row === before[index] ? [] : [index]));
}

/** @param {number} cols @param {number} rows @returns {ScreenState} */
function blankScreen(cols, rows) {
  return {
    cols,
    rows,
    lines: Array(rows).fill(BLANK_ROW),
    cursor: { row: 0, col: 0, visible: true, blinking: false, pendingWrap: false, shape: "block" },
    title: "",
    workingDirectory: "",
    // Defaults: autowrap and alternate scroll are set.
    modes: modesOf((1 << 5) | (1 << 6)),
    scrollbackRows: 0,
    bells: 0,
    palette: UNCHANGED_PALETTE,
    images: [],
  };
}

/** @param {ScreenState} before @param {Changes} changes @returns {ScreenState} */
function changed(before, changes) {
  const { cols, rows } = before;
  /** @param {string} what @param {number} value @param {number} end */
  const check = (what, value, end) => {
    if (value >= end) throw new ApplyError(`${what} ${value} is outside the screen of ${cols}x${rows}`);
  };
  const { cursor } = changes.metadata;
  if (cursor) {
    check("the cursor's row", cursor.row, rows);
    check("the cursor's column", cursor.col, cols);
  }
  const lines = before.lines.slice();
  for (const { to, from, count } of changes.moves) {
    check("row", Math.max(to, from) + count - 1, rows);
    for (let index = 0; index < count; index += 1) lines[to + index] = before.lines[from + index];
  }
  for (const change of changes.rows) {
    check("row", change.index, rows);
    lines[change.index] = rowOf(change, lines[change.index], cols, check);
  }
  const images = changes.images ?? before.images;
  for (const { row, col, rows: height, cols: width } of images.flatMap((image) => image.visible)) {
    check("the last row of an image", row + height - 1, rows);
    check("the last column of an image", col + width - 1, cols);
  }
  return { ...before, ...changes.metadata, lines, images };
}

/**
 * @param {RowChange} change
 * @param {Row} before
 * @param {number} cols
 * @param {(what: string, value: number, end: number) => void} check
 * @returns {Row}
 */
function rowOf(change, before, cols, check) {
  const { index, kept, rest, wrapped, zones } = change;
  const end = kept + change.cells.length;
  check("the end of the cells in column", end, cols + 1);
  check("a zone in column", zones.length > 0 ? zones[zones.length - 1].col : 0, cols + 1);
  checkNotSplit(index, before.cells, kept);
  if (rest) checkNotSplit(index, before.cells, end);
  const cells = before.cells.slice(0, kept);
  while (cells.length < kept) cells.push(BLANK_CELL);
  cells.push(...change.cells);
  if (rest) cells.push(...before.cells.slice(end));
  while (cells.length > 0 && isBlank(cells[cells.length - 1])) cells.pop();
  for (const { col } of zones) checkNotSplit(index, cells, col);
  return { cells, wrapped, zones };
}

/**
 * Throws if a column is the second half of a wide character.
 * @param {number} row
 * @param {Cell[]} cells
 * @param {number} col
 */
function checkNotSplit(row, cells, col) {
  if (col > 0 && cells[col]?.width === 0 && cells[col - 1].width === 2) {
    throw new ApplyError(`row ${row} is split inside the wide character before column ${col}`);
  }
}

/** @param {Cell} cell */
function isBlank(cell) {
  return cell.text === " " && cell.width === 1 && cell.style === DEFAULT_STYLE;
}

/**
 * Splits a row into runs of one style. `cols` is the width of a run in columns.
 * @param {Row} row
 * @returns {{ col: number, cols: number, text: string, style: CellStyle }[]}
 */
export function runs(row) {
  const found = [];
  /** @type {{ col: number, cols: number, text: string, style: CellStyle } | null} */
  let run = null;
  for (const [col, { text, style }] of row.cells.entries()) {
    if (run !== null && sameStyle(run.style, style)) {
      run.cols += 1;
      run.text += text;
    } else {
      run = { col, cols: 1, text, style };
      found.push(run);
    }
  }
  return found;
}

/** Whether two palettes are equal. @param {Palette} one @param {Palette} other */
export function samePalette(one, other) {
  if (one === other) return true;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/**
 * Whether two styles are equal. They may come from different messages.
 * @param {CellStyle} one
 * @param {CellStyle} other
 */
export function sameStyle(one, other) {
  if (one === other) return true;
  const names = /** @type {(keyof CellStyle)[]} */ (Object.keys(DEFAULT_STYLE));
  return names.every((name) => {
    if (name !== "link") return one[name] === other[name];
    return one.link?.uri === other.link?.uri && one.link?.id === other.link?.id;
  });
}

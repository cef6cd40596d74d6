// Reading the live stream: what the server sends of a terminal while its program runs.
//
// `decode` reads one message, `apply` makes of a view what it says. Each is a twin of the same function in
// `crates/core/src/formats/stream`, checks the same things in the same order, and a test holds the two against each other.
// `docs/formats/stream.md` gives the bytes.
//
// A view is changed whole or not at all. Where `apply` throws, ask the server for a keyframe.
//
// Elsewhere: sockets, drawing, keys.

/**
 * A colour as the program asked for it: `null` the terminal's own, a number an entry of the palette of 256, a text `#rrggbb` exact.
 * @typedef {null | number | string} Color
 */

/**
 * Where a cell leads.
 * @typedef {{ uri: string, id: string | null }} Link
 */

/**
 * How a cell is drawn. Never changed once made, so cells share it.
 * @typedef {object} Look
 * @property {Color} fg
 * @property {Color} bg
 * @property {Color} underlineColor
 * @property {"none" | "single" | "double" | "curly" | "dotted" | "dashed"} underline
 * @property {boolean} bold
 * @property {boolean} faint
 * @property {boolean} italic
 * @property {boolean} blink
 * @property {boolean} rapidBlink
 * @property {boolean} inverse foreground and background change places
 * @property {boolean} invisible
 * @property {boolean} strikethrough
 * @property {boolean} overline
 * @property {Link | null} link
 */

/**
 * A column of a row. A wide character has width 2, and a cell of width 0 without text follows it.
 * @typedef {{ text: string, width: 0 | 1 | 2, look: Look }} Cell
 */

/**
 * A row. Blank cells at its end are left out. Never changed once made: a row that is the same object looks the same.
 * @typedef {object} Row
 * @property {Cell[]} cells
 * @property {boolean} wrapped whether the text goes on in the next row
 * @property {{ col: number, zone: "none" | "prompt" | "input" | "output" }[]} zones where a shell's prompts, inputs and outputs begin
 */

/**
 * @typedef {object} Cursor
 * @property {number} row from 0
 * @property {number} col from 0
 * @property {boolean} visible
 * @property {boolean} blinking
 * @property {boolean} pendingWrap whether the next character goes to the next row
 * @property {"block" | "underline" | "bar"} shape
 */

/**
 * What the program asked of its terminal.
 * @typedef {object} Modes
 * @property {boolean} alternateScreen
 * @property {boolean} applicationCursor
 * @property {boolean} applicationKeypad
 * @property {boolean} bracketedPaste
 * @property {boolean} focusEvents
 * @property {boolean} alternateScroll
 * @property {boolean} autowrap
 * @property {boolean} origin
 * @property {boolean} insert
 * @property {boolean} newline
 * @property {boolean} synchronized
 * @property {"off" | "clicks" | "drags" | "motion"} mouse
 * @property {"default" | "utf8" | "sgr"} mouseEncoding
 * @property {number} kittyKeyboard its flags
 */

/**
 * How a program ended: by a code, by a signal, or nobody knows.
 * @typedef {{ code: number } | { signal: string } | { unknown: true }} Ended
 */

/**
 * What is shown. `Seen` in the server's words.
 * @typedef {object} Shown
 * @property {number} cols
 * @property {number} rows
 * @property {Row[]} lines always `rows` of them
 * @property {Cursor} cursor
 * @property {string} title
 * @property {string} workingDirectory
 * @property {Modes} modes
 * @property {number} scrollbackRows how many rows have scrolled out and are still kept
 * @property {number} bells how often the bell rang
 */

/**
 * What a viewer has of one session.
 * @typedef {object} View
 * @property {number} channel
 * @property {number | null} revision `null` before the first keyframe
 * @property {Shown | null} shown
 * @property {Ended | null} ended
 * @property {boolean} closed
 */

/**
 * @typedef {object} Facts
 * @property {Cursor} [cursor]
 * @property {string} [title]
 * @property {string} [workingDirectory]
 * @property {Modes} [modes]
 * @property {number} [scrollbackRows]
 * @property {number} [bells]
 */

/**
 * A row that takes the place of another: `kept` cells of that stay, then come `cells`, then, where `rest` is true, those of the
 * other row that are further right.
 * @typedef {{ index: number, wrapped: boolean, kept: number, rest: boolean, zones: Row["zones"], cells: Cell[] }} RowChange
 */

/**
 * @typedef {object} Changes
 * @property {Facts} facts
 * @property {{ to: number, from: number, count: number }[]} moves
 * @property {RowChange[]} rows
 */

/**
 * @typedef {{ channel: number, revision: number } & (
 *   | { kind: "keyframe", cols: number, rows: number, changes: Changes }
 *   | { kind: "delta", base: number, changes: Changes }
 *   | { kind: "ended", how: Ended }
 *   | { kind: "closed" })} Message
 */

const VERSION = 1;
const MAX_COLS = 2000;
const MAX_ROWS = 2000;
const MAX_CELLS = MAX_COLS * MAX_ROWS;
const MAX_TEXT = 4096;
const MAX_ROW = 65536;
const MAX_MESSAGE = (MAX_ROWS + 1) * MAX_ROW;
const MAX_SIGNAL = 32;

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

/** The plain look, which has the number 0 in every message. @type {Look} */
export const PLAIN = Object.freeze({
  fg: null, bg: null, underlineColor: null, underline: "none", bold: false, faint: false, italic: false, blink: false,
  rapidBlink: false, inverse: false, invisible: false, strikethrough: false, overline: false, link: null,
});

/** A cell that was never written. @type {Cell} */
export const BLANK = Object.freeze({ text: " ", width: 1, look: PLAIN });

/** @type {Row} */
const BLANK_ROW = Object.freeze({ cells: [], wrapped: false, zones: [] });

/** Bytes that are not a message; `offset` is where that was noticed. */
export class StreamError extends Error {
  /** @param {number} offset @param {string} problem */
  constructor(offset, problem) {
    super(`${problem} at byte ${offset}`);
    this.name = "StreamError";
    this.offset = offset;
  }
}

/** A message that does not follow from what a view has. Ask for a keyframe. */
export class ApplyError extends Error {
  /** @param {string} problem */
  constructor(problem) {
    super(`${problem}; ask for a keyframe`);
    this.name = "ApplyError";
  }
}

/** A message with a place in it. */
class Input {
  // A mark of byte order at the beginning of a text is a character like others.
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
      throw new StreamError(this.bytes.length, `the bytes end where ${count - left} more are needed`);
    }
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  byte() {
    return this.take(1)[0];
  }

  /** Seven bits a byte, the lowest first; multiplied and not shifted, as bits end at 32 here. */
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
    throw new StreamError(offset, "a number that is too large or longer than it needs to be");
  }

  /** @param {string} what @param {number} least @param {number} most */
  within(what, least, most) {
    const offset = this.at;
    const value = this.number();
    if (value < least || value > most) {
      throw new StreamError(offset, `${value} is no number of ${what} (${least} to ${most})`);
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
      throw new StreamError(offset, "a text that is not UTF-8");
    }
  }

  /** One code point, which says itself how long it is. */
  char() {
    const offset = this.at;
    const lead = this.byte();
    this.at = offset;
    if (lead < 0x80) return this.utf8(1);
    if (lead >= 0xc2 && lead <= 0xdf) return this.utf8(2);
    if (lead >= 0xe0 && lead <= 0xef) return this.utf8(3);
    if (lead >= 0xf0 && lead <= 0xf4) return this.utf8(4);
    throw new StreamError(offset, "a text that is not UTF-8");
  }
}

/**
 * Reads a message. Throws a `StreamError` where the bytes are none.
 * @param {ArrayBuffer | Uint8Array} buffer
 * @returns {Message}
 */
export function decode(buffer) {
  const bytes = buffer instanceof Uint8Array ? buffer : new Uint8Array(buffer);
  if (bytes.length > MAX_MESSAGE) throw new StreamError(MAX_MESSAGE, `a message of ${bytes.length} bytes goes on`);
  const input = new Input(bytes);
  const version = input.byte();
  if (version !== VERSION) throw new StreamError(0, `version ${version}, where ${VERSION} can be read`);
  const kind = input.byte();
  if (kind < 1 || kind > 4) throw new StreamError(1, `${kind} is no kind of message`);
  const channel = input.within("channel", 0, 2 ** 32 - 1);
  const revision = input.within("revision", 0, Number.MAX_SAFE_INTEGER);
  /** @type {Message} */
  let message;
  if (kind === 1) {
    const cols = input.within("columns", 2, MAX_COLS);
    const rows = input.within("rows", 1, MAX_ROWS);
    message = { kind: "keyframe", channel, revision, cols, rows, changes: readChanges(input) };
  } else if (kind === 2) {
    const base = revision - input.within("revisions back", 1, revision);
    message = { kind: "delta", channel, revision, base, changes: readChanges(input) };
  } else if (kind === 3) {
    message = { kind: "ended", channel, revision, how: readEnded(input) };
  } else {
    message = { kind: "closed", channel, revision };
  }
  const left = bytes.length - input.at;
  if (left > 0) throw new StreamError(input.at, `${left} bytes follow the end of the message`);
  return message;
}

/** @param {Input} input @returns {Ended} */
function readEnded(input) {
  const offset = input.at;
  const how = input.byte();
  if (how === 0) return { unknown: true };
  if (how === 1) {
    const code = input.within("exit code", 0, 2 ** 32 - 1);
    return { code: code % 2 === 0 ? code / 2 : -(code + 1) / 2 };
  }
  if (how === 2) return { signal: input.text("bytes of a signal", 0, MAX_SIGNAL) };
  throw new StreamError(offset, `${how} is no way to end`);
}

/** @param {Input} input @returns {Changes} */
function readChanges(input) {
  const facts = readFacts(input);
  const moves = readMoves(input);
  const looks = readLooks(input);
  return { facts, moves, rows: readRows(input, looks) };
}

/** @param {Input} input @returns {Facts} */
function readFacts(input) {
  const there = input.within("facts", 0, 63);
  /** @type {Facts} */
  const facts = {};
  if (there & 1) {
    const row = input.within("the cursor's row", 0, MAX_ROWS - 1);
    const col = input.within("the cursor's column", 0, MAX_COLS - 1);
    const bits = input.within("the cursor's look", 0, (SHAPES.length << 3) - 1);
    facts.cursor = {
      row, col, visible: (bits & 1) !== 0, blinking: (bits & 2) !== 0, pendingWrap: (bits & 4) !== 0, shape: SHAPES[bits >> 3],
    };
  }
  if (there & 2) facts.title = input.text("bytes of a title", 0, MAX_TEXT);
  if (there & 4) facts.workingDirectory = input.text("bytes of a working directory", 0, MAX_TEXT);
  if (there & 8) {
    const offset = input.at;
    const bits = input.within("modes", 0, 2 ** 20 - 1);
    if (((bits >> 13) & 3) >= ENCODINGS.length) throw new StreamError(offset, `${bits} is no modes`);
    facts.modes = modesOf(bits);
  }
  if (there & 16) facts.scrollbackRows = input.number();
  if (there & 32) facts.bells = input.number();
  return facts;
}

/** @param {number} bits @returns {Modes} */
function modesOf(bits) {
  const switches = Object.fromEntries(SWITCHES.map((name, bit) => [name, ((bits >> bit) & 1) === 1]));
  const mouse = TRACKINGS[(bits >> 11) & 3];
  const mouseEncoding = ENCODINGS[(bits >> 13) & 3];
  return /** @type {Modes} */ ({ ...switches, mouse, mouseEncoding, kittyKeyboard: bits >> 15 });
}

/** @param {Input} input */
function readMoves(input) {
  const count = input.within("moves", 0, MAX_ROWS);
  const moves = [];
  let free = 0;
  for (let index = 0; index < count; index += 1) {
    const to = input.within("row that a move begins at", free, MAX_ROWS - 1);
    const from = input.within("row that a move comes from", 0, MAX_ROWS - 1);
    const rows = input.within("rows that move", 1, MAX_ROWS - Math.max(to, from));
    free = to + rows;
    moves.push({ to, from, count: rows });
  }
  return moves;
}

/** The looks by their numbers. @param {Input} input @returns {Look[]} */
function readLooks(input) {
  /** @type {Link[]} */
  const links = [];
  for (let count = input.within("links", 0, MAX_CELLS); count > 0; count -= 1) {
    const uri = input.text("bytes of an address", 0, MAX_ROW);
    // An empty name is another thing than none.
    const named = input.within("bytes of a link's name, and one", 0, MAX_ROW + 1);
    links.push(Object.freeze({ uri, id: named === 0 ? null : input.utf8(named - 1) }));
  }
  const looks = [PLAIN];
  for (let count = input.within("looks", 0, MAX_CELLS); count > 0; count -= 1) {
    looks.push(readLook(input, links));
  }
  return looks;
}

/** @param {Input} input @param {Link[]} links @returns {Look} */
function readLook(input, links) {
  const offset = input.at;
  const head = input.byte();
  const kinds = [head & 3, (head >> 2) & 3, (head >> 4) & 3];
  if (head === 0 || kinds.includes(3)) throw new StreamError(offset, `${head} is no look`);
  const [fg, bg, underlineColor] = kinds.map((kind) => readColor(input, kind));
  /** @type {Look} */
  const look = { ...PLAIN, fg, bg, underlineColor };
  if (head & 0x40) {
    const bits = input.within("attributes", 1, (UNDERLINES.length << 9) - 1);
    ATTRIBUTES.forEach((name, bit) => {
      look[name] = ((bits >> bit) & 1) === 1;
    });
    look.underline = UNDERLINES[bits >> 9];
  }
  if (head & 0x80) {
    if (links.length === 0) throw new StreamError(offset, `${head} is no look in a message without links`);
    look.link = links[input.within("link", 0, links.length - 1)];
  }
  return Object.freeze(look);
}

/** @param {Input} input @param {number} kind @returns {Color} */
function readColor(input, kind) {
  if (kind === 0) return null;
  if (kind === 1) return input.byte();
  return `#${Array.from(input.take(3), (part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** @param {Input} input @param {Look[]} looks @returns {RowChange[]} */
function readRows(input, looks) {
  const count = input.within("rows", 0, MAX_ROWS);
  const rows = [];
  let next = 0;
  for (let listed = 0; listed < count; listed += 1) {
    const offset = input.at;
    const index = next + input.within("rows left out", 0, MAX_ROWS - 1);
    if (index >= MAX_ROWS) throw new StreamError(offset, `${index} is no number of row (${next} to ${MAX_ROWS - 1})`);
    next = index + 1;
    rows.push(readRow(input, looks, index));
  }
  return rows;
}

/** @param {Input} input @param {Look[]} looks @param {number} index @returns {RowChange} */
function readRow(input, looks, index) {
  const head = input.within("head of a row", 0, ((MAX_COLS + 1) << 4) - 1);
  const kept = head & 4 ? input.within("cells that stay", 1, MAX_COLS) : 0;
  const zones = head & 2 ? readZones(input) : [];
  /** @type {Cell[]} */
  const cells = [];
  for (let pieces = head >> 4; pieces > 0; pieces -= 1) {
    const offset = input.at;
    readPiece(input, looks, cells);
    const cols = kept + cells.length;
    if (cols > MAX_COLS) throw new StreamError(offset, `${cols} is no number of columns of a row (0 to ${MAX_COLS})`);
  }
  return { index, wrapped: (head & 1) !== 0, kept, rest: (head & 8) !== 0, zones, cells };
}

/** @param {Input} input @returns {Row["zones"]} */
function readZones(input) {
  const count = input.within("zones", 1, MAX_ROW);
  /** @type {Row["zones"]} */
  const zones = [];
  let last = { col: 0, zone: ZONES[0] };
  for (let index = 0; index < count; index += 1) {
    const offset = input.at;
    const value = input.within("zone", last.col << 2, ((MAX_COLS + 1) << 2) - 1);
    const start = { col: value >> 2, zone: ZONES[value & 3] };
    if (start.zone === last.zone) throw new StreamError(offset, `${value} is no zone after one of its kind`);
    zones.push(start);
    last = /** @type {typeof last} */ (start);
  }
  return zones;
}

/** Appends the cells of a piece. @param {Input} input @param {Look[]} looks @param {Cell[]} cells */
function readPiece(input, looks, cells) {
  const offset = input.at;
  // Divided and not shifted: a look's number may be large.
  const head = input.within("head of a piece", 0, looks.length * 8 - 1);
  const kind = head % 8;
  const look = looks[(head - kind) / 8];
  /** @type {Cell} */
  const spacer = { text: "", width: 0, look };
  if (kind === 0 || kind === 1) {
    const text = input.text("bytes of a text", 1, MAX_COLS * 4);
    for (const char of text) {
      cells.push({ text: char, width: kind === 0 ? 1 : 2, look });
      if (kind === 1) cells.push(spacer);
    }
  } else if (kind === 2) {
    const count = input.within("characters", 1, MAX_COLS);
    /** @type {Cell} */
    const cell = { text: input.char(), width: 1, look };
    for (let left = count; left > 0; left -= 1) cells.push(cell);
  } else if (kind === 3 || kind === 4) {
    const at = input.at;
    const text = input.text("bytes of a character", 2, MAX_ROW);
    // One code point is at most two units of UTF-16.
    if (text.length <= 2 && [...text].length === 1) throw new StreamError(at, "a character that has no marks that join it");
    cells.push({ text, width: kind === 3 ? 1 : 2, look });
    if (kind === 4) cells.push(spacer);
  } else if (kind === 5) {
    for (let left = input.within("second halves", 1, MAX_COLS); left > 0; left -= 1) cells.push(spacer);
  } else {
    throw new StreamError(offset, `${head} is no piece`);
  }
}

/**
 * A view of a channel that has seen nothing yet.
 * @param {number} channel
 * @returns {View}
 */
export function emptyView(channel) {
  return { channel, revision: null, shown: null, ended: null, closed: false };
}

/**
 * Makes of a view what a message says, and returns the numbers of the rows that are to be drawn anew, in order. Throws an
 * `ApplyError` where the message does not follow from what the view has; the view then stays as it is.
 * @param {View} view
 * @param {Message} message
 * @returns {number[]}
 */
export function apply(view, message) {
  if (message.channel !== view.channel) {
    throw new ApplyError(`a message for channel ${message.channel} in the view of channel ${view.channel}`);
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
  if (view.shown === null) throw new ApplyError(`a delta since revision ${message.base} where nothing is shown yet`);
  if (view.revision !== message.base) {
    throw new ApplyError(`a delta since revision ${message.base} where ${view.revision} is shown`);
  }
  const before = view.shown.lines;
  const shown = changed(view.shown, message.changes);
  view.shown = shown;
  view.revision = message.revision;
  return shown.lines.flatMap((row, index) => (row === before[index] ? [] : [index]));
}

/** @param {number} cols @param {number} rows @returns {Shown} */
function blankScreen(cols, rows) {
  return {
    cols,
    rows,
    lines: Array(rows).fill(BLANK_ROW),
    cursor: { row: 0, col: 0, visible: true, blinking: false, pendingWrap: false, shape: "block" },
    title: "",
    workingDirectory: "",
    // Text goes on in the next row, and the wheel sends cursor keys on the alternate screen.
    modes: modesOf((1 << 5) | (1 << 6)),
    scrollbackRows: 0,
    bells: 0,
  };
}

/** @param {Shown} before @param {Changes} changes @returns {Shown} */
function changed(before, changes) {
  const { cols, rows } = before;
  /** @param {string} what @param {number} value @param {number} end */
  const check = (what, value, end) => {
    if (value >= end) throw new ApplyError(`${what} ${value} is outside the screen of ${cols}x${rows}`);
  };
  const { cursor } = changes.facts;
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
  return { ...before, ...changes.facts, lines };
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
  whole(index, before.cells, kept);
  if (rest) whole(index, before.cells, end);
  const cells = before.cells.slice(0, kept);
  while (cells.length < kept) cells.push(BLANK);
  cells.push(...change.cells);
  if (rest) cells.push(...before.cells.slice(end));
  while (cells.length > 0 && isBlank(cells[cells.length - 1])) cells.pop();
  for (const { col } of zones) whole(index, cells, col);
  return { cells, wrapped, zones };
}

/** Throws where a column is the second half of a wide character. @param {number} row @param {Cell[]} cells @param {number} col */
function whole(row, cells, col) {
  if (col > 0 && cells[col]?.width === 0 && cells[col - 1].width === 2) {
    throw new ApplyError(`row ${row} is cut within the wide character before column ${col}`);
  }
}

/** @param {Cell} cell */
function isBlank(cell) {
  return cell.text === " " && cell.width === 1 && cell.look === PLAIN;
}

/**
 * A row as stretches of one look, for whoever draws text and not cells. `cols` is how many columns a stretch takes.
 * @param {Row} row
 * @returns {{ col: number, cols: number, text: string, look: Look }[]}
 */
export function runs(row) {
  const found = [];
  /** @type {{ col: number, cols: number, text: string, look: Look } | null} */
  let run = null;
  for (const [col, { text, look }] of row.cells.entries()) {
    if (run !== null && sameLook(run.look, look)) {
      run.cols += 1;
      run.text += text;
    } else {
      run = { col, cols: 1, text, look };
      found.push(run);
    }
  }
  return found;
}

/**
 * Whether two looks are the same; they may be of different messages.
 * @param {Look} one
 * @param {Look} other
 */
export function sameLook(one, other) {
  if (one === other) return true;
  const names = /** @type {(keyof Look)[]} */ (Object.keys(PLAIN));
  return names.every((name) => {
    if (name !== "link") return one[name] === other[name];
    return one.link?.uri === other.link?.uri && one.link?.id === other.link?.id;
  });
}

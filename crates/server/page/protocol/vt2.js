// @ts-check
// Decoder of binary snapshots, which contain ranges of rows (docs/formats/vt2.md).
//
// The format has no links, no combining characters and no underline styles, so the scrollback is
// shown without them.
//
// See also: `protocol/stream.js` (the live screen), `session/scrollback.js` (which rows are
// requested).

import { BLANK_CELL, DEFAULT_STYLE } from "./stream.js";

/** @import { Cell, CellStyle, Color, Row } from "./screen_state.js" */

const MAX_COLS = 2000;
const MAX_ROWS = 131_072;

/**
 * Decodes the rows of a snapshot. Throws if the bytes are invalid.
 * @param {ArrayBuffer} buffer
 * @returns {{ first: number, cols: number, rows: Row[] }}
 */
export function readRows(buffer) {
  const view = new DataView(buffer);
  if (view.byteLength < 28 || view.getUint16(0) !== 0x5654 || view.getUint8(2) !== 2) {
    throw new Error("not a binary snapshot of version 2");
  }
  const cols = view.getUint32(4, true);
  const count = view.getUint32(8, true);
  if (cols > MAX_COLS || count > MAX_ROWS) throw new Error(`the snapshot is too large: ${cols}x${count}`);
  const isFull = view.byteLength >= 32 && view.getUint32(28) === 0;
  const reader = new Reader(view, isFull ? 32 : 28);
  /** @type {Row[]} */
  const rows = [];
  /** @type {Cell[]} */
  let cells = [];
  const end = () => {
    rows.push({ cells: trimmed(cells), wrapped: false, zones: [] });
    cells = [];
  };
  while (rows.length < count) {
    const first = reader.peek();
    if (first === 0xfe && cells.length === 0) {
      reader.byte();
      for (let blank = reader.byte(); blank > 0 && rows.length < count; blank -= 1) end();
      continue;
    }
    let times = 1;
    if (first === 0xff) {
      reader.byte();
      times = reader.byte();
    }
    const cell = reader.cell();
    for (; times > 0 && rows.length < count; times -= 1) {
      push(cells, cell);
      if (cells.length === cols) end();
    }
  }
  return { first: view.getInt32(12, true), cols, rows };
}

/** @param {Cell[]} cells @param {Cell} cell */
function push(cells, cell) {
  const before = cells.at(-1);
  if (cell.text !== "\0") cells.push(cell);
  else if (before !== undefined && before.width === 1 && before.text > "~") {
    cells[cells.length - 1] = { ...before, width: 2 };
    cells.push({ text: "", width: 0, style: before.style });
  } else cells.push({ ...cell, text: " " });
}

/** @param {Cell[]} cells */
function trimmed(cells) {
  let length = cells.length;
  while (length > 0 && cells[length - 1].text === BLANK_CELL.text && cells[length - 1].style === DEFAULT_STYLE) length -= 1;
  return cells.slice(0, length);
}

class Reader {
  /** @type {Map<string, CellStyle>} */
  #styles = new Map();
  #utf8 = new TextDecoder();

  /** @param {DataView} view @param {number} at */
  constructor(view, at) {
    this.view = view;
    this.at = at;
  }

  peek() {
    if (this.at >= this.view.byteLength) throw new Error(`the snapshot ends early, at byte ${this.at}`);
    return this.view.getUint8(this.at);
  }

  byte() {
    const byte = this.peek();
    this.at += 1;
    return byte;
  }

  /** @returns {Cell} */
  cell() {
    const head = this.byte();
    const attributes = this.byte();
    if ((attributes & 0x80) === 0) {
      const style = this.style(attributes, this.byte(), this.byte());
      return { text: String.fromCharCode(head), width: 1, style };
    }
    const bytes = [];
    for (let left = (head >> 6) + 1; left > 0; left -= 1) bytes.push(this.byte());
    const text = this.#utf8.decode(new Uint8Array(bytes));
    const fg = this.color(head & 0x20);
    return { text, width: 1, style: this.style(attributes, fg, this.color(head & 0x10)) };
  }

  /** @param {number} isExact @returns {number | string} */
  color(isExact) {
    if (!isExact) return this.byte();
    const parts = [this.byte(), this.byte(), this.byte()];
    return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  }

  /**
   * @param {number} bits
   * @param {number | string} fg
   * @param {number | string} bg
   * @returns {CellStyle}
   */
  style(bits, fg, bg) {
    const key = `${bits & 0x7f} ${fg} ${bg}`;
    let style = this.#styles.get(key);
    if (style === undefined) {
      style = (bits & 0x7f) === 0 && fg === 7 && bg === 0 ? DEFAULT_STYLE : newStyle(bits, fg, bg);
      this.#styles.set(key, style);
    }
    return style;
  }
}

/**
 * The format has no default colours: 7 and 0 represent them.
 * @param {number} bits
 * @param {Color} fg
 * @param {Color} bg
 * @returns {CellStyle}
 */
function newStyle(bits, fg, bg) {
  /** @param {number} bit */
  const is = (bit) => ((bits >> bit) & 1) === 1;
  return {
    ...DEFAULT_STYLE,
    fg: fg === 7 ? null : fg,
    bg: bg === 0 ? null : bg,
    bold: is(0),
    italic: is(1),
    underline: is(2) ? "single" : "none",
    faint: is(3),
    inverse: is(4),
    invisible: is(5),
    strikethrough: is(6),
  };
}

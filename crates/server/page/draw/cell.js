// @ts-check
// Size of a cell, and width of characters in it.
//
// A cell is a whole number of device pixels wide and high; letter spacing fills the difference, so
// that no hairlines appear between backgrounds. Characters that the font draws wider or narrower
// than their columns get their own element.
//
// See also: `draw/screen.js` (drawing), `draw/text_size.js` (the text size).

/** Default text size, in pixels. */
export const DEFAULT_TEXT_SIZE = 14;

/**
 * @typedef {object} Cell
 * @property {number} text the text size
 * @property {number} width
 * @property {number} height
 * @property {number} spacing the letter spacing
 */

/** @type {Map<string, Cell>} */
const cells = new Map();

/** Returns the cell of a text size. @param {number} text @returns {Cell} */
export function cellOf(text) {
  const dots = globalThis.devicePixelRatio || 1;
  const key = `${text}@${dots}`;
  let cell = cells.get(key);
  if (cell === undefined) {
    cell = measure(text, dots);
    cells.set(key, cell);
  }
  return cell;
}

/** @param {number} text @param {number} dots @returns {Cell} */
function measure(text, dots) {
  const probe = document.createElement("div");
  probe.className = "probe";
  probe.style.fontSize = `${text}px`;
  probe.textContent = "0".repeat(100);
  document.body.append(probe);
  const box = probe.getBoundingClientRect();
  probe.remove();
  /** @param {number} length */
  const whole = (length) => Math.max(1, Math.round(length * dots)) / dots;
  const natural = box.width / 100;
  const width = whole(natural);
  return { text, width, height: whole(box.height), spacing: width - natural };
}

/**
 * Sets the cell size of an element and its descendants.
 * @param {HTMLElement} element
 * @param {Cell} cell
 */
export function setCellSize(element, cell) {
  element.style.fontSize = `${cell.text}px`;
  element.style.letterSpacing = `${cell.spacing}px`;
  element.style.setProperty("--cell-width", `${cell.width}px`);
  element.style.setProperty("--cell-height", `${cell.height}px`);
}

/** @type {CanvasRenderingContext2D | null} */
let ruler = null;
/** @type {Map<string, number>} */
const widths = new Map();
/** The most cached widths; beyond that, all are measured again. */
const MAX_WIDTHS = 20_000;

/**
 * Returns the width at which the font draws a character, in columns, such as 0.9 or 2.
 * @param {string} text
 */
export function drawnWidth(text) {
  // Fast path for printable ASCII: in a monospace font, all have the width of one column.
  if (text.length === 1 && text >= " " && text <= "~") return 1;
  let width = widths.get(text);
  if (width === undefined) {
    ruler ??= newRuler();
    width = ruler === null ? 1 : ruler.measureText(text).width / ruler.measureText("0").width;
    if (widths.size >= MAX_WIDTHS) widths.clear();
    widths.set(text, width);
  }
  return width;
}

function newRuler() {
  const context = document.createElement("canvas").getContext("2d");
  if (context !== null) {
    const probe = document.createElement("div");
    probe.className = "probe";
    document.body.append(probe);
    context.font = `100px ${getComputedStyle(probe).fontFamily}`;
    probe.remove();
  }
  return context;
}

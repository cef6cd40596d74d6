// @ts-check
// How large a cell is, and which characters fill one.
//
// A cell is a whole number of the display's pixels wide and high: letters are spaced so that no hairline shows between two backgrounds. What the
// font draws wider or narrower than its columns gets a box of its own from whoever draws.
//
// Elsewhere: drawing (`draw/screen.js`), choosing a size of text (`session/session_view.js`).

/** The size of text, in pixels, unless somebody chooses another. */
export const TEXT = 14;

/**
 * @typedef {object} Cell
 * @property {number} text the size of the text
 * @property {number} width
 * @property {number} height
 * @property {number} spacing what is added between letters
 */

/** @type {Map<string, Cell>} */
const cells = new Map();

/** The cell of a size of text. @param {number} text @returns {Cell} */
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

/** Tells an element, and all in it, the size of a cell. @param {HTMLElement} element @param {Cell} cell */
export function giveCell(element, cell) {
  element.style.fontSize = `${cell.text}px`;
  element.style.letterSpacing = `${cell.spacing}px`;
  element.style.setProperty("--cell-width", `${cell.width}px`);
  element.style.setProperty("--cell-height", `${cell.height}px`);
}

/** @type {CanvasRenderingContext2D | null} */
let ruler = null;
/** @type {Map<string, number>} */
const widths = new Map();
/** So many characters are remembered; who shows more pays by being measured again. */
const MOST = 20_000;

/** How many columns the font draws a character over, such as 0.9 or 2. @param {string} text */
export function columnsDrawn(text) {
  // Nearly all that terminals show; the font is one in which these are alike.
  if (text.length === 1 && text >= " " && text <= "~") return 1;
  let width = widths.get(text);
  if (width === undefined) {
    ruler ??= newRuler();
    width = ruler === null ? 1 : ruler.measureText(text).width / ruler.measureText("0").width;
    if (widths.size >= MOST) widths.clear();
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

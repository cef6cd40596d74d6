// @ts-check
// Draws one row of a terminal as elements.
//
// A row consists of text and one span for each run of one style. Every span is exactly as wide as
// its columns, so the next one starts at the right column whatever the font does. The text content
// of the elements is the text of the row, so selections contain what was shown.
//
// See also: `draw/screen.js` and `session/scrollback.js` (which rows are drawn), `draw/colours.js`
// (styles).

import { drawnWidth } from "./cell.js";
import { applyStyle } from "./colours.js";
import { DEFAULT_STYLE, sameStyle } from "../protocol/stream.js";

/** @import { Cell, CellStyle, Row } from "../protocol/screen_state.js" */

/** The row that an element shows, for copying. @type {WeakMap<Element, Row>} */
const shown = new WeakMap();

/** Returns the row that an element shows. @param {Element} element */
export function rowOf(element) {
  return shown.get(element);
}

/** Creates an element for a row. */
export function newRow() {
  const element = document.createElement("div");
  element.className = "row";
  return element;
}

/** Draws a row into an element. @param {HTMLElement} element @param {Row} row */
export function drawRow(element, row) {
  const parts = [];
  for (const piece of pieces(row.cells)) parts.push(drawPiece(piece));
  element.replaceChildren(...parts);
  shown.set(element, row);
}

/**
 * Cells that are drawn as one piece.
 * @typedef {object} Piece
 * @property {string} text
 * @property {number} cols
 * @property {CellStyle} style
 * @property {number} drawn the width at which the font draws it, in columns
 */

/** How far a character's width may differ from its columns before it gets its own element. */
const SLACK = 0.02;

/** @param {Cell[]} cells @returns {Piece[]} */
function pieces(cells) {
  /** @type {Piece[]} */
  const found = [];
  /** The piece that the next cell may join. @type {Piece | null} */
  let open = null;
  for (const [col, { text, width, style }] of cells.entries()) {
    if (width === 0) {
      // The second half of a wide character is drawn with the first; a lone one is a space.
      if (col > 0 && cells[col - 1].width === 2) continue;
      found.push({ text: " ", cols: 1, style, drawn: 1 });
      open = null;
      continue;
    }
    const visible = withoutControls(text);
    const drawn = drawnWidth(visible);
    const fits = width === 1 && Math.abs(drawn - 1) < SLACK;
    if (fits && open !== null && sameStyle(open.style, style)) {
      open.text += visible;
      open.cols += 1;
      open.drawn += 1;
      continue;
    }
    const piece = { text: visible, cols: width, style, drawn: fits ? 1 : drawn };
    found.push(piece);
    open = fits ? piece : null;
  }
  return found;
}

/** @param {string} text */
function withoutControls(text) {
  if (text >= " " && text <= "~") return text;
  // A placeholder of an image is blank; the image is drawn over it.
  return text.startsWith("\u{10eeee}") ? " " : text.replace(/[\u0000-\u001f\u007f-\u009f]/g, " ");
}

/** @param {Piece} piece @returns {Node} */
function drawPiece({ text, cols, style, drawn }) {
  const alike = Math.abs(drawn - cols) < SLACK;
  if (alike && (style === DEFAULT_STYLE || sameStyle(style, DEFAULT_STYLE))) return document.createTextNode(text);
  const element = style.link === null ? document.createElement("span") : newLink(style.link.uri);
  element.textContent = text;
  element.style.width = cols === 1 ? "var(--cell-width)" : `calc(var(--cell-width) * ${cols})`;
  // Characters that are too wide are drawn smaller. Those that are too narrow get letter spacing,
  // so that selections have no gaps.
  if (drawn > cols + SLACK) {
    element.style.fontSize = `${cols / drawn}em`;
    element.style.letterSpacing = "0";
  } else if (!alike) {
    element.style.letterSpacing = `calc(var(--cell-width) * ${cols} - ${drawn}ch)`;
  }
  applyStyle(element, style);
  return element;
}

/**
 * Schemes of links that can be followed. Others, such as `javascript:`, are shown but are not
 * links.
 */
const SCHEMES = ["http:", "https:", "mailto:"];

/** @param {string} uri */
function newLink(uri) {
  if (!URL.canParse(uri) || !SCHEMES.includes(new URL(uri).protocol)) {
    const span = document.createElement("span");
    span.title = uri;
    return span;
  }
  const link = document.createElement("a");
  link.href = uri;
  link.title = uri;
  link.target = "_blank";
  link.rel = "noopener noreferrer";
  link.draggable = false;
  return link;
}

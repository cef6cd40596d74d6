// @ts-check
// One row of a terminal as elements.
//
// A row is text and spans, one for each stretch of one look; every span is exactly as wide as its columns, so that whatever a font does, the next one
// begins where it should. The text of the elements is the text of the row: what a person selects is what was shown.
//
// Elsewhere: which rows are drawn (`draw/screen.js`, `session/scrollback.js`), what they look like (`draw/colours.js`).

import { columnsDrawn } from "./cell.js";
import { dress } from "./colours.js";
import { PLAIN, sameLook } from "../protocol/stream.js";

/** @import { Cell, Look, Row } from "../protocol/stream.js" */

/** Which row an element shows, for whoever copies. @type {WeakMap<Element, Row>} */
const shown = new WeakMap();

/** The row that an element shows. @param {Element} element */
export function rowOf(element) {
  return shown.get(element);
}

/** An element for a row. */
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
 * Cells that are drawn as one.
 * @typedef {object} Piece
 * @property {string} text
 * @property {number} cols
 * @property {Look} look
 * @property {number} drawn over how many columns the font draws it
 */

/** How far, in columns, a character may be from its cell before it gets a box of its own. */
const SLACK = 0.02;

/** @param {Cell[]} cells @returns {Piece[]} */
function pieces(cells) {
  /** @type {Piece[]} */
  const found = [];
  /** The piece that the next cell may join. @type {Piece | null} */
  let open = null;
  for (const [col, { text, width, look }] of cells.entries()) {
    if (width === 0) {
      // The second half belongs to the first; without one it is a blank.
      if (col > 0 && cells[col - 1].width === 2) continue;
      found.push({ text: " ", cols: 1, look, drawn: 1 });
      open = null;
      continue;
    }
    const visible = withoutControls(text);
    const drawn = columnsDrawn(visible);
    const fits = width === 1 && Math.abs(drawn - 1) < SLACK;
    if (fits && open !== null && sameLook(open.look, look)) {
      open.text += visible;
      open.cols += 1;
      open.drawn += 1;
      continue;
    }
    const piece = { text: visible, cols: width, look, drawn: fits ? 1 : drawn };
    found.push(piece);
    open = fits ? piece : null;
  }
  return found;
}

/** @param {string} text */
function withoutControls(text) {
  return text >= " " && text <= "~" ? text : text.replace(/[\u0000-\u001f\u007f-\u009f]/g, " ");
}

/** @param {Piece} piece @returns {Node} */
function drawPiece({ text, cols, look, drawn }) {
  const alike = Math.abs(drawn - cols) < SLACK;
  if (alike && (look === PLAIN || sameLook(look, PLAIN))) return document.createTextNode(text);
  const element = look.link === null ? document.createElement("span") : newLink(look.link.uri);
  element.textContent = text;
  element.style.width = cols === 1 ? "var(--cell-width)" : `calc(var(--cell-width) * ${cols})`;
  // A character that is too wide is drawn smaller; one that is too narrow is followed by what is missing, so that a selection has no gaps.
  if (drawn > cols + SLACK) {
    element.style.fontSize = `${cols / drawn}em`;
    element.style.letterSpacing = "0";
  } else if (!alike) {
    element.style.letterSpacing = `calc(var(--cell-width) * ${cols} - ${drawn}ch)`;
  }
  dress(element, look);
  return element;
}

/** What a page may lead to; anything else, such as `javascript:`, is shown and leads nowhere. */
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

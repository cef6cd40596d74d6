// @ts-check
// How large the text of a large screen is: as there is room for, or as the reader likes it.
//
// Elsewhere: how large a cell then is (`draw/cell.js`).

import { cellOf } from "./cell.js";

/** @import { Cell } from "./cell.js" */

/** Smaller than this nobody reads. */
const SMALLEST = 7;
/** Larger than this it gets only by the reader's own wish, and at most so large. */
const LARGE = 20;
const LARGEST = 32;

/** What the reader chose, for all large screens. @type {number | null} */
let chosen = Number(localStorage.getItem("screentest.text")) || null;

/** The size that the reader chose. */
export function chosenText() {
  return chosen;
}

/** How many cells there is room for. @param {HTMLElement} element @param {number} text */
export function roomIn(element, text) {
  const cell = cellOf(text);
  return { cols: Math.floor(element.clientWidth / cell.width), rows: Math.floor(element.clientHeight / cell.height) };
}

/** The cell of the text that the reader chose, or of the largest with which so much is seen whole. @param {HTMLElement} element @param {number} cols @param {number} rows @returns {Cell} */
export function cellIn(element, cols, rows) {
  let text = chosen ?? LARGE;
  while (chosen === null && text > SMALLEST) {
    const room = roomIn(element, text);
    if (room.cols >= cols && room.rows >= rows) break;
    text -= 1;
  }
  return cellOf(text);
}

/** Takes larger or smaller text than there is now, or again as much as there is room for. @param {number | "auto"} step @param {number} now */
export function stepText(step, now) {
  chosen = step === "auto" ? null : Math.min(LARGEST, Math.max(SMALLEST, now + step));
  localStorage.setItem("screentest.text", String(chosen ?? ""));
}

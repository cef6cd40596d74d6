// @ts-check
// Text size of the large screen: the largest that fits, or the reader's choice.
//
// See also: `draw/cell.js` (the resulting cell size).

import { cellOf } from "./cell.js";

/** @import { Cell } from "./cell.js" */

/** The smallest readable size, in pixels. */
const SMALLEST = 7;
/** The largest size chosen automatically, and by the reader. */
const LARGE = 20;
const LARGEST = 32;

/** The reader's choice, for all large screens. @type {number | null} */
let chosen = Number(localStorage.getItem("screentest.text")) || null;

/** Returns the reader's choice. */
export function chosenTextSize() {
  return chosen;
}

/** Returns the number of cells that fit. @param {HTMLElement} element @param {number} text */
export function cellsThatFit(element, text) {
  const cell = cellOf(text);
  return { cols: Math.floor(element.clientWidth / cell.width), rows: Math.floor(element.clientHeight / cell.height) };
}

/**
 * Returns the cell of the reader's text size, or of the largest at which the whole screen fits.
 * @param {HTMLElement} element
 * @param {number} cols
 * @param {number} rows
 * @returns {Cell}
 */
export function cellThatFits(element, cols, rows) {
  let text = chosen ?? LARGE;
  while (chosen === null && text > SMALLEST) {
    const room = cellsThatFit(element, text);
    if (room.cols >= cols && room.rows >= rows) break;
    text -= 1;
  }
  return cellOf(text);
}

/**
 * Changes the text size by a step, or back to automatic.
 * @param {number | "auto"} step
 * @param {number} now
 */
export function stepTextSize(step, now) {
  chosen = step === "auto" ? null : Math.min(LARGEST, Math.max(SMALLEST, now + step));
  localStorage.setItem("screentest.text", String(chosen ?? ""));
}

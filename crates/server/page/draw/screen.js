// @ts-check
// What a terminal shows, as elements: a row each, and the cursor above them.
//
// Only rows that changed are touched, so that a selection elsewhere stays, and a screen costs what changed on it. The large screen and the thumbnails are the
// same; what is drawn may come from anywhere, live or kept.
//
// Elsewhere: one row (`draw/row.js`), where the changes come from (`protocol/socket.js`).

import { giveCell } from "./cell.js";
import { coloursOf } from "./colours.js";
import { drawRow, newRow } from "./row.js";
import { BLANK } from "../protocol/stream.js";

/** @import { Cell } from "./cell.js" */
/** @import { Shown } from "../protocol/stream.js" */

export class Screen {
  /** @param {Cell} cell */
  constructor(cell) {
    this.element = document.createElement("div");
    this.element.className = "screen";
    this.rows = document.createElement("div");
    this.rows.className = "rows";
    this.cursor = document.createElement("div");
    this.cursor.className = "cursor";
    this.cursor.setAttribute("aria-hidden", "true");
    this.element.append(this.rows, this.cursor);
    this.cell = cell;
    this.setCell(cell);
  }

  /** Draws everything in another size. @param {Cell} cell */
  setCell(cell) {
    this.cell = cell;
    giveCell(this.element, cell);
  }

  /**
   * Draws what is shown.
   * @param {Shown} shown
   * @param {Iterable<number>} changed the numbers of rows that are not as they were drawn last
   */
  draw(shown, changed) {
    const { children } = this.rows;
    let fresh = changed;
    if (children.length !== shown.rows) {
      this.rows.replaceChildren(...Array.from(shown.lines, newRow));
      fresh = shown.lines.keys();
    }
    this.element.style.setProperty("--cols", String(shown.cols));
    this.element.style.setProperty("--rows", String(shown.rows));
    for (const index of fresh) {
      const line = shown.lines[index];
      if (line !== undefined) drawRow(/** @type {HTMLElement} */ (children[index]), line);
    }
    this.drawCursor(shown);
  }

  /** Shows nothing. */
  clear() {
    this.rows.replaceChildren();
    this.cursor.hidden = true;
  }

  /** @param {Shown} shown */
  drawCursor({ cursor, lines }) {
    const { style, classList } = this.cursor;
    this.cursor.hidden = !cursor.visible;
    if (!cursor.visible) return;
    const { cells } = lines[cursor.row];
    // On the second half of a wide character it covers both.
    const col = cells[cursor.col]?.width === 0 && cells[cursor.col - 1]?.width === 2 ? cursor.col - 1 : cursor.col;
    const under = cells[col] ?? BLANK;
    style.left = `calc(var(--cell-width) * ${col})`;
    style.top = `calc(var(--cell-height) * ${cursor.row})`;
    style.width = `calc(var(--cell-width) * ${under.width === 2 ? 2 : 1})`;
    // A block shows the character in the colour of its ground.
    style.color = coloursOf(under.look).bg ?? "var(--bg)";
    this.cursor.textContent = cursor.shape === "block" && !under.look.invisible ? under.text : "";
    classList.toggle("bold", under.look.bold);
    classList.toggle("italic", under.look.italic);
    classList.toggle("underline", cursor.shape === "underline");
    classList.toggle("bar", cursor.shape === "bar");
    classList.toggle("blinking", cursor.blinking);
  }
}

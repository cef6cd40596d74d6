// @ts-check
// Draws a terminal's screen as elements: one per row, images above and below them, and the cursor.
//
// Only changed rows are touched, so selections elsewhere survive and the cost is proportional to
// the change. The session, its thumbnail and the cassette player use the same code.
//
// See also: `draw/row.js` (one row), `draw/images.js` (images), `protocol/socket.js` (where changes come from).

import { setCellSize } from "./cell.js";
import { setPalette, visibleColours } from "./colours.js";
import { drawImages, sameImages } from "./images.js";
import { drawRow, newRow } from "./row.js";
import { BLANK_CELL, UNCHANGED_PALETTE } from "../protocol/stream.js";

/** @import { Cell } from "./cell.js" */
/** @import { Image, Palette, ScreenState } from "../protocol/screen_state.js" */

export class Screen {
  /**
   * @param {Cell} cell
   * @param {(hash: string) => string} imageUrl returns the address of an image
   * @param {HTMLElement} [surroundings] an element around the screen that gets its colours, too
   */
  constructor(cell, imageUrl, surroundings) {
    this.element = document.createElement("div");
    this.element.className = "screen";
    this.rows = document.createElement("div");
    this.rows.className = "rows";
    this.cursor = document.createElement("div");
    this.cursor.className = "cursor";
    this.cursor.setAttribute("aria-hidden", "true");
    this.imagesBelow = newLayer("images below");
    this.imagesAbove = newLayer("images");
    this.imageUrl = imageUrl;
    /** The images that are drawn. @type {Image[]} */
    this.images = [];
    this.element.append(this.imagesBelow, this.rows, this.imagesAbove, this.cursor);
    /** The element whose colours the program changes. */
    this.coloured = surroundings ?? this.element;
    this.palette = UNCHANGED_PALETTE;
    this.cell = cell;
    this.setCell(cell);
  }

  /** Changes the cell size. @param {Cell} cell */
  setCell(cell) {
    this.cell = cell;
    setCellSize(this.element, cell);
  }

  /**
   * Draws a screen.
   * @param {ScreenState} shown
   * @param {Iterable<number>} changed the indices of rows that changed since they were last drawn
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
    if (!sameImages(this.images, shown.images)) {
      this.images = shown.images;
      drawImages(this.imagesAbove, this.imagesBelow, shown.images, this.imageUrl);
    }
    this.setPalette(shown.palette);
    this.drawCursor(shown);
  }

  /** Rows refer to colours by variables and need not be drawn again. @param {Palette} palette */
  setPalette(palette) {
    if (palette === this.palette) return;
    setPalette(this.coloured, this.palette, palette);
    this.palette = palette;
  }

  /** Removes all rows and images. */
  clear() {
    this.rows.replaceChildren();
    this.images = [];
    this.imagesAbove.replaceChildren();
    this.imagesBelow.replaceChildren();
    this.setPalette(UNCHANGED_PALETTE);
    this.cursor.hidden = true;
  }

  /** @param {ScreenState} shown */
  drawCursor({ cursor, lines }) {
    const { style, classList } = this.cursor;
    this.cursor.hidden = !cursor.visible;
    if (!cursor.visible) return;
    const { cells } = lines[cursor.row];
    // On the second half of a wide character, the cursor covers both halves.
    const col = cells[cursor.col]?.width === 0 && cells[cursor.col - 1]?.width === 2 ? cursor.col - 1 : cursor.col;
    const under = cells[col] ?? BLANK_CELL;
    style.left = `calc(var(--cell-width) * ${col})`;
    style.top = `calc(var(--cell-height) * ${cursor.row})`;
    style.width = `calc(var(--cell-width) * ${under.width === 2 ? 2 : 1})`;
    // A block cursor shows the character in its background colour.
    style.color = visibleColours(under.style).bg ?? "var(--bg)";
    this.cursor.textContent = cursor.shape === "block" && !under.style.invisible ? under.text : "";
    classList.toggle("bold", under.style.bold);
    classList.toggle("italic", under.style.italic);
    classList.toggle("underline", cursor.shape === "underline");
    classList.toggle("bar", cursor.shape === "bar");
    classList.toggle("blinking", cursor.blinking);
  }
}

/** @param {string} className */
function newLayer(className) {
  const layer = document.createElement("div");
  layer.className = className;
  return layer;
}

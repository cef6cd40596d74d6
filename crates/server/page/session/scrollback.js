// @ts-check
// What has scrolled out above the screen.
//
// It takes the place that its rows need, so that the browser scrolls it as it scrolls anything: by wheel, finger, keys and scroll bar. Only rows near those that
// are seen are asked for and drawn. What was fetched is held until the reader is back at the end, so that it stands still while the program goes on.
//
// Elsewhere: asking the server (`protocol/sessions.js`), the screen below it (`session/session_view.js`).

import { drawRow, newRow } from "../draw/row.js";

/** @import { Row } from "../protocol/stream.js" */

/** How many rows are fetched at once, from a multiple of this on. */
const CHUNK = 200;
/** How many rows are drawn beyond those that are seen. */
const MARGIN = 40;

export class Scrollback {
  /**
   * @param {HTMLElement} pane what scrolls
   * @param {(first: number, count: number) => Promise<{ first: number, rows: Row[] }>} fetchRows
   * @param {(error: unknown) => void} onError
   */
  constructor(pane, fetchRows, onError) {
    this.pane = pane;
    this.fetchRows = fetchRows;
    this.onError = onError;
    this.element = document.createElement("div");
    this.element.className = "scrollback";
    this.total = 0;
    /** What was fetched, by the number of the chunk. @type {Map<number, Row[]>} */
    this.chunks = new Map();
    /** Which chunks are on their way. @type {Set<number>} */
    this.asked = new Set();
    /** @type {Map<number, HTMLElement>} */
    this.drawn = new Map();
    this.height = 1;
    /** Changes whenever what was asked for is no longer wanted. */
    this.epoch = 0;
  }

  /** There are so many rows, each so high. @param {number} total @param {number} height */
  setTotal(total, height) {
    if (total < this.total) this.forget();
    this.total = total;
    this.height = height;
    this.element.style.height = `${total * height}px`;
  }

  /** What was fetched is fetched again when it is next seen. */
  forget() {
    this.epoch += 1;
    this.chunks.clear();
    this.asked.clear();
    this.drawn.clear();
    this.element.replaceChildren();
  }

  /** Draws the rows that are seen now. */
  draw() {
    const first = Math.floor(this.pane.scrollTop / this.height);
    const last = Math.ceil((this.pane.scrollTop + this.pane.clientHeight) / this.height);
    if (first >= this.total) return;
    const from = Math.max(0, first - MARGIN);
    const to = Math.min(this.total, last + MARGIN);
    for (const [index, element] of this.drawn) {
      if (index >= from && index < to) continue;
      element.remove();
      this.drawn.delete(index);
    }
    for (let chunk = Math.floor(from / CHUNK); chunk * CHUNK < to; chunk += 1) this.fetchChunk(chunk);
    for (let index = from; index < to; index += 1) {
      const row = this.chunks.get(Math.floor(index / CHUNK))?.[index % CHUNK];
      if (row !== undefined && !this.drawn.has(index)) this.drawIndex(index, row);
    }
  }

  /** @param {number} index @param {Row} row */
  drawIndex(index, row) {
    const element = newRow();
    element.style.top = `calc(var(--cell-height) * ${index})`;
    drawRow(element, row);
    this.drawn.set(index, element);
    // In the order of the rows, as a selection runs through them.
    let next = index + 1;
    const end = Math.min(this.total, index + 2 * CHUNK);
    while (next < end && !this.drawn.has(next)) next += 1;
    this.element.insertBefore(element, this.drawn.get(next) ?? null);
  }

  /** Fetches a chunk that is not there as far as it could be. @param {number} chunk */
  async fetchChunk(chunk) {
    const first = chunk * CHUNK;
    const count = Math.min(CHUNK, this.total - first);
    if (this.asked.has(chunk) || (this.chunks.get(chunk)?.length ?? 0) >= count) return;
    const { epoch } = this;
    this.asked.add(chunk);
    try {
      const { rows } = await this.fetchRows(first, count);
      if (epoch !== this.epoch) return;
      this.chunks.set(chunk, rows);
      this.draw();
    } catch (error) {
      if (epoch === this.epoch) this.onError(error);
    } finally {
      if (epoch === this.epoch) this.asked.delete(chunk);
    }
  }
}

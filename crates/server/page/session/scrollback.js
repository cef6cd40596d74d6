// @ts-check
// The scrollback above the screen.
//
// It is as high as all of its rows, so the browser's own scrolling works by wheel, touch, keys and
// scroll bar. Only rows near the visible ones are fetched and drawn. Fetched rows are kept until
// the reader returns to the end, so that they do not move while the program continues.
//
// See also: `protocol/sessions.js` (fetching rows), `session/session_view.js` (the screen below).

import { drawRow, newRow } from "../draw/row.js";

/** @import { Row } from "../protocol/screen_state.js" */

/** The number of rows fetched at once, starting at a multiple of it. */
const CHUNK = 200;
/** The number of rows drawn above and below the visible ones. */
const MARGIN = 40;

export class Scrollback {
  /**
   * @param {HTMLElement} pane the scrolling element
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
    /** The fetched rows, by chunk number. @type {Map<number, Row[]>} */
    this.chunks = new Map();
    /** The chunks that are being fetched. @type {Set<number>} */
    this.pending = new Set();
    /** @type {Map<number, HTMLElement>} */
    this.drawn = new Map();
    this.height = 1;
    /** Incremented when pending responses become obsolete. */
    this.epoch = 0;
  }

  /** Sets the number of rows and their height. @param {number} total @param {number} height */
  setTotal(total, height) {
    if (total < this.total) this.forget();
    this.total = total;
    this.height = height;
    this.element.style.height = `${total * height}px`;
  }

  /** Discards the fetched rows. */
  forget() {
    this.epoch += 1;
    this.chunks.clear();
    this.pending.clear();
    this.drawn.clear();
    this.element.replaceChildren();
  }

  /** Draws the visible rows. */
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
    // In row order, because selections follow the order of elements.
    let next = index + 1;
    const end = Math.min(this.total, index + 2 * CHUNK);
    while (next < end && !this.drawn.has(next)) next += 1;
    this.element.insertBefore(element, this.drawn.get(next) ?? null);
  }

  /** Fetches a chunk, unless it is complete or being fetched. @param {number} chunk */
  async fetchChunk(chunk) {
    const first = chunk * CHUNK;
    const count = Math.min(CHUNK, this.total - first);
    if (this.pending.has(chunk) || (this.chunks.get(chunk)?.length ?? 0) >= count) return;
    const { epoch } = this;
    this.pending.add(chunk);
    try {
      const { rows } = await this.fetchRows(first, count);
      if (epoch !== this.epoch) return;
      this.chunks.set(chunk, rows);
      this.draw();
    } catch (error) {
      if (epoch === this.epoch) this.onError(error);
    } finally {
      if (epoch === this.epoch) this.pending.delete(chunk);
    }
  }
}

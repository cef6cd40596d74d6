// @ts-check
// A session, small and live: the same screen as the large one, made small by the browser.

import { TEXT, cellOf } from "../draw/cell.js";
import { Screen } from "../draw/screen.js";

/** @import { Eye, Socket, Watch } from "../protocol/socket.js" */

/** How often a second a thumbnail is drawn, at most; and while the same is seen large, where it would cost as much again. */
const RATE = 4;
const RATE_BESIDE = 1;

export class Thumbnail {
  /** @param {string} session @param {Socket} socket @param {{ closed: () => void, driverChanged: () => void }} told */
  constructor(session, socket, told) {
    this.session = session;
    this.socket = socket;
    this.element = document.createElement("div");
    this.element.className = "thumbnail";
    // Links in it are no links of the page.
    this.element.inert = true;
    this.screen = new Screen(cellOf(TEXT));
    this.element.append(this.screen.element);
    /** @type {Watch | null} */
    this.watch = null;
    new ResizeObserver(() => this.scale()).observe(this.element);
    /** The size of the screen that was drawn last. */
    this.cols = 0;
    this.rows = 0;
    /** Rows that wait to be drawn. @type {Set<number>} */
    this.waiting = new Set();
    this.timer = 0;
    /** @type {Eye} */
    this.eye = {
      rate: RATE,
      draw: (watch, changed) => {
        for (const index of changed) this.waiting.add(index);
        if (watch.view.closed) told.closed();
        // For the large one more may come over the same channel.
        const rate = watch.rate > RATE ? RATE_BESIDE : RATE;
        if (this.timer === 0) {
          this.drawNow(watch);
          this.timer = setTimeout(() => {
            this.timer = 0;
            if (this.waiting.size > 0) this.drawNow(watch);
          }, 1000 / rate);
        }
      },
      driverChanged: told.driverChanged,
    };
  }

  /** Is live while it is seen. @param {boolean} isSeen */
  setSeen(isSeen) {
    if (isSeen && (this.watch === null || this.watch.view.closed)) {
      this.watch = this.socket.look(this.session, this.eye);
    } else if (!isSeen && this.watch !== null) {
      this.socket.leave(this.watch, this.eye);
      this.watch = null;
    }
  }

  /** @param {Watch} watch */
  drawNow(watch) {
    const { shown } = watch.view;
    if (shown === null) return;
    const rows = this.waiting;
    this.waiting = new Set();
    this.screen.draw(shown, rows);
    if (this.cols === shown.cols && this.rows === shown.rows) return;
    this.cols = shown.cols;
    this.rows = shown.rows;
    this.scale();
  }

  /** Fits the screen into its frame. */
  scale() {
    const { clientWidth, clientHeight } = this.element;
    if (this.cols === 0) return;
    const { width, height } = this.screen.cell;
    const scale = Math.min(clientWidth / (this.cols * width), clientHeight / (this.rows * height));
    this.screen.element.style.transform = `scale(${scale})`;
  }
}

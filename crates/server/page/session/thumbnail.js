// @ts-check
// A live thumbnail of a session: the same screen as the large view, scaled down by the browser.

import { DEFAULT_TEXT_SIZE, cellOf } from "../draw/cell.js";
import { Screen } from "../draw/screen.js";
import { imageUrl } from "../protocol/sessions.js";

/** @import { Socket, Subscription, Viewer } from "../protocol/socket.js" */

/**
 * The most screens per second; fewer while the large view of the same session is shown, which would
 * double the cost.
 */
const RATE = 4;
const RATE_WITH_LARGE = 1;

export class Thumbnail {
  /**
   * @param {string} session
   * @param {Socket} socket
   * @param {{ closed: () => void, driverChanged: () => void }} callbacks
   */
  constructor(session, socket, callbacks) {
    this.session = session;
    this.socket = socket;
    this.element = document.createElement("div");
    this.element.className = "thumbnail";
    // Links of the screen must not work in a thumbnail.
    this.element.inert = true;
    this.screen = new Screen(cellOf(DEFAULT_TEXT_SIZE), (hash) => imageUrl(session, hash), this.element);
    this.element.append(this.screen.element);
    /** @type {Subscription | null} */
    this.subscription = null;
    new ResizeObserver(() => this.scale()).observe(this.element);
    /** The size of the last drawn screen. */
    this.cols = 0;
    this.rows = 0;
    /** Rows that need to be drawn. @type {Set<number>} */
    this.waiting = new Set();
    /** Whether something needs to be drawn. */
    this.isStale = false;
    this.timer = 0;
    /** @type {Viewer} */
    this.viewer = {
      rate: RATE,
      draw: (subscription, changed) => {
        for (const index of changed) this.waiting.add(index);
        this.isStale = true;
        if (subscription.view.closed) callbacks.closed();
        // The large view may request more over the same channel.
        const rate = subscription.rate > RATE ? RATE_WITH_LARGE : RATE;
        if (this.timer === 0) {
          this.drawNow(subscription);
          this.timer = setTimeout(() => {
            this.timer = 0;
            if (this.isStale) this.drawNow(subscription);
          }, 1000 / rate);
        }
      },
      driverChanged: callbacks.driverChanged,
    };
  }

  /** Watches the session while the thumbnail is visible. @param {boolean} isVisible */
  setVisible(isVisible) {
    if (isVisible && (this.subscription === null || this.subscription.view.closed)) {
      this.subscription = this.socket.subscribe(this.session, this.viewer);
    } else if (!isVisible && this.subscription !== null) {
      this.socket.unsubscribe(this.subscription, this.viewer);
      this.subscription = null;
    }
  }

  /** @param {Subscription} subscription */
  drawNow(subscription) {
    const { shown } = subscription.view;
    if (shown === null) return;
    const rows = this.waiting;
    this.waiting = new Set();
    this.isStale = false;
    this.screen.draw(shown, rows);
    if (this.cols === shown.cols && this.rows === shown.rows) return;
    this.cols = shown.cols;
    this.rows = shown.rows;
    this.scale();
  }

  /** Scales the screen to the thumbnail. */
  scale() {
    const { clientWidth, clientHeight } = this.element;
    if (this.cols === 0) return;
    const { width, height } = this.screen.cell;
    const scale = Math.min(clientWidth / (this.cols * width), clientHeight / (this.rows * height));
    this.screen.element.style.transform = `scale(${scale})`;
  }
}

// @ts-check
// The large view of a session: its screen, its scrollback and its input.
//
// The text size adapts to the window (`draw/text_size.js`), because viewers must not change the
// size of the terminal. While the screen is at the end, the view follows it; after scrolling back,
// the view stays where it is.
//
// See also: `session/control.js` (which client has control), `app.js` (the page around the view),
// `cassette/player.js` (the view of a cassette).

import { DEFAULT_TEXT_SIZE, cellOf, setCellSize } from "../draw/cell.js";
import { copyRowsAsText } from "../input/copy.js";
import { KeyBar } from "../input/key_bar.js";
import { Mouse } from "../input/mouse.js";
import { Screen } from "../draw/screen.js";
import { Scrollback } from "./scrollback.js";
import { fetchRows, imageUrl } from "../protocol/sessions.js";
import { samePalette } from "../protocol/stream.js";
import { cellThatFits, chosenTextSize, cellsThatFit, stepTextSize } from "../draw/text_size.js";
import { Keyboard } from "../input/keyboard.js";

/** @import { Control } from "./control.js" */
/** @import { Socket, Subscription, Viewer } from "../protocol/socket.js" */

/** The most screens per second. */
const RATE = 30;

export class SessionView {
  /**
   * @param {{ pane: HTMLElement, keybar: HTMLElement }} elements
   * @param {Socket} socket
   * @param {Control} control
   * @param {{ changed: () => void, failed: (error: unknown) => void }} callbacks callbacks of the page
   */
  constructor({ pane, keybar }, socket, control, callbacks) {
    this.element = pane;
    this.socket = socket;
    this.control = control;
    this.callbacks = callbacks;
    /** @type {Subscription | null} */
    this.subscription = null;
    this.isFollowing = true;
    /** The last known scroll position. */
    this.top = 0;
    /** @type {number | null} */
    this.bells = null;
    /** The size of the last drawn screen. */
    this.size = "";
    this.sheet = document.createElement("div");
    this.sheet.className = "sheet";
    this.live = document.createElement("div");
    this.live.className = "live";
    this.screen = new Screen(cellOf(DEFAULT_TEXT_SIZE), (hash) => imageUrl(this.subscription?.session ?? "", hash), this.sheet);
    this.scrollback = new Scrollback(pane, (first, count) => fetchRows(this.subscription?.session ?? "", first, count), callbacks.failed);
    this.live.append(this.screen.element);
    this.sheet.append(this.scrollback.element, this.live);
    pane.append(this.sheet);
    this.keyboard = this.connectInput(keybar);
    this.screen.element.append(this.keyboard.field);
    copyRowsAsText(this.sheet);
    pane.addEventListener("scroll", () => this.scrolled(), { passive: true });
    new ResizeObserver(() => this.updateTextSize()).observe(pane);
    /** @type {Viewer} */
    this.viewer = {
      rate: RATE,
      draw: (subscription, changed) => this.draw(subscription, changed),
      driverChanged: () => this.driverChanged(),
      refused: (error) => callbacks.failed(error),
    };
  }

  /** Connects keyboard, key bar and mouse. @param {HTMLElement} keybar @returns {Keyboard} */
  connectInput(keybar) {
    const hasControl = () => this.control.hasControl();
    const modes = () => this.subscription?.view.shown?.modes ?? null;
    /** @param {Parameters<Socket["sendInput"]>[1]} what */
    const send = (what) => {
      if (this.subscription === null || !hasControl()) return;
      this.socket.sendInput(this.subscription, what);
    };
    /** @param {Parameters<Socket["sendInput"]>[1]} what */
    const type = (what) => {
      send(what);
      // Typing scrolls to the cursor.
      this.followEnd();
    };
    /** @param {string} key */
    const key = (key) => type({ key });
    /** @param {string} paste */
    const paste = (paste) => type({ paste });
    const keys = new KeyBar(keybar, { key, paste }, () => keyboard.focus());
    const keyboard = new Keyboard(this.element, {
      hasControl, modes, key, paste,
      text: (text) => type({ text }),
      release: () => this.control.release(),
      scroll: (pages) => this.element.scrollBy(0, Math.max(-1e8, Math.min(1e8, pages * this.element.clientHeight))),
      takeModifiers: () => keys.takeModifiers(),
    });
    new Mouse(this.element, {
      hasControl, modes,
      screen: () => {
        const shown = this.subscription?.view.shown;
        if (!shown) return null;
        return { box: this.screen.rows.getBoundingClientRect(), cell: this.screen.cell, cols: shown.cols, rows: shown.rows };
      },
      send: (mouse) => send({ mouse }),
      clicked: () => {
        if (hasControl()) keyboard.focus();
      },
    });
    return keyboard;
  }

  /** Shows a session, or nothing. @param {string | null} session */
  show(session) {
    if (this.subscription !== null) this.socket.unsubscribe(this.subscription, this.viewer);
    this.subscription = null;
    this.screen.clear();
    this.scrollback.setTotal(0, 1);
    this.scrollback.forget();
    this.setFollowing(true);
    this.bells = null;
    this.control.setSubscription(null);
    if (session !== null) {
      const subscription = this.socket.subscribe(session, this.viewer);
      this.subscription = subscription;
      this.control.setSubscription(subscription);
      if (subscription.view.shown !== null) this.draw(subscription, new Set(subscription.view.shown.lines.keys()));
    }
    this.callbacks.changed();
  }

  /** @param {Subscription} subscription @param {Set<number>} changed */
  draw(subscription, changed) {
    if (subscription !== this.subscription) return;
    const { shown } = subscription.view;
    if (shown !== null) {
      // The scroll event may arrive later than this.
      if (this.element.scrollTop !== this.top) this.scrolled();
      const below = this.top - this.liveTop();
      // The server resolves changed colours in rows of the scrollback.
      if (!samePalette(shown.palette, this.screen.palette)) this.scrollback.forget();
      this.screen.draw(shown, changed);
      const size = `${shown.cols} ${shown.rows}`;
      if (size !== this.size) {
        this.size = size;
        this.scrollback.forget();
        this.updateTextSize();
      }
      this.scrollback.setTotal(shown.scrollbackRows, this.screen.cell.height);
      if (!this.isFollowing) this.scrollback.draw();
      else {
        this.scrollTo(this.liveTop() + below);
        if (this.control.hasControl()) this.showCursor();
      }
      this.keyboard.follow(shown.cursor);
      if (this.bells !== null && shown.bells > this.bells) this.showBell();
      this.bells = shown.bells;
    }
    this.control.update();
    this.callbacks.changed();
  }

  /** Shows a visual bell. */
  showBell() {
    this.element.classList.remove("bell");
    requestAnimationFrame(() => this.element.classList.add("bell"));
  }

  driverChanged() {
    this.control.update();
    if (this.control.hasControl()) this.keyboard.focus();
    // When control is lost while typing, the view gets the focus, so that keys scroll.
    else if (document.activeElement === this.keyboard.field) this.element.focus({ preventScroll: true });
    this.callbacks.changed();
  }

  /** Returns the position of the screen, below the scrollback. */
  liveTop() {
    return this.scrollback.total * this.scrollback.height;
  }

  /** @param {number} top */
  scrollTo(top) {
    if (this.element.scrollTop !== top) this.element.scrollTop = top;
    this.top = this.element.scrollTop;
  }

  /** Scrolls to the screen and follows it. */
  followEnd() {
    if (!this.isFollowing) this.scrollTo(this.liveTop());
    this.setFollowing(true);
    this.showCursor();
  }

  /** Scrolls the cursor into view, by the least distance, if the screen is larger than the view. */
  showCursor() {
    const cursor = this.subscription?.view.shown?.cursor;
    if (cursor === undefined) return;
    const { width, height } = this.screen.cell;
    const { clientWidth, clientHeight, scrollLeft } = this.element;
    const top = this.liveTop() + cursor.row * height;
    this.scrollTo(Math.min(top, Math.max(this.top, this.liveTop(), top + height - clientHeight)));
    const left = cursor.col * width;
    const least = left + 2 * width - clientWidth;
    if (scrollLeft > left || scrollLeft < least) this.element.scrollLeft = Math.max(0, Math.min(left, Math.max(scrollLeft, least)));
  }

  scrolled() {
    this.top = this.element.scrollTop;
    this.setFollowing(this.top >= this.liveTop() - 2);
    if (!this.isFollowing) this.scrollback.draw();
  }

  /** @param {boolean} isFollowing */
  setFollowing(isFollowing) {
    // At the end, the fetched rows are obsolete; they may have changed meanwhile.
    if (isFollowing && !this.isFollowing) this.scrollback.forget();
    this.isFollowing = isFollowing;
    this.element.classList.toggle("scrolled", !isFollowing);
  }

  /** Applies the reader's text size, or the largest at which the whole screen fits. */
  updateTextSize() {
    // A hidden element has no size.
    if (this.element.clientHeight === 0) return;
    const { cols, rows } = this.subscription?.view.shown ?? { cols: 80, rows: 24 };
    const cell = cellThatFits(this.element, cols, rows);
    const below = (this.top - this.liveTop()) / this.screen.cell.height;
    this.screen.setCell(cell);
    setCellSize(this.sheet, cell);
    this.sheet.style.width = `${cols * cell.width}px`;
    this.live.style.minHeight = `${this.element.clientHeight}px`;
    this.scrollback.setTotal(this.scrollback.total, cell.height);
    // The first visible row stays at the top.
    this.scrollTo(this.liveTop() + below * cell.height);
    if (this.isFollowing && this.control.hasControl()) this.showCursor();
  }

  /** Changes the text size by a step, or back to automatic. @param {number | "auto"} step */
  stepTextSize(step) {
    stepTextSize(step, this.screen.cell.text);
    this.updateTextSize();
  }

  /** Resizes the terminal to the available space. */
  fit() {
    if (this.subscription === null || !this.control.hasControl()) return;
    const { cols, rows } = cellsThatFit(this.element, chosenTextSize() ?? DEFAULT_TEXT_SIZE);
    this.socket.resize(this.subscription, Math.min(2000, Math.max(2, cols)), Math.min(2000, Math.max(1, rows)));
    this.keyboard.focus();
  }
}

// @ts-check
// The session that is shown large: its screen, what scrolled out above it, and the hands on it.
//
// The text adapts to the room (`draw/text_size.js`): who only looks must not change the size of the terminal.
// While the screen is seen, it stays seen; who has scrolled back from it is left alone.
//
// Elsewhere: who drives (`session/control.js`), what is above the pane (`app.js`), a screen that was kept (`cassette/player.js`).

import { TEXT, cellOf, giveCell } from "../draw/cell.js";
import { copyAsText } from "../input/copy.js";
import { Keybar } from "../input/key_bar.js";
import { Mouse } from "../input/mouse.js";
import { Screen } from "../draw/screen.js";
import { Scrollback } from "./scrollback.js";
import { keptRows } from "../protocol/sessions.js";
import { cellIn, chosenText, roomIn, stepText } from "../draw/text_size.js";
import { Typing } from "../input/keyboard.js";

/** @import { Control } from "./control.js" */
/** @import { Eye, Socket, Watch } from "../protocol/socket.js" */

/** How often a second the large screen is drawn, at most. */
const RATE = 30;

export class Pane {
  /**
   * @param {{ pane: HTMLElement, keybar: HTMLElement }} elements
   * @param {Socket} socket
   * @param {Control} control
   * @param {{ changed: () => void, failed: (error: unknown) => void }} told what is above is told what is new
   */
  constructor({ pane, keybar }, socket, control, told) {
    this.element = pane;
    this.socket = socket;
    this.control = control;
    this.told = told;
    /** @type {Watch | null} */
    this.watch = null;
    this.isFollowing = true;
    /** How far it was scrolled when that was last looked at. */
    this.top = 0;
    /** @type {number | null} */
    this.bells = null;
    /** The size of the screen that was drawn last. */
    this.size = "";
    this.sheet = document.createElement("div");
    this.sheet.className = "sheet";
    this.live = document.createElement("div");
    this.live.className = "live";
    this.screen = new Screen(cellOf(TEXT));
    this.scrollback = new Scrollback(pane, (first, count) => keptRows(this.watch?.session ?? "", first, count), told.failed);
    this.live.append(this.screen.element);
    this.sheet.append(this.scrollback.element, this.live);
    pane.append(this.sheet);
    this.typing = this.join(keybar);
    this.screen.element.append(this.typing.field);
    copyAsText(this.sheet);
    pane.addEventListener("scroll", () => this.scrolled(), { passive: true });
    new ResizeObserver(() => this.chooseText()).observe(pane);
    /** @type {Eye} */
    this.eye = {
      rate: RATE,
      draw: (watch, changed) => this.draw(watch, changed),
      driverChanged: () => this.driverChanged(),
      refused: (error) => told.failed(error),
    };
  }

  /** Joins keyboard and mouse to it. @param {HTMLElement} keybar @returns {Typing} */
  join(keybar) {
    const drives = () => this.control.drives();
    const modes = () => this.watch?.view.shown?.modes ?? null;
    /** @param {Parameters<Socket["input"]>[1]} what */
    const send = (what) => {
      if (this.watch === null || !drives()) return;
      this.socket.input(this.watch, what);
    };
    /** @param {Parameters<Socket["input"]>[1]} what */
    const type = (what) => {
      send(what);
      // Who types wants to see it.
      this.followEnd();
    };
    /** @param {string} key */
    const key = (key) => type({ key });
    /** @param {string} paste */
    const paste = (paste) => type({ paste });
    const keys = new Keybar(keybar, { key, paste }, () => typing.focus());
    const typing = new Typing(this.element, {
      drives, modes, key, paste,
      text: (text) => type({ text }),
      letGo: () => this.control.letGo(),
      scroll: (pages) => this.element.scrollBy(0, Math.max(-1e8, Math.min(1e8, pages * this.element.clientHeight))),
      takeHeld: () => keys.takeHeld(),
    });
    new Mouse(this.element, {
      drives, modes,
      place: () => {
        const shown = this.watch?.view.shown;
        if (!shown) return null;
        return { box: this.screen.rows.getBoundingClientRect(), cell: this.screen.cell, cols: shown.cols, rows: shown.rows };
      },
      send: (mouse) => send({ mouse }),
      touched: () => {
        if (drives()) typing.focus();
      },
    });
    return typing;
  }

  /** Shows a session, or none. @param {string | null} session */
  show(session) {
    if (this.watch !== null) this.socket.leave(this.watch, this.eye);
    this.watch = null;
    this.screen.clear();
    this.scrollback.setTotal(0, 1);
    this.scrollback.forget();
    this.setFollowing(true);
    this.bells = null;
    this.control.setWatch(null);
    if (session !== null) {
      const watch = this.socket.look(session, this.eye);
      this.watch = watch;
      this.control.setWatch(watch);
      if (watch.view.shown !== null) this.draw(watch, new Set(watch.view.shown.lines.keys()));
    }
    this.told.changed();
  }

  /** @param {Watch} watch @param {Set<number>} changed */
  draw(watch, changed) {
    if (watch !== this.watch) return;
    const { shown } = watch.view;
    if (shown !== null) {
      // The browser tells later that somebody scrolled.
      if (this.element.scrollTop !== this.top) this.scrolled();
      const below = this.top - this.liveTop();
      this.screen.draw(shown, changed);
      const size = `${shown.cols} ${shown.rows}`;
      if (size !== this.size) {
        this.size = size;
        this.scrollback.forget();
        this.chooseText();
      }
      this.scrollback.setTotal(shown.scrollbackRows, this.screen.cell.height);
      if (!this.isFollowing) this.scrollback.draw();
      else {
        this.scrollTo(this.liveTop() + below);
        if (this.control.drives()) this.showCursor();
      }
      this.typing.follow(shown.cursor);
      if (this.bells !== null && shown.bells > this.bells) this.ring();
      this.bells = shown.bells;
    }
    this.control.update();
    this.told.changed();
  }

  /** Lets the bell be seen. */
  ring() {
    this.element.classList.remove("rang");
    requestAnimationFrame(() => this.element.classList.add("rang"));
  }

  driverChanged() {
    this.control.update();
    if (this.control.drives()) this.typing.focus();
    // Whoever lost the wheel while typing is left where the keys scroll.
    else if (document.activeElement === this.typing.field) this.element.focus({ preventScroll: true });
    this.told.changed();
  }

  /** Where the screen begins, below what has scrolled out. */
  liveTop() {
    return this.scrollback.total * this.scrollback.height;
  }

  /** @param {number} top */
  scrollTo(top) {
    if (this.element.scrollTop !== top) this.element.scrollTop = top;
    this.top = this.element.scrollTop;
  }

  /** Goes back to the screen. */
  followEnd() {
    if (!this.isFollowing) this.scrollTo(this.liveTop());
    this.setFollowing(true);
    this.showCursor();
  }

  /** Scrolls as little as it takes to see the cursor, where the screen is larger than the pane. */
  showCursor() {
    const cursor = this.watch?.view.shown?.cursor;
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
    // Back at the end, what was held is of no more use: it may have moved meanwhile.
    if (isFollowing && !this.isFollowing) this.scrollback.forget();
    this.isFollowing = isFollowing;
    this.element.classList.toggle("back", !isFollowing);
  }

  /** Takes the text that the reader chose, or the largest with which the screen is seen whole. */
  chooseText() {
    // While another is shown in its place there is no room that could be measured.
    if (this.element.clientHeight === 0) return;
    const { cols, rows } = this.watch?.view.shown ?? { cols: 80, rows: 24 };
    const cell = cellIn(this.element, cols, rows);
    const below = (this.top - this.liveTop()) / this.screen.cell.height;
    this.screen.setCell(cell);
    giveCell(this.sheet, cell);
    this.sheet.style.width = `${cols * cell.width}px`;
    this.live.style.minHeight = `${this.element.clientHeight}px`;
    this.scrollback.setTotal(this.scrollback.total, cell.height);
    // What was at the top stays there.
    this.scrollTo(this.liveTop() + below * cell.height);
    if (this.isFollowing && this.control.drives()) this.showCursor();
  }

  /** Takes larger or smaller text, or again as much as there is room for. @param {number | "auto"} step */
  setText(step) {
    stepText(step, this.screen.cell.text);
    this.chooseText();
  }

  /** Gives the terminal the size that there is room for. */
  fit() {
    if (this.watch === null || !this.control.drives()) return;
    const { cols, rows } = roomIn(this.element, chosenText() ?? TEXT);
    this.socket.resize(this.watch, Math.min(2000, Math.max(2, cols)), Math.min(2000, Math.max(1, rows)));
    this.typing.focus();
  }
}

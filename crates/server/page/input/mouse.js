// @ts-check
// The mouse, passed on to a program that wants it.
//
// It is passed on while the page drives and the program asked for what happened. With Shift held, and in every other case, it selects text and scrolls as anywhere.
//
// Elsewhere: what a program hears of it in which bytes (the server), copying what was selected (`input/copy.js`).

/** @import { Cell } from "../draw/cell.js" */
/** @import { Modes } from "../protocol/stream.js" */

/**
 * @typedef {object} Table what the mouse moves over
 * @property {() => boolean} drives
 * @property {() => Modes | null} modes
 * @property {() => { box: DOMRect, cell: Cell, cols: number, rows: number } | null} place where the screen is
 * @property {(mouse: object) => void} send
 * @property {() => void} touched a click that the program did not get
 */

const BUTTONS = ["left", "middle", "right"];
/** How far a wheel turns for one notch, in pixels. */
const NOTCH = 50;

export class Mouse {
  /** @param {HTMLElement} pane @param {Table} table */
  constructor(pane, table) {
    this.table = table;
    /** The button that is down for the program. @type {string | null} */
    this.down = null;
    /** The cell that was told last. */
    this.last = "";
    this.turned = 0;
    pane.addEventListener("mousedown", (event) => this.pressed(event));
    pane.addEventListener("mousemove", (event) => this.moved(event));
    // A button may come up anywhere.
    addEventListener("mouseup", (event) => this.released(event));
    pane.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
    pane.addEventListener("contextmenu", (event) => {
      if (this.isWanted(event)) event.preventDefault();
    });
    pane.addEventListener("click", (event) => {
      // A link is opened with Ctrl held where a click is the program's.
      if (this.isWanted(event) && !event.ctrlKey) event.preventDefault();
    });
    pane.addEventListener("mouseup", (event) => {
      if (!this.isWanted(event) && (getSelection()?.isCollapsed ?? true)) table.touched();
    });
  }

  /** Whether the program gets what the mouse does. @param {MouseEvent} event */
  isWanted(event) {
    return !event.shiftKey && this.table.drives() && (this.table.modes()?.mouse ?? "off") !== "off";
  }

  /** The cell under the mouse, counted from 1; the nearest where there is none. @param {MouseEvent} event */
  cellUnder(event) {
    const place = this.table.place();
    if (place === null) return null;
    const { box, cell, cols, rows } = place;
    /** @param {number} value @param {number} most */
    const within = (value, most) => Math.min(most, Math.max(1, Math.floor(value) + 1));
    return { col: within((event.clientX - box.left) / cell.width, cols), row: within((event.clientY - box.top) / cell.height, rows) };
  }

  /** @param {string} kind @param {MouseEvent} event @param {object} [more] */
  send(kind, event, more) {
    const under = this.cellUnder(event);
    if (under === null) return;
    this.last = `${under.col} ${under.row}`;
    const modifiers = [event.ctrlKey && "ctrl", event.altKey && "alt"].filter(Boolean);
    this.table.send({ kind, ...under, modifiers, ...more });
  }

  /** @param {MouseEvent} event */
  pressed(event) {
    const button = BUTTONS[event.button];
    if (!this.isWanted(event) || button === undefined) return;
    event.preventDefault();
    this.table.touched();
    this.down = button;
    this.send("press", event, { button });
  }

  /** @param {MouseEvent} event */
  released(event) {
    const { down } = this;
    if (down === null || BUTTONS[event.button] !== down) return;
    this.down = null;
    if (this.table.drives() && this.table.modes()?.mouse !== "off") this.send("release", event, { button: down });
  }

  /** @param {MouseEvent} event */
  moved(event) {
    const mouse = this.table.modes()?.mouse;
    const isHeard = mouse === "motion" || (mouse === "drags" && this.down !== null);
    if (!isHeard || !this.isWanted(event)) return;
    const under = this.cellUnder(event);
    if (under === null || `${under.col} ${under.row}` === this.last) return;
    this.send("move", event, this.down === null ? {} : { button: this.down });
  }

  /** @param {WheelEvent} event */
  wheeled(event) {
    const modes = this.table.modes();
    // A pager that wants no mouse hears of the wheel as of cursor keys.
    const isPager = modes?.alternateScreen && modes.alternateScroll && this.table.drives() && !event.shiftKey;
    if (event.ctrlKey || !(isPager || this.isWanted(event))) return;
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : NOTCH / 3;
    this.turned += event.deltaY * unit;
    const notches = Math.trunc(this.turned / NOTCH);
    if (notches === 0) return;
    this.turned -= notches * NOTCH;
    this.send("wheel", event, { wheel: notches < 0 ? "up" : "down", notches: Math.abs(notches) });
  }
}

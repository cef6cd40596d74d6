// @ts-check
// Passes mouse events to programs that want them.
//
// They are passed on while the page has control and the program has enabled them. In all other
// cases, and with Shift, the mouse selects text and scrolls as usual.
//
// See also: `input/copy.js` (copying the selection). The server encodes the events.

/** @import { Cell } from "../draw/cell.js" */
/** @import { Modes } from "../protocol/screen_state.js" */

/**
 * @typedef {object} MouseTarget the view under the mouse
 * @property {() => boolean} hasControl
 * @property {() => Modes | null} modes
 * @property {() => { box: DOMRect, cell: Cell, cols: number, rows: number } | null} screen the position and size of the screen
 * @property {(mouse: object) => void} send
 * @property {() => void} clicked called when the view is clicked, to give it the focus
 */

const BUTTONS = ["left", "middle", "right"];
/** Wheel distance of one notch, in pixels. */
const NOTCH = 50;

export class Mouse {
  /** @param {HTMLElement} pane @param {MouseTarget} target */
  constructor(pane, target) {
    this.target = target;
    /** The button that is pressed for the program. @type {string | null} */
    this.down = null;
    /** The cell of the last event that was sent. */
    this.last = "";
    this.turned = 0;
    pane.addEventListener("mousedown", (event) => this.onPress(event));
    pane.addEventListener("mousemove", (event) => this.onMove(event));
    // The button may be released outside the view.
    addEventListener("mouseup", (event) => this.onRelease(event));
    pane.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    pane.addEventListener("contextmenu", (event) => {
      if (this.isWanted(event)) event.preventDefault();
    });
    pane.addEventListener("click", (event) => {
      // Where clicks belong to the program, Ctrl+click opens links.
      if (this.isWanted(event) && !event.ctrlKey) event.preventDefault();
    });
    pane.addEventListener("mouseup", (event) => {
      if (!this.isWanted(event) && (getSelection()?.isCollapsed ?? true)) target.clicked();
    });
  }

  /** Whether a mouse event is passed to the program. @param {MouseEvent} event */
  isWanted(event) {
    return !event.shiftKey && this.target.hasControl() && (this.target.modes()?.mouse ?? "off") !== "off";
  }

  /**
   * Returns the cell under the mouse, or the nearest one, counted from 1.
   * @param {MouseEvent} event
   */
  cellUnder(event) {
    const screen = this.target.screen();
    if (screen === null) return null;
    const { box, cell, cols, rows } = screen;
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
    this.target.send({ kind, ...under, modifiers, ...more });
  }

  /** @param {MouseEvent} event */
  onPress(event) {
    const button = BUTTONS[event.button];
    if (!this.isWanted(event) || button === undefined) return;
    event.preventDefault();
    this.target.clicked();
    this.down = button;
    this.send("press", event, { button });
  }

  /** @param {MouseEvent} event */
  onRelease(event) {
    const { down } = this;
    if (down === null || BUTTONS[event.button] !== down) return;
    this.down = null;
    if (this.target.hasControl() && this.target.modes()?.mouse !== "off") this.send("release", event, { button: down });
  }

  /** @param {MouseEvent} event */
  onMove(event) {
    const mouse = this.target.modes()?.mouse;
    const isReported = mouse === "motion" || (mouse === "drags" && this.down !== null);
    if (!isReported || !this.isWanted(event)) return;
    const under = this.cellUnder(event);
    if (under === null || `${under.col} ${under.row}` === this.last) return;
    this.send("move", event, this.down === null ? {} : { button: this.down });
  }

  /** @param {WheelEvent} event */
  onWheel(event) {
    const modes = this.target.modes();
    // Alternate scroll: a pager without mouse support gets cursor keys for the wheel.
    const isPager = modes?.alternateScreen && modes.alternateScroll && this.target.hasControl() && !event.shiftKey;
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

// @ts-check
// The timeline of a cassette: position, marks, buttons and keys.
//
// Everything can be done by keyboard. Keys work only while the player has the focus, because some
// of them are characters that could be typed elsewhere.
//
// See also: `cassette/player.js` (what the position shows).

/** @import { Mark } from "../protocol/cassettes.js" */
/** @import { Player } from "./player.js" */

const SPEEDS = [0.5, 1, 2, 4, 8];
/** Step of the arrow keys, in milliseconds. */
const SEEK_STEP = 5000;
/** How long a status message is shown, in milliseconds. */
const STATUS_TIME = 1000;
/**
 * During playback, a step back within this time after a mark goes to the mark before it, in
 * milliseconds.
 */
const MARK_GRACE = 700;

/**
 * @typedef {object} TimelineElements
 * @property {HTMLElement} player the container
 * @property {HTMLInputElement} time
 * @property {HTMLElement} marks
 * @property {HTMLButtonElement} play
 * @property {HTMLButtonElement} before
 * @property {HTMLButtonElement} after
 * @property {HTMLElement} clock
 * @property {HTMLElement} mark
 * @property {HTMLInputElement} idle
 * @property {HTMLSelectElement} speed
 * @property {HTMLElement} status
 */

export class Timeline {
  /**
   * @param {TimelineElements} elements
   * @param {Player} player
   * @param {() => void} settled called when a person has chosen a position
   */
  constructor(elements, player, settled) {
    this.elements = elements;
    this.player = player;
    this.settled = settled;
    /** @type {Mark[]} */
    this.marks = [];
    this.length = -1;
    this.statusTimer = 0;
    for (const speed of SPEEDS) elements.speed.append(new Option(`${speed}×`, String(speed), speed === 1, speed === 1));
    elements.time.oninput = () => {
      player.isDragging = true;
      player.seek(elements.time.valueAsNumber);
    };
    const release = () => {
      player.isDragging = false;
      settled();
    };
    elements.time.onchange = release;
    // A cancelled touch fires no change event.
    elements.time.onpointercancel = release;
    elements.time.onblur = release;
    elements.play.onclick = () => this.toggle();
    elements.before.onclick = () => this.stepMark(-1);
    elements.after.onclick = () => this.stepMark(1);
    elements.speed.onchange = () => this.setSpeed(Number(elements.speed.value));
    elements.idle.checked = localStorage.getItem("screentest.idle") === "skip";
    elements.idle.onchange = () => {
      player.skipsIdle = elements.idle.checked;
      localStorage.setItem("screentest.idle", elements.idle.checked ? "skip" : "");
    };
    player.skipsIdle = elements.idle.checked;
    elements.player.addEventListener("keydown", (event) => this.keyDown(event));
  }

  /** @param {Mark[]} marks */
  setMarks(marks) {
    this.marks = marks.toSorted((one, other) => one.atMs - other.atMs);
    this.length = -1;
    this.elements.marks.replaceChildren(...this.marks.map((mark) => this.newTick(mark)));
    const { before, after } = this.elements;
    before.hidden = after.hidden = marks.length === 0;
    this.moved();
  }

  /** @param {Mark} mark */
  newTick({ name, atMs }) {
    const tick = document.createElement("button");
    tick.type = "button";
    tick.className = "tick";
    // Marks are not tab stops, because there may be a hundred; keys step through them.
    tick.tabIndex = -1;
    tick.setAttribute("aria-label", `${name}, at ${clock(atMs)}`);
    tick.title = `${name} (${clock(atMs)})`;
    tick.onclick = () => this.goTo(atMs);
    return tick;
  }

  /** Shows the position. */
  moved() {
    const { elements, player } = this;
    const { at, length } = player;
    if (length !== this.length) this.measure(length);
    const value = String(Math.round(at));
    if (elements.time.value !== value) elements.time.value = value;
    elements.time.style.setProperty("--done", String(length === 0 ? 0 : at / length));
    put(elements.clock, `${clock(at)} / ${clock(length)}`);
    const here = this.marks.findLast(({ atMs }) => atMs <= at + 0.5);
    put(elements.mark, here?.name ?? "");
    // Screen readers announce seconds, not frames.
    const text = `${inWords(at)} of ${inWords(length)}${here === undefined ? "" : `, after ${here.name}`}`;
    if (elements.time.getAttribute("aria-valuetext") !== text) elements.time.setAttribute("aria-valuetext", text);
  }

  /** @param {number} length */
  measure(length) {
    this.length = length;
    this.elements.time.max = String(length);
    for (const [index, { atMs }] of this.marks.entries()) {
      const tick = /** @type {HTMLElement} */ (this.elements.marks.children[index]);
      tick.style.setProperty("--at", String(length === 0 ? 0 : Math.min(1, atMs / length)));
    }
  }

  /** Shows whether the player is playing or waiting. */
  changed() {
    const { elements, player } = this;
    const label = player.isPlaying ? "Pause" : "Play";
    if (elements.play.getAttribute("aria-label") !== label) {
      elements.play.setAttribute("aria-label", label);
      elements.play.title = `${label} (Space)`;
      if (label === "Play") this.settled();
    }
    if (this.statusTimer === 0) put(elements.status, player.isWaiting ? "Loading…" : "");
  }

  /** Shows a status message for a moment. @param {string} text */
  showStatus(text) {
    put(this.elements.status, text);
    clearTimeout(this.statusTimer);
    this.statusTimer = setTimeout(() => {
      this.statusTimer = 0;
      this.changed();
    }, STATUS_TIME);
  }

  toggle() {
    if (this.player.isPlaying) this.player.pause();
    else this.player.play();
  }

  /** @param {number} at */
  goTo(at) {
    this.player.seek(at);
    this.settled();
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.player.speed = speed;
    this.elements.speed.value = String(speed);
  }

  /** @param {1 | -1} way */
  stepSpeed(way) {
    const index = SPEEDS.indexOf(this.player.speed) + way;
    if (index in SPEEDS) this.setSpeed(SPEEDS[index]);
    this.showStatus(`Speed ${this.player.speed}×`);
  }

  /**
   * Goes to the next or previous mark. Beyond the first is the start, beyond the last the end.
   * @param {1 | -1} way
   */
  stepMark(way) {
    const { at, length, isPlaying } = this.player;
    const tolerance = isPlaying ? MARK_GRACE * this.player.speed : 0.5;
    const mark = way > 0 ? this.marks.find(({ atMs }) => atMs > at + 0.5) : this.marks.findLast(({ atMs }) => atMs < at - tolerance);
    this.goTo(mark?.atMs ?? (way > 0 ? length : 0));
  }

  /** @param {KeyboardEvent} event */
  keyDown(event) {
    const { key, target, ctrlKey, altKey, metaKey } = event;
    if (ctrlKey || altKey || metaKey || target === this.elements.speed) return;
    // Buttons, checkboxes and links use the key themselves.
    if (key === " " && target instanceof Element && target.closest("button, a, [type=checkbox]")) return;
    const { player } = this;
    /** @type {Record<string, () => void>} */
    const actions = {
      " ": () => this.toggle(),
      ArrowLeft: () => this.goTo(player.at - SEEK_STEP),
      ArrowRight: () => this.goTo(player.at + SEEK_STEP),
      Home: () => this.goTo(0),
      End: () => this.goTo(player.length),
      ",": () => void player.step(-1).then(this.settled),
      ".": () => void player.step(1).then(this.settled),
      "<": () => this.stepSpeed(-1),
      ">": () => this.stepSpeed(1),
      "[": () => this.stepMark(-1),
      "]": () => this.stepMark(1),
    };
    // The other keys of a slider.
    if (target === this.elements.time) {
      actions.ArrowUp = () => this.goTo(player.at + 1000);
      actions.ArrowDown = () => this.goTo(player.at - 1000);
      actions.PageUp = () => this.goTo(player.at + player.length / 10);
      actions.PageDown = () => this.goTo(player.at - player.length / 10);
    }
    if (!Object.hasOwn(actions, key)) return;
    event.preventDefault();
    actions[key]();
  }
}

/** @param {HTMLElement} element @param {string} text */
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Formats a time like a clock, for example 1:02:03.4. @param {number} ms */
export function clock(ms) {
  const tenths = Math.floor(ms / 100 + 1e-6);
  const [hours, minutes, seconds] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60, Math.floor(tenths / 10) % 60];
  const tail = `${String(seconds).padStart(2, "0")}.${tenths % 10}`;
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

/** Formats a time in words. @param {number} ms */
function inWords(ms) {
  const all = Math.floor(ms / 1000);
  /** @type {[number, string][]} */
  const units = [[Math.floor(all / 3600), "hour"], [Math.floor(all / 60) % 60, "minute"], [all % 60, "second"]];
  const words = units.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`);
  return words.length === 0 ? "0 seconds" : words.join(" ");
}

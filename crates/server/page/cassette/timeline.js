// @ts-check
// The timeline of a cassette: where it is, its marks, and the hands on it.
//
// Everything is reached by keys too. They are heard wherever the player has the focus, and nowhere else, as some of them are letters that a person may type.
//
// Elsewhere: what time does to the screen (`cassette/player.js`).

/** @import { Mark } from "../protocol/cassettes.js" */
/** @import { Player } from "./player.js" */

const SPEEDS = [0.5, 1, 2, 4, 8];
/** How far an arrow goes, in milliseconds. */
const LEAP = 5000;
/** How long it is said that something else is so now, in milliseconds. */
const SAID = 1000;
/** Whoever steps back to a mark while it plays on is given so long to step again before the same mark counts, in milliseconds. */
const GRACE = 700;

/**
 * @typedef {object} Parts
 * @property {HTMLElement} player all of it
 * @property {HTMLInputElement} time
 * @property {HTMLElement} marks
 * @property {HTMLButtonElement} play
 * @property {HTMLButtonElement} before
 * @property {HTMLButtonElement} after
 * @property {HTMLElement} clock
 * @property {HTMLElement} mark
 * @property {HTMLInputElement} idle
 * @property {HTMLSelectElement} speed
 * @property {HTMLElement} waiting
 */

export class Timeline {
  /** @param {Parts} parts @param {Player} player @param {() => void} rested a person has come to a moment, and looks at it */
  constructor(parts, player, rested) {
    this.parts = parts;
    this.player = player;
    this.rested = rested;
    /** @type {Mark[]} */
    this.marks = [];
    this.length = -1;
    this.said = 0;
    for (const speed of SPEEDS) parts.speed.append(new Option(`${speed}×`, String(speed), speed === 1, speed === 1));
    parts.time.oninput = () => {
      player.isHeld = true;
      player.seek(parts.time.valueAsNumber);
    };
    const letGo = () => {
      player.isHeld = false;
      rested();
    };
    parts.time.onchange = letGo;
    // A finger that the system took away changed nothing.
    parts.time.onpointercancel = letGo;
    parts.time.onblur = letGo;
    parts.play.onclick = () => this.toggle();
    parts.before.onclick = () => this.stepMark(-1);
    parts.after.onclick = () => this.stepMark(1);
    parts.speed.onchange = () => this.setSpeed(Number(parts.speed.value));
    parts.idle.checked = localStorage.getItem("screentest.idle") === "skip";
    parts.idle.onchange = () => {
      player.skipsIdle = parts.idle.checked;
      localStorage.setItem("screentest.idle", parts.idle.checked ? "skip" : "");
    };
    player.skipsIdle = parts.idle.checked;
    parts.player.addEventListener("keydown", (event) => this.keyDown(event));
  }

  /** @param {Mark[]} marks */
  setMarks(marks) {
    this.marks = marks.toSorted((one, other) => one.atMs - other.atMs);
    this.length = -1;
    this.parts.marks.replaceChildren(...this.marks.map((mark) => this.newTick(mark)));
    const { before, after } = this.parts;
    before.hidden = after.hidden = marks.length === 0;
    this.moved();
  }

  /** @param {Mark} mark */
  newTick({ name, atMs }) {
    const tick = document.createElement("button");
    tick.type = "button";
    tick.className = "tick";
    // A hundred of them would stand between the keyboard and what comes next: keys step through them.
    tick.tabIndex = -1;
    tick.setAttribute("aria-label", `${name}, at ${clock(atMs)}`);
    tick.title = `${name} (${clock(atMs)})`;
    tick.onclick = () => this.goTo(atMs);
    return tick;
  }

  /** Says where it is. */
  moved() {
    const { parts, player } = this;
    const { at, length } = player;
    if (length !== this.length) this.measure(length);
    const value = String(Math.round(at));
    if (parts.time.value !== value) parts.time.value = value;
    parts.time.style.setProperty("--done", String(length === 0 ? 0 : at / length));
    put(parts.clock, `${clock(at)} / ${clock(length)}`);
    const here = this.marks.findLast(({ atMs }) => atMs <= at + 0.5);
    put(parts.mark, here?.name ?? "");
    // A reader that reads out changes is told seconds, not frames.
    const words = `${spoken(at)} of ${spoken(length)}${here === undefined ? "" : `, after ${here.name}`}`;
    if (parts.time.getAttribute("aria-valuetext") !== words) parts.time.setAttribute("aria-valuetext", words);
  }

  /** @param {number} length */
  measure(length) {
    this.length = length;
    this.parts.time.max = String(length);
    for (const [index, { atMs }] of this.marks.entries()) {
      const tick = /** @type {HTMLElement} */ (this.parts.marks.children[index]);
      tick.style.setProperty("--at", String(length === 0 ? 0 : Math.min(1, atMs / length)));
    }
  }

  /** Says whether it plays, or waits. */
  changed() {
    const { parts, player } = this;
    const label = player.isPlaying ? "Pause" : "Play";
    if (parts.play.getAttribute("aria-label") !== label) {
      parts.play.setAttribute("aria-label", label);
      parts.play.title = `${label} (Space)`;
      if (label === "Play") this.rested();
    }
    if (this.said === 0) put(parts.waiting, player.isWaiting ? "Fetching…" : "");
  }

  /** Says for a moment what a key has done. @param {string} words */
  say(words) {
    put(this.parts.waiting, words);
    clearTimeout(this.said);
    this.said = setTimeout(() => {
      this.said = 0;
      this.changed();
    }, SAID);
  }

  toggle() {
    if (this.player.isPlaying) this.player.pause();
    else this.player.play();
  }

  /** @param {number} at */
  goTo(at) {
    this.player.seek(at);
    this.rested();
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.player.speed = speed;
    this.parts.speed.value = String(speed);
  }

  /** @param {1 | -1} way */
  stepSpeed(way) {
    const index = SPEEDS.indexOf(this.player.speed) + way;
    if (index in SPEEDS) this.setSpeed(SPEEDS[index]);
    this.say(`Speed ${this.player.speed}×`);
  }

  /** Goes to the next mark, or to the one before; beyond the first is the beginning, beyond the last the end. @param {1 | -1} way */
  stepMark(way) {
    const { at, length, isPlaying } = this.player;
    const grace = isPlaying ? GRACE * this.player.speed : 0.5;
    const mark = way > 0 ? this.marks.find(({ atMs }) => atMs > at + 0.5) : this.marks.findLast(({ atMs }) => atMs < at - grace);
    this.goTo(mark?.atMs ?? (way > 0 ? length : 0));
  }

  /** @param {KeyboardEvent} event */
  keyDown(event) {
    const { key, target, ctrlKey, altKey, metaKey } = event;
    if (ctrlKey || altKey || metaKey || target === this.parts.speed) return;
    // A button, a box and a link have their own use for it.
    if (key === " " && target instanceof Element && target.closest("button, a, [type=checkbox]")) return;
    const { player } = this;
    /** @type {Record<string, () => void>} */
    const does = {
      " ": () => this.toggle(),
      ArrowLeft: () => this.goTo(player.at - LEAP),
      ArrowRight: () => this.goTo(player.at + LEAP),
      Home: () => this.goTo(0),
      End: () => this.goTo(player.length),
      ",": () => void player.step(-1).then(this.rested),
      ".": () => void player.step(1).then(this.rested),
      "<": () => this.stepSpeed(-1),
      ">": () => this.stepSpeed(1),
      "[": () => this.stepMark(-1),
      "]": () => this.stepMark(1),
    };
    // What a slider is expected to do beyond that.
    if (target === this.parts.time) {
      does.ArrowUp = () => this.goTo(player.at + 1000);
      does.ArrowDown = () => this.goTo(player.at - 1000);
      does.PageUp = () => this.goTo(player.at + player.length / 10);
      does.PageDown = () => this.goTo(player.at - player.length / 10);
    }
    if (!Object.hasOwn(does, key)) return;
    event.preventDefault();
    does[key]();
  }
}

/** @param {HTMLElement} element @param {string} text */
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A time as clocks show it, such as 1:02:03.4. @param {number} ms */
export function clock(ms) {
  const tenths = Math.floor(ms / 100 + 1e-6);
  const [hours, minutes, seconds] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60, Math.floor(tenths / 10) % 60];
  const tail = `${String(seconds).padStart(2, "0")}.${tenths % 10}`;
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

/** A time as people say it. @param {number} ms */
function spoken(ms) {
  const all = Math.floor(ms / 1000);
  /** @type {[number, string][]} */
  const parts = [[Math.floor(all / 3600), "hour"], [Math.floor(all / 60) % 60, "minute"], [all % 60, "second"]];
  const said = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`);
  return said.length === 0 ? "0 seconds" : said.join(" ");
}

// @ts-check
// A cassette that is shown: its screen at a moment, and time that passes.
//
// Time passes by the clock of the browser's frames, as fast as the reader likes; it stands still while what comes next is on its way. The screen is drawn by the
// same code as a live one, and only rows that differ are touched, so that a selection stays where nothing changed.
//
// Elsewhere: what is fetched (`cassette/frame_cache.js`), the buttons and keys (`cassette/timeline.js`).

import { TEXT, cellOf, giveCell } from "../draw/cell.js";
import { copyAsText } from "../input/copy.js";
import { differing, sameScreen } from "./frames.js";
import { Reel } from "./frame_cache.js";
import { Screen } from "../draw/screen.js";
import { cellIn, stepText } from "../draw/text_size.js";

/** @import { Stretch } from "./frames.js" */
/** @import { Shown } from "../protocol/stream.js" */

/** Nothing that happens for longer than this is idle; so much of it is shown before the rest is left out. In milliseconds. */
const IDLE = 2000;
const LINGER = 1000;
/** How far ahead what comes next is fetched, in milliseconds of the reader's. */
const AHEAD = 3000;
/** A frame of the browser that took longer was not a frame: the page was in the background. */
const LONGEST_FRAME = 250;

export class Player {
  /**
   * @param {HTMLElement} pane
   * @param {{ moved: () => void, changed: () => void, failed: (error: unknown) => void }} told time has moved; it plays, waits or shows another size
   */
  constructor(pane, told) {
    this.element = pane;
    this.told = told;
    this.screen = new Screen(cellOf(TEXT));
    this.sheet = document.createElement("div");
    this.sheet.className = "sheet";
    this.sheet.append(this.screen.element);
    pane.append(this.sheet);
    copyAsText(this.sheet);
    new ResizeObserver(() => this.chooseText()).observe(pane);
    /** @type {Reel | null} */
    this.reel = null;
    /** The moment that is shown, or waited for, in milliseconds. */
    this.at = 0;
    /** What is drawn. @type {Shown | null} */
    this.shown = null;
    /** Since which moment the same is shown. */
    this.since = 0;
    this.speed = 1;
    this.skipsIdle = false;
    this.isPlaying = false;
    /** Whether a hand holds the time. */
    this.isHeld = false;
    this.isWaiting = false;
    this.framed = 0;
    this.last = 0;
  }

  get length() {
    return this.reel?.length ?? 0;
  }

  /**
   * Shows a cassette.
   * @param {number} length
   * @param {ConstructorParameters<typeof Reel>[1]} fetchFrames
   * @param {number} at
   */
  open(length, fetchFrames, at) {
    this.close();
    this.reel = new Reel(length, fetchFrames);
    this.seek(at);
  }

  /** Shows nothing. */
  close() {
    this.pause();
    this.reel?.cancel();
    this.reel = null;
    this.shown = null;
    this.at = 0;
    this.since = 0;
    this.isHeld = false;
    this.setWaiting(false);
    this.screen.clear();
  }

  /** Shows a moment, as soon as it is here. @param {number} at */
  async seek(at) {
    const { reel } = this;
    if (reel === null) return;
    this.at = Math.min(reel.length, Math.max(0, at));
    this.told.moved();
    try {
      const here = reel.find(this.at);
      if (here !== null) {
        reel.cancel();
        this.draw(here);
        return;
      }
      this.setWaiting(true);
      const stretch = await reel.fetch(this.at);
      if (stretch !== null && reel === this.reel) this.draw(stretch);
    } catch (error) {
      if (reel === this.reel) this.stumble(error);
    }
  }

  /** @param {unknown} error */
  stumble(error) {
    this.pause();
    this.setWaiting(false);
    this.told.failed(error);
  }

  /** @param {Stretch} stretch the one with this moment */
  draw(stretch) {
    this.setWaiting(false);
    const { shown } = stretch.at(this.at);
    if (shown === null || shown === this.shown) return;
    const before = this.shown;
    this.shown = shown;
    const rows = differing(shown, before);
    this.screen.draw(shown, rows);
    if (before === null || !sameScreen(shown, before)) this.since = this.at;
    if (before?.cols !== shown.cols || before.rows !== shown.rows) this.chooseText();
    if (before?.title !== shown.title || before.cols !== shown.cols || before.rows !== shown.rows) this.told.changed();
  }

  /** Shows the next frame that differs, or the one before. @param {1 | -1} way */
  async step(way) {
    this.pause();
    const { reel } = this;
    if (reel === null) return;
    try {
      let at = this.at;
      while (reel === this.reel) {
        const stretch = await reel.fetch(at);
        // Another moment was wanted meanwhile, or the end is here.
        if (stretch === null) return;
        const index = stretch.indexAt(at);
        const next = way > 0 ? (stretch.frames[index + 1]?.at ?? stretch.to) : stretch.frames[index].at - 1;
        if (next < 0 || next > reel.length) {
          this.seek(next);
          return;
        }
        const there = await reel.fetch(next);
        if (there === null || reel !== this.reel) return;
        const { shown } = there.at(next);
        // Where a stretch begins there is a frame even if nothing happened.
        if (shown !== null && this.shown !== null && !sameScreen(shown, this.shown)) {
          // Back is to when the one before came, not to when it went.
          this.seek(way > 0 ? next : there.frames[there.indexAt(next)].at);
          return;
        }
        at = next;
      }
    } catch (error) {
      if (reel === this.reel) this.stumble(error);
    }
  }

  play() {
    if (this.reel === null || this.isPlaying) return;
    // From the end it begins again.
    if (this.at >= this.length) this.seek(0);
    this.isPlaying = true;
    this.last = 0;
    this.framed = requestAnimationFrame((now) => this.tick(now));
    this.told.changed();
  }

  pause() {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    cancelAnimationFrame(this.framed);
    this.told.changed();
  }

  /** @param {boolean} isWaiting */
  setWaiting(isWaiting) {
    if (this.isWaiting === isWaiting) return;
    this.isWaiting = isWaiting;
    this.told.changed();
  }

  /** @param {number} now */
  tick(now) {
    const { reel } = this;
    if (!this.isPlaying || reel === null) return;
    this.framed = requestAnimationFrame((now) => this.tick(now));
    const passed = this.last === 0 ? 0 : Math.min(LONGEST_FRAME, now - this.last);
    this.last = now;
    if (this.isHeld || this.isWaiting) return;
    let next = this.at + passed * this.speed;
    if (this.skipsIdle && this.at - this.since >= LINGER) next = Math.max(next, this.endOfIdle(reel));
    this.seek(next);
    reel.prepare(next, next + AHEAD * this.speed);
    if (this.at >= this.length && !this.isWaiting) this.pause();
  }

  /** When something happens again, where that is known and nothing does for long. @param {Reel} reel */
  endOfIdle(reel) {
    let at = this.at;
    for (;;) {
      const stretch = reel.peek(at);
      if (stretch === null) {
        reel.prepare(at, at);
        return 0;
      }
      const next = stretch.frames[stretch.indexAt(at) + 1]?.at;
      if (next !== undefined) return next - this.since > IDLE ? next : 0;
      at = stretch.to;
      if (at > this.length) return this.length;
    }
  }

  chooseText() {
    if (this.element.clientHeight === 0) return;
    const { cols, rows } = this.shown ?? { cols: 80, rows: 24 };
    const cell = cellIn(this.element, cols, rows);
    this.screen.setCell(cell);
    giveCell(this.sheet, cell);
    this.sheet.style.width = `${cols * cell.width}px`;
  }

  /** @param {number | "auto"} step */
  setText(step) {
    stepText(step, this.screen.cell.text);
    this.chooseText();
  }
}

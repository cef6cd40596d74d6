// @ts-check
// Player of a cassette: shows the screen at a position and advances it.
//
// Playback uses the clock of animation frames at the chosen speed, and pauses while frames are
// being fetched. Screens are drawn by the same code as live ones. Only rows that differ are
// touched, so selections elsewhere survive.
//
// See also: `cassette/frame_cache.js` (fetching frames), `cassette/timeline.js` (buttons and keys).

import { DEFAULT_TEXT_SIZE, cellOf, setCellSize } from "../draw/cell.js";
import { copyRowsAsText } from "../input/copy.js";
import { changedRows, sameScreen } from "./frames.js";
import { FrameCache } from "./frame_cache.js";
import { Screen } from "../draw/screen.js";
import { cellThatFits, stepTextSize } from "../draw/text_size.js";

/** @import { FrameSegment } from "./frames.js" */
/** @import { ScreenState } from "../protocol/screen_state.js" */

/**
 * A pause longer than IDLE is idle time; LINGER of it is shown before the rest is skipped. In
 * milliseconds.
 */
const IDLE = 2000;
const LINGER = 1000;
/** How far ahead frames are fetched, in milliseconds of playback. */
const AHEAD = 3000;
/**
 * The longest step of playback, in milliseconds: a longer animation frame means that the page was
 * in the background.
 */
const MAX_STEP = 250;

export class Player {
  /**
   * @param {HTMLElement} pane
   * @param {{ moved: () => void, changed: () => void, failed: (error: unknown) => void }} callbacks `moved`: new position; `changed`: playing, waiting, title or size
   */
  constructor(pane, callbacks) {
    this.element = pane;
    this.callbacks = callbacks;
    this.sheet = document.createElement("div");
    this.sheet.className = "sheet";
    this.screen = new Screen(cellOf(DEFAULT_TEXT_SIZE), (hash) => this.imageUrl(hash, this.at), this.sheet);
    this.sheet.append(this.screen.element);
    pane.append(this.sheet);
    copyRowsAsText(this.sheet);
    new ResizeObserver(() => this.updateTextSize()).observe(pane);
    /** @type {FrameCache | null} */
    this.cache = null;
    /** @type {(hash: string, at: number) => string} */
    this.imageUrl = () => "";
    /** The position that is shown or waited for, in milliseconds. */
    this.at = 0;
    /** The screen that is drawn. @type {ScreenState | null} */
    this.shown = null;
    /** The position at which this screen first appeared. */
    this.since = 0;
    this.speed = 1;
    this.skipsIdle = false;
    this.isPlaying = false;
    /** Whether the slider is being dragged. */
    this.isDragging = false;
    this.isWaiting = false;
    this.animation = 0;
    this.last = 0;
  }

  get length() {
    return this.cache?.length ?? 0;
  }

  /**
   * Opens a cassette.
   * @param {number} length
   * @param {ConstructorParameters<typeof FrameCache>[1]} fetchFrames
   * @param {(hash: string, at: number) => string} imageUrl returns the address of an image that is shown at a position
   * @param {number} at
   */
  open(length, fetchFrames, imageUrl, at) {
    this.close();
    this.imageUrl = imageUrl;
    this.cache = new FrameCache(length, fetchFrames);
    this.seek(at);
  }

  /** Closes the cassette. */
  close() {
    this.pause();
    this.cache?.cancel();
    this.cache = null;
    this.shown = null;
    this.at = 0;
    this.since = 0;
    this.isDragging = false;
    this.setWaiting(false);
    this.screen.clear();
  }

  /** Seeks to a position and draws it when its frames are available. @param {number} at */
  async seek(at) {
    const { cache } = this;
    if (cache === null) return;
    this.at = Math.min(cache.length, Math.max(0, at));
    this.callbacks.moved();
    try {
      const cached = cache.find(this.at);
      if (cached !== null) {
        cache.cancel();
        this.draw(cached);
        return;
      }
      this.setWaiting(true);
      const segment = await cache.fetch(this.at);
      if (segment !== null && cache === this.cache) this.draw(segment);
    } catch (error) {
      if (cache === this.cache) this.fail(error);
    }
  }

  /** @param {unknown} error */
  fail(error) {
    this.pause();
    this.setWaiting(false);
    this.callbacks.failed(error);
  }

  /** @param {FrameSegment} segment the one with this position */
  draw(segment) {
    this.setWaiting(false);
    const { shown } = segment.at(this.at);
    if (shown === null || shown === this.shown) return;
    const before = this.shown;
    this.shown = shown;
    const rows = changedRows(shown, before);
    this.screen.draw(shown, rows);
    if (before === null || !sameScreen(shown, before)) this.since = this.at;
    if (before?.cols !== shown.cols || before.rows !== shown.rows) this.updateTextSize();
    if (before?.title !== shown.title || before.cols !== shown.cols || before.rows !== shown.rows) this.callbacks.changed();
  }

  /** Steps to the next or previous frame whose screen differs. @param {1 | -1} way */
  async step(way) {
    this.pause();
    const { cache } = this;
    if (cache === null) return;
    try {
      let at = this.at;
      while (cache === this.cache) {
        const segment = await cache.fetch(at);
        // Another position was requested meanwhile.
        if (segment === null) return;
        const index = segment.indexAt(at);
        const next = way > 0 ? (segment.frames[index + 1]?.at ?? segment.to) : segment.frames[index].at - 1;
        if (next < 0 || next > cache.length) {
          this.seek(next);
          return;
        }
        const target = await cache.fetch(next);
        if (target === null || cache !== this.cache) return;
        const { shown } = target.at(next);
        // A segment starts with a frame even if nothing changed.
        if (shown !== null && this.shown !== null && !sameScreen(shown, this.shown)) {
          // A step back goes to the start of the previous frame.
          this.seek(way > 0 ? next : target.frames[target.indexAt(next)].at);
          return;
        }
        at = next;
      }
    } catch (error) {
      if (cache === this.cache) this.fail(error);
    }
  }

  play() {
    if (this.cache === null || this.isPlaying) return;
    // At the end, playback restarts from the start.
    if (this.at >= this.length) this.seek(0);
    this.isPlaying = true;
    this.last = 0;
    this.animation = requestAnimationFrame((now) => this.tick(now));
    this.callbacks.changed();
  }

  pause() {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    cancelAnimationFrame(this.animation);
    this.callbacks.changed();
  }

  /** @param {boolean} isWaiting */
  setWaiting(isWaiting) {
    if (this.isWaiting === isWaiting) return;
    this.isWaiting = isWaiting;
    this.callbacks.changed();
  }

  /** @param {number} now */
  tick(now) {
    const { cache } = this;
    if (!this.isPlaying || cache === null) return;
    this.animation = requestAnimationFrame((now) => this.tick(now));
    const passed = this.last === 0 ? 0 : Math.min(MAX_STEP, now - this.last);
    this.last = now;
    if (this.isDragging || this.isWaiting) return;
    let next = this.at + passed * this.speed;
    if (this.skipsIdle && this.at - this.since >= LINGER) next = Math.max(next, this.endOfIdle(cache));
    this.seek(next);
    cache.prepare(next, next + AHEAD * this.speed);
    if (this.at >= this.length && !this.isWaiting) this.pause();
  }

  /** Returns the end of the current idle time, or 0 if there is none. @param {FrameCache} cache */
  endOfIdle(cache) {
    let at = this.at;
    for (;;) {
      const segment = cache.peek(at);
      if (segment === null) {
        cache.prepare(at, at);
        return 0;
      }
      const next = segment.frames[segment.indexAt(at) + 1]?.at;
      if (next !== undefined) return next - this.since > IDLE ? next : 0;
      at = segment.to;
      if (at > this.length) return this.length;
    }
  }

  updateTextSize() {
    if (this.element.clientHeight === 0) return;
    const { cols, rows } = this.shown ?? { cols: 80, rows: 24 };
    const cell = cellThatFits(this.element, cols, rows);
    this.screen.setCell(cell);
    setCellSize(this.sheet, cell);
    this.sheet.style.width = `${cols * cell.width}px`;
  }

  /** @param {number | "auto"} step */
  stepTextSize(step) {
    stepTextSize(step, this.screen.cell.text);
    this.updateTextSize();
  }
}

// @ts-check
// Frames, which are screens with times, and segments of consecutive frames.
//
// A segment starts with a whole screen and continues with changes. Seeking backwards restarts from
// the nearest checkpoint, not from the start.
//
// See also: `protocol/stream.js` (the messages), `cassette/frame_cache.js` (which segments are
// fetched).

import { sameImages } from "../draw/images.js";
import { apply, decode, emptyView, samePalette, sameStyle } from "../protocol/stream.js";

/** @import { Ended, Row, ScreenState } from "../protocol/screen_state.js" */

/** @typedef {{ at: number, message: Uint8Array }} Frame `at` is in milliseconds */
/**
 * @typedef {{ shown: ScreenState | null, ended: Ended | null, revision: number | null }} FrameState
 */

/**
 * Parses a response: a time, a length and a message per frame.
 * @param {ArrayBuffer} buffer
 * @returns {Frame[]}
 */
export function readFrames(buffer) {
  const bytes = new Uint8Array(buffer);
  let offset = 0;
  const number = () => {
    let value = 0;
    // Multiplication instead of shifts, because numbers may exceed 32 bits.
    for (let place = 1; ; place *= 128) {
      const byte = bytes[offset];
      if (byte === undefined || place > 2 ** 49) throw new Error(`invalid number at byte ${offset} of ${bytes.length} bytes of frames: reload the page`);
      offset += 1;
      value += (byte % 128) * place;
      if (byte < 128) return value;
    }
  };
  /** @type {Frame[]} */
  const frames = [];
  while (offset < bytes.length) {
    const at = number();
    const length = number();
    if (length > bytes.length - offset) throw new Error(`a frame of ${length} bytes, but only ${bytes.length - offset} are left: reload the page`);
    frames.push({ at, message: bytes.subarray(offset, offset + length) });
    offset += length;
  }
  return frames;
}

/**
 * The number of frames between checkpoints. A small change takes about 20 µs to apply, so seeking
 * backwards takes about 1 ms.
 */
const CHECKPOINT_INTERVAL = 50;

export class FrameSegment {
  /**
   * @param {number} from
   * @param {number} to exclusive
   * @param {Frame[]} frames at least one
   * @param {number} bytes
   */
  constructor(from, to, frames, bytes) {
    this.from = from;
    this.to = to;
    // The first frame is the screen at the start of the segment, even if it is older.
    this.frames = frames.filter(({ at }, index) => index === 0 || at < to).map((frame) => ({ ...frame, at: Math.max(frame.at, from) }));
    this.bytes = bytes;
    this.view = emptyView(0);
    /** The index of the frame that the view shows. */
    this.index = -1;
    /** The state after every CHECKPOINT_INTERVAL frames. @type {FrameState[]} */
    this.checkpoints = [];
  }

  /** Discards decoded screens, which are large, and keeps the frames. */
  rewind() {
    this.view = emptyView(0);
    this.index = -1;
    this.checkpoints = [];
  }

  /** Returns the index of the frame at a position. @param {number} at */
  indexAt(at) {
    let low = 0;
    let high = this.frames.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.frames[middle].at <= at) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Returns the state at a position. @param {number} at @returns {FrameState} */
  at(at) {
    const index = this.indexAt(at);
    const checkpoint = Math.min(Math.floor(index / CHECKPOINT_INTERVAL), this.checkpoints.length - 1);
    if (this.index > index || this.index < checkpoint * CHECKPOINT_INTERVAL) {
      const { shown, ended, revision } = this.checkpoints[checkpoint];
      this.view = { channel: 0, shown, ended, revision, closed: false };
      this.index = checkpoint * CHECKPOINT_INTERVAL;
    }
    while (this.index < index) {
      apply(this.view, decode(this.frames[this.index + 1].message));
      this.index += 1;
      if (this.index === this.checkpoints.length * CHECKPOINT_INTERVAL) this.checkpoints.push({ ...this.view });
    }
    return this.view;
  }
}

/**
 * Returns the indices of rows that differ, even if the screens come from different messages.
 * @param {ScreenState} shown
 * @param {ScreenState | null} before
 */
export function changedRows(shown, before) {
  const rows = [];
  for (const [index, line] of shown.lines.entries()) {
    if (before === null || before.cols !== shown.cols || !sameRow(line, before.lines[index])) rows.push(index);
  }
  return rows;
}

/** @param {ScreenState} one @param {ScreenState} other */
export function sameScreen(one, other) {
  const { cursor } = one;
  const hasSameCursor = cursor.row === other.cursor.row && cursor.col === other.cursor.col && cursor.shape === other.cursor.shape;
  const looksSame = hasSameCursor && cursor.visible === other.cursor.visible && samePalette(one.palette, other.palette);
  if (one.rows !== other.rows || !looksSame) return false;
  return sameImages(one.images, other.images) && changedRows(one, other).length === 0;
}

/** @param {Row} one @param {Row | undefined} other */
function sameRow(one, other) {
  if (one === other) return true;
  if (other === undefined || one.wrapped !== other.wrapped || one.cells.length !== other.cells.length) return false;
  return one.cells.every(({ text, width, style }, col) => {
    const cell = other.cells[col];
    return text === cell.text && width === cell.width && sameStyle(style, cell.style);
  });
}

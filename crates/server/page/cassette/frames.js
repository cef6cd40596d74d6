// @ts-check
// Frames, which are screens with a time, and what is shown at any moment of a stretch of them.
//
// A stretch begins with a whole screen, and each frame after it says what is different. Whoever goes back begins again at a screen that was kept on the way,
// and not at the first.
//
// Elsewhere: what a message says (`protocol/stream.js`), which stretches are fetched (`cassette/frame_cache.js`).

import { apply, decode, emptyView, sameLook } from "../protocol/stream.js";

/** @import { Ended, Row, Shown } from "../protocol/stream.js" */

/** @typedef {{ at: number, message: Uint8Array }} Frame when it came, in milliseconds, and what it says */
/** @typedef {{ shown: Shown | null, ended: Ended | null, revision: number | null }} Sight */

/** The frames of an answer: a time, a length and a message each. @param {ArrayBuffer} buffer @returns {Frame[]} */
export function readFrames(buffer) {
  const bytes = new Uint8Array(buffer);
  let offset = 0;
  const number = () => {
    let value = 0;
    // Multiplied and not shifted: a number may have more than 32 bits.
    for (let place = 1; ; place *= 128) {
      const byte = bytes[offset];
      if (byte === undefined || place > 2 ** 49) throw new Error(`no number ends at byte ${offset} of ${bytes.length} bytes of frames: load the page anew`);
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
    if (length > bytes.length - offset) throw new Error(`a frame of ${length} bytes where ${bytes.length - offset} are left: load the page anew`);
    frames.push({ at, message: bytes.subarray(offset, offset + length) });
    offset += length;
  }
  return frames;
}

/** After so many frames the screen is kept. A small change takes some 20 µs to apply, so that going back takes about a millisecond. */
const STRIDE = 50;

export class Stretch {
  /** @param {number} from @param {number} to the first moment behind it @param {Frame[]} frames at least one @param {number} bytes */
  constructor(from, to, frames, bytes) {
    this.from = from;
    this.to = to;
    // The first is what is shown at the beginning, however old it is.
    this.frames = frames.filter(({ at }, index) => index === 0 || at < to).map((frame) => ({ ...frame, at: Math.max(frame.at, from) }));
    this.bytes = bytes;
    this.view = emptyView(0);
    /** The frame that the view shows. */
    this.index = -1;
    /** What is shown after each STRIDE frames. @type {Sight[]} */
    this.kept = [];
  }

  /** Keeps nothing but the frames themselves: decoded screens are large. */
  rewind() {
    this.view = emptyView(0);
    this.index = -1;
    this.kept = [];
  }

  /** The number of the frame that is shown at a moment. @param {number} at */
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

  /** What is shown at a moment. @param {number} at @returns {Sight} */
  at(at) {
    const index = this.indexAt(at);
    const stride = Math.min(Math.floor(index / STRIDE), this.kept.length - 1);
    if (this.index > index || this.index < stride * STRIDE) {
      const { shown, ended, revision } = this.kept[stride];
      this.view = { channel: 0, shown, ended, revision, closed: false };
      this.index = stride * STRIDE;
    }
    while (this.index < index) {
      apply(this.view, decode(this.frames[this.index + 1].message));
      this.index += 1;
      if (this.index === this.kept.length * STRIDE) this.kept.push({ ...this.view });
    }
    return this.view;
  }
}

/** The rows of a screen that are not as on another, whichever messages they come from. @param {Shown} shown @param {Shown | null} before */
export function differing(shown, before) {
  const rows = [];
  for (const [index, line] of shown.lines.entries()) {
    if (before === null || before.cols !== shown.cols || !sameRow(line, before.lines[index])) rows.push(index);
  }
  return rows;
}

/** @param {Shown} one @param {Shown} other */
export function sameScreen(one, other) {
  const { cursor } = one;
  const isThere = cursor.row === other.cursor.row && cursor.col === other.cursor.col && cursor.shape === other.cursor.shape;
  return one.rows === other.rows && isThere && cursor.visible === other.cursor.visible && differing(one, other).length === 0;
}

/** @param {Row} one @param {Row | undefined} other */
function sameRow(one, other) {
  if (one === other) return true;
  if (other === undefined || one.wrapped !== other.wrapped || one.cells.length !== other.cells.length) return false;
  return one.cells.every(({ text, width, look }, col) => {
    const cell = other.cells[col];
    return text === cell.text && width === cell.width && sameLook(look, cell.look);
  });
}

// @ts-check
// What was fetched of a cassette: stretches of frames, asked for as they are needed and kept as long as there is room.
//
// One request is under way at a time, and the next is for the moment that was wanted last: whoever drags through an hour is not answered with all of it.
//
// Elsewhere: what is on a stretch (`cassette/frames.js`), when which moment is wanted (`cassette/player.js`).

import { Stretch } from "./frames.js";

/** @import { Frame } from "./frames.js" */

/** How many bytes of frames are kept. */
const ROOM = 24 << 20;
/** How much time is fetched at once: a part of the whole, so that whoever leaps over an idle night asks a hundred times, and not ten thousand times. */
const SHORTEST = 10_000;
const LONGEST = 600_000;
const PARTS = 100;

export class Reel {
  /**
   * @param {number} length in milliseconds
   * @param {(from: number, to: number) => Promise<{ frames: Frame[], to: number, bytes: number }>} fetchFrames
   */
  constructor(length, fetchFrames) {
    this.length = length;
    this.fetchFrames = fetchFrames;
    this.span = Math.ceil(Math.min(LONGEST, Math.max(SHORTEST, length / PARTS)));
    /** The one that was used last is the last. @type {Stretch[]} */
    this.stretches = [];
    /** Who waits for which moment. @type {{ at: number, resolve: (stretch: Stretch | null) => void, reject: (error: unknown) => void } | null} */
    this.wanted = null;
    this.isFetching = false;
  }

  /** The stretch with a moment, where it is here. @param {number} at @returns {Stretch | null} */
  find(at) {
    const index = this.stretches.findIndex(({ from, to }) => from <= at && at < to);
    if (index < 0) return null;
    const [stretch] = this.stretches.splice(index, 1);
    const last = this.stretches.at(-1);
    if (last !== undefined) last.rewind();
    this.stretches.push(stretch);
    return stretch;
  }

  /** The same, for whoever only looks ahead: what is in use stays in use. @param {number} at @returns {Stretch | null} */
  peek(at) {
    return this.stretches.find(({ from, to }) => from <= at && at < to) ?? null;
  }

  /** Nobody waits any more. */
  cancel() {
    this.wanted?.resolve(null);
    this.wanted = null;
  }

  /** The stretch with a moment; `null` as soon as another is wanted. @param {number} at @returns {Promise<Stretch | null>} */
  fetch(at) {
    this.cancel();
    const here = this.find(at);
    if (here !== null) return Promise.resolve(here);
    return new Promise((resolve, reject) => {
      this.wanted = { at, resolve, reject };
      if (!this.isFetching) this.work();
    });
  }

  /** Fetches the first that is missing of a time that will be wanted, where nobody waits for another. @param {number} from @param {number} to */
  async prepare(from, to) {
    if (this.isFetching) return;
    let at = from;
    for (let here = this.peek(at); here !== null; here = this.peek(at)) at = here.to;
    if (at > to || at > this.length) return;
    this.isFetching = true;
    // Whoever comes to need it is told what is wrong.
    await this.add(at).catch(() => {});
    this.isFetching = false;
    if (this.wanted !== null) this.work();
  }

  /** Fetches until nobody waits. */
  async work() {
    this.isFetching = true;
    while (this.wanted !== null) {
      const { wanted } = this;
      const here = this.find(wanted.at);
      if (here !== null) {
        this.wanted = null;
        wanted.resolve(here);
        break;
      }
      try {
        await this.add(wanted.at);
      } catch (error) {
        wanted.reject(error);
        if (this.wanted === wanted) this.wanted = null;
      }
    }
    this.isFetching = false;
  }

  /** Fetches what is missing around a moment, or where that is much, its beginning. @param {number} at */
  async add(at) {
    let from = Math.floor(at / this.span) * this.span;
    let to = Math.min(from + this.span, this.length + 1);
    for (const other of this.stretches) {
      if (other.to <= at) from = Math.max(from, other.to);
      if (other.from > at) to = Math.min(to, other.from);
    }
    const answer = await this.fetchFrames(from, to);
    if (answer.frames.length === 0) throw new Error(`the server has no frame at ${from} ms: load the page anew`);
    // Behind those that were used, but for the moment that is shown.
    this.stretches.splice(-1, 0, new Stretch(from, answer.to, answer.frames, answer.bytes));
    this.makeRoom();
  }

  makeRoom() {
    let bytes = this.stretches.reduce((sum, stretch) => sum + stretch.bytes, 0);
    // The one that was fetched now and the one that is shown stay, however large they are.
    while (bytes > ROOM && this.stretches.length > 2) bytes -= this.stretches.shift()?.bytes ?? 0;
  }
}

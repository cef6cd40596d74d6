// @ts-check
// Cache of a cassette's frames, which are fetched in segments when needed.
//
// Only one request runs at a time, and the next one is for the latest position. Dragging across an
// hour therefore does not fetch all of it.
//
// See also: `cassette/frames.js` (a segment), `cassette/player.js` (which position is needed when).

import { FrameSegment } from "./frames.js";

/** @import { Frame } from "./frames.js" */

/** The most bytes of frames in the cache. */
const MAX_BYTES = 24 << 20;
/**
 * Length of a segment, in milliseconds: a fraction of the cassette, so that skipping a long
 * idle time needs about a hundred requests.
 */
const MIN_SEGMENT = 10_000;
const MAX_SEGMENT = 600_000;
const SEGMENTS = 100;

export class FrameCache {
  /**
   * @param {number} length in milliseconds
   * @param {(from: number, to: number) => Promise<{ frames: Frame[], to: number, bytes: number }>} fetchFrames
   */
  constructor(length, fetchFrames) {
    this.length = length;
    this.fetchFrames = fetchFrames;
    this.segmentLength = Math.ceil(Math.min(MAX_SEGMENT, Math.max(MIN_SEGMENT, length / SEGMENTS)));
    /** Ordered by last use, the latest at the end. @type {FrameSegment[]} */
    this.segments = [];
    /**
     * The position that is waited for.
     * @type {{ at: number, resolve: (segment: FrameSegment | null) => void, reject: (error: unknown) => void } | null}
     */
    this.request = null;
    this.isFetching = false;
  }

  /**
   * Returns the cached segment with a position, and marks it as used.
   * @param {number} at
   * @returns {FrameSegment | null}
   */
  find(at) {
    const index = this.segments.findIndex(({ from, to }) => from <= at && at < to);
    if (index < 0) return null;
    const [segment] = this.segments.splice(index, 1);
    const last = this.segments.at(-1);
    if (last !== undefined) last.rewind();
    this.segments.push(segment);
    return segment;
  }

  /**
   * Like `find`, without marking it as used, to look ahead.
   * @param {number} at
   * @returns {FrameSegment | null}
   */
  peek(at) {
    return this.segments.find(({ from, to }) => from <= at && at < to) ?? null;
  }

  /** Cancels the current wait. */
  cancel() {
    this.request?.resolve(null);
    this.request = null;
  }

  /**
   * Fetches the segment with a position. Resolves to `null` when another position is requested
   * first.
   * @param {number} at
   * @returns {Promise<FrameSegment | null>}
   */
  fetch(at) {
    this.cancel();
    const cached = this.find(at);
    if (cached !== null) return Promise.resolve(cached);
    return new Promise((resolve, reject) => {
      this.request = { at, resolve, reject };
      if (!this.isFetching) this.fetchRequested();
    });
  }

  /**
   * Prefetches the first missing segment of a time range, if no request is running.
   * @param {number} from
   * @param {number} to
   */
  async prepare(from, to) {
    if (this.isFetching) return;
    let at = from;
    for (let cached = this.peek(at); cached !== null; cached = this.peek(at)) at = cached.to;
    if (at > to || at > this.length) return;
    this.isFetching = true;
    // If the segment is needed later, its error is reported then.
    await this.add(at).catch(() => {});
    this.isFetching = false;
    if (this.request !== null) this.fetchRequested();
  }

  /** Fetches until the latest request is answered. */
  async fetchRequested() {
    this.isFetching = true;
    while (this.request !== null) {
      const { request } = this;
      const cached = this.find(request.at);
      if (cached !== null) {
        this.request = null;
        request.resolve(cached);
        break;
      }
      try {
        await this.add(request.at);
      } catch (error) {
        request.reject(error);
        if (this.request === request) this.request = null;
      }
    }
    this.isFetching = false;
  }

  /**
   * Fetches the missing time around a position, or the start of it if the response is limited.
   * @param {number} at
   */
  async add(at) {
    let from = Math.floor(at / this.segmentLength) * this.segmentLength;
    let to = Math.min(from + this.segmentLength, this.length + 1);
    for (const other of this.segments) {
      if (other.to <= at) from = Math.max(from, other.to);
      if (other.from > at) to = Math.min(to, other.from);
    }
    const response = await this.fetchFrames(from, to);
    if (response.frames.length === 0) throw new Error(`the server returned no frame at ${from} ms: reload the page`);
    // Last in the order of use, except for the segment that is shown.
    this.segments.splice(-1, 0, new FrameSegment(from, response.to, response.frames, response.bytes));
    this.evict();
  }

  evict() {
    let bytes = this.segments.reduce((sum, segment) => sum + segment.bytes, 0);
    // The segment fetched last and the one that is shown are kept, whatever their size.
    while (bytes > MAX_BYTES && this.segments.length > 2) bytes -= this.segments.shift()?.bytes ?? 0;
  }
}

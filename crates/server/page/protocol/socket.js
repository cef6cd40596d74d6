// @ts-check
// One socket to the server, over which all sessions are watched and one is driven.
//
// Each session that somebody looks at has a channel, however many look: the fastest says how often it is drawn. A screen is acknowledged once it is drawn, so
// that a slow browser, or one that is in the background, is sent less and never falls behind. A socket that is lost is opened again.
//
// Elsewhere: what the messages hold (`protocol/stream.js`), who drives (`session/control.js`).

import { apply, decode, emptyView } from "./stream.js";

/** @import { Message } from "./stream.js" */

/**
 * Whoever looks at a session.
 * @typedef {object} Eye
 * @property {number} rate how often a second it wants to be shown something, at most
 * @property {(watch: Watch, changed: Set<number>) => void} draw something is to be drawn: rows, or an end
 * @property {(watch: Watch) => void} [driverChanged]
 * @property {(error: string) => void} [refused] what was wanted was not done
 */

/** How many screens may be under way that were not drawn yet. */
const WINDOW = 2;
/** How long to wait before the first attempt to come back, and at most. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 10_000;

/** A session that is watched. */
export class Watch {
  /** @param {string} session @param {number} channel */
  constructor(session, channel) {
    this.session = session;
    this.view = emptyView(channel);
    /** @type {Set<Eye>} */
    this.eyes = new Set();
    this.rate = 0;
    /** @type {{ name: string | null, you: boolean }} */
    this.driver = { name: null, you: false };
    /** Rows to draw, and whether anything is. @type {Set<number>} */
    this.changed = new Set();
    this.isStale = false;
    /** Whether a keyframe was asked for and has not come. */
    this.isLost = false;
    /** @type {number} */
    this.endedAt = -1;
  }

  get channel() {
    return this.view.channel;
  }
}

export class Socket {
  /** @param {string} url @param {(state: "open" | "lost" | "strange") => void} onState what the server says may be in words that this page does not know */
  constructor(url, onState) {
    this.url = url;
    this.onState = onState;
    /** @type {Map<string, Watch>} */
    this.watches = new Map();
    /** @type {Map<number, Watch>} */
    this.channels = new Map();
    this.nextChannel = 1;
    this.pause = FIRST_PAUSE;
    this.timer = 0;
    this.isFramed = false;
    /** @type {WebSocket | null} */
    this.line = null;
    this.connect();
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => this.hurry());
  }

  /** Tries again at once. */
  hurry() {
    if (this.line === null && !document.hidden) {
      this.pause = FIRST_PAUSE;
      this.connect();
    }
  }

  connect() {
    clearTimeout(this.timer);
    const line = new WebSocket(this.url);
    line.binaryType = "arraybuffer";
    this.line = line;
    line.onopen = () => {
      this.pause = FIRST_PAUSE;
      for (const watch of this.watches.values()) this.subscribe(watch);
      this.onState("open");
    };
    line.onmessage = ({ data }) => {
      if (typeof data === "string") this.told(JSON.parse(data));
      else this.shown(data);
    };
    line.onclose = () => {
      if (this.line !== line) return;
      this.line = null;
      for (const watch of this.watches.values()) this.setDriver(watch, { name: null, you: false });
      this.onState("lost");
      this.timer = setTimeout(() => this.connect(), this.pause);
      this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
    };
  }

  /** Looks at a session. @param {string} session @param {Eye} eye @returns {Watch} */
  look(session, eye) {
    let watch = this.watches.get(session);
    if (watch === undefined) {
      // A number is never used again: what is still under way for the one before does not reach this one.
      watch = new Watch(session, this.nextChannel++);
      this.watches.set(session, watch);
      this.channels.set(watch.channel, watch);
    }
    watch.eyes.add(eye);
    this.setRate(watch);
    if (watch.view.shown !== null) {
      eye.draw(watch, new Set(watch.view.shown.lines.keys()));
      eye.driverChanged?.(watch);
    }
    return watch;
  }

  /** Looks no more. @param {Watch} watch @param {Eye} eye */
  leave(watch, eye) {
    watch.eyes.delete(eye);
    if (this.watches.get(watch.session) !== watch) return;
    if (watch.eyes.size > 0) {
      this.setRate(watch);
      return;
    }
    this.forget(watch);
  }

  /** @param {Watch} watch */
  forget(watch) {
    if (this.watches.get(watch.session) === watch) this.watches.delete(watch.session);
    this.channels.delete(watch.channel);
    // Also where it is closed: a server keeps what somebody watches, and its name with it.
    this.say({ unsubscribe: { channel: watch.channel } });
  }

  /** A session is no longer there, though nobody was told: the server is another one. @param {Watch} watch */
  lose(watch) {
    if (watch.view.closed) return;
    watch.view.closed = true;
    this.forget(watch);
    drawOne(watch);
  }

  /** @param {Watch} watch */
  setRate(watch) {
    const rate = Math.max(...Array.from(watch.eyes, (eye) => eye.rate));
    if (rate === watch.rate) return;
    watch.rate = rate;
    this.subscribe(watch);
  }

  /** The server lets go of the wheel for whoever subscribes anew. @param {Watch} watch */
  subscribe({ channel, session, rate }) {
    this.say({ subscribe: { channel, session, rate, window: WINDOW } });
  }

  /** @param {Watch} watch @param {string} name */
  take({ channel }, name) {
    this.say({ take: { channel, name } });
  }

  /** @param {Watch} watch */
  release({ channel }) {
    this.say({ release: { channel } });
  }

  /** @param {Watch} watch @param {{ text: string } | { key: string } | { paste: string } | { mouse: object }} what */
  input({ channel }, what) {
    this.say({ input: { channel, do: what } });
  }

  /** @param {Watch} watch @param {number} cols @param {number} rows */
  resize({ channel }, cols, rows) {
    this.say({ resize: { channel, cols, rows } });
  }

  /** What is said while nobody listens is not kept: a key should not be typed minutes later. @param {object} wish */
  say(wish) {
    if (this.line?.readyState === WebSocket.OPEN) this.line.send(JSON.stringify(wish));
  }

  /** @param {{ driver?: { channel: number, name: string | null, you: boolean }, refused?: { channel: number, error: string } }} told */
  told({ driver, refused }) {
    if (driver !== undefined) {
      const watch = this.channels.get(driver.channel);
      if (watch !== undefined) this.setDriver(watch, driver);
    }
    if (refused !== undefined) {
      const watch = this.channels.get(refused.channel);
      for (const eye of watch?.eyes ?? []) eye.refused?.(refused.error);
    }
  }

  /** @param {Watch} watch @param {{ name: string | null, you: boolean }} driver */
  setDriver(watch, { name, you }) {
    watch.driver = { name, you };
    for (const eye of watch.eyes) eye.driverChanged?.(watch);
  }

  /** @param {ArrayBuffer} data */
  shown(data) {
    /** @type {Message} */
    let message;
    try {
      message = decode(data);
    } catch (error) {
      console.error(error);
      this.onState("strange");
      return;
    }
    const watch = this.channels.get(message.channel);
    if (watch === undefined) return;
    try {
      take(watch, message);
    } catch (error) {
      // What does not follow from what is shown is put right by a whole screen.
      console.warn(error);
      if (!watch.isLost) this.say({ keyframe: { channel: watch.channel } });
      watch.isLost = true;
      return;
    }
    if (watch.view.closed) this.forget(watch);
    watch.isStale = true;
    if (!this.isFramed) {
      this.isFramed = true;
      requestAnimationFrame(() => this.draw());
    }
    // The last words of a session that is forgotten are said at once.
    if (watch.view.closed) drawOne(watch);
  }

  draw() {
    this.isFramed = false;
    for (const watch of this.channels.values()) {
      if (!watch.isStale) continue;
      drawOne(watch);
      if (watch.view.revision !== null) this.acknowledge(watch.channel, watch.view.revision);
    }
  }

  /** @param {number} channel @param {number} revision */
  acknowledge(channel, revision) {
    if (this.line?.readyState === WebSocket.OPEN) this.line.send(new Uint8Array([...varint(channel), ...varint(revision)]));
  }
}

/** @param {Watch} watch @param {Message} message */
function take(watch, message) {
  for (const index of apply(watch.view, message)) watch.changed.add(index);
  if (message.kind === "keyframe") watch.isLost = false;
  if (message.kind === "ended") watch.endedAt = message.revision;
  // All that a program showed comes before its end: what comes later is of the next one.
  else if (message.kind !== "closed" && message.revision > watch.endedAt) watch.view.ended = null;
}

/** @param {Watch} watch */
function drawOne(watch) {
  const { changed } = watch;
  watch.changed = new Set();
  watch.isStale = false;
  for (const eye of watch.eyes) eye.draw(watch, changed);
}

/** @param {number} number @returns {number[]} */
function varint(number) {
  const bytes = [];
  // Divided and not shifted: a revision may have more than 32 bits.
  for (; number >= 128; number = Math.floor(number / 128)) bytes.push((number % 128) + 128);
  bytes.push(number);
  return bytes;
}

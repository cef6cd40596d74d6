// @ts-check
// The WebSocket over which all sessions are watched and one is controlled.
//
// Each watched session has one channel with any number of viewers, and is sent at the rate of the
// fastest of them. A screen is acknowledged after it was drawn, so a slow browser or a background
// tab is sent fewer screens and never falls behind. A lost connection is reopened.
//
// See also: `protocol/stream.js` (the messages), `session/control.js` (which client has control).

import { apply, decode, emptyView } from "./stream.js";

/** @import { Message } from "./stream.js" */

/**
 * A viewer of a session.
 * @typedef {object} Viewer
 * @property {number} rate the most screens per second
 * @property {(subscription: Subscription, changed: Set<number>) => void} draw called when rows changed or the session ended
 * @property {(subscription: Subscription) => void} [driverChanged]
 * @property {(error: string) => void} [refused] called when a request failed
 */

/** The most screens that were sent but not drawn. */
const WINDOW = 2;
/** Delay before the first reconnection attempt, and the longest delay, in milliseconds. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 10_000;

/** A watched session. */
export class Subscription {
  /** @param {string} session @param {number} channel */
  constructor(session, channel) {
    this.session = session;
    this.view = emptyView(channel);
    /** @type {Set<Viewer>} */
    this.viewers = new Set();
    this.rate = 0;
    /** @type {{ name: string | null, you: boolean }} */
    this.driver = { name: null, you: false };
    /** Rows that need to be drawn. @type {Set<number>} */
    this.changed = new Set();
    this.isStale = false;
    /** Whether a keyframe was requested and has not arrived. */
    this.awaitsKeyframe = false;
    /** The revision of the last exit. @type {number} */
    this.exitRevision = -1;
  }

  get channel() {
    return this.view.channel;
  }
}

export class Socket {
  /**
   * @param {string} url
   * @param {(state: "open" | "lost" | "incompatible") => void} onState `incompatible`: the server sent a message that this page cannot read
   */
  constructor(url, onState) {
    this.url = url;
    this.onState = onState;
    /** @type {Map<string, Subscription>} */
    this.subscriptions = new Map();
    /** @type {Map<number, Subscription>} */
    this.channels = new Map();
    this.nextChannel = 1;
    this.pause = FIRST_PAUSE;
    this.timer = 0;
    this.isDrawScheduled = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.connect();
    addEventListener("online", () => this.reconnectNow());
    document.addEventListener("visibilitychange", () => this.reconnectNow());
  }

  /** Reconnects immediately. */
  reconnectNow() {
    if (this.socket === null && !document.hidden) {
      this.pause = FIRST_PAUSE;
      this.connect();
    }
  }

  connect() {
    clearTimeout(this.timer);
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.pause = FIRST_PAUSE;
      for (const subscription of this.subscriptions.values()) this.sendSubscribe(subscription);
      this.onState("open");
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.handleJson(JSON.parse(data));
      else this.handleBinary(data);
    };
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.socket = null;
      for (const subscription of this.subscriptions.values()) this.setDriver(subscription, { name: null, you: false });
      this.onState("lost");
      this.timer = setTimeout(() => this.connect(), this.pause);
      this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
    };
  }

  /**
   * Starts watching a session.
   * @param {string} session
   * @param {Viewer} viewer
   * @returns {Subscription}
   */
  subscribe(session, viewer) {
    let subscription = this.subscriptions.get(session);
    if (subscription === undefined) {
      // Channel numbers are never reused, so late messages of an earlier channel do not reach this
      // one.
      subscription = new Subscription(session, this.nextChannel++);
      this.subscriptions.set(session, subscription);
      this.channels.set(subscription.channel, subscription);
    }
    subscription.viewers.add(viewer);
    this.setRate(subscription);
    if (subscription.view.shown !== null) {
      viewer.draw(subscription, new Set(subscription.view.shown.lines.keys()));
      viewer.driverChanged?.(subscription);
    }
    return subscription;
  }

  /** Stops watching a session. @param {Subscription} subscription @param {Viewer} viewer */
  unsubscribe(subscription, viewer) {
    subscription.viewers.delete(viewer);
    if (this.subscriptions.get(subscription.session) !== subscription) return;
    if (subscription.viewers.size > 0) {
      this.setRate(subscription);
      return;
    }
    this.forget(subscription);
  }

  /** @param {Subscription} subscription */
  forget(subscription) {
    if (this.subscriptions.get(subscription.session) === subscription) this.subscriptions.delete(subscription.session);
    this.channels.delete(subscription.channel);
    // Closed sessions too: the server counts their channels until then.
    this.send({ unsubscribe: { channel: subscription.channel } });
  }

  /**
   * Marks a session as closed that disappeared without a message, because the server was restarted.
   * @param {Subscription} subscription
   */
  markClosed(subscription) {
    if (subscription.view.closed) return;
    subscription.view.closed = true;
    this.forget(subscription);
    drawOne(subscription);
  }

  /** @param {Subscription} subscription */
  setRate(subscription) {
    const rate = Math.max(...Array.from(subscription.viewers, (viewer) => viewer.rate));
    if (rate === subscription.rate) return;
    subscription.rate = rate;
    this.sendSubscribe(subscription);
  }

  /** Subscribes, or changes the rate of a subscription. @param {Subscription} subscription */
  sendSubscribe({ channel, session, rate }) {
    this.send({ subscribe: { channel, session, rate, window: WINDOW } });
  }

  /** @param {Subscription} subscription @param {string} name */
  takeControl({ channel }, name) {
    this.send({ take: { channel, name } });
  }

  /** @param {Subscription} subscription */
  releaseControl({ channel }) {
    this.send({ release: { channel } });
  }

  /**
   * @param {Subscription} subscription
   * @param {{ text: string } | { key: string } | { paste: string } | { mouse: object }} input
   */
  sendInput({ channel }, input) {
    this.send({ input: { channel, do: input } });
  }

  /** @param {Subscription} subscription @param {number} cols @param {number} rows */
  resize({ channel }, cols, rows) {
    this.send({ resize: { channel, cols, rows } });
  }

  /**
   * Messages are dropped while disconnected: a key must not be typed minutes later.
   * @param {object} request
   */
  send(request) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
  }

  /**
   * @param {{ driver?: { channel: number, name: string | null, you: boolean }, refused?: { channel: number, error: string } }} message
   */
  handleJson({ driver, refused }) {
    if (driver !== undefined) {
      const subscription = this.channels.get(driver.channel);
      if (subscription !== undefined) this.setDriver(subscription, driver);
    }
    if (refused !== undefined) {
      const subscription = this.channels.get(refused.channel);
      for (const viewer of subscription?.viewers ?? []) viewer.refused?.(refused.error);
    }
  }

  /** @param {Subscription} subscription @param {{ name: string | null, you: boolean }} driver */
  setDriver(subscription, { name, you }) {
    subscription.driver = { name, you };
    for (const viewer of subscription.viewers) viewer.driverChanged?.(subscription);
  }

  /** @param {ArrayBuffer} data */
  handleBinary(data) {
    /** @type {Message} */
    let message;
    try {
      message = decode(data);
    } catch (error) {
      console.error(error);
      this.onState("incompatible");
      return;
    }
    const subscription = this.channels.get(message.channel);
    if (subscription === undefined) return;
    try {
      applyMessage(subscription, message);
    } catch (error) {
      // A keyframe repairs a message that does not fit the screen.
      console.warn(error);
      if (!subscription.awaitsKeyframe) this.send({ keyframe: { channel: subscription.channel } });
      subscription.awaitsKeyframe = true;
      return;
    }
    if (subscription.view.closed) this.forget(subscription);
    subscription.isStale = true;
    if (!this.isDrawScheduled) {
      this.isDrawScheduled = true;
      requestAnimationFrame(() => this.draw());
    }
    // A forgotten session is drawn immediately, because `draw` no longer reaches it.
    if (subscription.view.closed) drawOne(subscription);
  }

  draw() {
    this.isDrawScheduled = false;
    for (const subscription of this.channels.values()) {
      if (!subscription.isStale) continue;
      drawOne(subscription);
      if (subscription.view.revision !== null) this.acknowledge(subscription.channel, subscription.view.revision);
    }
  }

  /** @param {number} channel @param {number} revision */
  acknowledge(channel, revision) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(new Uint8Array([...varint(channel), ...varint(revision)]));
  }
}

/** @param {Subscription} subscription @param {Message} message */
function applyMessage(subscription, message) {
  for (const index of apply(subscription.view, message)) subscription.changed.add(index);
  if (message.kind === "keyframe") subscription.awaitsKeyframe = false;
  if (message.kind === "ended") subscription.exitRevision = message.revision;
  // All screens of a program precede its exit. Later ones belong to the next program.
  else if (message.kind !== "closed" && message.revision > subscription.exitRevision) subscription.view.ended = null;
}

/** @param {Subscription} subscription */
function drawOne(subscription) {
  const { changed } = subscription;
  subscription.changed = new Set();
  subscription.isStale = false;
  for (const viewer of subscription.viewers) viewer.draw(subscription, changed);
}

/** @param {number} number @returns {number[]} */
function varint(number) {
  const bytes = [];
  // Division instead of shifts, because revisions may exceed 32 bits.
  for (; number >= 128; number = Math.floor(number / 128)) bytes.push((number % 128) + 128);
  bytes.push(number);
  return bytes;
}

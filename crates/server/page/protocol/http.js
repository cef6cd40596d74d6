// @ts-check
// HTTP requests to the server.
//
// See also: `protocol/sessions.js` and `protocol/cassettes.js` (what is requested),
// `protocol/socket.js` (live screens).

/** A failed request, with the server's message. */
export class RequestError extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.name = "RequestError";
    this.status = status;
  }
}

/** @param {string} path @param {RequestInit} [init] */
export async function request(path, init) {
  const response = await fetch(path, init).catch(() => {
    throw new RequestError(0, "the server does not respond");
  });
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  throw new RequestError(response.status, body?.error ?? `the server responded with status ${response.status}`);
}

/** @param {string} path @param {object} body */
export function post(path, body) {
  return request(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

/**
 * Whether this browser has read-write access. If the role is unknown, the server rejects what is
 * not allowed.
 * @returns {Promise<boolean>}
 */
export async function hasWriteAccess() {
  const me = await request("/api/me").then((response) => response.json()).catch(() => null);
  return me?.role !== "look";
}

/**
 * Polls a list of the server: periodically while the page is visible, and on demand after the
 * page's own changes.
 * @template T
 */
export class Poller {
  /**
   * @param {() => Promise<T>} load
   * @param {number} pause time between two requests, in milliseconds
   * @param {(update: T) => void} onUpdate
   * @param {(error: RequestError | null) => void} onError
   */
  constructor(load, pause, onUpdate, onError) {
    this.load = load;
    this.pause = pause;
    this.onUpdate = onUpdate;
    this.onError = onError;
    this.timer = 0;
    /** The number of the newest request. Responses to older ones are ignored. */
    this.latest = 0;
    document.addEventListener("visibilitychange", () => this.refresh());
  }

  /** Requests the list immediately. */
  async refresh() {
    clearTimeout(this.timer);
    if (document.hidden) return;
    const number = ++this.latest;
    try {
      const update = await this.load();
      if (number !== this.latest) return;
      this.onError(null);
      this.onUpdate(update);
    } catch (error) {
      if (number !== this.latest) return;
      this.onError(error instanceof RequestError ? error : new RequestError(0, String(error)));
    }
    this.timer = setTimeout(() => this.refresh(), this.pause);
  }
}

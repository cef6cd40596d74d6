// @ts-check
// Asking the server over HTTP, once and again.
//
// Elsewhere: what there is to ask for (`protocol/sessions.js`, `protocol/cassettes.js`), what happens live (`protocol/socket.js`).

/** A request that the server did not grant, in its own words. */
export class Refused extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.name = "Refused";
    this.status = status;
  }
}

/** @param {string} path @param {RequestInit} [init] */
export async function ask(path, init) {
  const response = await fetch(path, init).catch(() => {
    throw new Refused(0, "the server does not answer");
  });
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  throw new Refused(response.status, body?.error ?? `the server answered ${response.status}`);
}

/** @param {string} path @param {object} body */
export function post(path, body) {
  return ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

/** Whether this browser may touch what it sees. A server that does not tell refuses what it does not grant. @returns {Promise<boolean>} */
export async function mayTouch() {
  const told = await ask("/api/me").then((response) => response.json()).catch(() => null);
  return told?.role !== "look";
}

/**
 * Something that the server lists, kept fresh: asked for again and again while the page is seen, and at once after whatever the page itself did.
 * @template T
 */
export class Fresh {
  /**
   * @param {() => Promise<T>} fetchIt
   * @param {number} pause how long to wait between two questions, in milliseconds
   * @param {(news: T) => void} onNews
   * @param {(error: Refused | null) => void} onError
   */
  constructor(fetchIt, pause, onNews, onError) {
    this.fetchIt = fetchIt;
    this.pause = pause;
    this.onNews = onNews;
    this.onError = onError;
    this.timer = 0;
    /** The number of the newest request: answers to older ones come too late. */
    this.asked = 0;
    document.addEventListener("visibilitychange", () => this.refresh());
  }

  /** Asks at once. */
  async refresh() {
    clearTimeout(this.timer);
    if (document.hidden) return;
    const number = ++this.asked;
    try {
      const news = await this.fetchIt();
      if (number !== this.asked) return;
      this.onError(null);
      this.onNews(news);
    } catch (error) {
      if (number !== this.asked) return;
      this.onError(error instanceof Refused ? error : new Refused(0, String(error)));
    }
    this.timer = setTimeout(() => this.refresh(), this.pause);
  }
}

// @ts-check
// The sessions of the server: which there are, opening and closing them, and what they keep.
//
// The list is asked for every few seconds while the page is seen, and at once after whatever the page itself did.
//
// Elsewhere: how they are shown (`list.js`), what each shows while it happens (`socket.js`).

import { readRows } from "./vt2.js";

/**
 * A session, as the server lists it.
 * @typedef {object} Session
 * @property {string} id
 * @property {string[]} command
 * @property {number} cols
 * @property {number} rows
 * @property {string} title
 * @property {string} cwd
 * @property {boolean} running
 * @property {{ code: number | null, signal: string | null } | null} exit
 * @property {number} viewers
 * @property {string | null} driver
 */

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
async function ask(path, init) {
  const response = await fetch(path, init).catch(() => {
    throw new Refused(0, "the server does not answer");
  });
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  throw new Refused(response.status, body?.error ?? `the server answered ${response.status}`);
}

/** @param {string} id */
function pathOf(id) {
  return `/api/sessions/${encodeURIComponent(id)}`;
}

/** Opens a session. @param {{ command: string[], cols?: number, rows?: number, cwd?: string }} opening @returns {Promise<Session>} */
export async function openSession(opening) {
  const headers = { "content-type": "application/json" };
  const response = await ask("/api/sessions", { method: "POST", headers, body: JSON.stringify(opening) });
  return response.json();
}

/** Closes a session and ends what runs in it. @param {string} id */
export async function closeSession(id) {
  await ask(pathOf(id), { method: "DELETE" });
}

/** Rows that a session keeps, counted from the oldest. @param {string} id @param {number} first @param {number} count */
export async function keptRows(id, first, count) {
  const response = await ask(`${pathOf(id)}/buffer?format=vt2&viewportY=${first}&lines=${count}`);
  return readRows(await response.arrayBuffer());
}

/** How often the list is asked for, in milliseconds. */
const PAUSE = 3000;

/** The list, kept fresh. */
export class Sessions {
  /** @param {(sessions: Session[]) => void} onList @param {(error: Refused | null) => void} onError */
  constructor(onList, onError) {
    this.onList = onList;
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
      const response = await ask("/api/sessions");
      const { sessions } = await response.json();
      if (number !== this.asked) return;
      this.onError(null);
      this.onList(sessions);
    } catch (error) {
      if (number !== this.asked) return;
      this.onError(error instanceof Refused ? error : new Refused(0, String(error)));
    }
    this.timer = setTimeout(() => this.refresh(), PAUSE);
  }
}

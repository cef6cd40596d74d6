// @ts-check
// Requests about sessions: listing, opening and closing them, and reading their rows.
//
// See also: `session/session_list.js` (how they are listed), `protocol/socket.js` (live screens),
// `protocol/cassettes.js` (recordings).

import { request, post } from "./http.js";
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

/** @param {string} id */
export function pathOf(id) {
  return `/api/sessions/${encodeURIComponent(id)}`;
}

/** Lists all sessions. @returns {Promise<Session[]>} */
export async function listSessions() {
  const response = await request("/api/sessions");
  return (await response.json()).sessions;
}

/**
 * Opens a session.
 * @param {{ command: string[], cols?: number, rows?: number, cwd?: string, record?: boolean }} opening
 * @returns {Promise<Session>}
 */
export async function openSession(opening) {
  const response = await post("/api/sessions", opening);
  return response.json();
}

/** Closes a session and ends its program. @param {string} id */
export async function closeSession(id) {
  await request(pathOf(id), { method: "DELETE" });
}

/** Returns the address of an image of the screen. @param {string} id @param {string} hash */
export function imageUrl(id, hash) {
  return `${pathOf(id)}/images/${hash}`;
}

/**
 * Fetches rows of the scrollback and the screen, counted from the oldest.
 * @param {string} id
 * @param {number} first
 * @param {number} count
 */
export async function fetchRows(id, first, count) {
  const response = await request(`${pathOf(id)}/buffer?format=vt2&viewportY=${first}&lines=${count}`);
  return readRows(await response.arrayBuffer());
}

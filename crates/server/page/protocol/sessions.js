// @ts-check
// The sessions of the server: which there are, opening and closing them, and what they keep.
//
// Elsewhere: how they are shown (`session/session_list.js`), what each shows while it happens (`protocol/socket.js`), what is kept of them for later (`protocol/cassettes.js`).

import { ask, post } from "./http.js";
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

/** All of them. @returns {Promise<Session[]>} */
export async function listSessions() {
  const response = await ask("/api/sessions");
  return (await response.json()).sessions;
}

/** Opens a session. @param {{ command: string[], cols?: number, rows?: number, cwd?: string, record?: boolean }} opening @returns {Promise<Session>} */
export async function openSession(opening) {
  const response = await post("/api/sessions", opening);
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

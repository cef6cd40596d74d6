// @ts-check
// The cassettes of the server: which there are, what is on them, and making one of a session.
//
// Elsewhere: what frames are (`cassette/frames.js`), which of them are fetched and kept (`cassette/frame_cache.js`), showing them (`cassette/player.js`).

import { ask, post } from "./http.js";
import { readFrames } from "../cassette/frames.js";
import { pathOf as pathOfSession } from "./sessions.js";

/** @import { Frame } from "../cassette/frames.js" */

/**
 * A cassette, as the server lists it.
 * @typedef {object} Cassette
 * @property {string} name
 * @property {"complete" | "running" | "unfinished" | "broken"} state only what is complete can be watched
 * @property {string} [error] what is wrong with it, and what to do
 * @property {string[]} command
 * @property {string} title the last that was shown
 * @property {number | null} cols
 * @property {number | null} rows
 * @property {number | null} durationMs
 * @property {number} bytes
 * @property {number | null} recordedAt in seconds since 1970
 */

/**
 * A moment that somebody gave a name.
 * @typedef {{ name: string, atMs: number }} Mark
 */

/** @param {string} name */
function pathOf(name) {
  return `/api/cassettes/${encodeURIComponent(name)}`;
}

/** All of them, the newest first, and how many more there are. @returns {Promise<{ cassettes: Cassette[], leftOut: number }>} */
export async function listCassettes() {
  const response = await ask("/api/cassettes");
  /** @type {{ cassettes: Cassette[], leftOut: number }} */
  const { cassettes, leftOut } = await response.json();
  // One that is being recorded has no time yet.
  /** @param {Cassette} cassette */
  const begun = ({ recordedAt }) => recordedAt ?? Number.MAX_SAFE_INTEGER;
  cassettes.sort((one, other) => begun(other) - begun(one) || one.name.localeCompare(other.name));
  return { cassettes, leftOut };
}

/** One of them, and its marks. @param {string} name @returns {Promise<Cassette & { marks: Mark[] }>} */
export async function findCassette(name) {
  const response = await ask(pathOf(name));
  return response.json();
}

/** Where the whole of it is. @param {string} name */
export function downloadOf(name) {
  return `${pathOf(name)}/download`;
}

/**
 * The frames of a time; `to` is where they really end, as the server answers with no more than a piece.
 * @param {string} name
 * @param {number} from
 * @param {number} to
 * @returns {Promise<{ frames: Frame[], to: number, bytes: number }>}
 */
export async function fetchFrames(name, from, to) {
  const response = await ask(`${pathOf(name)}/frames?from=${from}&to=${to}`);
  const next = response.headers.get("x-next-from");
  const bytes = await response.arrayBuffer();
  const end = next === null ? to : Math.min(to, Number(next));
  if (!(end > from)) throw new Error(`the server has no frames of ${name} after ${from} ms, and says that there are some: load the page anew`);
  return { frames: readFrames(bytes), to: end, bytes: bytes.byteLength };
}

/** What is being recorded of a session. @param {string} session @returns {Promise<{ recording: boolean, name: string | null }>} */
export async function recordingOf(session) {
  const response = await ask(`${pathOfSession(session)}/cassette`);
  return response.json();
}

/** @param {string} session */
export async function startRecording(session) {
  await post(`${pathOfSession(session)}/cassette`, {});
}

/** Ends it, and tells what came of it. @param {string} session @returns {Promise<Cassette>} */
export async function stopRecording(session) {
  const response = await ask(`${pathOfSession(session)}/cassette`, { method: "DELETE" });
  return response.json();
}

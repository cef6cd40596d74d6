// @ts-check
// Requests about cassettes: listing them, reading their frames, and recording a session.
//
// See also: `cassette/frames.js` (frames), `cassette/frame_cache.js` (which frames are fetched and
// kept), `cassette/player.js` (playback).

import { request, post } from "./http.js";
import { readFrames } from "../cassette/frames.js";
import { pathOf as pathOfSession } from "./sessions.js";

/** @import { Frame } from "../cassette/frames.js" */

/**
 * A cassette, as the server lists it.
 * @typedef {object} Cassette
 * @property {string} name
 * @property {"complete" | "running" | "unfinished" | "broken"} state only complete ones can be played
 * @property {string} [error] the problem and its remedy
 * @property {string[]} command
 * @property {string} title the last window title
 * @property {number | null} cols
 * @property {number | null} rows
 * @property {number | null} durationMs
 * @property {number} bytes
 * @property {number | null} recordedAt in seconds since 1970
 */

/** A named position. @typedef {{ name: string, atMs: number }} Mark */

/** @param {string} name */
function pathOf(name) {
  return `/api/cassettes/${encodeURIComponent(name)}`;
}

/**
 * Lists all cassettes, the newest first, and the number of those omitted.
 * @returns {Promise<{ cassettes: Cassette[], leftOut: number }>}
 */
export async function listCassettes() {
  const response = await request("/api/cassettes");
  /** @type {{ cassettes: Cassette[], leftOut: number }} */
  const { cassettes, leftOut } = await response.json();
  // Cassettes that are being recorded have no start time yet.
  /** @param {Cassette} cassette */
  const begun = ({ recordedAt }) => recordedAt ?? Number.MAX_SAFE_INTEGER;
  cassettes.sort((one, other) => begun(other) - begun(one) || one.name.localeCompare(other.name));
  return { cassettes, leftOut };
}

/**
 * Fetches a cassette with its marks.
 * @param {string} name
 * @returns {Promise<Cassette & { marks: Mark[] }>}
 */
export async function findCassette(name) {
  const response = await request(pathOf(name));
  return response.json();
}

/**
 * Returns the address of an image.
 * @param {string} name
 * @param {string} hash
 * @param {number} at a time at which it is shown, in milliseconds
 */
export function imageUrl(name, hash, at) {
  return `${pathOf(name)}/images/${hash}?at=${Math.floor(at)}`;
}

/** Returns the URL of the download. @param {string} name */
export function downloadUrl(name) {
  return `${pathOf(name)}/download`;
}

/**
 * Fetches the frames of a time range. The server may return fewer; `to` in the result is the time
 * at which they end.
 * @param {string} name
 * @param {number} from
 * @param {number} to
 * @returns {Promise<{ frames: Frame[], to: number, bytes: number }>}
 */
export async function fetchFrames(name, from, to) {
  const response = await request(`${pathOf(name)}/frames?from=${from}&to=${to}`);
  const next = response.headers.get("x-next-from");
  const bytes = await response.arrayBuffer();
  const end = next === null ? to : Math.min(to, Number(next));
  if (!(end > from)) throw new Error(`the server returned no frames of ${name} after ${from} ms although there are some: reload the page`);
  return { frames: readFrames(bytes), to: end, bytes: bytes.byteLength };
}

/**
 * Returns whether a session is being recorded, and into which cassette.
 * @param {string} session
 * @returns {Promise<{ recording: boolean, name: string | null }>}
 */
export async function recordingStatus(session) {
  const response = await request(`${pathOfSession(session)}/cassette`);
  return response.json();
}

/** Starts recording a session. @param {string} session */
export async function startRecording(session) {
  await post(`${pathOfSession(session)}/cassette`, {});
}

/**
 * Stops recording and returns the cassette.
 * @param {string} session
 * @returns {Promise<Cassette>}
 */
export async function stopRecording(session) {
  const response = await request(`${pathOfSession(session)}/cassette`, { method: "DELETE" });
  return response.json();
}

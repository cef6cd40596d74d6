// @ts-check
// What the address names: `#name` is a session, `#cassette=name&t=12.5` a moment of a cassette, in seconds.
//
// The name of a session is written with its `=` escaped, so that no session is taken for a cassette.

/** @typedef {{ session: string } | { cassette: string, at: number | null } | null} Place a time in milliseconds */

/** @param {string} hash as the browser has it @returns {Place} */
export function readPlace(hash) {
  const words = hash.replace(/^#/, "");
  if (words.startsWith("cassette=")) {
    const fields = new URLSearchParams(words.replaceAll("+", "%2B"));
    const name = fields.get("cassette") ?? "";
    const seconds = Number(fields.get("t") ?? Number.NaN);
    return name === "" ? null : { cassette: name, at: seconds >= 0 && seconds < 1e9 ? Math.round(seconds * 1000) : null };
  }
  try {
    const session = decodeURIComponent(words);
    return session === "" ? null : { session };
  } catch {
    return null;
  }
}

/** @param {string} session */
export function placeOfSession(session) {
  return `#${encodeURIComponent(session)}`;
}

/** @param {string} cassette @param {number} [at] in milliseconds */
export function placeOfCassette(cassette, at) {
  const time = at === undefined ? "" : `&t=${Math.round(at) / 1000}`;
  return `#cassette=${encodeURIComponent(cassette)}${time}`;
}

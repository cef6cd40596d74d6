// @ts-check
// The address of the page: `#name` is a session, `#cassette=name&t=12.5` a position of a cassette,
// in seconds.
//
// A `=` in the name of a session is escaped, so that no session is mistaken for a cassette.

/**
 * @typedef {{ session: string } | { cassette: string, at: number | null } | null} Place `at` is in milliseconds
 */

/** Parses the fragment of a URL. @param {string} hash @returns {Place} */
export function parseHash(hash) {
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

/** Returns the fragment of a session. @param {string} session */
export function sessionHash(session) {
  return `#${encodeURIComponent(session)}`;
}

/**
 * Returns the fragment of a cassette.
 * @param {string} cassette
 * @param {number} [at] in milliseconds
 */
export function cassetteHash(cassette, at) {
  const time = at === undefined ? "" : `&t=${Math.round(at) / 1000}`;
  return `#cassette=${encodeURIComponent(cassette)}${time}`;
}

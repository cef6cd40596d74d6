// @ts-check
// The page: lists of sessions and cassettes, and a large view of one of them.
//
// The address names what is shown, so links and the browser's history work.
//
// See also: `session/session_list.js` and `cassette/cassette_list.js` (the lists),
// `session/session_view.js` and `cassette/cassette_view.js` (the views), `session/control.js`
// (control), `protocol/socket.js` (the connection).

import { cassetteHash, sessionHash, parseHash } from "./address.js";
import { Poller, hasWriteAccess } from "./protocol/http.js";
import { CassetteView } from "./cassette/cassette_view.js";
import { listCassettes } from "./protocol/cassettes.js";
import { setTheme } from "./draw/colours.js";
import { Control } from "./session/control.js";
import { SessionList } from "./session/session_list.js";
import { setUpNewSessionDialog } from "./session/new_session.js";
import { SessionView } from "./session/session_view.js";
import { RecordButton } from "./session/record_button.js";
import { closeSession, listSessions } from "./protocol/sessions.js";
import { CassetteList } from "./cassette/cassette_list.js";
import { Socket } from "./protocol/socket.js";

/** @import { Session } from "./protocol/sessions.js" */

/**
 * Polling intervals of the lists, in milliseconds. Cassettes rarely change, and the server opens
 * each of them for the list.
 */
const POLL_INTERVAL = 3000;
const SLOW_POLL_INTERVAL = 15_000;

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);

setTheme(document.documentElement);

/** The latest list. @type {Session[]} */
let listed = [];
/** The session in the large view. @type {string | null} */
let chosen = null;

const socket = new Socket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/stream`, (state) => {
  if (state === "incompatible") {
    notify("The server and this page have different versions: reload the page.");
    return;
  }
  byId("disconnected").hidden = state === "open";
  if (state === "open") refresh();
});

const control = new Control({ banner: byId("banner"), words: byId("control-status"), button: byId("control"), name: byId("name") }, socket);

const sessionView = new SessionView({ pane: byId("session-screen"), keybar: byId("keybar") }, socket, control, { changed: describe, failed: notify });

const sessionList = new SessionList(byId("sessions"), socket, {
  chosen: (id) => {
    location.hash = sessionHash(id);
  },
  closed: () => refresh(),
});

const cassette = new CassetteView(
  {
    player: byId("player"), pane: byId("cassette-screen"), time: byId("time"), marks: byId("marks"), play: byId("play"), before: byId("previous-mark"), after: byId("next-mark"),
    clock: byId("position-text"), mark: byId("current-mark"), idle: byId("skip-idle"), speed: byId("speed"), status: byId("player-status"), download: byId("download"), unplayable: byId("unplayable"),
  },
  {
    changed: describe,
    failed: notify,
    missing: (name, error) => {
      notify(`Cannot show cassette ${name}: ${error instanceof Error ? error.message : error}`);
      history.replaceState(null, "", location.pathname);
      choose();
    },
  },
);

/**
 * The cassette that was selected in the list and gets the focus when it is shown.
 * @type {string | null}
 */
let toFocus = null;
const cassetteList = new CassetteList(byId("cassettes-section"), byId("cassettes"), byId("cassettes-omitted"), (name) => {
  if (name === cassette.name) cassette.focus();
  else toFocus = name;
});

const recording = new RecordButton(byId("record"), {
  started: () => refresh(),
  saved: (name) => {
    refresh();
    const link = document.createElement("a");
    link.href = cassetteHash(name);
    link.textContent = "Play";
    byId("info").replaceChildren(`Recorded as ${name}. `, link);
    showFor(byId("info"), 12_000);
  },
  failed: notify,
});

/** @param {{ status: number } | null} error */
function showSignedOut(error) {
  // Another tab may log in meanwhile.
  byId("signed-out").hidden = error?.status !== 401;
}

const sessions = new Poller(listSessions, POLL_INTERVAL, (fresh) => {
  listed = fresh;
  sessionList.update(fresh, chosen);
  byId("empty").hidden = fresh.length > 0;
  const isThere = fresh.some(({ id }) => id === chosen);
  if (!isThere && sessionView.subscription !== null) socket.markClosed(sessionView.subscription);
  // A session that was closed and opened again under the same name is another session. The last
  // screen of a closed session stays until another one is selected.
  const isBack = isThere && sessionView.subscription?.view.closed === true;
  if (cassette.name === null && (isBack || chosen === null || chosen !== namedSession())) choose();
  recording.setSession(isThere && !document.body.classList.contains("read-only") ? chosen : null);
  describe();
}, showSignedOut);

const cassettes = new Poller(listCassettes, SLOW_POLL_INTERVAL, ({ cassettes: fresh, leftOut }) => {
  cassetteList.update(fresh, leftOut, cassette.name);
  cassette.update(fresh);
  // Recordings may finish at any time.
  cassettes.pause = fresh.some(({ state }) => state === "running") ? POLL_INTERVAL : SLOW_POLL_INTERVAL;
}, () => {});

async function refresh() {
  await sessions.refresh();
  // After the sessions, which are above the cassettes, so that this does not scroll a selected card
  // out of view.
  await cassettes.refresh();
}

/** Returns the session that the address names. */
function namedSession() {
  const place = parseHash(location.hash);
  return place !== null && "session" in place ? place.session : null;
}

/** Shows the cassette or session that the address names, or the first session. */
function choose() {
  const place = parseHash(location.hash);
  byId("info").hidden = true;
  if (place !== null && "cassette" in place) {
    if (cassette.name === null) showSession(null);
    cassette.show(place.cassette, place.at);
    if (toFocus === place.cassette) cassette.focus();
    toFocus = null;
    cassetteList.choose(place.cassette);
    describe();
    return;
  }
  const wasCassette = cassette.name !== null;
  if (wasCassette) cassette.hide();
  cassetteList.choose(null);
  const named = namedSession();
  const isThere = listed.some(({ id }) => id === named);
  const next = isThere ? named : (listed[0]?.id ?? null);
  if (!wasCassette && next === chosen && sessionView.subscription?.view.closed !== true) return;
  showSession(next);
  if (next !== null && next !== named) history.replaceState(null, "", sessionHash(next));
}

/** @param {string | null} session */
function showSession(session) {
  chosen = session;
  sessionView.show(session);
  sessionList.choose(session);
  recording.setSession(document.body.classList.contains("read-only") ? null : session);
}

/** Updates the title bar of the large view. */
function describe() {
  const cassetteName = cassette.name;
  const shown = (cassetteName === null ? sessionView.subscription?.view.shown : cassette.player.shown) ?? null;
  const session = listed.find(({ id }) => id === chosen);
  const name = cassetteName ?? chosen;
  put(byId("title"), name ?? "No session");
  const command = (cassetteName === null ? session : cassette.facts)?.command.join(" ") ?? "";
  const facts = [shown?.title || command, shown === null ? "" : `${shown.cols}×${shown.rows}`, shown?.workingDirectory ?? ""];
  put(byId("facts"), facts.filter((fact) => fact !== "").join(" · "));
  const heading = name === null ? "screentest" : `${shown?.title || name} – screentest`;
  if (document.title !== heading) document.title = heading;
  byId("main").classList.toggle("none", name === null);
  byId("main").classList.toggle("cassette", cassetteName !== null);
  byId("session-screen").setAttribute("aria-label", chosen === null ? "No session" : `Screen of ${chosen}`);
  byId("fit").disabled = !control.hasControl();
  byId("close").disabled = session === undefined;
  byId("keybar").hidden = !control.hasControl();
}

/** @param {HTMLElement} element @param {string} text */
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @type {Map<HTMLElement, number>} */
const hideTimers = new Map();
/** @param {HTMLElement} element @param {number} time in milliseconds */
function showFor(element, time) {
  element.hidden = false;
  clearTimeout(hideTimers.get(element));
  hideTimers.set(element, setTimeout(() => {
    element.hidden = true;
  }, time));
}

/** Shows an error for a few seconds. @param {unknown} error */
function notify(error) {
  put(byId("notice"), error instanceof Error ? error.message : String(error));
  showFor(byId("notice"), 6000);
}

/** Returns the large view, to change its text size. */
const largeView = () => (cassette.name === null ? sessionView : cassette.player);
byId("skip").onclick = () => (cassette.name === null ? byId("session-screen") : byId("cassette-screen")).focus();
byId("smaller").onclick = () => largeView().stepTextSize(-1);
byId("auto-size").onclick = () => largeView().stepTextSize("auto");
byId("larger").onclick = () => largeView().stepTextSize(1);
byId("fit").onclick = () => sessionView.fit();
byId("scroll-to-end").onclick = () => {
  sessionView.followEnd();
  byId("session-screen").focus();
};
byId("close").onclick = async () => {
  if (chosen === null || !confirm(`Close session ${chosen} and end its program?`)) return;
  const closed = chosen;
  try {
    await closeSession(closed);
  } catch (error) {
    notify(error);
    return;
  }
  listed = listed.filter(({ id }) => id !== closed);
  // The last screen of a session that this page closed is not kept.
  if (namedSession() === closed) {
    history.replaceState(null, "", location.pathname);
    choose();
  }
  refresh();
};
byId("keys-button").onclick = () => byId("keys-help").showModal();
byId("keys-help-close").onclick = () => byId("keys-help").close();
setUpNewSessionDialog(byId("new-session"), byId("new-session-button"), (session) => {
  listed = [...listed.filter(({ id }) => id !== session.id), session];
  refresh();
  location.hash = sessionHash(session.id);
  byId("control").focus();
});
addEventListener("hashchange", () => choose());
// Read-only clients get no buttons for requests that the server would reject.
hasWriteAccess().then((may) => {
  document.body.classList.toggle("read-only", !may);
  recording.setSession(may ? chosen : null);
});
choose();
refresh();

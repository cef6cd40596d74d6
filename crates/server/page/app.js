// @ts-check
// The page: lists of sessions and cassettes, and one of them large.
//
// Which one is large stands in the address, so that a link leads to it and going back works.
//
// Elsewhere: the lists (`session/session_list.js`, `cassette/cassette_list.js`), the large one (`session/session_view.js`, `cassette/cassette_view.js`), who drives (`session/control.js`), the line to the server (`protocol/socket.js`).

import { placeOfCassette, placeOfSession, readPlace } from "./address.js";
import { Fresh, mayTouch } from "./protocol/http.js";
import { CassetteView } from "./cassette/cassette_view.js";
import { listCassettes } from "./protocol/cassettes.js";
import { givePalette } from "./draw/colours.js";
import { Control } from "./session/control.js";
import { List } from "./session/session_list.js";
import { joinOpening } from "./session/new_session.js";
import { Pane } from "./session/session_view.js";
import { Recording } from "./session/record_button.js";
import { closeSession, listSessions } from "./protocol/sessions.js";
import { Shelf } from "./cassette/cassette_list.js";
import { Socket } from "./protocol/socket.js";

/** @import { Session } from "./protocol/sessions.js" */

/** How often the lists are asked for, in milliseconds: the server opens each cassette for that, and they come and go seldom. */
const PAUSE = 3000;
const LONG_PAUSE = 15_000;

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);

givePalette(document.documentElement);

/** The newest list. @type {Session[]} */
let listed = [];
/** The session that is large. @type {string | null} */
let chosen = null;

const socket = new Socket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/stream`, (state) => {
  if (state === "strange") {
    notify("The server says what this page does not understand: load the page anew.");
    return;
  }
  byId("lost").hidden = state === "open";
  if (state === "open") refresh();
});

const control = new Control({ banner: byId("banner"), words: byId("words"), button: byId("wheel"), name: byId("name") }, socket);

const pane = new Pane({ pane: byId("pane"), keybar: byId("keybar") }, socket, control, { changed: describe, failed: notify });

const list = new List(byId("sessions"), socket, {
  chosen: (id) => {
    location.hash = placeOfSession(id);
  },
  closed: () => refresh(),
});

const cassette = new CassetteView(
  {
    player: byId("player"), pane: byId("kept"), time: byId("time"), marks: byId("marks"), play: byId("play"), before: byId("before"), after: byId("after"),
    clock: byId("clock"), mark: byId("mark"), idle: byId("idle"), speed: byId("speed"), waiting: byId("waiting"), download: byId("download"), unready: byId("unready"),
  },
  {
    changed: describe,
    failed: notify,
    missing: (name, error) => {
      notify(`The cassette ${name} cannot be shown: ${error instanceof Error ? error.message : error}`);
      history.replaceState(null, "", location.pathname);
      choose();
    },
  },
);

/** The cassette that somebody chose from the list, until it is there to be given the keyboard. @type {string | null} */
let asked = null;
const shelf = new Shelf(byId("shelf"), byId("cassettes"), byId("rest"), (name) => {
  if (name === cassette.name) cassette.focus();
  else asked = name;
});

const recording = new Recording(byId("record"), {
  begun: () => refresh(),
  kept: (name) => {
    refresh();
    const link = document.createElement("a");
    link.href = placeOfCassette(name);
    link.textContent = "Watch it";
    byId("news").replaceChildren(`Recorded as ${name}. `, link);
    showFor(byId("news"), 12_000);
  },
  failed: notify,
});

/** @param {{ status: number } | null} error */
function known(error) {
  // Another tab may open a new link meanwhile.
  byId("denied").hidden = error?.status !== 401;
}

const sessions = new Fresh(listSessions, PAUSE, (fresh) => {
  listed = fresh;
  list.update(fresh, chosen);
  byId("empty").hidden = fresh.length > 0;
  const isThere = fresh.some(({ id }) => id === chosen);
  if (!isThere && pane.watch !== null) socket.lose(pane.watch);
  // One that was closed, and opened again under the same name, is another. What one that is closed showed last stays, until another is chosen.
  const isBack = isThere && pane.watch?.view.closed === true;
  if (cassette.name === null && (isBack || chosen === null || chosen !== wanted())) choose();
  recording.setSession(isThere && !document.body.classList.contains("looks") ? chosen : null);
  describe();
}, known);

const cassettes = new Fresh(listCassettes, LONG_PAUSE, ({ cassettes: fresh, leftOut }) => {
  shelf.update(fresh, leftOut, cassette.name);
  cassette.update(fresh);
  // One that is being recorded may end at any time.
  cassettes.pause = fresh.some(({ state }) => state === "running") ? PAUSE : LONG_PAUSE;
}, () => {});

async function refresh() {
  await sessions.refresh();
  // Behind the sessions, as they stand behind them in the list: what came into sight is not pushed out of it.
  await cassettes.refresh();
}

/** The session that the address names. */
function wanted() {
  const place = readPlace(location.hash);
  return place !== null && "session" in place ? place.session : null;
}

/** Shows the cassette or the session that the address names, or the first session. */
function choose() {
  const place = readPlace(location.hash);
  byId("news").hidden = true;
  if (place !== null && "cassette" in place) {
    if (cassette.name === null) choosePane(null);
    cassette.show(place.cassette, place.at);
    if (asked === place.cassette) cassette.focus();
    asked = null;
    shelf.choose(place.cassette);
    describe();
    return;
  }
  const wasCassette = cassette.name !== null;
  if (wasCassette) cassette.hide();
  shelf.choose(null);
  const named = wanted();
  const isThere = listed.some(({ id }) => id === named);
  const next = isThere ? named : (listed[0]?.id ?? null);
  if (!wasCassette && next === chosen && pane.watch?.view.closed !== true) return;
  choosePane(next);
  if (next !== null && next !== named) history.replaceState(null, "", placeOfSession(next));
}

/** @param {string | null} session */
function choosePane(session) {
  chosen = session;
  pane.show(session);
  list.choose(session);
  recording.setSession(document.body.classList.contains("looks") ? null : session);
}

/** Says what is large, above it. */
function describe() {
  const kept = cassette.name;
  const shown = (kept === null ? pane.watch?.view.shown : cassette.player.shown) ?? null;
  const session = listed.find(({ id }) => id === chosen);
  const name = kept ?? chosen;
  put(byId("title"), name ?? "No session");
  const command = (kept === null ? session : cassette.facts)?.command.join(" ") ?? "";
  const facts = [shown?.title || command, shown === null ? "" : `${shown.cols}×${shown.rows}`, shown?.workingDirectory ?? ""];
  put(byId("facts"), facts.filter((fact) => fact !== "").join(" · "));
  const heading = name === null ? "screentest" : `${shown?.title || name} – screentest`;
  if (document.title !== heading) document.title = heading;
  byId("main").classList.toggle("none", name === null);
  byId("main").classList.toggle("kept", kept !== null);
  byId("pane").setAttribute("aria-label", chosen === null ? "No session" : `Screen of ${chosen}`);
  byId("fit").disabled = !control.drives();
  byId("close").disabled = session === undefined;
  byId("keybar").hidden = !control.drives();
}

/** @param {HTMLElement} element @param {string} text */
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @type {Map<HTMLElement, number>} */
const quiet = new Map();
/** @param {HTMLElement} element @param {number} time in milliseconds */
function showFor(element, time) {
  element.hidden = false;
  clearTimeout(quiet.get(element));
  quiet.set(element, setTimeout(() => {
    element.hidden = true;
  }, time));
}

/** Says for a while what went wrong. @param {unknown} error */
function notify(error) {
  put(byId("notice"), error instanceof Error ? error.message : String(error));
  showFor(byId("notice"), 6000);
}

/** What is large, for whoever changes its text. */
const large = () => (cassette.name === null ? pane : cassette.player);
byId("skip").onclick = () => (cassette.name === null ? byId("pane") : byId("kept")).focus();
byId("smaller").onclick = () => large().setText(-1);
byId("auto").onclick = () => large().setText("auto");
byId("larger").onclick = () => large().setText(1);
byId("fit").onclick = () => pane.fit();
byId("end").onclick = () => {
  pane.followEnd();
  byId("pane").focus();
};
byId("close").onclick = async () => {
  if (chosen === null || !confirm(`Close the session ${chosen}, and end what runs in it?`)) return;
  const closed = chosen;
  try {
    await closeSession(closed);
  } catch (error) {
    notify(error);
    return;
  }
  listed = listed.filter(({ id }) => id !== closed);
  // Whoever closed it has seen enough of it.
  if (wanted() === closed) {
    history.replaceState(null, "", location.pathname);
    choose();
  }
  refresh();
};
byId("help").onclick = () => byId("keys").showModal();
byId("keys-done").onclick = () => byId("keys").close();
joinOpening(byId("opening"), byId("new"), (session) => {
  listed = [...listed.filter(({ id }) => id !== session.id), session];
  refresh();
  location.hash = placeOfSession(session.id);
  byId("wheel").focus();
});
addEventListener("hashchange", () => choose());
// Buttons that would be refused are not there.
mayTouch().then((may) => {
  document.body.classList.toggle("looks", !may);
  recording.setSession(may ? chosen : null);
});
choose();
refresh();

// @ts-check
// The page: a list of sessions, and one of them large.
//
// Which one is large stands in the address (`#name`), so that a link leads to it and going back works.
//
// Elsewhere: the list (`list.js`), the large one (`pane.js`), who drives (`control.js`), the line to the server (`socket.js`).

import { givePalette } from "./colours.js";
import { Control } from "./control.js";
import { List } from "./list.js";
import { joinOpening } from "./opening.js";
import { Pane } from "./pane.js";
import { Sessions, closeSession } from "./sessions.js";
import { Socket } from "./socket.js";

/** @import { Session } from "./sessions.js" */

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);

givePalette(document.documentElement);

/** The newest list. @type {Session[]} */
let listed = [];
/** @type {string | null} */
let chosen = null;

const socket = new Socket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/stream`, (state) => {
  if (state === "strange") {
    notify("The server says what this page does not understand: load the page anew.");
    return;
  }
  byId("lost").hidden = state === "open";
  if (state === "open") sessions.refresh();
});

const control = new Control({ banner: byId("banner"), words: byId("words"), button: byId("wheel"), name: byId("name") }, socket);

const pane = new Pane({ pane: byId("pane"), keybar: byId("keybar") }, socket, control, { changed: describe, failed: notify });

const list = new List(byId("sessions"), socket, {
  chosen: (id) => {
    location.hash = encodeURIComponent(id);
  },
  closed: () => sessions.refresh(),
});

const sessions = new Sessions(
  (fresh) => {
    listed = fresh;
    list.update(fresh, chosen);
    byId("empty").hidden = fresh.length > 0;
    const isThere = fresh.some(({ id }) => id === chosen);
    if (!isThere && pane.watch !== null) socket.lose(pane.watch);
    // One that was closed, and opened again under the same name, is another. What one that is closed showed last stays, until another is chosen.
    const isBack = isThere && pane.watch?.view.closed === true;
    if (isBack || chosen === null || chosen !== wanted()) choose();
    describe();
  },
  (error) => {
    // Another tab may open a new link meanwhile.
    byId("denied").hidden = error?.status !== 401;
  },
);

/** The session that the address names. */
function wanted() {
  try {
    return decodeURIComponent(location.hash.slice(1)) || null;
  } catch {
    return null;
  }
}

/** Shows the session that the address names, or the first. */
function choose() {
  const named = wanted();
  const isThere = listed.some(({ id }) => id === named);
  const next = isThere ? named : (listed[0]?.id ?? null);
  if (next === chosen && pane.watch?.view.closed !== true) return;
  chosen = next;
  pane.show(next);
  list.choose(next);
  if (next !== null && next !== named) history.replaceState(null, "", `#${encodeURIComponent(next)}`);
}

/** Says what is large, above it. */
function describe() {
  const shown = pane.watch?.view.shown ?? null;
  const session = listed.find(({ id }) => id === chosen);
  put(byId("title"), chosen ?? "No session");
  const command = session?.command.join(" ") ?? "";
  const facts = [shown?.title || command, shown === null ? "" : `${shown.cols}×${shown.rows}`, shown?.workingDirectory ?? ""];
  put(byId("facts"), facts.filter((fact) => fact !== "").join(" · "));
  const heading = chosen === null ? "screentest" : `${shown?.title || chosen} – screentest`;
  if (document.title !== heading) document.title = heading;
  byId("main").classList.toggle("none", chosen === null);
  byId("pane").setAttribute("aria-label", chosen === null ? "No session" : `Screen of ${chosen}`);
  byId("fit").disabled = !control.drives();
  byId("close").disabled = session === undefined;
  byId("keybar").hidden = !control.drives();
}

/** @param {HTMLElement} element @param {string} text */
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

let quiet = 0;
/** Says for a while what went wrong. @param {unknown} error */
function notify(error) {
  const element = byId("notice");
  element.textContent = error instanceof Error ? error.message : String(error);
  element.hidden = false;
  clearTimeout(quiet);
  quiet = setTimeout(() => {
    element.hidden = true;
  }, 6000);
}

byId("skip").onclick = () => byId("pane").focus();
byId("smaller").onclick = () => pane.setText(-1);
byId("auto").onclick = () => pane.setText("auto");
byId("larger").onclick = () => pane.setText(1);
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
  sessions.refresh();
};
byId("help").onclick = () => byId("keys").showModal();
byId("keys-done").onclick = () => byId("keys").close();
joinOpening(byId("opening"), byId("new"), (session) => {
  listed = [...listed.filter(({ id }) => id !== session.id), session];
  sessions.refresh();
  location.hash = encodeURIComponent(session.id);
  byId("wheel").focus();
});
addEventListener("hashchange", () => choose());
sessions.refresh();

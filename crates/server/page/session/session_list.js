// @ts-check
// The list of sessions, each with a thumbnail that is live while it is seen.

import { Thumbnail } from "./thumbnail.js";

/** @import { Session } from "../protocol/sessions.js" */
/** @import { Socket } from "../protocol/socket.js" */

export class List {
  /**
   * @param {HTMLElement} element
   * @param {Socket} socket
   * @param {{ chosen: (id: string) => void, closed: () => void }} told
   */
  constructor(element, socket, told) {
    this.element = element;
    this.socket = socket;
    this.told = told;
    /** @type {Map<string, Card>} */
    this.cards = new Map();
    /** @type {string | null} */
    this.chosen = null;
    this.sight = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const card = this.cards.get(/** @type {HTMLElement} */ (target).dataset.session ?? "");
        card?.setSeen(isIntersecting);
      }
    });
  }

  /** @param {Session[]} sessions @param {string | null} chosen */
  update(sessions, chosen) {
    const there = new Set(sessions.map(({ id }) => id));
    for (const [id, card] of this.cards) {
      if (there.has(id)) continue;
      this.sight.unobserve(card.element);
      card.setSeen(false);
      card.element.remove();
      this.cards.delete(id);
    }
    for (const session of sessions) {
      let card = this.cards.get(session.id);
      if (card === undefined) {
        card = new Card(session.id, this.socket, this.told);
        this.cards.set(session.id, card);
        this.element.append(card.element);
        this.sight.observe(card.element);
      }
      card.update(session);
    }
    this.choose(chosen);
  }

  /** @param {string | null} chosen */
  choose(chosen) {
    for (const [id, { button }] of this.cards) {
      if (id === chosen) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    // Once: whoever scrolls on is left alone.
    const card = this.cards.get(chosen ?? "");
    if (chosen !== this.chosen && (card !== undefined || chosen === null)) {
      this.chosen = chosen;
      card?.element.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }
}

class Card {
  /** @param {string} id @param {Socket} socket @param {List["told"]} told */
  constructor(id, socket, told) {
    this.element = document.createElement("li");
    this.element.dataset.session = id;
    this.button = document.createElement("button");
    this.button.type = "button";
    this.button.className = "card";
    this.button.onclick = () => told.chosen(id);
    this.thumbnail = new Thumbnail(id, socket, { closed: told.closed, driverChanged: () => this.describe() });
    /** @type {Session | null} */
    this.session = null;
    this.name = document.createElement("strong");
    this.name.textContent = id;
    this.facts = document.createElement("span");
    this.facts.className = "facts";
    this.button.append(this.thumbnail.element, this.name, this.facts);
    this.element.append(this.button);
    this.isSeen = false;
  }

  /** @param {boolean} isSeen */
  setSeen(isSeen) {
    this.isSeen = isSeen;
    this.thumbnail.setSeen(isSeen);
  }

  /** @param {Session} session */
  update(session) {
    this.thumbnail.setSeen(this.isSeen);
    this.session = session;
    this.button.classList.toggle("ended", !session.running);
    this.describe();
  }

  describe() {
    const { session } = this;
    if (session === null) return;
    // Where it is live, that is known sooner than by the list.
    const driver = this.thumbnail.watch === null ? session.driver : this.thumbnail.watch.driver.name;
    const facts = [session.title || session.command.join(" ")];
    // First, as the rest may be too long to be seen.
    if (!session.running) facts.unshift(ending(session));
    else if (driver !== null) facts.unshift(`${driver} drives`);
    const text = facts.join(" · ");
    if (this.facts.textContent !== text) this.facts.textContent = text;
  }
}

/** @param {Session} session */
function ending({ exit }) {
  if (exit === null) return "not started";
  return exit.signal !== null ? `ended by ${exit.signal}` : `ended with ${exit.code}`;
}

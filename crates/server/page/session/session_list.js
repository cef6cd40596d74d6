// @ts-check
// The list of sessions, each with a thumbnail that is live while it is visible.

import { Thumbnail } from "./thumbnail.js";

/** @import { Session } from "../protocol/sessions.js" */
/** @import { Socket } from "../protocol/socket.js" */

export class SessionList {
  /**
   * @param {HTMLElement} element
   * @param {Socket} socket
   * @param {{ chosen: (id: string) => void, closed: () => void }} callbacks
   */
  constructor(element, socket, callbacks) {
    this.element = element;
    this.socket = socket;
    this.callbacks = callbacks;
    /** @type {Map<string, Card>} */
    this.cards = new Map();
    /** @type {string | null} */
    this.chosen = null;
    this.visibility = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const card = this.cards.get(/** @type {HTMLElement} */ (target).dataset.session ?? "");
        card?.setVisible(isIntersecting);
      }
    });
  }

  /** @param {Session[]} sessions @param {string | null} chosen */
  update(sessions, chosen) {
    const there = new Set(sessions.map(({ id }) => id));
    for (const [id, card] of this.cards) {
      if (there.has(id)) continue;
      this.visibility.unobserve(card.element);
      card.setVisible(false);
      card.element.remove();
      this.cards.delete(id);
    }
    for (const session of sessions) {
      let card = this.cards.get(session.id);
      if (card === undefined) {
        card = new Card(session.id, this.socket, this.callbacks);
        this.cards.set(session.id, card);
        this.element.append(card.element);
        this.visibility.observe(card.element);
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
    // Only once, so that it does not undo the reader's scrolling.
    const card = this.cards.get(chosen ?? "");
    if (chosen !== this.chosen && (card !== undefined || chosen === null)) {
      this.chosen = chosen;
      card?.element.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }
}

class Card {
  /** @param {string} id @param {Socket} socket @param {SessionList["callbacks"]} callbacks */
  constructor(id, socket, callbacks) {
    this.element = document.createElement("li");
    this.element.dataset.session = id;
    this.button = document.createElement("button");
    this.button.type = "button";
    this.button.className = "card";
    this.button.onclick = () => callbacks.chosen(id);
    this.thumbnail = new Thumbnail(id, socket, { closed: callbacks.closed, driverChanged: () => this.describe() });
    /** @type {Session | null} */
    this.session = null;
    this.name = document.createElement("strong");
    this.name.textContent = id;
    this.facts = document.createElement("span");
    this.facts.className = "facts";
    this.button.append(this.thumbnail.element, this.name, this.facts);
    this.element.append(this.button);
    this.isVisible = false;
  }

  /** @param {boolean} isVisible */
  setVisible(isVisible) {
    this.isVisible = isVisible;
    this.thumbnail.setVisible(isVisible);
  }

  /** @param {Session} session */
  update(session) {
    this.thumbnail.setVisible(this.isVisible);
    this.session = session;
    this.button.classList.toggle("ended", !session.running);
    this.describe();
  }

  describe() {
    const { session } = this;
    if (session === null) return;
    // The live stream knows it earlier than the list.
    const driver = this.thumbnail.subscription === null ? session.driver : this.thumbnail.subscription.driver.name;
    const facts = [session.title || session.command.join(" ")];
    // First, because the end may be cut off.
    if (!session.running) facts.unshift(exitText(session));
    else if (driver !== null) facts.unshift(`${driver} has control`);
    const text = facts.join(" · ");
    if (this.facts.textContent !== text) this.facts.textContent = text;
  }
}

/** @param {Session} session */
function exitText({ exit }) {
  if (exit === null) return "not started";
  return exit.signal !== null ? `killed by ${exit.signal}` : `exited with ${exit.code}`;
}

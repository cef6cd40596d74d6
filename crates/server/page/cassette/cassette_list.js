// @ts-check
// The list of cassettes: what each is called, what ran, and how long.
//
// Elsewhere: asking for them (`protocol/cassettes.js`), the sessions above them (`session/session_list.js`).

import { placeOfCassette } from "../address.js";
import { clock } from "./timeline.js";

/** @import { Cassette } from "../protocol/cassettes.js" */

export class Shelf {
  /** @param {HTMLElement} section @param {HTMLElement} list @param {HTMLElement} rest @param {(name: string) => void} opened a person asked for one */
  constructor(section, list, rest, opened) {
    this.section = section;
    this.list = list;
    this.rest = rest;
    this.opened = opened;
    /** @type {string | null} */
    this.chosen = null;
    /** @type {Map<string, { element: HTMLElement, link: HTMLAnchorElement, facts: HTMLElement }>} */
    this.cards = new Map();
  }

  /** @param {Cassette[]} cassettes @param {number} leftOut @param {string | null} chosen */
  update(cassettes, leftOut, chosen) {
    this.rest.textContent = leftOut === 0 ? "" : `${leftOut} more are not listed.`;
    this.section.hidden = cassettes.length === 0;
    const there = new Set(cassettes.map(({ name }) => name));
    for (const [name, { element }] of this.cards) {
      if (there.has(name)) continue;
      element.remove();
      this.cards.delete(name);
    }
    for (const [index, cassette] of cassettes.entries()) {
      const card = this.cards.get(cassette.name) ?? this.newCard(cassette.name);
      const facts = [standing(cassette), cassette.title || cassette.command.join(" ")].filter((fact) => fact !== "").join(" · ");
      if (card.facts.textContent !== facts) card.facts.textContent = facts;
      card.link.classList.toggle("recording", cassette.state === "running");
      // Only what is out of place is moved: whatever has the focus keeps it.
      if (this.list.children[index] !== card.element) this.list.insertBefore(card.element, this.list.children[index] ?? null);
    }
    this.choose(chosen);
  }

  /** @param {string} name */
  newCard(name) {
    const element = document.createElement("li");
    const link = document.createElement("a");
    link.className = "card";
    link.href = placeOfCassette(name);
    link.onclick = () => this.opened(name);
    const title = document.createElement("strong");
    title.textContent = name;
    const facts = document.createElement("span");
    facts.className = "facts";
    link.append(title, facts);
    element.append(link);
    const card = { element, link, facts };
    this.cards.set(name, card);
    return card;
  }

  /** @param {string | null} chosen */
  choose(chosen) {
    for (const [name, { link }] of this.cards) {
      if (name === chosen) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    // Once: whoever scrolls on is left alone.
    const card = this.cards.get(chosen ?? "");
    if (chosen !== this.chosen && (card !== undefined || chosen === null)) {
      this.chosen = chosen;
      card?.element.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }
}

/** How long it is, or why nobody knows. @param {Cassette} cassette */
function standing({ state, durationMs }) {
  if (state === "running") return "recording";
  return state === "complete" ? clock(durationMs ?? 0) : state;
}

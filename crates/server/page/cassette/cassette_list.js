// @ts-check
// The list of cassettes: name, title or command, and duration.
//
// See also: `protocol/cassettes.js` (fetching the list), `session/session_list.js` (the sessions
// above).

import { cassetteHash } from "../address.js";
import { clock } from "./timeline.js";

/** @import { Cassette } from "../protocol/cassettes.js" */

export class CassetteList {
  /**
   * @param {HTMLElement} section
   * @param {HTMLElement} list
   * @param {HTMLElement} omitted
   * @param {(name: string) => void} opened called when a person selects a cassette
   */
  constructor(section, list, omitted, opened) {
    this.section = section;
    this.list = list;
    this.omitted = omitted;
    this.opened = opened;
    /** @type {string | null} */
    this.chosen = null;
    /**
     * @type {Map<string, { element: HTMLElement, link: HTMLAnchorElement, facts: HTMLElement }>}
     */
    this.cards = new Map();
  }

  /** @param {Cassette[]} cassettes @param {number} leftOut @param {string | null} chosen */
  update(cassettes, leftOut, chosen) {
    this.omitted.textContent = leftOut === 0 ? "" : `${leftOut} more not listed.`;
    this.section.hidden = cassettes.length === 0;
    const there = new Set(cassettes.map(({ name }) => name));
    for (const [name, { element }] of this.cards) {
      if (there.has(name)) continue;
      element.remove();
      this.cards.delete(name);
    }
    for (const [index, cassette] of cassettes.entries()) {
      const card = this.cards.get(cassette.name) ?? this.newCard(cassette.name);
      const facts = [stateOrDuration(cassette), cassette.title || cassette.command.join(" ")].filter((fact) => fact !== "").join(" · ");
      if (card.facts.textContent !== facts) card.facts.textContent = facts;
      card.link.classList.toggle("recording", cassette.state === "running");
      // Only misplaced cards are moved, so that the focus is kept.
      if (this.list.children[index] !== card.element) this.list.insertBefore(card.element, this.list.children[index] ?? null);
    }
    this.choose(chosen);
  }

  /** @param {string} name */
  newCard(name) {
    const element = document.createElement("li");
    const link = document.createElement("a");
    link.className = "card";
    link.href = cassetteHash(name);
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
    // Only once, so that it does not undo the reader's scrolling.
    const card = this.cards.get(chosen ?? "");
    if (chosen !== this.chosen && (card !== undefined || chosen === null)) {
      this.chosen = chosen;
      card?.element.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }
}

/** Returns the duration, or the state of an incomplete cassette. @param {Cassette} cassette */
function stateOrDuration({ state, durationMs }) {
  if (state === "running") return "recording";
  return state === "complete" ? clock(durationMs ?? 0) : state;
}

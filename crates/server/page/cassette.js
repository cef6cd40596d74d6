// @ts-check
// The cassette that is shown large: what is on it, its player, its timeline, and its place in the address.
//
// Elsewhere: which there are (`shelf.js`), which one the address names (`app.js`).

import { placeOfCassette } from "./address.js";
import { downloadOf, fetchFrames, findCassette } from "./cassettes.js";
import { Player } from "./player.js";
import { Timeline } from "./timeline.js";

/** @import { Cassette } from "./cassettes.js" */
/** @import { Parts } from "./timeline.js" */

/** How long somebody stays at a moment before the address names it, in milliseconds: browsers bear only so many changes of it. */
const REST = 300;

export class CassetteView {
  /**
   * @param {Parts & { pane: HTMLElement, download: HTMLAnchorElement }} parts
   * @param {{ changed: () => void, failed: (error: unknown) => void, missing: (name: string, error: unknown) => void }} told what is above is told what is new
   */
  constructor(parts, told) {
    this.parts = parts;
    this.told = told;
    /** @type {string | null} */
    this.name = null;
    /** @type {Cassette | null} */
    this.facts = null;
    this.timer = 0;
    this.player = new Player(parts.pane, {
      moved: () => this.timeline.moved(),
      changed: () => {
        this.timeline.changed();
        told.changed();
      },
      failed: told.failed,
    });
    this.timeline = new Timeline(parts, this.player, () => this.rested());
  }

  /** Shows a cassette; one that is shown already goes to that moment. @param {string} name @param {number | null} at */
  async show(name, at) {
    if (name === this.name) {
      if (at !== null) this.player.seek(at);
      return;
    }
    this.hide();
    this.name = name;
    this.parts.player.hidden = false;
    this.parts.download.hidden = false;
    this.parts.download.href = downloadOf(name);
    this.parts.pane.setAttribute("aria-label", `Screen of the cassette ${name}`);
    this.timeline.setMarks([]);
    this.told.changed();
    try {
      const found = await findCassette(name);
      if (name !== this.name) return;
      this.facts = found;
      this.player.open(found.durationMs, (from, to) => fetchFrames(name, from, to), at ?? 0);
      this.player.grow(found.durationMs, found.running);
      this.timeline.setMarks(found.marks);
      this.told.changed();
    } catch (error) {
      if (name !== this.name) return;
      this.hide();
      this.told.missing(name, error);
    }
  }

  hide() {
    this.name = null;
    this.facts = null;
    this.player.close();
    clearTimeout(this.timer);
    this.parts.player.hidden = true;
    this.parts.download.hidden = true;
  }

  /** The list is new: one that is being recorded may have grown. @param {Cassette[]} cassettes */
  async update(cassettes) {
    const before = this.facts;
    const fresh = cassettes.find(({ name }) => name === this.name);
    if (fresh === undefined || before === null || (!before.running && !fresh.running)) return;
    // Marks may have come as well.
    const found = await findCassette(fresh.name).catch(() => null);
    if (found === null || found.name !== this.name) return;
    this.facts = found;
    this.player.grow(found.durationMs, found.running);
    if (found.marks.length !== this.timeline.marks.length) this.timeline.setMarks(found.marks);
    this.told.changed();
  }

  /** Puts the keyboard on it. */
  focus() {
    this.parts.time.focus({ preventScroll: true });
  }

  /** Lets the address name the moment, as somebody looks at it. */
  rested() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.name !== null && this.facts !== null) history.replaceState(null, "", placeOfCassette(this.name, this.player.at));
    }, REST);
  }
}

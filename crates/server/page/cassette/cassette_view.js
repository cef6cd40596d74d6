// @ts-check
// The cassette that is shown large: what is on it, its player, its timeline, and its place in the address.
//
// Elsewhere: which there are (`cassette/cassette_list.js`), which one the address names (`app.js`).

import { placeOfCassette } from "../address.js";
import { downloadOf, fetchFrames, findCassette } from "../protocol/cassettes.js";
import { Player } from "./player.js";
import { Timeline } from "./timeline.js";

/** @import { Cassette } from "../protocol/cassettes.js" */
/** @import { Parts } from "./timeline.js" */

/** How long somebody stays at a moment before the address names it, in milliseconds: browsers bear only so many changes of it. */
const REST = 300;

export class CassetteView {
  /**
   * @param {Parts & { pane: HTMLElement, download: HTMLAnchorElement, unready: HTMLElement }} parts
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
    this.parts.download.href = downloadOf(name);
    this.parts.pane.setAttribute("aria-label", `Screen of the cassette ${name}`);
    this.timeline.setMarks([]);
    this.told.changed();
    await this.load(name, at ?? 0);
  }

  /** @param {string} name @param {number} at */
  async load(name, at) {
    try {
      const found = await findCassette(name);
      if (name !== this.name) return;
      this.facts = found;
      const isReady = found.state === "complete";
      const why = found.state === "running" ? "It is being recorded, and can be watched as soon as that has ended." : (found.error ?? "");
      this.parts.unready.textContent = isReady ? "" : why;
      this.parts.player.classList.toggle("unready", !isReady);
      this.parts.download.hidden = !isReady;
      if (isReady) {
        // In whole milliseconds, as they are asked for.
        this.player.open(Math.ceil(found.durationMs ?? 0), (from, to) => fetchFrames(name, from, to), at);
        this.timeline.setMarks(found.marks);
      }
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
    this.parts.player.classList.remove("unready");
    this.parts.unready.textContent = "";
    this.parts.download.hidden = true;
  }

  /** The list is new: one that was being recorded may be complete. @param {Cassette[]} cassettes */
  update(cassettes) {
    const fresh = cassettes.find(({ name }) => name === this.name);
    if (fresh !== undefined && this.facts !== null && this.facts.state !== fresh.state) this.load(fresh.name, 0);
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

// @ts-check
// The large view of a cassette: its metadata, player and timeline, and its position in the address.
//
// See also: `cassette/cassette_list.js` (the list), `app.js` (which cassette the address names).

import { cassetteHash } from "../address.js";
import { downloadUrl, fetchFrames, findCassette, imageUrl } from "../protocol/cassettes.js";
import { Player } from "./player.js";
import { Timeline } from "./timeline.js";

/** @import { Cassette } from "../protocol/cassettes.js" */
/** @import { TimelineElements } from "./timeline.js" */

/**
 * How long the position must be unchanged before the address is updated, in milliseconds: browsers
 * limit the rate of address changes.
 */
const SETTLE_TIME = 300;

export class CassetteView {
  /**
   * @param {TimelineElements & { pane: HTMLElement, download: HTMLAnchorElement, unplayable: HTMLElement }} elements
   * @param {{ changed: () => void, failed: (error: unknown) => void, missing: (name: string, error: unknown) => void }} callbacks callbacks of the page
   */
  constructor(elements, callbacks) {
    this.elements = elements;
    this.callbacks = callbacks;
    /** @type {string | null} */
    this.name = null;
    /** @type {Cassette | null} */
    this.facts = null;
    this.timer = 0;
    this.player = new Player(elements.pane, {
      moved: () => this.timeline.moved(),
      changed: () => {
        this.timeline.changed();
        callbacks.changed();
      },
      failed: callbacks.failed,
    });
    this.timeline = new Timeline(elements, this.player, () => this.settled());
  }

  /**
   * Shows a cassette. If it is already shown, seeks to the position.
   * @param {string} name
   * @param {number | null} at
   */
  async show(name, at) {
    if (name === this.name) {
      if (at !== null) this.player.seek(at);
      return;
    }
    this.hide();
    this.name = name;
    this.elements.player.hidden = false;
    this.elements.download.href = downloadUrl(name);
    this.elements.pane.setAttribute("aria-label", `Screen of the cassette ${name}`);
    this.timeline.setMarks([]);
    this.callbacks.changed();
    await this.load(name, at ?? 0);
  }

  /** @param {string} name @param {number} at */
  async load(name, at) {
    try {
      const found = await findCassette(name);
      if (name !== this.name) return;
      this.facts = found;
      const isPlayable = found.state === "complete";
      const reason = found.state === "running" ? "This cassette is still being recorded. It can be played when the recording is finished." : (found.error ?? "");
      this.elements.unplayable.textContent = isPlayable ? "" : reason;
      this.elements.player.classList.toggle("unplayable", !isPlayable);
      this.elements.download.hidden = !isPlayable;
      if (isPlayable) {
        // Requests use whole milliseconds.
        /** @type {(hash: string, at: number) => string} */
        const url = (hash, shownAt) => imageUrl(name, hash, shownAt);
        this.player.open(Math.ceil(found.durationMs ?? 0), (from, to) => fetchFrames(name, from, to), url, at);
        this.timeline.setMarks(found.marks);
      }
      this.callbacks.changed();
    } catch (error) {
      if (name !== this.name) return;
      this.hide();
      this.callbacks.missing(name, error);
    }
  }

  hide() {
    this.name = null;
    this.facts = null;
    this.player.close();
    clearTimeout(this.timer);
    this.elements.player.hidden = true;
    this.elements.player.classList.remove("unplayable");
    this.elements.unplayable.textContent = "";
    this.elements.download.hidden = true;
  }

  /** Updates from a new list: a recording may now be complete. @param {Cassette[]} cassettes */
  update(cassettes) {
    const fresh = cassettes.find(({ name }) => name === this.name);
    if (fresh !== undefined && this.facts !== null && this.facts.state !== fresh.state) this.load(fresh.name, 0);
  }

  /** Focuses the timeline. */
  focus() {
    this.elements.time.focus({ preventScroll: true });
  }

  /** Updates the address after the position has settled. */
  settled() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.name !== null && this.facts !== null) history.replaceState(null, "", cassetteHash(this.name, this.player.at));
    }, SETTLE_TIME);
  }
}

// @ts-check
// Control of a session: the page is view-only until it takes control, and a banner shows who has
// it.
//
// The server keeps the lock; this module shows and requests it. Disconnecting, or showing another
// session, releases control.

/** @import { Socket, Subscription } from "../protocol/socket.js" */
/** @import { Ended } from "../protocol/screen_state.js" */

export class Control {
  /**
   * @param {{ banner: HTMLElement, words: HTMLElement, button: HTMLButtonElement, name: HTMLInputElement }} elements
   * @param {Socket} socket
   */
  constructor({ banner, words, button, name }, socket) {
    this.banner = banner;
    this.words = words;
    this.button = button;
    this.socket = socket;
    /** @type {Subscription | null} */
    this.subscription = null;
    name.value = localStorage.getItem("screentest.name") ?? "";
    name.onchange = () => localStorage.setItem("screentest.name", name.value.trim());
    button.onclick = () => {
      if (this.subscription === null) return;
      if (this.hasControl()) this.release();
      else this.socket.takeControl(this.subscription, name.value.trim() || "Guest");
    };
  }

  /** @param {Subscription | null} subscription */
  setSubscription(subscription) {
    this.subscription = subscription;
    this.update();
  }

  /** Whether this page's input goes to the program. */
  hasControl() {
    return this.subscription !== null && this.subscription.driver.you && !hasEnded(this.subscription);
  }

  /** Releases control. */
  release() {
    if (this.subscription === null) return;
    this.socket.releaseControl(this.subscription);
    this.button.focus();
  }

  update() {
    const { subscription } = this;
    this.banner.hidden = subscription === null;
    if (subscription === null) return;
    const { driver, view } = subscription;
    const state = hasEnded(subscription) ? "ended" : driver.you ? "you" : driver.name !== null ? "other" : "free";
    const words = {
      ended: view.closed ? "The session is closed." : `The program ${exitText(view.ended)}.`,
      you: "You have control.",
      other: `View only. ${driver.name} has control.`,
      free: "View only. Nobody has control.",
    }[state];
    const label = { ended: "", you: "Release control", other: "Take over", free: "Take control" }[state];
    const isBad = view.ended !== null && !("code" in view.ended && view.ended.code === 0);
    this.banner.dataset.state = state === "ended" && isBad ? "failed" : state;
    // Setting the same text again would make screen readers repeat it.
    if (this.words.textContent !== words) this.words.textContent = words;
    if (this.button.textContent !== label) this.button.textContent = label;
    this.button.hidden = label === "";
  }
}

/** @param {Subscription} subscription */
function hasEnded({ view }) {
  return view.closed || view.ended !== null;
}

/** @param {Ended | null} ended */
function exitText(ended) {
  if (ended === null || "unknown" in ended) return "exited";
  return "code" in ended ? `exited with code ${ended.code}` : `was killed by ${ended.signal}`;
}

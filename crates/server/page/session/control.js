// @ts-check
// Who drives: a page looks until somebody takes control, and the banner says who has it.
//
// The server keeps the lock; this shows it and asks for it. Whoever goes away, or shows another session, lets go.

/** @import { Socket, Watch } from "../protocol/socket.js" */
/** @import { Ended } from "../protocol/stream.js" */

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
    /** @type {Watch | null} */
    this.watch = null;
    name.value = localStorage.getItem("screentest.name") ?? "";
    name.onchange = () => localStorage.setItem("screentest.name", name.value.trim());
    button.onclick = () => {
      if (this.watch === null) return;
      if (this.drives()) this.letGo();
      else this.socket.take(this.watch, name.value.trim() || "Guest");
    };
  }

  /** @param {Watch | null} watch */
  setWatch(watch) {
    this.watch = watch;
    this.update();
  }

  /** Whether what is typed here goes to the program. */
  drives() {
    return this.watch !== null && this.watch.driver.you && !isOver(this.watch);
  }

  letGo() {
    if (this.watch === null) return;
    this.socket.release(this.watch);
    this.button.focus();
  }

  update() {
    const { watch } = this;
    this.banner.hidden = watch === null;
    if (watch === null) return;
    const { driver, view } = watch;
    const state = isOver(watch) ? "over" : driver.you ? "you" : driver.name !== null ? "other" : "nobody";
    const words = {
      over: view.closed ? "This session is closed." : `The program has ended${howEnded(view.ended)}.`,
      you: "You drive.",
      other: `${driver.name} drives. You watch.`,
      nobody: "You watch. Nobody drives.",
    }[state];
    const label = { over: "", you: "Let go", other: "Take over", nobody: "Take control" }[state];
    const isBad = view.ended !== null && !("code" in view.ended && view.ended.code === 0);
    this.banner.dataset.state = state === "over" && isBad ? "failed" : state;
    // Words that are put in again would be read out again.
    if (this.words.textContent !== words) this.words.textContent = words;
    if (this.button.textContent !== label) this.button.textContent = label;
    this.button.hidden = label === "";
  }
}

/** @param {Watch} watch */
function isOver({ view }) {
  return view.closed || view.ended !== null;
}

/** @param {Ended | null} ended */
function howEnded(ended) {
  if (ended === null || "unknown" in ended) return "";
  return "code" in ended ? ` with code ${ended.code}` : ` by ${ended.signal}`;
}

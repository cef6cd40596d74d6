// @ts-check
// What a person types, as text, keys and pastes.
//
// A field that is not seen stands at the cursor: input methods, dead keys and the keyboard of a phone write into it, and what they wrote is taken out at once. One
// character always stays in it, or a phone would not tell that something was deleted.
//
// Elsewhere: the names of keys (`input/key_names.js`), keys on the screen (`input/key_bar.js`), whether anybody may type (`session/control.js`).

import { nameOf, withHeld } from "./key_names.js";

/** @import { Cursor, Modes } from "../protocol/stream.js" */

/**
 * What typing leads to.
 * @typedef {object} Hands
 * @property {() => boolean} drives whether what is typed goes to the program
 * @property {() => Modes | null} modes
 * @property {(name: string) => void} key
 * @property {(text: string) => void} text
 * @property {(text: string) => void} paste
 * @property {() => void} letGo
 * @property {(pages: number) => void} scroll
 * @property {() => string[]} takeHeld what is held on the screen, until now
 */

const STAYS = " ";

export class Typing {
  /** @param {HTMLElement} pane @param {Hands} hands */
  constructor(pane, hands) {
    this.pane = pane;
    this.hands = hands;
    this.field = document.createElement("textarea");
    const { field } = this;
    field.className = "typing";
    field.tabIndex = -1;
    field.autocapitalize = "off";
    field.spellcheck = false;
    field.setAttribute("autocomplete", "off");
    field.setAttribute("autocorrect", "off");
    field.setAttribute("aria-label", "Input for the program");
    this.empty();
    pane.addEventListener("keydown", (event) => this.keyDown(event));
    pane.addEventListener("paste", (event) => this.pasted(event));
    field.addEventListener("input", (event) => {
      if (!(/** @type {InputEvent} */ (event).isComposing)) this.takeOut();
      else this.grow();
    });
    field.addEventListener("compositionstart", () => field.classList.add("composing"));
    field.addEventListener("compositionend", () => {
      field.classList.remove("composing");
      this.takeOut();
    });
  }

  focus() {
    this.field.focus({ preventScroll: true });
  }

  /** Windows of input methods open where the cursor is. @param {Cursor} cursor */
  follow(cursor) {
    this.field.style.left = `calc(var(--cell-width) * ${cursor.col})`;
    this.field.style.top = `calc(var(--cell-height) * ${cursor.row})`;
  }

  empty() {
    this.field.value = STAYS;
    this.field.setSelectionRange(1, 1);
    this.field.style.width = "";
  }

  /** Shows what is being composed. */
  grow() {
    this.field.style.width = `${2 * this.field.value.length + 1}ch`;
  }

  /** @param {KeyboardEvent} event */
  keyDown(event) {
    if (!this.hands.drives()) return;
    if (isWayOut(event)) {
      event.preventDefault();
      this.hands.letGo();
      return;
    }
    if (isForBrowser(event)) return;
    const pages = this.pagesOf(event);
    if (pages !== null) {
      event.preventDefault();
      this.hands.scroll(pages);
      return;
    }
    if (["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
    const name = nameOf(event);
    if (name === null) {
      // What it types comes to the field: it has the focus before the browser looks where to put it.
      if (document.activeElement !== this.field) this.focus();
      return;
    }
    event.preventDefault();
    this.hands.key([...this.hands.takeHeld(), name].join("+"));
  }

  /** How many pages a key scrolls, as in other terminals. @param {KeyboardEvent} event */
  pagesOf({ key, shiftKey, ctrlKey, altKey }) {
    if (!shiftKey || ctrlKey || altKey || this.hands.modes()?.alternateScreen) return null;
    return { PageUp: -1, PageDown: 1, Home: -Infinity, End: Infinity }[key] ?? null;
  }

  /** @param {ClipboardEvent} event */
  pasted(event) {
    if (!this.hands.drives()) return;
    event.preventDefault();
    const text = event.clipboardData?.getData("text/plain");
    if (text) this.hands.paste(text);
  }

  /** Takes out what was written into the field. */
  takeOut() {
    const { value } = this.field;
    this.empty();
    if (!this.hands.drives()) return;
    if (value.length < STAYS.length) {
      this.hands.key("Backspace");
      return;
    }
    const text = value.startsWith(STAYS) ? value.slice(STAYS.length) : value;
    text.split("\n").forEach((line, index) => {
      if (index > 0) this.hands.key("Enter");
      if (line !== "") this.type(line);
    });
  }

  /** @param {string} text */
  type(text) {
    const held = this.hands.takeHeld();
    if (held.length === 0) {
      this.hands.text(text);
      return;
    }
    const [first, ...rest] = text;
    this.hands.key(withHeld(first, held));
    if (rest.length > 0) this.hands.text(rest.join(""));
  }
}

/** What lets go of the program: Tab is one of its keys. Some systems keep the first for themselves. @param {KeyboardEvent} event */
function isWayOut({ key, ctrlKey, shiftKey, altKey }) {
  return ctrlKey && shiftKey && !altKey && (key === "Escape" || key.toLowerCase() === "x");
}

/** Copying and pasting, as other terminals have it, and the shortcuts of a Mac. @param {KeyboardEvent} event */
function isForBrowser(event) {
  const { key, ctrlKey, shiftKey, metaKey } = event;
  if (ctrlKey && shiftKey && key.toLowerCase() === "c") {
    event.preventDefault();
    document.execCommand("copy");
    return true;
  }
  return metaKey || (ctrlKey && shiftKey && key.toLowerCase() === "v") || (shiftKey && !ctrlKey && key === "Insert");
}

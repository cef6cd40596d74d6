// @ts-check
// Keyboard input as text, keys and pastes.
//
// An invisible text field at the cursor receives input methods, dead keys and phone keyboards; its
// content is sent and removed immediately. One character always stays in it, because otherwise
// phones would not report deletions.
//
// See also: `input/key_names.js` (names of keys), `input/key_bar.js` (on-screen keys),
// `session/control.js` (the client that may type).

import { keyName, withModifiers } from "./key_names.js";

/** @import { Cursor, Modes } from "../protocol/screen_state.js" */

/**
 * Actions of keyboard input.
 * @typedef {object} InputActions
 * @property {() => boolean} hasControl whether input goes to the program
 * @property {() => Modes | null} modes
 * @property {(name: string) => void} key
 * @property {(text: string) => void} text
 * @property {(text: string) => void} paste
 * @property {() => void} release
 * @property {(pages: number) => void} scroll
 * @property {() => string[]} takeModifiers returns the key bar's modifiers and releases them
 */

const PLACEHOLDER = " ";

export class Keyboard {
  /** @param {HTMLElement} pane @param {InputActions} actions */
  constructor(pane, actions) {
    this.pane = pane;
    this.actions = actions;
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
    pane.addEventListener("paste", (event) => this.onPaste(event));
    field.addEventListener("input", (event) => {
      if (!(/** @type {InputEvent} */ (event).isComposing)) this.flushField();
      else this.grow();
    });
    field.addEventListener("compositionstart", () => field.classList.add("composing"));
    field.addEventListener("compositionend", () => {
      field.classList.remove("composing");
      this.flushField();
    });
  }

  focus() {
    this.field.focus({ preventScroll: true });
  }

  /**
   * Moves the field to the cursor, where input methods open their windows.
   * @param {Cursor} cursor
   */
  follow(cursor) {
    this.field.style.left = `calc(var(--cell-width) * ${cursor.col})`;
    this.field.style.top = `calc(var(--cell-height) * ${cursor.row})`;
  }

  empty() {
    this.field.value = PLACEHOLDER;
    this.field.setSelectionRange(1, 1);
    this.field.style.width = "";
  }

  /** Widens the field to the text that is being composed. */
  grow() {
    this.field.style.width = `${2 * this.field.value.length + 1}ch`;
  }

  /** @param {KeyboardEvent} event */
  keyDown(event) {
    if (!this.actions.hasControl()) return;
    if (isReleaseKey(event)) {
      event.preventDefault();
      this.actions.release();
      return;
    }
    if (isForBrowser(event)) return;
    const pages = this.pagesOf(event);
    if (pages !== null) {
      event.preventDefault();
      this.actions.scroll(pages);
      return;
    }
    if (["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
    const name = keyName(event);
    if (name === null) {
      // The field gets the focus before the browser delivers the text.
      if (document.activeElement !== this.field) this.focus();
      return;
    }
    event.preventDefault();
    this.actions.key([...this.actions.takeModifiers(), name].join("+"));
  }

  /**
   * Returns the number of pages that a key scrolls, as in other terminals.
   * @param {KeyboardEvent} event
   */
  pagesOf({ key, shiftKey, ctrlKey, altKey }) {
    if (!shiftKey || ctrlKey || altKey || this.actions.modes()?.alternateScreen) return null;
    return { PageUp: -1, PageDown: 1, Home: -Infinity, End: Infinity }[key] ?? null;
  }

  /** @param {ClipboardEvent} event */
  onPaste(event) {
    if (!this.actions.hasControl()) return;
    event.preventDefault();
    const text = event.clipboardData?.getData("text/plain");
    if (text) this.actions.paste(text);
  }

  /** Sends and removes the content of the field. */
  flushField() {
    const { value } = this.field;
    this.empty();
    if (!this.actions.hasControl()) return;
    if (value.length < PLACEHOLDER.length) {
      this.actions.key("Backspace");
      return;
    }
    const text = value.startsWith(PLACEHOLDER) ? value.slice(PLACEHOLDER.length) : value;
    text.split("\n").forEach((line, index) => {
      if (index > 0) this.actions.key("Enter");
      if (line !== "") this.type(line);
    });
  }

  /** @param {string} text */
  type(text) {
    const modifiers = this.actions.takeModifiers();
    if (modifiers.length === 0) {
      this.actions.text(text);
      return;
    }
    const [first, ...rest] = text;
    this.actions.key(withModifiers(first, modifiers));
    if (rest.length > 0) this.actions.text(rest.join(""));
  }
}

/**
 * Whether a key releases control. Tab goes to the program. Some systems reserve Ctrl+Shift+Esc.
 * @param {KeyboardEvent} event
 */
function isReleaseKey({ key, ctrlKey, shiftKey, altKey }) {
  return ctrlKey && shiftKey && !altKey && (key === "Escape" || key.toLowerCase() === "x");
}

/**
 * Whether the browser handles a key: copy and paste as in other terminals, and shortcuts of a Mac.
 * @param {KeyboardEvent} event
 */
function isForBrowser(event) {
  const { key, ctrlKey, shiftKey, metaKey } = event;
  if (ctrlKey && shiftKey && key.toLowerCase() === "c") {
    event.preventDefault();
    document.execCommand("copy");
    return true;
  }
  return metaKey || (ctrlKey && shiftKey && key.toLowerCase() === "v") || (shiftKey && !ctrlKey && key === "Insert");
}

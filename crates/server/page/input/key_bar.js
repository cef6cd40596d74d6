// @ts-check
// On-screen keys for phones, whose keyboards lack Esc, Tab, Ctrl and the arrows.
//
// Ctrl and Alt stay pressed until the next key, from this bar or from the phone's keyboard.

/** @import { InputActions } from "./keyboard.js" */

const KEYS = [
  ["Esc", "Esc"], ["Tab", "Tab"], ["Ctrl", null], ["Alt", null], ["Left", "←"], ["Up", "↑"], ["Down", "↓"], ["Right", "→"],
  ["Home", "Home"], ["End", "End"], ["PageUp", "PgUp"], ["PageDown", "PgDn"], ["Enter", "⏎"],
];

export class KeyBar {
  /**
   * @param {HTMLElement} element
   * @param {Pick<InputActions, "key" | "paste">} actions
   * @param {() => void} focus shows the phone's keyboard
   */
  constructor(element, actions, focus) {
    /** @type {Map<string, HTMLButtonElement>} */
    this.modifiers = new Map();
    for (const [name, label] of KEYS) {
      const button = newButton(label ?? /** @type {string} */ (name), /** @type {string} */ (name));
      element.append(button);
      if (label === null) {
        this.modifiers.set(/** @type {string} */ (name), button);
        button.setAttribute("aria-pressed", "false");
        button.onclick = () => button.setAttribute("aria-pressed", String(!isDown(button)));
      } else {
        button.onclick = () => actions.key([...this.takeModifiers(), name].join("+"));
      }
    }
    const keyboard = newButton("⌨", "Show the keyboard");
    keyboard.onclick = focus;
    element.append(keyboard);
    // Browsers allow reading the clipboard only in secure contexts.
    if (navigator.clipboard?.readText) {
      const paste = newButton("Paste", "Paste");
      paste.onclick = async () => {
        const text = await navigator.clipboard.readText().catch(() => "");
        if (text !== "") actions.paste(text);
      };
      element.append(paste);
    }
    // A focused button would hide the phone's keyboard.
    element.addEventListener("pointerdown", (event) => event.preventDefault());
    element.addEventListener("mousedown", (event) => event.preventDefault());
  }

  /** Returns the pressed modifiers and releases them. @returns {string[]} */
  takeModifiers() {
    const pressed = [...this.modifiers].filter(([, button]) => isDown(button));
    for (const [, button] of pressed) button.setAttribute("aria-pressed", "false");
    return pressed.map(([name]) => name);
  }
}

/** @param {HTMLElement} button */
function isDown(button) {
  return button.getAttribute("aria-pressed") === "true";
}

/** @param {string} label @param {string} name */
function newButton(label, name) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  button.setAttribute("aria-label", name);
  return button;
}

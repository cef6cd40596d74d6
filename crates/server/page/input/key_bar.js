// @ts-check
// Keys on the screen, for who has none: a phone has no Esc, Tab, Ctrl and arrows.
//
// Ctrl and Alt stay down until the next key, whether that is one of these or of the phone's own keyboard.

/** @import { Hands } from "./keyboard.js" */

const KEYS = [
  ["Esc", "Esc"], ["Tab", "Tab"], ["Ctrl", null], ["Alt", null], ["Left", "←"], ["Up", "↑"], ["Down", "↓"], ["Right", "→"],
  ["Home", "Home"], ["End", "End"], ["PageUp", "PgUp"], ["PageDown", "PgDn"], ["Enter", "⏎"],
];

export class Keybar {
  /** @param {HTMLElement} element @param {Pick<Hands, "key" | "paste">} hands @param {() => void} focus brings the phone's keyboard back */
  constructor(element, hands, focus) {
    /** @type {Map<string, HTMLButtonElement>} */
    this.holds = new Map();
    for (const [name, label] of KEYS) {
      const button = newButton(label ?? /** @type {string} */ (name), /** @type {string} */ (name));
      element.append(button);
      if (label === null) {
        this.holds.set(/** @type {string} */ (name), button);
        button.setAttribute("aria-pressed", "false");
        button.onclick = () => button.setAttribute("aria-pressed", String(!isDown(button)));
      } else {
        button.onclick = () => hands.key([...this.takeHeld(), name].join("+"));
      }
    }
    const keyboard = newButton("⌨", "Show the keyboard");
    keyboard.onclick = focus;
    element.append(keyboard);
    // Only a page that came over a safe line may read the clipboard.
    if (navigator.clipboard?.readText) {
      const paste = newButton("Paste", "Paste");
      paste.onclick = async () => {
        const text = await navigator.clipboard.readText().catch(() => "");
        if (text !== "") hands.paste(text);
      };
      element.append(paste);
    }
    // A button that took the focus would make the phone's keyboard go away.
    element.addEventListener("pointerdown", (event) => event.preventDefault());
    element.addEventListener("mousedown", (event) => event.preventDefault());
  }

  /** What is held; it is let go of by this. @returns {string[]} */
  takeHeld() {
    const held = [...this.holds].filter(([, button]) => isDown(button));
    for (const [, button] of held) button.setAttribute("aria-pressed", "false");
    return held.map(([name]) => name);
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

// @ts-check
// A key of the browser, by the name that the server knows (`crates/core/src/key.rs`).
//
// What a key types is no key here: it comes as text, with whatever keyboard layout, dead keys and input methods make of it.
//
// Elsewhere: text, pastes and what is done with a name (`input/keyboard.js`).

/** @type {Record<string, string>} */
const NAMES = {
  Enter: "Enter", Escape: "Esc", Tab: "Tab", Backspace: "Backspace", Delete: "Delete", Insert: "Insert",
  ArrowUp: "Up", ArrowDown: "Down", ArrowLeft: "Left", ArrowRight: "Right",
  Home: "Home", End: "End", PageUp: "PageUp", PageDown: "PageDown", " ": "Space",
};

/** The keys of the numeric keypad, while they type something. @type {Record<string, string>} */
const KEYPAD = {
  NumpadDecimal: "KPDecimal", NumpadDivide: "KPDivide", NumpadMultiply: "KPMultiply", NumpadSubtract: "KPSubtract",
  NumpadAdd: "KPAdd", NumpadEnter: "KPEnter", NumpadEqual: "KPEqual",
};

const IS_MAC = /Mac|iP(hone|ad|od)/.test(navigator.platform);

/**
 * The name of the key that went down with all that is held, or `null` where it only types something.
 * @param {KeyboardEvent} event
 */
export function nameOf(event) {
  // While text is composed, keys belong to whoever composes it.
  if (event.isComposing || event.keyCode === 229) return null;
  const key = keyOf(event);
  if (key === null) return null;
  const { altKey, ctrlKey, shiftKey } = event;
  const isCharacter = [...key].length === 1;
  // Shift is in the character already, as in `_`; but a shortcut's letter is the same with and without it.
  const showsShift = shiftKey && (!isCharacter || (ctrlKey && /\p{L}/u.test(key)));
  const held = [ctrlKey && "Ctrl", altKey && "Alt", showsShift && "Shift"].filter(Boolean);
  return [...held, key].join("+");
}

/** @param {KeyboardEvent} event */
function keyOf(event) {
  const { key, code } = event;
  if (code.startsWith("Numpad") && [...key].length === 1) {
    return /^Numpad[0-9]$/.test(code) ? `KP${code.slice(6)}` : (KEYPAD[code] ?? null);
  }
  if (code === "NumpadEnter") return "KPEnter";
  if (key === " " && !event.ctrlKey && !event.altKey) return null;
  if (key in NAMES) return NAMES[key];
  if (/^F([1-9]|[12][0-9]|3[0-5])$/.test(key)) return key;
  if ([...key].length !== 1) return null;
  // AltGr, and Option on a Mac, type characters of their own.
  const isTyped = event.getModifierState("AltGraph") || (IS_MAC && event.altKey && !event.ctrlKey);
  if (isTyped || !(event.ctrlKey || event.altKey)) return null;
  // On a keyboard of other letters, a shortcut is where its Latin letter would be.
  const isLatin = key <= "~";
  return !isLatin && /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key;
}

/** The name of a character with more held than the browser knows of. @param {string} character @param {string[]} held */
export function withHeld(character, held) {
  return [...held, character === " " ? "Space" : character].join("+");
}

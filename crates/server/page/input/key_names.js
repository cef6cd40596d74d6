// @ts-check
// Maps key events of the browser to the server's key names (`crates/core/src/input/key.rs`).
//
// Keys that type text have no name: they arrive as text, after keyboard layout, dead keys and input
// methods.
//
// See also: `input/keyboard.js` (text, pastes, and what is done with a name).

/** @type {Record<string, string>} */
const NAMES = {
  Enter: "Enter", Escape: "Esc", Tab: "Tab", Backspace: "Backspace", Delete: "Delete", Insert: "Insert",
  ArrowUp: "Up", ArrowDown: "Down", ArrowLeft: "Left", ArrowRight: "Right",
  Home: "Home", End: "End", PageUp: "PageUp", PageDown: "PageDown", " ": "Space",
};

/** Keys of the numeric keypad that type a character. @type {Record<string, string>} */
const KEYPAD = {
  NumpadDecimal: "KPDecimal", NumpadDivide: "KPDivide", NumpadMultiply: "KPMultiply", NumpadSubtract: "KPSubtract",
  NumpadAdd: "KPAdd", NumpadEnter: "KPEnter", NumpadEqual: "KPEqual",
};

const IS_MAC = /Mac|iP(hone|ad|od)/.test(navigator.platform);

/**
 * Returns the name of a pressed key with its modifiers, or `null` if it only types text.
 * @param {KeyboardEvent} event
 */
export function keyName(event) {
  // During composition, keys belong to the input method.
  if (event.isComposing || event.keyCode === 229) return null;
  const key = keyOf(event);
  if (key === null) return null;
  const { altKey, ctrlKey, shiftKey } = event;
  const isCharacter = [...key].length === 1;
  // A character such as `_` already includes Shift, but the letter of a shortcut is the same with
  // and without it.
  const showsShift = shiftKey && (!isCharacter || (ctrlKey && /\p{L}/u.test(key)));
  const modifiers = [ctrlKey && "Ctrl", altKey && "Alt", showsShift && "Shift"].filter(Boolean);
  return [...modifiers, key].join("+");
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
  // AltGr, and Option on a Mac, type other characters.
  const isTyped = event.getModifierState("AltGraph") || (IS_MAC && event.altKey && !event.ctrlKey);
  if (isTyped || !(event.ctrlKey || event.altKey)) return null;
  // On non-Latin layouts, shortcuts are at the position of the Latin letter.
  const isLatin = key <= "~";
  return !isLatin && /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key;
}

/**
 * Returns the name of a character with modifiers of the key bar.
 * @param {string} character
 * @param {string[]} modifiers
 */
export function withModifiers(character, modifiers) {
  return [...modifiers, character === " " ? "Space" : character].join("+");
}

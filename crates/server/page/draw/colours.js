// @ts-check
// Colours of the terminal.
//
// They are CSS variables of the page: `--fg`, `--bg`, `--cursor`, `--selection` and `--c0` to
// `--c255`. They have the values of the theme `screentest`
// (`crates/core/src/screen/theme/built_in.rs`), independently of the page's own colour scheme, because
// programs that query the terminal's colours get these. The element of a screen overrides those that
// its program has changed.
//
// See also: `protocol/stream.js` (cells and styles), `draw/screen.js` (drawing).

/** @import { CellStyle, Color, Palette } from "../protocol/screen_state.js" */

const FG = "#dddddd";
const BG = "#171717";
const CURSOR = "#dddddd";
const SELECTION = "#44475a";
const ANSI = [
  "#282a2e", "#d74e6f", "#31bb71", "#d3e561", "#8056ff", "#ed61d7", "#04d7d7", "#bfbfbf",
  "#808080", "#fe5f86", "#00d787", "#ebff71", "#9b79ff", "#ff7aea", "#00fefe", "#e6e6e6",
];

/** Sets the theme's colours as variables of an element. @param {HTMLElement} element */
export function setTheme(element) {
  const { style } = element;
  style.setProperty("--fg", FG);
  style.setProperty("--bg", BG);
  style.setProperty("--cursor", CURSOR);
  style.setProperty("--selection", SELECTION);
  for (let index = 0; index < 256; index += 1) style.setProperty(`--c${index}`, indexed(index));
}

/**
 * Overrides changed colours for an element and its descendants.
 * @param {HTMLElement} element
 * @param {Palette} before the palette that the element has now
 * @param {Palette} palette
 */
export function setPalette({ style }, before, palette) {
  for (const name of Object.keys(before)) {
    if (!(name in palette)) style.removeProperty(`--${name}`);
  }
  for (const [name, colour] of Object.entries(palette)) {
    if (before[name] !== colour) style.setProperty(`--${name}`, colour);
  }
}

/**
 * Returns an entry of the palette: the theme's 16 colours, then xterm's colour cube and grey ramp.
 * @param {number} index
 */
function indexed(index) {
  if (index < 16) return ANSI[index];
  if (index >= 232) {
    const grey = 8 + 10 * (index - 232);
    return rgb(grey, grey, grey);
  }
  /** @param {number} step */
  const level = (step) => (step === 0 ? 0 : 55 + 40 * step);
  const cube = index - 16;
  return rgb(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
}

/** @param {number[]} parts */
function rgb(...parts) {
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** @param {Color} color @param {string} own the terminal's default */
function css(color, own) {
  if (color === null) return own;
  return typeof color === "number" ? `var(--c${color})` : color;
}

/**
 * Returns the visible colours of a style, after inverse and faint.
 * @param {CellStyle} cellStyle
 * @returns {{ fg: string, bg: string | null }} `bg` is null for the terminal's default
 */
export function visibleColours(cellStyle) {
  let fg = css(cellStyle.fg, "var(--fg)");
  let bg = cellStyle.bg === null ? null : css(cellStyle.bg, "var(--bg)");
  if (cellStyle.inverse) [fg, bg] = [bg ?? "var(--bg)", fg];
  // Half way to the background, as in rendered images.
  if (cellStyle.faint) fg = `color-mix(in srgb, ${fg}, ${bg ?? "var(--bg)"})`;
  return { fg, bg };
}

const LINES = { none: "", single: "solid", double: "double", curly: "wavy", dotted: "dotted", dashed: "dashed" };

/** Applies a style to an element. @param {HTMLElement} element @param {CellStyle} cellStyle */
export function applyStyle(element, cellStyle) {
  const { style, classList } = element;
  const { fg, bg } = visibleColours(cellStyle);
  if (fg !== "var(--fg)") style.color = fg;
  if (bg !== null) style.backgroundColor = bg;
  if (cellStyle.bold) classList.add("bold");
  if (cellStyle.italic) classList.add("italic");
  if (cellStyle.blink || cellStyle.rapidBlink) classList.add(cellStyle.rapidBlink ? "rapid" : "blink");
  if (cellStyle.invisible) classList.add("invisible");
  // The browser draws overlines above the cell, where they are clipped.
  if (cellStyle.overline) classList.add("overline");
  const lines = [];
  if (cellStyle.underline !== "none") lines.push("underline");
  if (cellStyle.strikethrough) lines.push("line-through");
  if (lines.length === 0) return;
  style.textDecorationLine = lines.join(" ");
  if (cellStyle.underline !== "none") {
    style.textDecorationStyle = LINES[cellStyle.underline];
    if (cellStyle.underlineColor !== null) style.textDecorationColor = css(cellStyle.underlineColor, "");
  }
}

// @ts-check
// What a program's colours look like.
//
// The colours of the terminal are CSS variables of the page: `--fg`, `--bg`, `--cursor`, `--selection` and `--c0` to `--c255`. They are those of the
// theme `dark` (`crates/core/src/theme.rs`) whatever the page around them looks like: a program that asks its terminal for its colours is told these.
//
// Elsewhere: what a cell holds (`protocol/stream.js`), where it is drawn (`draw/screen.js`).

/** @import { Color, Look } from "../protocol/stream.js" */

const FG = "#dddddd";
const BG = "#171717";
const CURSOR = "#dddddd";
const SELECTION = "#44475a";
const ANSI = [
  "#282a2e", "#d74e6f", "#31bb71", "#d3e561", "#8056ff", "#ed61d7", "#04d7d7", "#bfbfbf",
  "#4d4d4d", "#fe5f86", "#00d787", "#ebff71", "#9b79ff", "#ff7aea", "#00fefe", "#e6e6e6",
];

/** Gives an element, and all in it, the terminal's colours. @param {HTMLElement} element */
export function givePalette(element) {
  const { style } = element;
  style.setProperty("--fg", FG);
  style.setProperty("--bg", BG);
  style.setProperty("--cursor", CURSOR);
  style.setProperty("--selection", SELECTION);
  for (let index = 0; index < 256; index += 1) style.setProperty(`--c${index}`, indexed(index));
}

/** An entry of the palette: xterm's colour cube and grey ramp follow the theme's sixteen. @param {number} index */
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

/** @param {Color} color @param {string} own what the terminal's own is */
function css(color, own) {
  if (color === null) return own;
  return typeof color === "number" ? `var(--c${color})` : color;
}

/**
 * The two colours of a look as they are seen: inverse and faint are done.
 * @param {Look} look
 * @returns {{ fg: string, bg: string | null }} no background where it is the terminal's own
 */
export function coloursOf(look) {
  let fg = css(look.fg, "var(--fg)");
  let bg = look.bg === null ? null : css(look.bg, "var(--bg)");
  if (look.inverse) [fg, bg] = [bg ?? "var(--bg)", fg];
  // Half way to its background, as the pictures have it.
  if (look.faint) fg = `color-mix(in srgb, ${fg}, ${bg ?? "var(--bg)"})`;
  return { fg, bg };
}

const LINES = { none: "", single: "solid", double: "double", curly: "wavy", dotted: "dotted", dashed: "dashed" };

/** Makes an element look so. @param {HTMLElement} element @param {Look} look */
export function dress(element, look) {
  const { style, classList } = element;
  const { fg, bg } = coloursOf(look);
  if (fg !== "var(--fg)") style.color = fg;
  if (bg !== null) style.backgroundColor = bg;
  if (look.bold) classList.add("bold");
  if (look.italic) classList.add("italic");
  if (look.blink || look.rapidBlink) classList.add(look.rapidBlink ? "rapid" : "blink");
  if (look.invisible) classList.add("invisible");
  // The browser's own line would be above the cell, where nothing of it is seen.
  if (look.overline) classList.add("overline");
  const lines = [];
  if (look.underline !== "none") lines.push("underline");
  if (look.strikethrough) lines.push("line-through");
  if (lines.length === 0) return;
  style.textDecorationLine = lines.join(" ");
  if (look.underline !== "none") {
    style.textDecorationStyle = LINES[look.underline];
    if (look.underlineColor !== null) style.textDecorationColor = css(look.underlineColor, "");
  }
}

// @ts-check
// Draws the images of a screen: sixel, kitty and iTerm2.
//
// Images below the text are also below coloured backgrounds, which belong to the same elements as
// the text. The browser fetches the content of an image by its hash, once.
//
// See also: `draw/screen.js` (the rows), `protocol/stream.js` (where images come from).

/** @import { CellRect, Image, PixelRect } from "../protocol/screen_state.js" */

/** The size of a cell for which images are sized, in pixels. */
const CELL = { width: 8, height: 16 };

/**
 * Draws images into an element for those above the text and one for those below it.
 * @param {HTMLElement} above
 * @param {HTMLElement} below
 * @param {Image[]} images
 * @param {(hash: string) => string} addressOf returns the address of an image
 */
export function drawImages(above, below, images, addressOf) {
  /** @param {Image[]} layer */
  const elements = (layer) => layer.flatMap((image) => image.visible.map((cells) => newImage(image, cells, addressOf(image.hash))));
  above.replaceChildren(...elements(images.filter(({ z }) => z >= 0)));
  below.replaceChildren(...elements(images.filter(({ z }) => z < 0)));
}

/**
 * Creates an element that shows an image in some cells. The outer element clips it to the cells, the
 * inner one to the visible part of the image.
 * @param {Image} image
 * @param {CellRect} cells
 * @param {string} url
 */
function newImage(image, cells, url) {
  const { source, drawn } = image;
  const clip = document.createElement("div");
  clip.className = "image";
  place(clip, cells.col, cells.row, cells.cols, cells.rows);
  const part = document.createElement("div");
  const col = image.col - cells.col + drawn.x / CELL.width;
  const row = image.row - cells.row + drawn.y / CELL.height;
  const cols = drawn.width / CELL.width;
  const rows = drawn.height / CELL.height;
  place(part, col, row, cols, rows);
  const picture = document.createElement("img");
  picture.alt = `${image.kind} image ${image.hash.slice(0, 12)} of ${image.width}x${image.height} pixels`;
  picture.draggable = false;
  const across = cols / source.width;
  const down = rows / source.height;
  place(picture, -source.x * across, -source.y * down, image.width * across, image.height * down);
  picture.src = url;
  part.append(picture);
  clip.append(part);
  return clip;
}

/**
 * @param {HTMLElement} element
 * @param {number} col
 * @param {number} row
 * @param {number} cols
 * @param {number} rows
 */
function place({ style }, col, row, cols, rows) {
  style.left = `calc(var(--cell-width) * ${col})`;
  style.top = `calc(var(--cell-height) * ${row})`;
  style.width = `calc(var(--cell-width) * ${cols})`;
  style.height = `calc(var(--cell-height) * ${rows})`;
}

/** Whether two lists of images look the same. @param {Image[]} some @param {Image[]} others */
export function sameImages(some, others) {
  if (some === others) return true;
  return some.length === others.length && some.every((image, index) => sameImage(image, others[index]));
}

/** @param {Image} one @param {Image} other */
function sameImage(one, other) {
  if (one === other) return true;
  const names = /** @type {const} */ (["hash", "row", "col", "cols", "rows", "z"]);
  if (!names.every((name) => one[name] === other[name])) return false;
  /** @param {PixelRect} rect @param {PixelRect} another */
  const sameRect = (rect, another) => {
    return rect.x === another.x && rect.y === another.y && rect.width === another.width && rect.height === another.height;
  };
  if (!sameRect(one.source, other.source) || !sameRect(one.drawn, other.drawn)) return false;
  return one.visible.length === other.visible.length && one.visible.every((cells, index) => {
    const { row, col, rows, cols } = other.visible[index];
    return cells.row === row && cells.col === col && cells.rows === rows && cells.cols === cols;
  });
}

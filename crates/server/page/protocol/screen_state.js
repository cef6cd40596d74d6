// @ts-check
// Types of the screens that the live stream transmits.
//
// See also: `protocol/stream.js` (their decoder), `draw/screen.js` (drawing).

/**
 * A colour: `null` is the default, a number is an index of the palette of 256, a string is
 * `#rrggbb`.
 * @typedef {null | number | string} Color
 */

/**
 * The colours that the program has changed: `c0` to `c255`, `fg`, `bg`, `cursor`, `selection` and
 * `selection-fg`, each `#rrggbb`. Immutable.
 * @typedef {Record<string, string>} Palette
 */

/** The link of a cell. @typedef {{ uri: string, id: string | null }} Link */

/**
 * Style of a cell. Immutable, so that cells can share it.
 * @typedef {object} CellStyle
 * @property {Color} fg
 * @property {Color} bg
 * @property {Color} underlineColor
 * @property {"none" | "single" | "double" | "curly" | "dotted" | "dashed"} underline
 * @property {boolean} bold
 * @property {boolean} faint
 * @property {boolean} italic
 * @property {boolean} blink
 * @property {boolean} rapidBlink
 * @property {boolean} inverse foreground and background change places
 * @property {boolean} invisible
 * @property {boolean} strikethrough
 * @property {boolean} overline
 * @property {Link | null} link
 */

/**
 * A column of a row. A wide character has width 2 and is followed by an empty cell of width 0.
 * @typedef {{ text: string, width: 0 | 1 | 2, style: CellStyle }} Cell
 */

/**
 * A row, without blank cells at its end. Immutable: the same object means the same content.
 * @typedef {object} Row
 * @property {Cell[]} cells
 * @property {boolean} wrapped whether the text continues in the next row
 * @property {{ col: number, zone: "none" | "prompt" | "input" | "output" }[]} zones start columns of shell prompts, inputs and outputs
 */

/**
 * @typedef {object} Cursor
 * @property {number} row from 0
 * @property {number} col from 0
 * @property {boolean} visible
 * @property {boolean} blinking
 * @property {boolean} pendingWrap whether the next character wraps to the next row
 * @property {"block" | "underline" | "bar"} shape
 */

/**
 * Modes that the program has set.
 * @typedef {object} Modes
 * @property {boolean} alternateScreen
 * @property {boolean} applicationCursor
 * @property {boolean} applicationKeypad
 * @property {boolean} bracketedPaste
 * @property {boolean} focusEvents
 * @property {boolean} alternateScroll
 * @property {boolean} autowrap
 * @property {boolean} origin
 * @property {boolean} insert
 * @property {boolean} newline
 * @property {boolean} synchronized
 * @property {"off" | "clicks" | "drags" | "motion"} mouse
 * @property {"default" | "utf8" | "sgr"} mouseEncoding
 * @property {number} kittyKeyboard the flags
 */

/**
 * How a program ended: exit code, signal, or unknown.
 * @typedef {{ code: number } | { signal: string } | { unknown: true }} Ended
 */

/**
 * The content of a screen: `WireScreen` in the Rust code.
 * @typedef {object} ScreenState
 * @property {number} cols
 * @property {number} rows
 * @property {Row[]} lines exactly `rows` rows
 * @property {Cursor} cursor
 * @property {string} title
 * @property {string} workingDirectory
 * @property {Modes} modes
 * @property {number} scrollbackRows the number of rows in the scrollback
 * @property {number} bells the number of bells so far
 * @property {Palette} palette the changed colours
 * @property {Image[]} images in drawing order
 */

/** A rectangle of cells. @typedef {{ row: number, col: number, rows: number, cols: number }} CellRect */

/** A rectangle of pixels. @typedef {{ x: number, y: number, width: number, height: number }} PixelRect */

/**
 * An image on the screen. Immutable: the same object means the same content.
 * @typedef {object} Image
 * @property {"sixel" | "kitty" | "iterm"} kind
 * @property {string} hash 64 hexadecimal digits, by which the server finds its content
 * @property {number} width in pixels
 * @property {number} height in pixels
 * @property {number} row the row of its first cell, negative if it has scrolled out in part
 * @property {number} col
 * @property {number} cols
 * @property {number} rows
 * @property {PixelRect} source the part that is shown
 * @property {PixelRect} drawn where it is drawn, in pixels of cells of 8x16, from the first cell on
 * @property {number} z negative below the text
 * @property {CellRect[]} visible the cells in which it is visible
 */

/**
 * A viewer's state of one session.
 * @typedef {object} View
 * @property {number} channel
 * @property {number | null} revision `null` before the first keyframe
 * @property {ScreenState | null} shown
 * @property {Ended | null} ended
 * @property {boolean} closed
 */

export {};

// Compares protocol/stream.js with the Rust decoder.
//
// `crates/core/src/formats/stream/tests/page.rs` runs this with Node and writes one case per line
// to stdin: messages in hexadecimal, each with the result of the Rust decoder. Exits with 1 at the
// first difference.

import { readFileSync } from "node:fs";
import { deepStrictEqual } from "node:assert";

// Imported as a data URL, because some versions of Node do not treat a `.js` file as a module.
const source = readFileSync(new URL("../protocol/stream.js", import.meta.url), "utf8");
const { decode, apply, emptyView, runs, sameStyle, StreamError, ApplyError } = await import(
  `data:text/javascript,${encodeURIComponent(source)}`
);

/** Converts a view to the representation of the Rust test. */
function describeView(view) {
  const { revision, shown, ended, closed } = view;
  if (shown === null) return { revision, shown, ended, closed };
  const { lines, ...facts } = shown;
  const rows = lines.map(({ cells, wrapped, zones }) => ({
    cells: cells.map(({ text, width, style }) => [text, width, describeStyle(style)]),
    wrapped,
    zones: zones.map(({ col, zone }) => [col, zone]),
  }));
  return { revision, shown: { ...facts, lines: rows }, ended, closed };
}

/** Converts a style; defaults are omitted. */
function describeStyle(style) {
  return Object.fromEntries(Object.entries(style).filter(([, value]) => value !== null && value !== false && value !== "none"));
}

let rejected = 0;
let messages = 0;
for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const steps = JSON.parse(line);
  const view = emptyView(7);
  for (const { hex, offset, outside, told: expected } of steps) {
    messages += 1;
    const before = view.shown?.lines ?? [];
    const kept = structuredClone(view);
    let result = {};
    try {
      const message = decode(new Uint8Array(Buffer.from(hex, "hex")).buffer);
      const drawn = apply(view, message);
      // Rows that are not returned must be the same objects.
      view.shown?.lines.forEach((row, index) => {
        if (!drawn.includes(index) && row !== before[index]) throw new Error(`row ${index} changed but was not returned`);
      });
      for (const row of view.shown?.lines ?? []) {
        const joined = runs(row);
        deepStrictEqual(joined.map((run) => run.text).join(""), row.cells.map((cell) => cell.text).join(""));
        deepStrictEqual(joined.some((run, index) => index > 0 && sameStyle(run.style, joined[index - 1].style)), false);
      }
    } catch (error) {
      if (error instanceof StreamError) result = { offset: error.offset };
      else if (error instanceof ApplyError) result = { outside: true };
      else throw new Error(`in ${hex}`, { cause: error });
      if (!error.message) throw new Error("an error without a message");
      rejected += 1;
      deepStrictEqual(view, kept, "a rejected message changed the view");
    }
    const expectedResult = offset !== undefined ? { offset } : outside ? { outside } : {};
    deepStrictEqual(result, expectedResult, `in ${hex}`);
    if (expected) deepStrictEqual(describeView(view), expected, `after ${hex}`);
  }
}
console.log(JSON.stringify({ messages, refused: rejected }));

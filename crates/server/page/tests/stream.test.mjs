// Holds stream.js against the reader in Rust.
//
// Comes from `crates/core/src/formats/stream/tests/page.rs`, which runs this with Node and writes one case a line to stdin: messages as
// hexadecimal digits, each with what the reader in Rust made of it. Leaves with 1 at the first difference.

import { readFileSync } from "node:fs";
import { deepStrictEqual } from "node:assert";

// By its text, as `.js` alone does not tell every Node that a file is a module.
const source = readFileSync(new URL("../protocol/stream.js", import.meta.url), "utf8");
const { decode, apply, emptyView, runs, sameLook, StreamError, ApplyError } = await import(
  `data:text/javascript,${encodeURIComponent(source)}`
);

/** What Rust tells of a view, told of ours. */
function told(view) {
  const { revision, shown, ended, closed } = view;
  if (shown === null) return { revision, shown, ended, closed };
  const { lines, ...facts } = shown;
  const rows = lines.map(({ cells, wrapped, zones }) => ({
    cells: cells.map(({ text, width, look }) => [text, width, lookOf(look)]),
    wrapped,
    zones: zones.map(({ col, zone }) => [col, zone]),
  }));
  return { revision, shown: { ...facts, lines: rows }, ended, closed };
}

/** The plain look is not told, and of others only what is not plain. */
function lookOf(look) {
  return Object.fromEntries(Object.entries(look).filter(([, value]) => value !== null && value !== false && value !== "none"));
}

let refused = 0;
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
      // Rows that are not named are the very same.
      view.shown?.lines.forEach((row, index) => {
        if (!drawn.includes(index) && row !== before[index]) throw new Error(`row ${index} is not named`);
      });
      for (const row of view.shown?.lines ?? []) {
        const joined = runs(row);
        deepStrictEqual(joined.map((run) => run.text).join(""), row.cells.map((cell) => cell.text).join(""));
        deepStrictEqual(joined.some((run, index) => index > 0 && sameLook(run.look, joined[index - 1].look)), false);
      }
    } catch (error) {
      if (error instanceof StreamError) result = { offset: error.offset };
      else if (error instanceof ApplyError) result = { outside: true };
      else throw new Error(`of ${hex}`, { cause: error });
      if (!error.message) throw new Error("an error that says nothing");
      refused += 1;
      deepStrictEqual(view, kept, "a view changed although its message was refused");
    }
    const wanted = offset !== undefined ? { offset } : outside ? { outside } : {};
    deepStrictEqual(result, wanted, `of ${hex}`);
    if (expected) deepStrictEqual(told(view), expected, `after ${hex}`);
  }
}
console.log(JSON.stringify({ messages, refused }));

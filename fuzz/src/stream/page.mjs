// Asks the page's reader, one message a line: `CHANNEL TELL BASE.MESSAGE`, the two last in hexadecimal digits. Answers with one line of JSON: where it
// was refused, or what is shown then. Anything else that is thrown is told as a fault. Ends when nothing more comes.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

// By its text, as `.js` alone does not tell every Node that a file is a module.
const source = readFileSync(new URL("../../../crates/server/page/stream.js", import.meta.url), "utf8");
const { decode, apply, emptyView, StreamError, ApplyError } = await import(
  `data:text/javascript,${encodeURIComponent(source)}`
);

const bytes = (hex) => new Uint8Array(Buffer.from(hex, "hex")).buffer;

/** What Rust tells of a view, told of ours. */
function told({ revision, shown, ended, closed }) {
  if (shown === null) return { revision, shown, ended, closed };
  const { cols, rows, cursor, title, bells, lines } = shown;
  return {
    revision,
    shown: {
      size: [cols, rows],
      cursor: [cursor.row, cursor.col],
      title,
      bells,
      rows: lines.map(({ cells, wrapped, zones }) => [
        cells.map((cell) => cell.text).join(""),
        cells.map((cell) => cell.width).join(""),
        wrapped,
        zones.length,
      ]),
    },
    ended,
    closed,
  };
}

function answer(line) {
  const [channel, tell, messages] = line.split(" ");
  const [base, message] = messages.split(".");
  const view = emptyView(Number(channel));
  if (base !== "") apply(view, decode(bytes(base)));
  const kept = structuredClone(view);
  try {
    apply(view, decode(bytes(message)));
    return tell === "1" ? told(view) : {};
  } catch (error) {
    if (!error.message) return { fault: "an error that says nothing" };
    if (JSON.stringify(view) !== JSON.stringify(kept)) return { fault: "a view changed although its message was refused" };
    if (error instanceof StreamError) return { offset: error.offset };
    if (error instanceof ApplyError) return { outside: true };
    return { fault: String(error.stack) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(answer(line))}\n`);
}

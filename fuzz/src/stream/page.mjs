// Calls the page's reader, with one message per line: `CHANNEL TELL BASE.MESSAGE`, the last two in
// hexadecimal. Answers with one line of JSON: where the message was rejected, or, if TELL is 1,
// what is shown afterwards. Any other exception is reported as a fault. Exits at the end of the
// input.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

// Imported as a data URL, because some versions of Node do not treat a `.js` file as a module.
const source = readFileSync(new URL("../../../crates/server/page/protocol/stream.js", import.meta.url), "utf8");
const { decode, apply, emptyView, StreamError, ApplyError } = await import(
  `data:text/javascript,${encodeURIComponent(source)}`
);

const bytes = (hex) => new Uint8Array(Buffer.from(hex, "hex")).buffer;

/** Describes a view in the format of `page_view` in `page.rs`. */
function pageView({ revision, shown, ended, closed }) {
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
  const before = structuredClone(view);
  try {
    apply(view, decode(bytes(message)));
    return tell === "1" ? pageView(view) : {};
  } catch (error) {
    if (!error.message) return { fault: "an error without a message" };
    if (JSON.stringify(view) !== JSON.stringify(before)) return { fault: "a rejected message changed the view" };
    if (error instanceof StreamError) return { offset: error.offset };
    if (error instanceof ApplyError) return { outside: true };
    return { fault: String(error.stack) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(answer(line))}\n`);
}

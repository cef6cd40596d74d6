// @ts-check
// Copying what was selected, as the terminal has it: rows that go on in the next are one line, and blanks at the end of a line are nobody's.

import { rowOf } from "../draw/row.js";

/** Sees to what is copied out of an element. @param {HTMLElement} element */
export function copyAsText(element) {
  document.addEventListener("copy", (event) => {
    const selection = getSelection();
    if (selection === null || selection.isCollapsed || event.clipboardData === null) return;
    const range = selection.getRangeAt(0);
    if (!element.contains(range.commonAncestorContainer)) return;
    event.clipboardData.setData("text/plain", textOf(element, range));
    event.preventDefault();
  });
}

/** The text of a range of rows. @param {HTMLElement} element @param {Range} range */
function textOf(element, range) {
  let text = "";
  let end = "";
  for (const row of element.querySelectorAll(".row")) {
    if (!range.intersectsNode(row)) continue;
    const part = document.createRange();
    part.selectNodeContents(row);
    if (row.contains(range.startContainer)) part.setStart(range.startContainer, range.startOffset);
    if (row.contains(range.endContainer)) part.setEnd(range.endContainer, range.endOffset);
    const isWrapped = rowOf(row)?.wrapped ?? false;
    const line = part.toString();
    text += end + (isWrapped ? line : line.trimEnd());
    end = isWrapped ? "" : "\n";
  }
  return text;
}

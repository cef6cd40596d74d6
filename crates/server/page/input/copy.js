// @ts-check
// Copies selected text as terminals do: wrapped rows become one line, and trailing spaces are
// removed.

import { rowOf } from "../draw/row.js";

/** Handles copying from an element. @param {HTMLElement} element */
export function copyRowsAsText(element) {
  document.addEventListener("copy", (event) => {
    const selection = getSelection();
    if (selection === null || selection.isCollapsed || event.clipboardData === null) return;
    const range = selection.getRangeAt(0);
    if (!element.contains(range.commonAncestorContainer)) return;
    event.clipboardData.setData("text/plain", textOf(element, range));
    event.preventDefault();
  });
}

/** Returns the text of a range of rows. @param {HTMLElement} element @param {Range} range */
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

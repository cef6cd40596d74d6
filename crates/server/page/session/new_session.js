// @ts-check
// The dialog that opens a session.

import { openSession } from "../protocol/sessions.js";

/** @import { Session } from "../protocol/sessions.js" */

/**
 * Connects the dialog's elements.
 * @param {HTMLDialogElement} dialog
 * @param {HTMLButtonElement} button
 * @param {(session: Session) => void} opened
 */
export function setUpNewSessionDialog(dialog, button, opened) {
  const form = /** @type {HTMLFormElement} */ (dialog.querySelector("form"));
  const error = /** @type {HTMLElement} */ (dialog.querySelector("[role=alert]"));
  /** @param {string} name */
  const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
  button.onclick = () => {
    error.textContent = "";
    // Recording must be chosen anew for each session.
    field("record").checked = false;
    dialog.showModal();
    field("command").select();
  };
  /** @type {HTMLElement} */ (dialog.querySelector("[value=cancel]")).onclick = () => dialog.close();
  form.onsubmit = async (event) => {
    event.preventDefault();
    error.textContent = "";
    try {
      const command = splitWords(field("command").value);
      const cwd = field("cwd").value.trim();
      const session = await openSession({
        command,
        cols: field("cols").valueAsNumber,
        rows: field("rows").valueAsNumber,
        ...(cwd === "" ? {} : { cwd }),
        ...(field("record").checked ? { record: true } : {}),
      });
      dialog.close();
      opened(session);
    } catch (problem) {
      error.textContent = problem instanceof Error ? problem.message : String(problem);
    }
  };
}

/**
 * Splits a command line into words. Quotes preserve spaces and a backslash escapes the next
 * character. Nothing else is special, because no shell is involved.
 * @param {string} line
 * @returns {string[]}
 */
function splitWords(line) {
  /** @type {string[]} */
  const found = [];
  /** @type {string | null} */
  let word = null;
  let quote = "";
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at];
    if (quote !== "" && char === quote) quote = "";
    else if (quote === "" && (char === '"' || char === "'")) {
      quote = char;
      word ??= "";
    } else if (char === "\\" && quote !== "'" && at + 1 < line.length) {
      at += 1;
      word = (word ?? "") + line[at];
    } else if (quote === "" && /\s/.test(char)) {
      if (word !== null) found.push(word);
      word = null;
    } else word = (word ?? "") + char;
  }
  if (quote !== "") throw new Error(`missing closing quote ${quote}`);
  if (word !== null) found.push(word);
  return found;
}

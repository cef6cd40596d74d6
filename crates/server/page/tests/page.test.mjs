// Tests the page in a real browser.
//
// Environment: SCREENTEST_LINK, a login link; PLAYWRIGHT_CORE, the directory of the npm package
// playwright-core; and CHROMIUM, the browser (default: /usr/bin/chromium). Prints the first failed
// step and exits with 1.

import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { cassetteSteps } from "./cassette_steps.mjs";

const link = needed("SCREENTEST_LINK", "a login link");
const playwright = join(needed("PLAYWRIGHT_CORE", "the directory of the npm package playwright-core"), "index.mjs");
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
for (const [file, remedy] of [[playwright, "npm install playwright-core"], [executablePath, "apt-get install chromium"]]) {
  if (!existsSync(file)) fail(`${file} not found: ${remedy}`);
}
const { chromium } = await import(pathToFileURL(playwright).href);

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
const { origin } = new URL(link);
await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
context.setDefaultTimeout(10_000);
const page = await context.newPage();

/** Errors of the browser, and requests to other hosts. */
const problems = [];
page.on("pageerror", (error) => problems.push(String(error)));
page.on("console", (message) => {
  if (message.type() === "error") problems.push(`${message.text()} (${message.location().url})`);
});
page.on("request", (request) => {
  const url = new URL(request.url());
  if (url.protocol !== "data:" && url.host !== new URL(origin).host) problems.push(`a request to ${request.url()}`);
});
page.on("dialog", (dialog) => dialog.accept());

/** @type {[string, () => Promise<void>][]} */
const steps = [
  ["a login link opens the page without sessions", async () => {
    await page.goto(link);
    await page.waitForSelector("#empty:not([hidden])");
  }],
  ["the dialog opens a session, which is shown view-only", async () => {
    await open("env PS1=\"> \" bash --norc --noprofile");
    await shows(">");
    await bannerShows("View only. Nobody has control.");
    strictEqual(await page.isDisabled("#fit"), true);
    await page.focus("#session-screen");
    await page.keyboard.type("ignored");
  }],
  ["input goes to the program after control was taken", async () => {
    await page.fill("#name", "Ada");
    await takeControl();
    await page.keyboard.type("printf '\\e[31mred\\e[0m wörld 日本|\\n'");
    await page.keyboard.press("Enter");
    await shows("red wörld 日本|");
    ok(!(await text()).includes("ignored"), "input typed before control was taken was sent");
    await page.waitForSelector("#sessions .facts:has-text('Ada has control')");
  }],
  ["colours and columns are exact", async () => {
    const cells = await page.evaluate(() => {
      const row = [...document.querySelectorAll("#session-screen .live .row")].find((row) => row.textContent.startsWith("red wörld"));
      const color = getComputedStyle(row.querySelector("span")).color;
      const range = document.createRange();
      const last = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      while (last.nextNode());
      const bar = last.currentNode;
      range.setStart(bar, bar.data.indexOf("|"));
      const width = parseFloat(getComputedStyle(row).getPropertyValue("--cell-width"));
      return { color, column: (range.getBoundingClientRect().left - row.getBoundingClientRect().left) / width };
    });
    // "red wörld " has 10 columns, and each of the two wide characters has 2.
    deepStrictEqual(cells, { color: "rgb(215, 78, 111)", column: 14 });
  }],
  ["colours that the program changes are shown, and reset", async () => {
    const colours = () => page.evaluate(() => {
      const row = [...document.querySelectorAll("#session-screen .live .row")].find((row) => row.textContent.startsWith("red wörld"));
      const screen = document.querySelector("#session-screen .screen");
      return [getComputedStyle(row.querySelector("span")).color, getComputedStyle(screen).backgroundColor, getComputedStyle(screen).color];
    });
    /** Waits for the colours of red text, of the background and of plain text. */
    const become = async (...expected) => {
      for (let tries = 0; tries < 100 && (await colours()).join() !== expected.join(); tries += 1) await page.waitForTimeout(50);
      deepStrictEqual(await colours(), expected);
    };
    await page.keyboard.type("printf '\\e]4;1;#aabbcc\\a\\e]11;#102040\\a\\e]10;#ffff00\\a'");
    await page.keyboard.press("Enter");
    await become("rgb(170, 187, 204)", "rgb(16, 32, 64)", "rgb(255, 255, 0)");
    await page.keyboard.type("printf '\\e]104\\a\\e]111\\a\\e]110\\a'");
    await page.keyboard.press("Enter");
    await become("rgb(215, 78, 111)", "rgb(23, 23, 23)", "rgb(221, 221, 221)");
  }],
  ["keys that type no text reach the program", async () => {
    // After this is printed, the shell no longer reads keys itself.
    await page.keyboard.type("clear; echo rea''dy; cat -v");
    await page.keyboard.press("Enter");
    await shows("ready");
    for (const key of ["ArrowUp", "F5", "Control+ArrowLeft", "Alt+x", "Shift+Tab", "Control+A"]) await page.keyboard.press(key);
    await page.keyboard.type("|");
    await shows("^[[A^[[15~^[[1;5D^[x^[[Z^A|");
    await page.keyboard.press("Control+C");
  }],
  ["pasted text is sent unchanged", async () => {
    await page.evaluate(() => navigator.clipboard.writeText("echo from the clipboard"));
    await page.keyboard.press("Control+Shift+V");
    await shows("> echo from the clipboard");
    await page.keyboard.press("Control+U");
  }],
  ["an input method composes text", async () => {
    const line = await context.newCDPSession(page);
    await line.send("Input.imeSetComposition", { text: "とう", selectionStart: 2, selectionEnd: 2 });
    await line.send("Input.insertText", { text: "東京" });
    await shows("> 東京");
    await page.keyboard.press("Control+U");
  }],
  ["a selection is copied as lines, and typing continues", async () => {
    await page.keyboard.type("clear; printf '\\e[44mfirst  \\e[0m\\n%090d\\nlast\\n' 7");
    await page.keyboard.press("Enter");
    await shows("last");
    const first = await page.locator("#session-screen .live .row").nth(0).boundingBox();
    const last = await page.locator("#session-screen .live .row").nth(3).boundingBox();
    await page.mouse.move(first.x + 1, first.y + 5);
    await page.mouse.down();
    await page.mouse.move(last.x + 300, last.y + 5, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.press("Control+Shift+C");
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    strictEqual(copied, `first\n${"7".padStart(90, "0")}\nlast`);
    await page.keyboard.type("echo on");
    await shows("> echo on");
    await page.keyboard.press("Control+U");
  }],
  ["the wheel scrolls to the scrollback", async () => {
    await page.keyboard.type("clear; seq 1000");
    await page.keyboard.press("Enter");
    await shows("1000");
    const box = await page.locator("#session-screen").boundingBox();
    await page.mouse.move(box.x + 200, box.y + 200);
    /** Waits until the visible rows count up from a number below `below`. */
    const counts = (below) => page.waitForFunction((below) => {
      const { top, bottom } = document.querySelector("#session-screen").getBoundingClientRect();
      const visible = [...document.querySelectorAll("#session-screen .row")].filter((row) => {
        const box = row.getBoundingClientRect();
        return box.top >= top && box.bottom <= bottom;
      }).map((row) => Number(row.textContent));
      return visible.length > 10 && visible[0] < below && visible.every((number, index) => number === visible[0] + index);
    }, below);
    // First next to the screen, then far from it, then at the start.
    await page.mouse.wheel(0, -250);
    await counts(978);
    await page.mouse.wheel(0, -5000);
    await counts(900);
    await page.keyboard.press("Shift+Home");
    await counts(2);
    await page.click("#scroll-to-end");
    await page.waitForSelector("#scroll-to-end", { state: "hidden" });
  }],
  ["the controlling client resizes the terminal", async () => {
    await page.click("#fit");
    await page.waitForFunction(() => !document.querySelector("#facts").textContent.includes("80×24"));
    const [, cols, rows] = /(\d+)×(\d+)/.exec(await page.textContent("#facts"));
    await page.keyboard.type("clear; stty size");
    await page.keyboard.press("Enter");
    await shows(`${rows} ${cols}`);
  }],
  ["a key releases control and moves the focus", async () => {
    await page.keyboard.press("Control+Shift+Escape");
    await bannerShows("View only. Nobody has control.");
    strictEqual(await page.evaluate(() => document.activeElement?.id), "control");
  }],
  ["another client takes over, and both see who has control", async () => {
    await takeControl();
    const other = await context.newPage();
    await other.goto(page.url());
    await bannerShows("View only. Ada has control.", other);
    await other.click("#control");
    await bannerShows("You have control.", other);
    await bannerShows("View only. Ada has control.");
    await other.close();
    await bannerShows("View only. Nobody has control.");
  }],
  ["vim is drawn and updated while typing", async () => {
    await open("vim -u NONE -i NONE -n -N");
    await shows("~");
    await takeControl();
    await page.keyboard.type("ihello from a browser");
    await shows("hello from a browser");
    await shows("-- INSERT --");
    await page.keyboard.press("Control+Shift+X");
    await page.click("#close");
    await page.waitForFunction(() => document.querySelectorAll("#sessions .card").length === 1);
    await bannerShows("View only. Nobody has control.");
  }],
  ["the exit of a program is shown", async () => {
    await open("sh -c 'echo done; exit 3'");
    await shows("done");
    await bannerShows("The program exited with code 3.");
    strictEqual(await page.isHidden("#control"), true);
  }],
  ["a closed session disappears", async () => {
    await page.click("#close");
    await page.waitForFunction(() => document.querySelectorAll("#sessions .card").length === 1);
    await bannerShows("View only. Nobody has control.");
  }],
  ...cassetteSteps({ page, context, browser, origin, open, takeControl, text, shows }),
  ["everything fits on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 780 });
    await takeControl();
    await page.waitForSelector("#keybar button");
    const { wide, pane } = await page.evaluate(() => {
      const pane = document.querySelector("#session-screen");
      return { wide: document.documentElement.scrollWidth, pane: pane.clientHeight };
    });
    strictEqual(wide, 390);
    ok(pane > 200, `${pane} pixels are left for the screen`);
  }],
  ["there were no errors and no requests to other hosts", async () => deepStrictEqual(problems, [])],
];

for (const [claim, step] of steps) {
  try {
    await Promise.race([step(), tooLong()]);
    console.log(`ok: ${claim}`);
  } catch (error) {
    const screen = await Promise.race([text(), tooLong()]).catch(() => "");
    fail(`failed: ${claim}\n${error.stack}\nproblems: ${JSON.stringify(problems)}\nthe screen:\n${screen}`);
  }
}
await browser.close();

/** Fails after a minute, because waits inside the page may never end. */
function tooLong() {
  return new Promise((_, reject) => setTimeout(() => reject(new Error("it took more than a minute")), 60_000).unref());
}

/** @param {string} command */
async function open(command) {
  await page.click("#new-session-button");
  await page.fill("#new-session [name=command]", command);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#new-session", { state: "hidden" });
}

async function takeControl() {
  await page.click("#control");
  await bannerShows("You have control.");
}

/** Returns the text of the large screen. */
function text() {
  return page.evaluate(() => [...document.querySelectorAll("#session-screen .live .row")].map((row) => row.textContent.trimEnd()).join("\n").trim());
}

/** @param {string} words */
async function shows(words) {
  const isShown = (words) => [...document.querySelectorAll("#session-screen .live .row")].some((row) => row.textContent.includes(words));
  await page.waitForFunction(isShown, words).catch(() => {
    throw new Error(`the screen does not show ${JSON.stringify(words)}`);
  });
}

/** @param {string} words */
async function bannerShows(words, on = page) {
  await on.waitForFunction((words) => document.querySelector("#control-status").textContent === words, words).catch(async () => {
    throw new Error(`the banner shows ${JSON.stringify(await on.textContent("#control-status"))}, expected ${JSON.stringify(words)}`);
  });
}

/** @param {string} name @param {string} what */
function needed(name, what) {
  const value = process.env[name];
  if (!value) fail(`${name} is not set: expected ${what}`);
  return value;
}

/** @param {string} words */
function fail(words) {
  console.error(words);
  process.exit(1);
}

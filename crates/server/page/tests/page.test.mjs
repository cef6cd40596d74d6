// Drives the page in a real browser, as a person would.
//
// Takes from the environment: SCREENTEST_LINK, a link that lets a browser in; PLAYWRIGHT_CORE, the folder of the npm package playwright-core; and CHROMIUM, the
// browser, where it is not /usr/bin/chromium. Leaves with 1 at the first thing that is not as it should be, and says which.

import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { cassetteSteps } from "./cassette_steps.mjs";

const link = needed("SCREENTEST_LINK", "a link that the server printed");
const playwright = join(needed("PLAYWRIGHT_CORE", "the folder that `npm install playwright-core` made"), "index.mjs");
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
for (const [file, remedy] of [[playwright, "npm install playwright-core"], [executablePath, "apt-get install chromium"]]) {
  if (!existsSync(file)) fail(`${file} is not there: ${remedy}`);
}
const { chromium } = await import(pathToFileURL(playwright).href);

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
const { origin } = new URL(link);
await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
context.setDefaultTimeout(10_000);
const page = await context.newPage();

/** What the browser complained about, and what it asked others for. */
const complaints = [];
page.on("pageerror", (error) => complaints.push(String(error)));
page.on("console", (message) => {
  if (message.type() === "error") complaints.push(`${message.text()} (${message.location().url})`);
});
page.on("request", (request) => {
  const url = new URL(request.url());
  if (url.protocol !== "data:" && url.host !== new URL(origin).host) complaints.push(`a request to ${request.url()}`);
});
page.on("dialog", (dialog) => dialog.accept());

/** @type {[string, () => Promise<void>][]} */
const steps = [
  ["a link leads to a page without sessions", async () => {
    await page.goto(link);
    await page.waitForSelector("#empty:not([hidden])");
  }],
  ["the dialog opens a session, which is shown and only looked at", async () => {
    await open("env PS1=\"> \" bash --norc --noprofile");
    await shows(">");
    await says("You watch. Nobody drives.");
    strictEqual(await page.isDisabled("#fit"), true);
    await page.focus("#pane");
    await page.keyboard.type("unheard");
  }],
  ["who took control types", async () => {
    await page.fill("#name", "Ada");
    await drive();
    await page.keyboard.type("printf '\\e[31mred\\e[0m wörld 日本|\\n'");
    await page.keyboard.press("Enter");
    await shows("red wörld 日本|");
    ok(!(await text()).includes("unheard"), "what was typed before control was taken was sent");
    await page.waitForSelector("#sessions .facts:has-text('Ada drives')");
  }],
  ["colours and columns are exact", async () => {
    const cells = await page.evaluate(() => {
      const row = [...document.querySelectorAll("#pane .live .row")].find((row) => row.textContent.startsWith("red wörld"));
      const color = getComputedStyle(row.querySelector("span")).color;
      const range = document.createRange();
      const last = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      while (last.nextNode());
      const bar = last.currentNode;
      range.setStart(bar, bar.data.indexOf("|"));
      const width = parseFloat(getComputedStyle(row).getPropertyValue("--cell-width"));
      return { color, column: (range.getBoundingClientRect().left - row.getBoundingClientRect().left) / width };
    });
    // "red wörld " takes 10 columns, and each of the two wide characters 2.
    deepStrictEqual(cells, { color: "rgb(215, 78, 111)", column: 14 });
  }],
  ["keys that type nothing reach the program", async () => {
    // Once this is printed, the shell no longer reads the keys itself.
    await page.keyboard.type("clear; echo rea''dy; cat -v");
    await page.keyboard.press("Enter");
    await shows("ready");
    for (const key of ["ArrowUp", "F5", "Control+ArrowLeft", "Alt+x", "Shift+Tab", "Control+A"]) await page.keyboard.press(key);
    await page.keyboard.type("|");
    await shows("^[[A^[[15~^[[1;5D^[x^[[Z^A|");
    await page.keyboard.press("Control+C");
  }],
  ["what is pasted comes as it is", async () => {
    await page.evaluate(() => navigator.clipboard.writeText("echo from the clipboard"));
    await page.keyboard.press("Control+Shift+V");
    await shows("> echo from the clipboard");
    await page.keyboard.press("Control+U");
  }],
  ["an input method composes", async () => {
    const line = await context.newCDPSession(page);
    await line.send("Input.imeSetComposition", { text: "とう", selectionStart: 2, selectionEnd: 2 });
    await line.send("Input.insertText", { text: "東京" });
    await shows("> 東京");
    await page.keyboard.press("Control+U");
  }],
  ["what is selected is copied as lines, and typing goes on", async () => {
    await page.keyboard.type("clear; printf '\\e[44mfirst  \\e[0m\\n%090d\\nlast\\n' 7");
    await page.keyboard.press("Enter");
    await shows("last");
    const first = await page.locator("#pane .live .row").nth(0).boundingBox();
    const last = await page.locator("#pane .live .row").nth(3).boundingBox();
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
  ["the wheel shows what has scrolled out", async () => {
    await page.keyboard.type("clear; seq 1000");
    await page.keyboard.press("Enter");
    await shows("1000");
    const box = await page.locator("#pane").boundingBox();
    await page.mouse.move(box.x + 200, box.y + 200);
    /** Whether the rows that are seen count on from a number below this. */
    const counts = (below) => page.waitForFunction((below) => {
      const { top, bottom } = document.querySelector("#pane").getBoundingClientRect();
      const seen = [...document.querySelectorAll("#pane .row")].filter((row) => {
        const box = row.getBoundingClientRect();
        return box.top >= top && box.bottom <= bottom;
      }).map((row) => Number(row.textContent));
      return seen.length > 10 && seen[0] < below && seen.every((number, index) => number === seen[0] + index);
    }, below);
    // First where it meets the screen, then far from it, then where it begins.
    await page.mouse.wheel(0, -250);
    await counts(978);
    await page.mouse.wheel(0, -5000);
    await counts(900);
    await page.keyboard.press("Shift+Home");
    await counts(2);
    await page.click("#end");
    await page.waitForSelector("#end", { state: "hidden" });
  }],
  ["whoever drives gives the terminal another size", async () => {
    await page.click("#fit");
    await page.waitForFunction(() => !document.querySelector("#facts").textContent.includes("80×24"));
    const [, cols, rows] = /(\d+)×(\d+)/.exec(await page.textContent("#facts"));
    await page.keyboard.type("clear; stty size");
    await page.keyboard.press("Enter");
    await shows(`${rows} ${cols}`);
  }],
  ["a key lets go, and the keyboard is free", async () => {
    await page.keyboard.press("Control+Shift+Escape");
    await says("You watch. Nobody drives.");
    strictEqual(await page.evaluate(() => document.activeElement?.id), "wheel");
  }],
  ["another takes over, and both see who drives", async () => {
    await drive();
    const other = await context.newPage();
    await other.goto(page.url());
    await says("Ada drives. You watch.", other);
    await other.click("#wheel");
    await says("You drive.", other);
    await says("Ada drives. You watch.");
    await other.close();
    await says("You watch. Nobody drives.");
  }],
  ["vim is drawn, and changes as it is typed into", async () => {
    await open("vim -u NONE -i NONE -n -N");
    await shows("~");
    await drive();
    await page.keyboard.type("ihello from a browser");
    await shows("hello from a browser");
    await shows("-- INSERT --");
    await page.keyboard.press("Control+Shift+X");
    await page.click("#close");
    await page.waitForFunction(() => document.querySelectorAll("#sessions .card").length === 1);
    await says("You watch. Nobody drives.");
  }],
  ["the end of a program is told", async () => {
    await open("sh -c 'echo done; exit 3'");
    await shows("done");
    await says("The program has ended with code 3.");
    strictEqual(await page.isHidden("#wheel"), true);
  }],
  ["a session that is closed goes", async () => {
    await page.click("#close");
    await page.waitForFunction(() => document.querySelectorAll("#sessions .card").length === 1);
    await says("You watch. Nobody drives.");
  }],
  ...cassetteSteps({ page, context, browser, origin, open, drive, text, shows }),
  ["a phone shows all of it", async () => {
    await page.setViewportSize({ width: 390, height: 780 });
    await drive();
    await page.waitForSelector("#keybar button");
    const { wide, pane } = await page.evaluate(() => {
      const pane = document.querySelector("#pane");
      return { wide: document.documentElement.scrollWidth, pane: pane.clientHeight };
    });
    strictEqual(wide, 390);
    ok(pane > 200, `${pane} pixels are left for the screen`);
  }],
  ["nothing was complained about, and nobody else asked", async () => deepStrictEqual(complaints, [])],
];

for (const [claim, step] of steps) {
  try {
    await Promise.race([step(), tooLong()]);
    console.log(`ok: ${claim}`);
  } catch (error) {
    const screen = await Promise.race([text(), tooLong()]).catch(() => "");
    fail(`not so: ${claim}\n${error.stack}\ncomplaints: ${JSON.stringify(complaints)}\nthe screen:\n${screen}`);
  }
}
await browser.close();

/** Fails after a minute: what a page is asked for may never be answered. */
function tooLong() {
  return new Promise((_, reject) => setTimeout(() => reject(new Error("it took longer than a minute")), 60_000).unref());
}

/** @param {string} command */
async function open(command) {
  await page.click("#new");
  await page.fill("#opening [name=command]", command);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#opening", { state: "hidden" });
}

async function drive() {
  await page.click("#wheel");
  await says("You drive.");
}

/** What the large screen shows. */
function text() {
  return page.evaluate(() => [...document.querySelectorAll("#pane .live .row")].map((row) => row.textContent.trimEnd()).join("\n").trim());
}

/** @param {string} words */
async function shows(words) {
  const isShown = (words) => [...document.querySelectorAll("#pane .live .row")].some((row) => row.textContent.includes(words));
  await page.waitForFunction(isShown, words).catch(() => {
    throw new Error(`the screen does not show ${JSON.stringify(words)}`);
  });
}

/** @param {string} words */
async function says(words, on = page) {
  await on.waitForFunction((words) => document.querySelector("#words").textContent === words, words).catch(async () => {
    throw new Error(`the banner says ${JSON.stringify(await on.textContent("#words"))}, not ${JSON.stringify(words)}`);
  });
}

/** @param {string} name @param {string} what */
function needed(name, what) {
  const value = process.env[name];
  if (!value) fail(`${name} is not set: it is ${what}`);
  return value;
}

/** @param {string} words */
function fail(words) {
  console.error(words);
  process.exit(1);
}

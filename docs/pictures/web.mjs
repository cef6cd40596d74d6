// Makes the pictures of the page in this folder: web-list.png, web-drive.png, web-cassette.png and
// web-phone.png. Run it in the root of the repository, with a login link of `screentest web`:
//
//   SCREENTEST_LINK=http://… PLAYWRIGHT_CORE=node_modules/playwright-core node docs/pictures/web.mjs

import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const playwright = resolve(process.env.PLAYWRIGHT_CORE, "index.mjs");
const { chromium } = await import(pathToFileURL(playwright).href);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "dark" });
const page = await context.newPage();
page.setDefaultTimeout(30_000);
await page.goto(process.env.SCREENTEST_LINK);
await page.waitForSelector("#empty:not([hidden])");

const PS1 = "\\[\\e[32m\\]screentest\\[\\e[m\\] $ ";
await request("POST", "/api/sessions", { name: "edit", command: ["vim", "--clean", "-n", "-c", "syntax on", "-c", "set number laststatus=2", "crates/core/src/screen/cursor.rs"], cols: 88, rows: 27 });
await request("POST", "/api/sessions", { name: "monitor", command: ["sh", "-c", "sleep 900 & first=$!; tail -f /dev/null & exec htop -p $$,$first,$!"], cols: 84, rows: 24 });
await request("POST", "/api/sessions", { name: "shell", command: ["bash", "--norc"], env: { PS1 }, cols: 84, rows: 24, record: "tour" });
for (const [mark, line] of [["counted", "wc -l crates/*/src/lib.rs"], ["searched", "grep -n --color=always 'pub fn' crates/core/src/screen.rs | head -12"], ["done", "seq 8 | sed 's/^/done /'"]]) {
  await request("POST", "/api/sessions/shell/input", { text: `${line}\r` });
  // The pause between two lines is part of the recording, whose timeline is in a picture.
  await page.waitForTimeout(2_000);
  await request("POST", "/api/sessions/shell/cassette/marks", { name: mark });
}
await request("DELETE", "/api/sessions/shell/cassette");

await page.fill("#name", "Ada");
await page.click("#sessions .card:has-text('edit')");
await bannerShows("View only");
await page.waitForSelector("#session-screen .live .row:has-text('use crate')");
await page.waitForSelector("#cassettes :text('tour')");
await picture("web-list.png");

await page.click("#control");
await bannerShows("You have control");
await page.keyboard.type("20GV");
await page.keyboard.type("jj");
await page.waitForSelector("#session-screen .live .row:has-text('VISUAL LINE')");
await picture("web-drive.png");

await page.click("#control");
await page.click("#cassettes .card:has-text('tour')");
await page.waitForSelector("#player:not([hidden])");
await page.locator(".tick").nth(1).click();
await page.waitForSelector("#cassette-screen .row:has-text('pub')");
await picture("web-cassette.png");

const phone = await context.newPage();
await phone.setViewportSize({ width: 390, height: 780 });
await phone.goto(new URL(page.url()).origin);
await phone.click("#sessions .card:has-text('edit')");
await phone.click("#control");
await bannerShows("You have control", phone);
await phone.keyboard.press("Escape");
await phone.click("#fit");
await phone.waitForTimeout(1_000);
await picture("web-phone.png", phone);
await browser.close();

/** @param {string} method @param {string} path @param {object} [body] */
async function request(method, path, body) {
  const failure = await page.evaluate(async ([method, path, body]) => {
    const options = body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const response = await fetch(path, { method, ...options });
    return response.ok ? null : `${method} ${path}: ${response.status} ${await response.text()}`;
  }, [method, path, body]);
  if (failure) throw new Error(failure);
}

/** @param {string} words */
async function bannerShows(words, on = page) {
  await on.waitForFunction((words) => document.querySelector("#control-status").textContent.startsWith(words), words);
}

/** @param {string} name */
async function picture(name, of = page) {
  await of.screenshot({ path: join("docs", "pictures", name) });
}

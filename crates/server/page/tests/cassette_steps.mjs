// Steps of `page.test.mjs` about cassettes: recording, playback by mouse, keys and on a phone, and
// which frames are fetched.

import { deepStrictEqual, ok, strictEqual } from "node:assert";

/**
 * Returns the steps, for a page that shows sessions.
 * @param {{ page: any, context: any, browser: any, origin: string, open: (command: string) => Promise<void>, takeControl: () => Promise<void>, text: () => Promise<string>, shows: (words: string) => Promise<void> }} context
 * @returns {[string, () => Promise<void>][]}
 */
export function cassetteSteps({ page, context, browser, origin, open, takeControl, text, shows }) {
  let name = "";
  /** The last screen of the session. */
  let last = "";
  /** The position at which `second` first appears, in milliseconds. */
  let second = 0;
  /** The number of frames before that. */
  let frames = 0;

  /** Its card in the list. */
  const card = (on = page) => on.locator("#cassettes .card", { has: on.getByText(name, { exact: true }) });
  const cassetteText = (on = page) => on.evaluate(() => [...document.querySelectorAll("#cassette-screen .row")].map((row) => row.textContent.trimEnd()).join("\n").trim());
  /** Waits until the cassette's screen has one text and lacks another. */
  const cassetteShows = async (words, without = null, on = page) => {
    const isSo = ([words, without]) => {
      const rows = [...document.querySelectorAll("#cassette-screen .row")].map((row) => row.textContent.trimEnd());
      return rows.includes(words) && !rows.includes(without);
    };
    await on.waitForFunction(isSo, [words, without]).catch(async () => {
      throw new Error(`the cassette shows, at ${await on.textContent("#position-text")}:\n${await cassetteText(on)}\nnot ${words} without ${without}`);
    });
  };
  const cassetteLacks = (words) => page.waitForFunction((words) => {
    const rows = [...document.querySelectorAll("#cassette-screen .row")].map((row) => row.textContent.trimEnd());
    return rows.length > 0 && !rows.includes(words);
  }, words);
  const time = (on = page) => on.evaluate(() => document.querySelector("#time").valueAsNumber);
  /** Steps forward until a text is shown. Returns the number of steps. */
  const stepTo = async (words, on = page) => {
    let count = 0;
    for (; count < 500 && !(await cassetteText(on)).split("\n").includes(words); count += 1) {
      const before = await time(on);
      await on.keyboard.press(".");
      await on.waitForFunction((before) => document.querySelector("#time").valueAsNumber > before, before);
    }
    return count;
  };
  const length = () => page.evaluate(() => Number(document.querySelector("#time").max));
  /** Plays to the end. Returns the longest step of time between two animation frames. */
  const playThrough = async () => {
    await page.evaluate(() => {
      const range = document.querySelector("#time");
      let last = range.valueAsNumber;
      globalThis.longestStep = 0;
      const observe = () => {
        globalThis.longestStep = Math.max(globalThis.longestStep, range.valueAsNumber - last);
        last = range.valueAsNumber;
        requestAnimationFrame(observe);
      };
      observe();
    });
    await page.click("#play");
    await page.waitForSelector("#play[aria-label=Pause]");
    await page.waitForSelector("#play[aria-label=Play]", { timeout: 30_000 });
    strictEqual(await time(), await length());
    return page.evaluate(() => globalThis.longestStep);
  };

  return [
    ["a session is recorded, and the cassette is in the list", async () => {
      await open("env PS1=\"> \" bash --norc --noprofile");
      await shows(">");
      await page.click("#record");
      await page.waitForSelector("#record.recording");
      name = await page.textContent("#cassettes .card.recording strong");
      await takeControl();
      // The pauses are idle time to skip. The shell joins the words, so that the typed command does
      // not contain them.
      for (const [pause, word] of [[0, "fir''st"], [1, "sec''ond"], [3, "thi''rd"]]) {
        await page.keyboard.type(`sleep ${pause}; printf '\\e]8;;https://example.org/\\e\\\\%s\\e]8;;\\e\\\\\\n' ${word}`);
        await page.keyboard.press("Enter");
        await shows(`${word.replaceAll("'", "")}`);
      }
      // A page opened too early shows the cassette as soon as it is complete.
      const early = await context.newPage();
      await early.goto(`${origin}/#cassette=${encodeURIComponent(name)}`);
      await early.waitForFunction(() => document.querySelector("#unplayable").textContent.includes("still being recorded"));
      strictEqual(await early.isVisible("#timeline"), false);
      await page.bringToFront();
      await page.keyboard.press("Control+Shift+Escape");
      // The prompt may arrive a little later than the output before it.
      do last = await text(); while (!last.endsWith("third\n>"));
      await page.click("#record");
      await page.waitForSelector("#record:not(.recording)");
      await page.waitForSelector("#cassettes .card.recording", { state: "detached" });
      const facts = await card().locator(".facts").textContent();
      ok(/^\d+:\d\d\.\d · /.test(facts), `the card does not show the duration: ${facts}`);
      await early.waitForSelector("#timeline");
      await early.focus("#time");
      await early.keyboard.press("End");
      await cassetteShows("third", null, early);
      await early.close();
    }],
    ["its card shows it and focuses the timeline", async () => {
      await card().click();
      await page.waitForSelector("#player:not([hidden])");
      await page.waitForFunction(() => document.activeElement?.id === "time");
      await cassetteLacks("first");
      strictEqual(await page.textContent("#title"), name);
      ok(/^0 seconds of \d+ seconds$/.test(await page.getAttribute("#time", "aria-valuetext")), await page.getAttribute("#time", "aria-valuetext"));
      strictEqual(await page.isHidden("#record"), true);
      strictEqual(await page.isHidden("#banner"), true);
    }],
    ["dragging the slider shows the screen of that position", async () => {
      const box = await page.locator("#time").boundingBox();
      const y = box.y + box.height / 2;
      await page.mouse.move(box.x + 10, y);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width - 1, y, { steps: 8 });
      await cassetteShows("third");
      // `third` appears three seconds after `second`, in a recording of at most ten seconds.
      await page.mouse.move(box.x + box.width * ((await length()) - 1700) / (await length()), y, { steps: 8 });
      await cassetteShows("second", "third");
      await page.mouse.up();
      await page.mouse.click(box.x + 2, y);
      await cassetteLacks("first");
    }],
    ["keys step by frames and seconds and go to the start and the end", async () => {
      await page.focus("#cassette-screen");
      await page.keyboard.press("End");
      await cassetteShows("third");
      strictEqual(await cassetteText(), last);
      await page.keyboard.press("Home");
      await cassetteLacks("first");
      frames = await stepTo("second");
      ok(frames > 3, `second appears after ${frames} frames`);
      second = await time();
      await page.keyboard.press(",");
      await page.waitForFunction((second) => document.querySelector("#time").valueAsNumber < second, second);
      await cassetteShows("first", "second");
      await page.keyboard.press("ArrowRight");
      await cassetteShows("third");
      await page.keyboard.press("ArrowLeft");
      await page.waitForFunction((most) => document.querySelector("#time").valueAsNumber <= most, Math.max(0, (await length()) - 5000) + 10);
      // The tab order, without visible links: the screen, the slider and the enabled buttons.
      await page.keyboard.press("Home");
      await cassetteLacks("first");
      const order = [];
      for (let count = 0; count < 5; count += 1) {
        order.push(await page.evaluate(() => document.activeElement.id));
        await page.keyboard.press("Tab");
      }
      deepStrictEqual(order, ["cassette-screen", "time", "play", "skip-idle", "speed"]);
    }],
    ["it plays to the end at the chosen speed", async () => {
      await page.focus("#cassette-screen");
      await page.keyboard.press("Home");
      for (const speed of ["2", "4", "8", "8"]) {
        await page.keyboard.press(">");
        strictEqual(await page.inputValue("#speed"), speed);
      }
      await page.keyboard.press("<");
      strictEqual(await page.inputValue("#speed"), "4");
      strictEqual(await page.textContent("#player-status"), "Speed 4×");
      await page.selectOption("#speed", "8");
      const started = Date.now();
      await playThrough();
      const took = Date.now() - started;
      ok(took < await length(), `playing ${await length()} ms at 8× took ${took} ms`);
      await cassetteShows("third");
      // At the end, playback restarts from the start, and a key stops it.
      await page.selectOption("#speed", "0.5");
      await page.focus("#cassette-screen");
      await page.keyboard.press("Space");
      await page.waitForFunction((length) => document.querySelector("#time").valueAsNumber < length / 2, await length());
      await page.keyboard.press("Space");
      strictEqual(await page.getAttribute("#play", "aria-label"), "Play");
    }],
    ["idle time is skipped on request", async () => {
      await page.selectOption("#speed", "1");
      await page.focus("#time");
      await page.keyboard.press("Home");
      const plain = await playThrough();
      ok(plain < 600, `time moved by ${plain} ms in one step`);
      await page.check("#skip-idle");
      await page.focus("#time");
      await page.keyboard.press("Home");
      const step = await playThrough();
      ok(step > 1000, `idle time was not skipped: time moved by at most ${step} ms in one step`);
      await page.uncheck("#skip-idle");
    }],
    ["text of a cassette can be copied, and its links work", async () => {
      await page.focus("#time");
      await page.keyboard.press("End");
      await cassetteShows("third");
      const row = page.locator("#cassette-screen .row", { hasText: /^third/ });
      strictEqual(await row.locator("a").getAttribute("href"), "https://example.org/");
      const box = await row.boundingBox();
      // From right of the link: pressing on it would drag it.
      await page.mouse.move(box.x + 300, box.y + 5);
      await page.mouse.down();
      await page.mouse.move(box.x + 1, box.y + 5, { steps: 4 });
      await page.mouse.up();
      await page.keyboard.press("Control+C");
      strictEqual(await page.evaluate(() => navigator.clipboard.readText()), "third");
    }],
    ["the address names the position and can be shared", async () => {
      await page.focus("#time");
      await page.keyboard.press("Home");
      await page.waitForFunction((name) => location.hash === `#cassette=${encodeURIComponent(name)}&t=0`, name);
      const other = await context.newPage();
      await other.goto(`${origin}/#cassette=${encodeURIComponent(name)}&t=${(second + 500) / 1000}`);
      await cassetteShows("second", "third", other);
      await other.goto("about:blank");
      await other.goto(`${origin}/#cassette=nobody`);
      await other.waitForFunction(() => document.querySelector("#notice").textContent.includes("Cannot show cassette nobody"));
      await other.close();
    }],
    ["marks can be stepped through and clicked", async () => {
      // Only programs set marks, so the test adds them to the response, at known positions.
      const path = `${origin}/api/cassettes/${encodeURIComponent(name)}`;
      const marked = await context.newPage();
      await marked.route(path, async (route) => {
        const response = await route.fetch();
        const marks = [{ name: "the end", atMs: await length() }, { name: "two", atMs: second }, { name: "later", atMs: second + 500 }];
        await route.fulfill({ response, json: { ...(await response.json()), marks } });
      });
      await marked.goto(`${origin}/#cassette=${encodeURIComponent(name)}`);
      await marked.waitForSelector(".tick >> nth=2");
      await marked.locator(".tick").first().click();
      await cassetteShows("second", "third", marked);
      strictEqual(await marked.textContent("#current-mark"), "two");
      ok((await marked.getAttribute("#time", "aria-valuetext")).endsWith(", after two"));
      await marked.focus("#time");
      await marked.keyboard.press("]");
      strictEqual(await marked.textContent("#current-mark"), "later");
      await cassetteShows("second", "third", marked);
      await marked.keyboard.press("]");
      strictEqual(await marked.textContent("#current-mark"), "the end");
      await cassetteShows("third", null, marked);
      await marked.click("#previous-mark");
      strictEqual(await marked.textContent("#current-mark"), "later");
      await cassetteShows("second", "third", marked);
      await marked.keyboard.press("[");
      await marked.keyboard.press("[");
      await marked.waitForFunction(() => document.querySelector("#time").valueAsNumber === 0);
      await marked.close();
    }],
    ["a cassette fetched in small parts shows the same", async () => {
      const pieces = await context.newPage();
      let count = 0;
      await pieces.route((url) => url.pathname.endsWith("/frames"), async (route) => {
        const url = new URL(route.request().url());
        const [from, to] = ["from", "to"].map((name) => Number(url.searchParams.get(name)));
        const end = Math.min(to, from + 300);
        url.searchParams.set("to", String(end));
        const response = await route.fetch({ url: url.href });
        count += 1;
        await route.fulfill({ response, headers: { ...response.headers(), ...(end < to ? { "x-next-from": String(end) } : {}) } });
      });
      await pieces.goto(`${origin}/#cassette=${encodeURIComponent(name)}`);
      await pieces.waitForSelector("#cassette-screen .row");
      await pieces.focus("#time");
      strictEqual(await stepTo("second", pieces), frames);
      strictEqual(await time(pieces), second);
      await pieces.keyboard.press("End");
      await cassetteShows("third", null, pieces);
      strictEqual(await cassetteText(pieces), last);
      ok(count >= await length() / 300, `${count} requests`);
      await pieces.close();
    }],
    ["it can be downloaded as one file", async () => {
      const waiting = page.waitForEvent("download");
      await page.click("#download");
      ok((await waiting).suggestedFilename().endsWith(".tar.gz"), (await waiting).suggestedFilename());
    }],
    ["the latest position is fetched next, and the cache is bounded", async () => deepStrictEqual(await page.evaluate(cacheRequests), {
      requests: ["0–10000", "990000–1000000", "980000–990000", "980400–990000"],
      resolved: [null, null, 990_000],
      cut: 980_400,
      kept: true,
    })],
    ["a session is recorded from its start", async () => {
      await page.click("#new-session-button");
      await page.fill("#new-session [name=command]", "sh -c 'echo started; sleep 1; echo finished'");
      await page.check("#new-session [name=record]");
      await page.keyboard.press("Enter");
      await shows("finished");
      await page.waitForFunction(() => document.querySelector("#control-status").textContent.startsWith("The program exited"));
      await page.waitForSelector("#record.recording");
      await page.click("#record");
      await page.click("#info a");
      await cassetteLacks("finished");
      await page.focus("#time");
      await page.keyboard.press("End");
      await cassetteShows("finished");
      strictEqual(await cassetteText(), "started\nfinished");
      await page.click("#new-session-button");
      strictEqual(await page.isChecked("#new-session [name=record]"), false);
      await page.keyboard.press("Escape");
    }],
    ["a read-only client can watch and has no controls", async () => {
      const link = await page.evaluate(async () => {
        const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ readOnly: true }) };
        return (await (await fetch("/api/login-link", init)).json()).link;
      });
      const guests = await browser.newContext();
      const guest = await guests.newPage();
      // The test may run behind a proxy.
      const { pathname, search } = new URL(link);
      await guest.goto(origin + pathname + search);
      await guest.waitForSelector("#cassettes .card");
      await guest.waitForSelector("#session-screen .row");
      for (const touch of ["#new-session-button", "#control", "#record", "#close", "#fit", "#name"]) strictEqual(await guest.isVisible(touch), false, touch);
      await card(guest).click();
      // Keys are ignored until the cassette is loaded.
      await guest.waitForSelector("#cassette-screen .row");
      await guest.focus("#time");
      await guest.keyboard.press("End");
      await cassetteShows("third", null, guest);
      await guests.close();
    }],
    ["the timeline fits on a phone", async () => {
      await page.setViewportSize({ width: 390, height: 780 });
      const seen = await page.evaluate(() => {
        const boxes = ["#previous-mark", "#play", "#next-mark", "#time", "#speed", "#skip-idle", "#position-text"].map((id) => document.querySelector(id).getBoundingClientRect());
        return {
          wide: document.documentElement.scrollWidth,
          isWithin: boxes.every(({ left, right, bottom }) => left >= 0 && right <= 390 && bottom <= 780),
          pane: document.querySelector("#cassette-screen").clientHeight,
        };
      });
      deepStrictEqual({ ...seen, pane: seen.pane > 200 }, { wide: 390, isWithin: true, pane: true });
      await page.locator("#play").click();
      await page.waitForSelector("#play[aria-label=Play]");
      await page.setViewportSize({ width: 1280, height: 800 });
    }],
    ["the browser's history leads back to the session", async () => {
      await page.click("#sessions .card");
      await page.waitForSelector("#player", { state: "hidden" });
      await page.waitForSelector("#session-screen .live .row");
      await page.goBack();
      await page.waitForSelector("#player:not([hidden])");
      await page.goForward();
      await page.waitForSelector("#player", { state: "hidden" });
    }],
  ];
}

/**
 * Runs in the browser: which segments are fetched while dragging through 1000 seconds, and how much
 * of many megabytes is kept.
 */
async function cacheRequests() {
  const { FrameCache } = await import("/cassette/frame_cache.js");
  // An empty keyframe of 2×1 cells.
  const blank = new Uint8Array([1, 1, 0, 1, 2, 1, 0, 0, 0, 0, 0]);
  const requests = [];
  let respond;
  const cache = new FrameCache(1_000_000, (from, to) => {
    requests.push(`${from}–${to}`);
    return new Promise((resolve) => {
      respond = (end = to) => resolve({ frames: [{ at: from, message: blank }], to: end, bytes: 1000 });
    });
  });
  const pending = [0, 500_000, 999_000].map((at) => cache.fetch(at));
  respond();
  await new Promise((resolve) => setTimeout(resolve));
  respond();
  const resolved = (await Promise.all(pending)).map((segment) => segment?.from ?? null);
  // A shortened response is continued until the position is reached.
  const cut = cache.fetch(985_000);
  respond(980_400);
  await new Promise((resolve) => setTimeout(resolve));
  respond();
  const { from } = await cut;
  const large = new FrameCache(1_000_000, async (from, to) => ({ frames: [{ at: from, message: blank }], to, bytes: 5 << 20 }));
  for (let at = 0; at < 1_000_000; at += 10_000) await large.fetch(at);
  return { requests, resolved, cut: from, kept: large.segments.length < 6 && large.find(999_999) !== null };
}

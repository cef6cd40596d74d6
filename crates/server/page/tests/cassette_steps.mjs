// What `page.test.mjs` claims of cassettes: recording one, watching it by mouse, by keys and on a phone, and what is fetched of it.

import { deepStrictEqual, ok, strictEqual } from "node:assert";

/**
 * The steps, for a page that shows sessions.
 * @param {{ page: any, context: any, browser: any, origin: string, open: (command: string) => Promise<void>, drive: () => Promise<void>, text: () => Promise<string>, shows: (words: string) => Promise<void> }} hands
 * @returns {[string, () => Promise<void>][]}
 */
export function cassetteSteps({ page, context, browser, origin, open, drive, text, shows }) {
  let name = "";
  /** What the session showed at the end. */
  let last = "";
  /** When `second` is first shown, in milliseconds. */
  let second = 0;
  /** How many frames are before that. */
  let frames = 0;

  /** Its card in the list, among those that others left. */
  const card = (on = page) => on.locator("#cassettes .card", { has: on.getByText(name, { exact: true }) });
  const kept = (on = page) => on.evaluate(() => [...document.querySelectorAll("#kept .row")].map((row) => row.textContent.trimEnd()).join("\n").trim());
  /** Waits until the cassette's screen has some words and lacks others. */
  const keptShows = async (words, without = null, on = page) => {
    const isSo = ([words, without]) => {
      const rows = [...document.querySelectorAll("#kept .row")].map((row) => row.textContent.trimEnd());
      return rows.includes(words) && !rows.includes(without);
    };
    await on.waitForFunction(isSo, [words, without]).catch(async () => {
      throw new Error(`the cassette shows, at ${await on.textContent("#clock")}:\n${await kept(on)}\nnot ${words} without ${without}`);
    });
  };
  const keptLacks = (words) => page.waitForFunction((words) => {
    const rows = [...document.querySelectorAll("#kept .row")].map((row) => row.textContent.trimEnd());
    return rows.length > 0 && !rows.includes(words);
  }, words);
  const time = (on = page) => on.evaluate(() => document.querySelector("#time").valueAsNumber);
  /** Goes frame by frame until some words are shown, and returns how many that were. */
  const stepTo = async (words, on = page) => {
    let count = 0;
    for (; count < 500 && !(await kept(on)).split("\n").includes(words); count += 1) {
      const before = await time(on);
      await on.keyboard.press(".");
      await on.waitForFunction((before) => document.querySelector("#time").valueAsNumber > before, before);
    }
    return count;
  };
  const length = () => page.evaluate(() => Number(document.querySelector("#time").max));
  /** Plays to the end, and returns by how much time moved on at most between two frames of the browser. */
  const playThrough = async () => {
    await page.evaluate(() => {
      const range = document.querySelector("#time");
      let last = range.valueAsNumber;
      globalThis.leap = 0;
      const look = () => {
        globalThis.leap = Math.max(globalThis.leap, range.valueAsNumber - last);
        last = range.valueAsNumber;
        requestAnimationFrame(look);
      };
      look();
    });
    await page.click("#play");
    await page.waitForSelector("#play[aria-label=Pause]");
    await page.waitForSelector("#play[aria-label=Play]", { timeout: 30_000 });
    strictEqual(await time(), await length());
    return page.evaluate(() => globalThis.leap);
  };

  return [
    ["a session is recorded in the page, and the cassette is in the list", async () => {
      await open("env PS1=\"> \" bash --norc --noprofile");
      await shows(">");
      await page.click("#record");
      await page.waitForSelector("#record.recording");
      name = await page.textContent("#cassettes .card.recording strong");
      await drive();
      // Time passes in the program, so that there is something to skip. The words are put together by the shell, so that what was typed is not what is looked for.
      for (const [pause, word] of [[0, "fir''st"], [1, "sec''ond"], [3, "thi''rd"]]) {
        await page.keyboard.type(`sleep ${pause}; printf '\\e]8;;https://example.org/\\e\\\\%s\\e]8;;\\e\\\\\\n' ${word}`);
        await page.keyboard.press("Enter");
        await shows(`${word.replaceAll("'", "")}`);
      }
      // Who comes too early is told so, and need not come again.
      const early = await context.newPage();
      await early.goto(`${origin}/#cassette=${encodeURIComponent(name)}`);
      await early.waitForFunction(() => document.querySelector("#unready").textContent.includes("is being recorded"));
      strictEqual(await early.isVisible("#timeline"), false);
      await page.bringToFront();
      await page.keyboard.press("Control+Shift+Escape");
      // The prompt may come a little later than what is before it.
      do last = await text(); while (!last.endsWith("third\n>"));
      await page.click("#record");
      await page.waitForSelector("#record:not(.recording)");
      await page.waitForSelector("#cassettes .card.recording", { state: "detached" });
      const facts = await card().locator(".facts").textContent();
      ok(/^\d+:\d\d\.\d · /.test(facts), `the card does not tell how long it is: ${facts}`);
      await early.waitForSelector("#timeline");
      await early.focus("#time");
      await early.keyboard.press("End");
      await keptShows("third", null, early);
      await early.close();
    }],
    ["its link shows it, with the keyboard on the timeline", async () => {
      await card().click();
      await page.waitForSelector("#player:not([hidden])");
      await page.waitForFunction(() => document.activeElement?.id === "time");
      await keptLacks("first");
      strictEqual(await page.textContent("#title"), name);
      ok(/^0 seconds of \d+ seconds$/.test(await page.getAttribute("#time", "aria-valuetext")), await page.getAttribute("#time", "aria-valuetext"));
      strictEqual(await page.isHidden("#record"), true);
      strictEqual(await page.isHidden("#banner"), true);
    }],
    ["scrubbing shows the screen of then", async () => {
      const box = await page.locator("#time").boundingBox();
      const y = box.y + box.height / 2;
      await page.mouse.move(box.x + 10, y);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width - 1, y, { steps: 8 });
      await keptShows("third");
      // Between the two there are three seconds of at most ten.
      await page.mouse.move(box.x + box.width * ((await length()) - 1700) / (await length()), y, { steps: 8 });
      await keptShows("second", "third");
      await page.mouse.up();
      await page.mouse.click(box.x + 2, y);
      await keptLacks("first");
    }],
    ["frame by frame, by leaps and to either end, by keys alone", async () => {
      await page.focus("#kept");
      await page.keyboard.press("End");
      await keptShows("third");
      strictEqual(await kept(), last);
      await page.keyboard.press("Home");
      await keptLacks("first");
      frames = await stepTo("second");
      ok(frames > 3, `second is shown after ${frames} frames`);
      second = await time();
      await page.keyboard.press(",");
      await page.waitForFunction((second) => document.querySelector("#time").valueAsNumber < second, second);
      await keptShows("first", "second");
      await page.keyboard.press("ArrowRight");
      await keptShows("third");
      await page.keyboard.press("ArrowLeft");
      await page.waitForFunction((most) => document.querySelector("#time").valueAsNumber <= most, Math.max(0, (await length()) - 5000) + 10);
      // What the focus comes by where no link is shown: the screen, the time, and the buttons that do something.
      await page.keyboard.press("Home");
      await keptLacks("first");
      const order = [];
      for (let count = 0; count < 5; count += 1) {
        order.push(await page.evaluate(() => document.activeElement.id));
        await page.keyboard.press("Tab");
      }
      deepStrictEqual(order, ["kept", "time", "play", "idle", "speed"]);
    }],
    ["it plays to the end as fast as one likes, and says so", async () => {
      await page.focus("#kept");
      await page.keyboard.press("Home");
      for (const speed of ["2", "4", "8", "8"]) {
        await page.keyboard.press(">");
        strictEqual(await page.inputValue("#speed"), speed);
      }
      await page.keyboard.press("<");
      strictEqual(await page.inputValue("#speed"), "4");
      strictEqual(await page.textContent("#waiting"), "Speed 4×");
      await page.selectOption("#speed", "8");
      const begun = Date.now();
      await playThrough();
      const took = Date.now() - begun;
      ok(took < await length(), `${took} ms for ${await length()} ms at eightfold speed`);
      await keptShows("third");
      // From the end it plays from the beginning, and a key stops it.
      await page.selectOption("#speed", "0.5");
      await page.focus("#kept");
      await page.keyboard.press("Space");
      await page.waitForFunction((length) => document.querySelector("#time").valueAsNumber < length / 2, await length());
      await page.keyboard.press("Space");
      strictEqual(await page.getAttribute("#play", "aria-label"), "Play");
    }],
    ["idle time is skipped if one likes", async () => {
      await page.selectOption("#speed", "1");
      await page.focus("#time");
      await page.keyboard.press("Home");
      const plain = await playThrough();
      ok(plain < 600, `time leapt by ${plain} ms`);
      await page.check("#idle");
      await page.focus("#time");
      await page.keyboard.press("Home");
      const leap = await playThrough();
      ok(leap > 1000, `idle time was not skipped: time moved by ${leap} ms at most`);
      await page.uncheck("#idle");
    }],
    ["what a cassette shows is copied, and its links lead somewhere", async () => {
      await page.focus("#time");
      await page.keyboard.press("End");
      await keptShows("third");
      const row = page.locator("#kept .row", { hasText: /^third/ });
      strictEqual(await row.locator("a").getAttribute("href"), "https://example.org/");
      const box = await row.boundingBox();
      // From behind the link: whoever presses on it takes hold of it.
      await page.mouse.move(box.x + 300, box.y + 5);
      await page.mouse.down();
      await page.mouse.move(box.x + 1, box.y + 5, { steps: 4 });
      await page.mouse.up();
      await page.keyboard.press("Control+C");
      strictEqual(await page.evaluate(() => navigator.clipboard.readText()), "third");
    }],
    ["the address names the moment, and leads others there", async () => {
      await page.focus("#time");
      await page.keyboard.press("Home");
      await page.waitForFunction((name) => location.hash === `#cassette=${encodeURIComponent(name)}&t=0`, name);
      const other = await context.newPage();
      await other.goto(`${origin}/#cassette=${encodeURIComponent(name)}&t=${(second + 500) / 1000}`);
      await keptShows("second", "third", other);
      await other.goto("about:blank");
      await other.goto(`${origin}/#cassette=nobody`);
      await other.waitForFunction(() => document.querySelector("#notice").textContent.includes("nobody cannot be shown"));
      await other.close();
    }],
    ["marks are stepped through and clicked", async () => {
      // The server tells marks of programs that set them; here they are set where something is known to be shown.
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
      await keptShows("second", "third", marked);
      strictEqual(await marked.textContent("#mark"), "two");
      ok((await marked.getAttribute("#time", "aria-valuetext")).endsWith(", after two"));
      await marked.focus("#time");
      await marked.keyboard.press("]");
      strictEqual(await marked.textContent("#mark"), "later");
      await keptShows("second", "third", marked);
      await marked.keyboard.press("]");
      strictEqual(await marked.textContent("#mark"), "the end");
      await keptShows("third", null, marked);
      await marked.click("#before");
      strictEqual(await marked.textContent("#mark"), "later");
      await keptShows("second", "third", marked);
      await marked.keyboard.press("[");
      await marked.keyboard.press("[");
      await marked.waitForFunction(() => document.querySelector("#time").valueAsNumber === 0);
      await marked.close();
    }],
    ["a cassette that comes in pieces is the same", async () => {
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
      await pieces.waitForSelector("#kept .row");
      await pieces.focus("#time");
      strictEqual(await stepTo("second", pieces), frames);
      strictEqual(await time(pieces), second);
      await pieces.keyboard.press("End");
      await keptShows("third", null, pieces);
      strictEqual(await kept(pieces), last);
      ok(count >= await length() / 300, `${count} requests`);
      await pieces.close();
    }],
    ["it is downloaded as one file", async () => {
      const waiting = page.waitForEvent("download");
      await page.click("#download");
      ok((await waiting).suggestedFilename().endsWith(".tar.gz"), (await waiting).suggestedFilename());
    }],
    ["the newest wish is fetched next, and little is kept", async () => deepStrictEqual(await page.evaluate(wishes), {
      asked: ["0–10000", "990000–1000000", "980000–990000", "980400–990000"],
      told: [null, null, 990_000],
      cut: 980_400,
      kept: true,
    })],
    ["a session is recorded from its first byte on", async () => {
      await page.click("#new");
      await page.fill("#opening [name=command]", "sh -c 'echo begun; sleep 1; echo over'");
      await page.check("#opening [name=record]");
      await page.keyboard.press("Enter");
      await shows("over");
      await page.waitForFunction(() => document.querySelector("#words").textContent.startsWith("The program has ended"));
      await page.waitForSelector("#record.recording");
      await page.click("#record");
      await page.click("#news a");
      await keptLacks("over");
      await page.focus("#time");
      await page.keyboard.press("End");
      await keptShows("over");
      strictEqual(await kept(), "begun\nover");
      await page.click("#new");
      strictEqual(await page.isChecked("#opening [name=record]"), false);
      await page.keyboard.press("Escape");
    }],
    ["who may only look watches and has nothing to touch", async () => {
      const link = await page.evaluate(async () => {
        const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ readOnly: true }) };
        return (await (await fetch("/api/login-link", init)).json()).link;
      });
      const guests = await browser.newContext();
      const guest = await guests.newPage();
      // A proxy may stand before the server.
      const { pathname, search } = new URL(link);
      await guest.goto(origin + pathname + search);
      await guest.waitForSelector("#cassettes .card");
      await guest.waitForSelector("#pane .row");
      for (const touch of ["#new", "#wheel", "#record", "#close", "#fit", "#name"]) strictEqual(await guest.isVisible(touch), false, touch);
      await card(guest).click();
      // What is pressed before there is something to wind is for nobody.
      await guest.waitForSelector("#kept .row");
      await guest.focus("#time");
      await guest.keyboard.press("End");
      await keptShows("third", null, guest);
      await guests.close();
    }],
    ["a phone has room for the timeline", async () => {
      await page.setViewportSize({ width: 390, height: 780 });
      const seen = await page.evaluate(() => {
        const boxes = ["#before", "#play", "#after", "#time", "#speed", "#idle", "#clock"].map((id) => document.querySelector(id).getBoundingClientRect());
        return {
          wide: document.documentElement.scrollWidth,
          isWithin: boxes.every(({ left, right, bottom }) => left >= 0 && right <= 390 && bottom <= 780),
          pane: document.querySelector("#kept").clientHeight,
        };
      });
      deepStrictEqual({ ...seen, pane: seen.pane > 200 }, { wide: 390, isWithin: true, pane: true });
      await page.locator("#play").click();
      await page.waitForSelector("#play[aria-label=Play]");
      await page.setViewportSize({ width: 1280, height: 800 });
    }],
    ["going back leads to the session", async () => {
      await page.click("#sessions .card");
      await page.waitForSelector("#player", { state: "hidden" });
      await page.waitForSelector("#pane .live .row");
      await page.goBack();
      await page.waitForSelector("#player:not([hidden])");
      await page.goForward();
      await page.waitForSelector("#player", { state: "hidden" });
    }],
  ];
}

/** In the browser: what a reel asks for while somebody drags through a thousand seconds, and what it keeps of many megabytes. */
async function wishes() {
  const { Reel } = await import("/cassette/frame_cache.js");
  // A keyframe of 2×1 without anything on it.
  const blank = new Uint8Array([1, 1, 0, 1, 2, 1, 0, 0, 0, 0, 0]);
  const asked = [];
  let answer;
  const reel = new Reel(1_000_000, (from, to) => {
    asked.push(`${from}–${to}`);
    return new Promise((resolve) => {
      answer = (end = to) => resolve({ frames: [{ at: from, message: blank }], to: end, bytes: 1000 });
    });
  });
  const wanted = [0, 500_000, 999_000].map((at) => reel.fetch(at));
  answer();
  await new Promise((resolve) => setTimeout(resolve));
  answer();
  const told = (await Promise.all(wanted)).map((stretch) => stretch?.from ?? null);
  // An answer that was cut is asked on, until the moment is there.
  const cut = reel.fetch(985_000);
  answer(980_400);
  await new Promise((resolve) => setTimeout(resolve));
  answer();
  const { from } = await cut;
  const large = new Reel(1_000_000, async (from, to) => ({ frames: [{ at: from, message: blank }], to, bytes: 5 << 20 }));
  for (let at = 0; at < 1_000_000; at += 10_000) await large.fetch(at);
  return { asked, told, cut: from, kept: large.stretches.length < 6 && large.find(999_999) !== null };
}

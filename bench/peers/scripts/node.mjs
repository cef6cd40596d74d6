// The JavaScript contender: node-pty with headless xterm.js, driven by events.
//
//     node.mjs NODE_MODULES wait N CHILD | startup N | suite N AT_ONCE | cat FILE | styled N FILE | hold N FILE | feed FILE
//
// The tasks are those of src/driver.rs. Prints nanoseconds, one figure per line.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [modules, task, ...words] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const pty = require("node-pty");
const { Terminal } = require("@xterm/headless");

const now = () => Number(process.hrtime.bigint());

class Session {
  constructor(program, cols = 80, rows = 24) {
    this.terminal = new Terminal({ cols, rows, allowProposedApi: true });
    this.process = pty.spawn(program[0], program.slice(1), { cols, rows, env: process.env });
    this.exited = new Promise((done) => this.process.onExit(done));
    this.look = () => {};
    // The output is on the screen when xterm.js calls back.
    this.process.onData((data) => this.terminal.write(data, () => this.look()));
  }

  send(text) {
    this.process.write(text);
  }

  shows(text) {
    const buffer = this.terminal.buffer.active;
    for (let row = 0; row < this.terminal.rows; row++) {
      if (buffer.getLine(buffer.baseY + row)?.translateToString(true).includes(text)) return true;
    }
    return false;
  }

  wait(text) {
    if (this.shows(text)) return Promise.resolve();
    return new Promise((done) => {
      this.look = () => {
        if (!this.shows(text)) return;
        this.look = () => {};
        done();
      };
    });
  }

  row(number) {
    return this.terminal.buffer.active.getLine(this.terminal.buffer.active.baseY + number).translateToString(true);
  }

  async finish() {
    const { exitCode } = await this.exited;
    return exitCode === 0;
  }

  styled() {
    const buffer = this.terminal.buffer.active;
    let total = 0;
    let cell;
    for (let row = 0; row < this.terminal.rows; row++) {
      const line = buffer.getLine(buffer.baseY + row);
      for (let col = 0; col < this.terminal.cols; col++) {
        cell = line.getCell(col, cell);
        total ^= cell.getChars().charCodeAt(0) ^ cell.getFgColor() ^ cell.getBgColor() ^ cell.isBold() ^ cell.isItalic();
      }
    }
    return total;
  }
}

const tasks = {
  async wait(times, child) {
    const session = new Session([child, "child-at-random"]);
    await session.wait("up");
    const figures = [];
    const before = process.cpuUsage();
    for (let number = 0; number < times; number++) {
      session.send("g");
      await session.wait(`marker-${number};`);
      const end = now();
      figures.push(end - Number(session.row(0).split(" ")[0]));
    }
    const { user, system } = process.cpuUsage(before);
    console.log(figures.join("\n"));
    console.log(`cpu ${(user + system) * 1000}`);
  },

  async startup(times) {
    for (let number = 0; number <= times; number++) {
      const start = now();
      const session = new Session(["sh", "-c", "printf ready"]);
      await session.wait("ready");
      const taken = now() - start;
      // The first run is not counted, as in the other drivers.
      if (number > 0) console.log(taken);
      await session.finish();
    }
  },

  async suite(tests, atOnce) {
    const test = async () => {
      const session = new Session(["sh"]);
      await session.wait(">");
      session.send("echo $((6*7))\r");
      await session.wait("42");
      session.send("exit\r");
      if (!(await session.finish())) throw new Error("sh does not end well");
    };
    const several = async () => {
      for (let number = 0; number < tests / atOnce; number++) await test();
    };
    const start = now();
    await Promise.all(Array.from({ length: atOnce }, several));
    console.log(now() - start);
  },

  async cat(file) {
    const start = now();
    // node-pty discards unread output when a program ends, so this one keeps running.
    const session = new Session(["sh", "-c", 'cat "$0"; exec sleep 1000', file]);
    await session.wait("the-end-marker");
    console.log(now() - start);
  },

  async styled(times, file) {
    const session = new Session(["sh", "-c", 'cat "$0"; exec sleep 1000', file], 200, 50);
    await session.wait("the-end-marker");
    for (let number = 0; number < times; number++) {
      const start = now();
      session.styled();
      console.log(now() - start);
    }
  },

  async hold(sessions, file) {
    const held = [];
    for (let number = 0; number < sessions; number++) {
      const session = new Session(["sh", "-c", 'cat "$0"; exec sleep 1000', file]);
      await session.wait("the-end-marker");
      held.push(session);
    }
    console.log("ready");
    await new Promise((done) => process.stdin.once("data", done));
  },

  async feed(file) {
    const data = readFileSync(file);
    const terminal = new Terminal({ cols: 80, rows: 24, allowProposedApi: true });
    const start = now();
    for (let at = 0; at < data.length; at += 65536) {
      await new Promise((done) => terminal.write(data.subarray(at, at + 65536), done));
    }
    console.log(now() - start);
  },
};

await tasks[task](...words.map((word) => (/^\d+$/.test(word) ? Number(word) : word)));
process.exit(0);

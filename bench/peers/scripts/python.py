"""The Python contenders: pexpect (a stream), and pexpect with pyte (a screen).

    python.py pexpect|pyte wait N CHILD | startup N | suite N THREADS | cat FILE | styled N FILE | hold N FILE | feed FILE

The tasks are those of src/driver.rs. Prints nanoseconds, one figure per line.
"""

import sys
import threading
import time

import pexpect
import pyte

PATIENCE = 170


class Stream:
    """pexpect with defaults, but without its pauses before sending and on close."""

    def __init__(self, program, cols=80, rows=24):
        self.child = pexpect.spawn(program[0], program[1:], dimensions=(rows, cols), timeout=PATIENCE)
        self.child.delaybeforesend = None
        self.child.delayafterclose = 0
        self.child.ptyproc.delayafterclose = 0

    def send(self, text):
        self.child.send(text)

    def wait(self, text):
        self.child.expect_exact(text)

    def seen(self):
        return self.child.before.decode()

    def finish(self):
        self.child.expect(pexpect.EOF)
        return self.child.wait() == 0


class Screen(Stream):
    """pexpect with a pyte screen: a wait feeds all available output, then searches the screen."""

    def __init__(self, program, cols=80, rows=24):
        super().__init__(program, cols, rows)
        self.screen = pyte.Screen(cols, rows)
        self.stream = pyte.ByteStream(self.screen)

    def wait(self, text):
        while not any(text in line for line in self.screen.display):
            self.stream.feed(self.child.read_nonblocking(65536, PATIENCE))

    def seen(self):
        return "\n".join(self.screen.display)

    def styled(self):
        total = 0
        for y in range(self.screen.lines):
            row = self.screen.buffer[y]
            for x in range(self.screen.columns):
                cell = row[x]
                total ^= hash((cell.data, cell.fg, cell.bg, cell.bold, cell.italics))
        return total


def written(seen):
    """The time before the last marker."""
    before = seen.rpartition(" marker-")[0] or seen
    return int(before.rpartition("\x1b[H")[2].split()[-1])


def wait(driver, times, child):
    session = driver([child, "child-at-random"])
    session.wait("up")
    figures = []
    before = time.process_time_ns()
    for number in range(int(times)):
        session.send("g")
        session.wait(f"marker-{number};")
        end = time.monotonic_ns()
        figures.append(end - written(session.seen()))
    worked = time.process_time_ns() - before
    print(*figures, sep="\n")
    print("cpu", worked)


def startup(driver, times):
    for number in range(int(times) + 1):
        start = time.monotonic_ns()
        session = driver(["sh", "-c", "printf ready"])
        session.wait("ready")
        taken = time.monotonic_ns() - start
        # The first run is not counted, as in the other drivers.
        if number:
            print(taken)
        session.finish()


def test(driver):
    session = driver(["sh"])
    session.wait(">")
    session.send("echo $((6*7))\r")
    session.wait("42")
    session.send("exit\r")
    assert session.finish()


def suite(driver, tests, threads):
    each = int(tests) // int(threads)
    start = time.monotonic_ns()
    workers = [
        threading.Thread(target=lambda: [test(driver) for _ in range(each)]) for _ in range(int(threads))
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print(time.monotonic_ns() - start)


def cat(driver, file):
    start = time.monotonic_ns()
    session = driver(["cat", file])
    session.wait("the-end-marker")
    print(time.monotonic_ns() - start)


def styled(driver, times, file):
    session = driver(["sh", "-c", 'cat "$0"; exec sleep 1000', file], 200, 50)
    session.wait("the-end-marker")
    for _ in range(int(times)):
        start = time.monotonic_ns()
        session.styled()
        print(time.monotonic_ns() - start)


def hold(driver, sessions, file):
    held = [driver(["sh", "-c", 'cat "$0"; exec sleep 1000', file]) for _ in range(int(sessions))]
    for session in held:
        session.wait("the-end-marker")
    print("ready", flush=True)
    sys.stdin.read(1)


def feed(_, file):
    with open(file, "rb") as opened:
        data = opened.read()
    screen = pyte.Screen(80, 24)
    stream = pyte.ByteStream(screen)
    start = time.monotonic_ns()
    for at in range(0, len(data), 65536):
        stream.feed(data[at : at + 65536])
    assert any("the-end-marker" in line for line in screen.display)
    print(time.monotonic_ns() - start)


if __name__ == "__main__":
    _, way, task, *words = sys.argv
    tasks = {each.__name__: each for each in (wait, startup, suite, cat, styled, hold, feed)}
    tasks[task]({"pexpect": Stream, "pyte": Screen}[way], *words)

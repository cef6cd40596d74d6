"""Draws pictures with Pillow, as a project without screentest would. Uses crates/cli/benches/pillow.py.

    painter.py png N STATE.json REGULAR.ttf BOLD.ttf
    painter.py gif STATES.jsonl REGULAR.ttf BOLD.ttf OUT.gif

Prints nanoseconds, one figure per line, like src/driver.rs.
"""

import io
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "crates/cli/benches"))
import pillow


def png(times, state_file, regular_file, bold_file):
    state = json.loads(pathlib.Path(state_file).read_text(encoding="utf-8"))
    fonts = pillow.fonts(regular_file, bold_file)
    for number in range(int(times) + 1):
        start = time.monotonic_ns()
        pillow.draw(state, *fonts).save(io.BytesIO(), "PNG")
        taken = time.monotonic_ns() - start
        # The first run is not counted, as in the other drivers.
        if number:
            print(taken)


def gif(states_file, regular_file, bold_file, out):
    with open(states_file, encoding="utf-8") as lines:
        states = [json.loads(line) for line in lines]
    fonts = pillow.fonts(regular_file, bold_file)
    start = time.monotonic_ns()
    first, *others = [pillow.draw(state, *fonts) for state in states]
    first.save(out, save_all=True, append_images=others, duration=100, loop=0)
    print(time.monotonic_ns() - start)


if __name__ == "__main__":
    _, task, *words = sys.argv
    {"png": png, "gif": gif}[task](*words)

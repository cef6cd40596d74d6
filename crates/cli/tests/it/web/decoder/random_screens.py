"""Draws a random screen for each line of input, in the current size of the terminal.

The screens contain each attribute of VT2, each kind of colour and of character; some have scrolled.
The number of the screen is drawn last, in the first row, so that it marks a complete screen.
"""

import os
import random
import sys
import termios

CHARACTERS = [
    "abcdefghijklmnopqrstuvwxyz0123456789 .,;-_(){}<>/\\'\"`~!@#$%^&*",
    "äöüßéèñçøåæœłżčğ",
    "αβγδεζηθабвгдежз",
    "日本語中文字漢테스트かなカナ",
    "─│┌┐└┘├┤┬┴┼═║▀▄█▌▐░▒▓",
    "⠁⠃⠉⠙⠿€£¥→←↑↓≠≤≥∞",
    "🙂🚀🎉",
]
MARKS = ["", "", "", "\u0301", "\u0308\u0323"]
STYLES = [1, 2, 3, 4, 7, 8, 9]


def colour(dice: random.Random, base: int) -> str:
    kind = dice.randrange(5)
    if kind == 0:
        return str(base + dice.randrange(8))
    if kind == 1:
        return str(base + 60 + dice.randrange(8))
    if kind == 2:
        return f"{base + 8};5;{dice.randrange(256)}"
    if kind == 3:
        return f"{base + 8};2;{dice.randrange(256)};{dice.randrange(256)};{dice.randrange(256)}"
    return str(base + 9)


def style(dice: random.Random) -> str:
    codes = ["0"]
    codes += [str(dice.choice(STYLES)) for _ in range(dice.randrange(3))]
    codes += [colour(dice, 30) for _ in range(dice.randrange(2))]
    codes += [colour(dice, 40) for _ in range(dice.randrange(2))]
    return f"\x1b[{';'.join(codes)}m"


def word(dice: random.Random) -> str:
    letters = dice.choice(CHARACTERS)
    length = dice.randrange(1, 12)
    return "".join(dice.choice(letters) + dice.choice(MARKS) for _ in range(length))


def screen(number: int, cols: int, rows: int) -> str:
    dice = random.Random(number)
    # Erased with a style, so that blank cells have a background.
    drawn = [style(dice), "\x1b[2J", "\x1b[H"]
    if dice.randrange(3) == 0:
        # Rows that wrap and scroll out.
        for _ in range(rows + dice.randrange(20)):
            drawn += [style(dice), word(dice), dice.choice(["", "\r\n", "\r\n\n"])]
    for _ in range(dice.randrange(60)):
        at = f"\x1b[{dice.randrange(rows) + 1};{dice.randrange(cols) + 1}H"
        drawn += [at, style(dice), word(dice)]
    if dice.randrange(4) == 0:
        drawn.append(f"\x1b[{dice.randrange(rows) + 1}H\x1b[{dice.choice('012')}K\x1b[{dice.choice('@PXML')}")
    drawn += [f"\x1b[1;1H\x1b[0m={number}=", f"\x1b[{dice.randrange(rows) + 1};{dice.randrange(cols) + 1}H"]
    return "\x1b[?2026h" + "".join(drawn) + "\x1b[?2026l"


def main() -> None:
    mode = termios.tcgetattr(0)
    mode[3] &= ~termios.ECHO
    termios.tcsetattr(0, termios.TCSANOW, mode)
    sys.stdout.write("ready")
    sys.stdout.flush()
    for line in sys.stdin:
        size = os.get_terminal_size(0)
        sys.stdout.write(screen(int(line), size.columns, size.lines))
        sys.stdout.flush()


main()

"""Asks questions one after the other with curses, as installers do.

Input that arrives before a question is ready is discarded (`flushinp`), so that a key pressed too
early does not answer a question that the user has not read.
"""

import curses

QUESTIONS = ["Your name", "Your city", "Your colour"]


def look_up_defaults() -> int:
    """Simulates the work of an installer before it reads an answer."""
    return sum(number * number for number in range(200_000))


def ask(screen: curses.window, question: str) -> str:
    screen.erase()
    screen.addstr(1, 2, f"{question}: ")
    screen.refresh()
    look_up_defaults()
    curses.flushinp()
    answer = ""
    while (key := screen.getch()) not in (curses.KEY_ENTER, ord("\n"), ord("\r")):
        answer += chr(key)
        screen.addch(chr(key))
        screen.refresh()
    return answer


def main(screen: curses.window) -> list[str]:
    return [ask(screen, question) for question in QUESTIONS]


if __name__ == "__main__":
    print(f"Saved: {', '.join(curses.wrapper(main))}.")

"""A text field with curses.textpad, and a wide character."""
import curses
import curses.textpad


def main(screen):
    screen.addstr(0, 0, "Name: 日本 (Ctrl-G ends)")
    window = curses.newwin(4, 30, 2, 1)
    curses.textpad.rectangle(screen, 1, 0, 6, 32)
    screen.refresh()
    text = curses.textpad.Textbox(window).edit()
    screen.addstr(8, 0, repr(text))
    screen.getch()


curses.wrapper(main)

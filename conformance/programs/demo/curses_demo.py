"""Colours, attributes, boxes, scrolling and pads with curses."""
import curses


def main(screen):
    curses.curs_set(0)
    curses.start_color()
    curses.use_default_colors()
    for number in range(1, 8):
        curses.init_pair(number, number, -1)
        curses.init_pair(number + 8, 0, number)
    screen.box()
    screen.addstr(0, 3, " curses ")
    for number in range(1, 8):
        screen.addstr(number + 1, 3, f"colour {number}", curses.color_pair(number))
        screen.addstr(number + 1, 15, f" on {number} ", curses.color_pair(number + 8))
    names = ["BOLD", "DIM", "UNDERLINE", "REVERSE", "BLINK", "STANDOUT", "ITALIC"]
    for row, name in enumerate(names):
        screen.addstr(row + 2, 28, name.lower(), getattr(curses, "A_" + name))
    for col, name in enumerate(["ULCORNER", "HLINE", "TTEE", "URCORNER", "DIAMOND", "CKBOARD", "DEGREE", "PLMINUS"]):
        screen.addch(11, 3 + 2 * col, getattr(curses, "ACS_" + name))
    screen.getch()
    window = curses.newwin(8, 30, 13, 40)
    window.scrollok(True)
    window.idlok(True)
    for number in range(20):
        window.addstr(f"scrolled line {number}\n", curses.color_pair(number % 8))
        window.refresh()
    screen.getch()
    screen.insertln()
    screen.move(5, 10)
    screen.insstr("inserted ")
    screen.move(6, 10)
    screen.delch()
    screen.clrtobot()
    screen.getch()


curses.wrapper(main)

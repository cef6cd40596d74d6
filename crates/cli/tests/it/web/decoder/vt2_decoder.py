"""Decodes binary snapshots according to docs/formats/vt2.md.

Compares each cell with the State JSON of the same screen.

usage: vt2_decoder.py ADDRESS TOKEN SESSION COUNT
"""

import http.client
import json
import random
import struct
import sys
import unicodedata
from dataclasses import dataclass

BOLD, ITALIC, UNDERLINE, FAINT, INVERSE, INVISIBLE, STRIKE, EXTENDED = (1 << bit for bit in range(8))
NAMES = {
    "bold": BOLD,
    "italic": ITALIC,
    "underline": UNDERLINE,
    "faint": FAINT,
    "inverse": INVERSE,
    "invisible": INVISIBLE,
    "strikethrough": STRIKE,
}
# With these attributes a space is visible. State JSON omits the style of invisible spaces.
SHOWING = UNDERLINE | INVERSE | STRIKE


@dataclass(frozen=True)
class Cell:
    """A character with attributes and colours, each a palette index or red, green and blue."""

    text: str
    attributes: int = 0
    fg: int | tuple[int, int, int] = 7
    bg: int | tuple[int, int, int] = 0


BLANK = Cell(" ")


class Snapshot:
    """A decoded binary snapshot."""

    def __init__(self, data: bytes) -> None:
        magic, version, _flags, self.cols, self.rows = struct.unpack_from("<2sBBII", data)
        assert magic == b"VT" and version == 2, (magic, version)
        self.viewport_y, self.cursor_x, self.cursor_y = struct.unpack_from("<iii", data, 12)
        self.data = data
        self.at = 32 if data[28:32] == bytes(4) else 28
        cells: list[Cell] = []
        while self.at < len(data):
            mark = data[self.at]
            if mark == 0xFE:
                assert len(cells) % self.cols == 0, f"blank rows within a row at {self.at}"
                cells += [BLANK] * (data[self.at + 1] * self.cols)
                self.at += 2
            elif mark == 0xFF:
                count = data[self.at + 1]
                self.at += 2
                cells += [self.cell()] * count
            else:
                cells.append(self.cell())
        assert len(cells) == self.rows * self.cols, (len(cells), self.rows, self.cols)
        self.lines = [cells[row * self.cols : (row + 1) * self.cols] for row in range(self.rows)]

    def take(self, count: int) -> bytes:
        taken = self.data[self.at : self.at + count]
        assert len(taken) == count, f"{count} bytes are missing at {self.at}"
        self.at += count
        return taken

    def cell(self) -> Cell:
        first, attributes = self.take(2)
        if not attributes & EXTENDED:
            fg, bg = self.take(2)
            assert first < 0x80, first
            return Cell(chr(first), attributes, fg, bg)
        text = self.take((first >> 6) + 1).decode()
        assert len(text) == 1 and not first & 15, (text, first)
        fg = tuple(self.take(3)) if first & 0x20 else self.take(1)[0]
        bg = tuple(self.take(3)) if first & 0x10 else self.take(1)[0]
        return Cell(text, attributes & ~EXTENDED, fg, bg)


@dataclass(frozen=True)
class StateCell:
    """A cell of State JSON, whose colours are resolved by the theme."""

    text: str
    attributes: int
    fg: str
    bg: str


class State:
    """Rows of cells from the spans of State JSON."""

    def __init__(self, state: dict, above: int) -> None:
        self.cols, rows = state["size"]
        self.default = state["default_style"]
        self.styles = [self.default | style for style in state.get("styles", [])]
        blank = StateCell(" ", 0, self.default["fg"], self.default["bg"])

        def filled(spans: list, count: int) -> list[list[StateCell]]:
            lines = [self.row(row, blank) for row in spans]
            return lines + [[blank] * self.cols for _ in range(count - len(lines))]

        scrollback = filled(state.get("scrollback", []), state["scrollback_rows"])
        assert len(scrollback) <= above
        self.lines = scrollback + filled(state["viewport"], rows)
        self.cursor = state["cursor"]

    def row(self, spans: list, blank: StateCell) -> list[StateCell]:
        cells: list[StateCell] = []
        for span in spans:
            text, style = (span, self.default) if isinstance(span, str) else (span[0], self.styles[span[1]])
            attributes = sum(bit for name, bit in NAMES.items() if style.get(name))
            fg, bg = style["fg"], style["bg"]
            if attributes & INVERSE:
                fg, bg = bg, fg
            for character in text:
                if unicodedata.combining(character):
                    continue  # It belongs to the previous cell. The snapshot stores one code point per cell.
                cells.append(StateCell(character, attributes, fg, bg))
                if unicodedata.east_asian_width(character) in "WF":
                    cells.append(StateCell("\0", attributes, fg, bg))
        assert len(cells) <= self.cols, spans
        return cells + [blank] * (self.cols - len(cells))


class Palette:
    """The colours of a theme, learnt from the cells: an index always has the same colour."""

    def __init__(self) -> None:
        self.known: dict[int, str] = {}

    def fits(self, colour: int | tuple[int, int, int], seen: str, default: str, of_default: int) -> bool:
        if isinstance(colour, tuple):
            return "#%02x%02x%02x" % colour == seen
        if colour == of_default and seen == default:
            return True  # VT2 has no default colour.
        if colour >= 232:
            return seen == "#" + f"{8 + (colour - 232) * 10:02x}" * 3
        if colour >= 16:
            levels = [0, 95, 135, 175, 215, 255]
            index = colour - 16
            red, green, blue = (levels[index // step % 6] for step in (36, 6, 1))
            return seen == f"#{red:02x}{green:02x}{blue:02x}"
        return self.known.setdefault(colour, seen) == seen


def compare(snapshot: Snapshot, state: State, palette: Palette) -> int:
    """Returns the number of equal cells. Fails at the first difference."""
    agreed = 0
    assert snapshot.cols == state.cols
    assert len(snapshot.lines) == len(state.lines), (len(snapshot.lines), len(state.lines))
    default = state.default
    for row, (cells, seen_cells) in enumerate(zip(snapshot.lines, state.lines)):
        for col, (cell, seen) in enumerate(zip(cells, seen_cells)):
            where = f"row {row}, column {col}: {cell} is not {seen}"
            assert cell.text == seen.text, where
            unseen = cell.text == " " and not cell.attributes & SHOWING
            bg_fits = palette.fits(cell.bg, seen.bg, default["bg"], 0)
            if unseen and bg_fits and seen.attributes == 0:
                agreed += 1  # State JSON omits the style of invisible spaces.
                continue
            assert cell.attributes == seen.attributes, where
            assert bg_fits and palette.fits(cell.fg, seen.fg, default["fg"], 7), where
            agreed += 1
    return agreed


class Server:
    """A connection with a token."""

    def __init__(self, address: str, token: str, session: str) -> None:
        self.connection = http.client.HTTPConnection(address, timeout=20)
        self.headers = {"Authorization": f"Bearer {token}"}
        self.path = f"/api/sessions/{session}"
        self.session = session

    def ask(self, method: str, path: str, body: object = None) -> tuple[bytes, str | None]:
        headers = self.headers | ({} if body is None else {"Content-Type": "application/json"})
        data = None if body is None else json.dumps(body)
        self.connection.request(method, path, data, headers)
        answer = self.connection.getresponse()
        content = answer.read()
        assert answer.status < 300, (method, path, answer.status, content)
        assert len(content) == int(answer.headers.get("Content-Length", 0)), path
        return content, answer.headers.get("ETag")

    def draw(self, number: int) -> None:
        self.ask("POST", f"{self.path}/input", {"text": f"{number}\r"})
        selector = {"type": "exact", "text": f"={number}="}
        params = {"session": self.session, "selector": selector, "timeoutMs": 20_000}
        call = {"jsonrpc": "2.0", "id": number, "method": "waitForText", "params": params}
        answer = json.loads(self.ask("POST", "/rpc", call)[0])
        assert "error" not in answer, answer

    def resize(self, cols: int, rows: int) -> None:
        self.ask("POST", f"{self.path}/resize", {"cols": cols, "rows": rows})

    def buffer(self, query: str) -> tuple[bytes, str]:
        content, tag = self.ask("GET", f"{self.path}/buffer{query}")
        assert tag is not None
        # An ETag starts with the server, session and revision.
        return content, tag.rsplit("-", 4)[0]

    def both(self, lines: int) -> tuple[bytes, bytes]:
        """Returns one revision in both formats."""
        while True:
            binary, first = self.buffer(f"?lines={lines}")
            text, second = self.buffer(f"?format=json&lines={lines}")
            if first == second:
                return binary, text


def main() -> None:
    address, token, session, count = sys.argv[1:]
    server = Server(address, token, session)
    dice = random.Random(8)
    palette = Palette()
    cols, rows = 80, 24
    cells = 0
    for number in range(int(count)):
        if number % 10 == 9:
            cols, rows = dice.randrange(12, 140), dice.randrange(2, 50)
            server.resize(cols, rows)
        server.draw(number)
        above = dice.choice([0, 0, 5, 30])
        binary, text = server.both(rows + above)
        snapshot, state = Snapshot(binary), State(json.loads(text), above)
        try:
            cells += compare(snapshot, state, palette)
            # The cursor's row counts from the first row of the snapshot.
            top = snapshot.rows - rows
            assert (snapshot.cursor_x, snapshot.cursor_y - top) == (state.cursor["x"], state.cursor["y"])
        except AssertionError as error:
            sys.exit(f"screen {number} ({cols}x{rows}, {above} rows above): {error}")
    print(f"{count} screens, {cells} cells, {len(palette.known)} colours of the theme")


main()

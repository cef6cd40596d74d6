"""Draws a State JSON as PNG with Pillow: what one would write without screentest.

    python3 pillow.py STATE.json REGULAR.ttf BOLD.ttf OUT.png
"""

import json
import sys

from PIL import Image, ImageDraw, ImageFont

SIZE = 16
CELL_WIDTH, CELL_HEIGHT = 10, 19
PADDING = 8


def main(state_file, regular_file, bold_file, out):
    with open(state_file, encoding="utf-8") as file:
        state = json.load(file)
    regular = ImageFont.truetype(regular_file, SIZE)
    bold = ImageFont.truetype(bold_file, SIZE)
    cols, rows = state["size"]
    usual = state["default_style"]
    image = Image.new(
        "RGB",
        (cols * CELL_WIDTH + 2 * PADDING, rows * CELL_HEIGHT + 2 * PADDING),
        usual["bg"],
    )
    draw = ImageDraw.Draw(image)
    for y, row in enumerate(state["viewport"]):
        x = 0
        top = PADDING + y * CELL_HEIGHT
        for span in row:
            text, style = (span, usual) if isinstance(span, str) else (span[0], state["styles"][span[1]])
            left = PADDING + x * CELL_WIDTH
            if "bg" in style and style is not usual:
                draw.rectangle(
                    (left, top, left + len(text) * CELL_WIDTH - 1, top + CELL_HEIGHT - 1),
                    fill=style["bg"],
                )
            font = bold if style.get("bold") else regular
            # Letter by letter: the font's own steps are not whole pixels, and columns would drift.
            for offset, letter in enumerate(text):
                if letter != " ":
                    draw.text(
                        (left + offset * CELL_WIDTH, top),
                        letter,
                        fill=style.get("fg", usual["fg"]),
                        font=font,
                    )
            x += len(text)
    image.save(out)


if __name__ == "__main__":
    main(*sys.argv[1:])

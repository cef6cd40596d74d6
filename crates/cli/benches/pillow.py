"""Draws a State JSON as PNG with Pillow, as a comparison for `screentest render`.

    python3 pillow.py STATE.json REGULAR.ttf BOLD.ttf OUT.png
"""

import json
import sys

from PIL import Image, ImageDraw, ImageFont

SIZE = 16
CELL_WIDTH, CELL_HEIGHT = 10, 19
PADDING = 8


def fonts(regular_file, bold_file):
    return ImageFont.truetype(regular_file, SIZE), ImageFont.truetype(bold_file, SIZE)


def draw(state, regular, bold):
    cols, rows = state["size"]
    usual = state["default_style"]
    image = Image.new(
        "RGB",
        (cols * CELL_WIDTH + 2 * PADDING, rows * CELL_HEIGHT + 2 * PADDING),
        usual["bg"],
    )
    canvas = ImageDraw.Draw(image)
    for y, row in enumerate(state["viewport"]):
        x = 0
        top = PADDING + y * CELL_HEIGHT
        for span in row:
            text, style = (span, usual) if isinstance(span, str) else (span[0], state["styles"][span[1]])
            left = PADDING + x * CELL_WIDTH
            if "bg" in style and style is not usual:
                canvas.rectangle(
                    (left, top, left + len(text) * CELL_WIDTH - 1, top + CELL_HEIGHT - 1),
                    fill=style["bg"],
                )
            font = bold if style.get("bold") else regular
            # Draw each letter on its own: the font's advance is not a whole number of pixels,
            # so columns would drift.
            for offset, letter in enumerate(text):
                if letter != " ":
                    canvas.text(
                        (left + offset * CELL_WIDTH, top),
                        letter,
                        fill=style.get("fg", usual["fg"]),
                        font=font,
                    )
            x += len(text)
    return image


def main(state_file, regular_file, bold_file, out):
    with open(state_file, encoding="utf-8") as file:
        state = json.load(file)
    draw(state, *fonts(regular_file, bold_file)).save(out)


if __name__ == "__main__":
    main(*sys.argv[1:])

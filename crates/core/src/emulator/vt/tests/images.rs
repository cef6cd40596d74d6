//! Tests that images are placed, moved, erased, reported and dumped.
//!
//! Images are listed as `kind cols x rows @ row,col`, followed by the visible rectangles unless the
//! whole image is visible.

use super::{fed, fed_with};
use crate::emulator::vt::Vt;
use crate::emulator::{Emulator, EmulatorOptions, Image, ImageLength, TransientScreens};
use crate::screen::Screen;
use crate::screen::geometry::Size;
use crate::screen::image::ImagePlacement;

mod changes;
mod clients;
mod dumps;
mod limits;
mod received;
mod replies;

/// A sixel image of 20x20 pixels, which takes 3x2 cells.
const SIXEL: &str = "\x1bP0;0q\"1;1;20;20#0;2;100;0;0!20~-!20~-!20~-!20B\x1b\\";
/// The same image, transparent where it has no pixels.
const TRANSPARENT: &str = "\x1bP0;1q\"1;1;20;20#0;2;100;0;0!20~-!20~-!20~-!20B\x1b\\";
/// A kitty image of 20x20 pixels with the id 1, which takes 3x2 cells.
const KITTY: &str = "\x1b_Ga=T,i=1,q=2,f=24,s=1,v=1,c=3,r=2;////\x1b\\";
/// An inline file of 16x32 pixels in 3x2 cells.
const ITERM: &str = concat!(
    "\x1b]1337;File=inline=1;width=3;height=2;preserveAspectRatio=0:",
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAgCAYAAAAbifjMAAAAIklEQVR42mP4z8DwnxLMMGrAqAGjBowaMGrAqAGjBg",
    "w3AwC68Pwu7IetYQAAAABJRU5ErkJggg==\x07"
);

fn listed(image: &ImagePlacement) -> String {
    let ImagePlacement {
        row,
        col,
        rows,
        cols,
        ..
    } = image;
    let visible: Vec<String> = image
        .visible
        .iter()
        .map(|rect| format!("{},{}:{}x{}", rect.row, rect.col, rect.cols, rect.rows))
        .collect();
    let kind = image.kind.name();
    let mut text = format!("{kind} {cols}x{rows}@{row},{col}");
    if visible != [format!("{row},{col}:{cols}x{rows}")] {
        text.push_str(&format!("[{}]", visible.join("+")));
    }
    text
}

/// Lists the images on a screen.
fn images(screen: &Screen) -> String {
    let listed: Vec<String> = screen.images.iter().map(listed).collect();
    listed.join(" ")
}

fn cut_everywhere(bytes: &str) -> Vt {
    let mut emulator = fed("");
    for byte in bytes.as_bytes() {
        emulator.feed(std::slice::from_ref(byte));
    }
    emulator
}

/// Feeds bytes and checks the images, and the text with `|` at the cursor. The same bytes, fed one
/// by one or through a dump, must give the same screen.
#[track_caller]
fn check(bytes: &str, expected: &str, text: &str) {
    let mut emulator = fed(bytes);
    let screen = emulator.screen();
    assert_eq!(images(&screen), expected, "{bytes:?}");
    let mut shown: Vec<Vec<char>> = screen
        .text()
        .lines()
        .map(|row| row.chars().collect())
        .collect();
    let at = screen.cursor.position;
    shown.resize(shown.len().max(at.row + 1), Vec::new());
    let row = &mut shown[at.row];
    row.resize(row.len().max(at.col), ' ');
    row.insert(at.col, '|');
    let shown: Vec<String> = shown.into_iter().map(String::from_iter).collect();
    assert_eq!(shown.join("\n"), text, "{bytes:?}");
    let mut cut = cut_everywhere(bytes);
    assert_eq!(cut.screen(), screen, "{bytes:?} byte by byte");
    assert_eq!(cut.notes(), emulator.notes(), "{bytes:?} byte by byte");
    let dump = emulator.dump(100);
    let mut copy = fed("");
    copy.feed(&dump);
    assert_eq!(copy.screen().images, screen.images, "a dump of {bytes:?}");
}

#[test]
fn a_sixel_image_leaves_the_cursor_in_its_last_row() {
    check(
        &format!("a{SIXEL}b"),
        "sixel 3x2@0,1[0,1:3x1+1,2:2x1]",
        "a\n b|",
    );
    check(&format!("a{SIXEL}\n"), "sixel 3x2@0,1", "a\n\n |");
    check(
        &format!("a\x1b[?8452h{SIXEL}b"),
        "sixel 3x2@0,1",
        "a\n    b|",
    );
    // Beyond the last column, to the right of the image is the start of the next row.
    check(
        &format!("\x1b[18G\x1b[?8452h{SIXEL}b"),
        "sixel 3x2@0,17",
        "\n\nb|",
    );
}

#[test]
fn a_sixel_image_scrolls_the_screen() {
    check(
        &format!("top\x1b[5;1Hbottom{SIXEL}"),
        "sixel 3x2@3,6",
        "\n\n\nbottom\n      |",
    );
    // Within the margins, the rows above and below stay.
    check(
        &format!("1\r\n2\r\n3\r\n4\r\n5\x1b[2;4r\x1b[4;1H{SIXEL}"),
        "sixel 3x2@2,0",
        "1\n3\n\n|\n5",
    );
}

#[test]
fn with_mode_80_a_sixel_image_is_at_the_upper_left() {
    check(
        &format!("\x1b[5;3Ha\x1b[?80h{SIXEL}b"),
        "sixel 3x2@0,0",
        "\n\n\n\n  ab|",
    );
}

#[test]
fn an_image_of_more_rows_than_the_screen_ends_at_the_bottom() {
    let tall = format!("\x1bPq!8~{}\x1b\\", "-!8~".repeat(19));
    // 120 pixels are 8 rows.
    check(&tall, "sixel 1x8@-3,0[0,0:1x5]", "\n\n\n\n|");
    check(&format!("\x1b[?80h{tall}"), "sixel 1x8@0,0[0,0:1x5]", "|");
}

#[test]
fn an_inline_file_leaves_the_cursor_right_of_its_last_row() {
    check(&format!("a{ITERM}b"), "iterm 3x2@0,1", "a\n    b|");
    check(
        &format!("\x1b[5;1Ha{ITERM}b"),
        "iterm 3x2@3,1",
        "\n\n\na\n    b|",
    );
    let still = ITERM.replace("inline=1", "inline=1;doNotMoveCursor=1");
    check(&format!("a{still}\rb"), "iterm 3x2@0,1", "b|");
}

#[test]
fn a_file_can_come_in_parts() {
    let (arguments, data) = ITERM.split_once(':').expect("data");
    let arguments = arguments.replace("File=", "MultipartFile=");
    let data = data.trim_end_matches('\x07');
    let (first, second) = data.split_at(29);
    check(
        &format!(
            "a{arguments}\x07\x1b]1337;FilePart={first}\x07\x1b]1337;FilePart={second}\x07\
             \x1b]1337;FileEnd\x07b"
        ),
        "iterm 3x2@0,1",
        "a\n    b|",
    );
}

#[test]
fn a_kitty_placement_moves_the_cursor_unless_told_otherwise() {
    check(&format!("a{KITTY}b"), "kitty 3x2@0,1", "a\n    b|");
    check(
        &format!("\x1b[5;1Ha{KITTY}b"),
        "kitty 3x2@3,1",
        "\n\n\na\n    b|",
    );
    let still = KITTY.replace("a=T", "a=T,C=1");
    check(&format!("a{still}b"), "kitty 3x2@0,1", "ab|");
    // Right of the screen, the cursor continues below the image.
    check(&format!("\x1b[18G{KITTY}b"), "kitty 3x2@0,17", "\n\nb|");
}

#[test]
fn placeholders_show_an_image_where_the_text_is() {
    let cell = |row: char, col: char| format!("\u{10eeee}{row}{col}");
    let row = |row| [cell(row, '\u{305}'), cell(row, '\u{30d}')].concat();
    let placed = "\x1b_Ga=T,U=1,i=42,q=2,c=2,r=2,f=24,s=1,v=1;////\x1b\\";
    let text = format!(
        "\x1b[38;5;42m{}\r\n{}\x1b[m",
        row('\u{305}'),
        row('\u{30d}')
    );
    let mut emulator = fed(&format!("{placed}{text}"));
    assert_eq!(images(&emulator.screen()), "kitty 2x2@0,0");
    emulator.feed(b"\x1b[H\x1b[L");
    assert_eq!(images(&emulator.screen()), "kitty 2x2@1,0");
    emulator.feed(b"\x1b[2;2Hx");
    assert_eq!(images(&emulator.screen()), "kitty 2x2@1,0[1,0:1x1+2,0:2x1]");
    emulator.feed(b"\x1b[2J");
    assert_eq!(images(&emulator.screen()), "");
}

#[test]
fn text_under_an_opaque_image_is_erased() {
    let covered = |image: &str| fed(&format!("abcdef\x1b[2G{image}")).screen().text();
    assert_eq!(covered(SIXEL), "a   ef\n");
    assert_eq!(covered(ITERM), "a   ef\n");
    assert_eq!(covered(TRANSPARENT), "abcdef\n");
    assert_eq!(covered(KITTY), "abcdef\n");
}

#[test]
fn an_image_cuts_wide_characters() {
    let mut emulator = fed(&format!("漢字漢字\x1b[2G{TRANSPARENT}"));
    assert_eq!(emulator.screen().text(), "  字漢字\n");
}

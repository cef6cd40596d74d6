//! Screens for tests: the result of some bytes, and contents that no terminal should show.

use std::sync::Arc;

use screentest_core::emulator::{Backend, EmulatorOptions};
use screentest_core::{Hyperlink, RowBuilder, Screen, Size, Style, Width};
use screentest_fixtures::random::Random;

/// Returns the screen after these bytes.
pub(crate) fn screen(cols: u16, rows: u16, bytes: &str) -> Screen {
    let mut emulator = Backend::Vt.emulator(Size { cols, rows }, EmulatorOptions::default());
    emulator.feed(bytes.as_bytes());
    emulator.screen()
}

/// Returns a screen whose only row contains these texts, one per cell, all of them with a link.
pub(crate) fn linked(texts: &[&str], uri: &str) -> Screen {
    let mut builder = RowBuilder::new();
    let style = builder.style(&Style::default());
    let link = builder.link(&Hyperlink {
        id: None,
        uri: Arc::from(uri),
    });
    for text in texts {
        builder.push_cluster(text, Width::Narrow, style, link);
    }
    let mut screen = Screen::blank(Size { cols: 20, rows: 1 });
    screen.rows[0] = Arc::new(builder.finish());
    screen.cursor.visible = false;
    screen
}

/// Returns a screen after random bytes of the relevant kinds.
pub(crate) fn random(random: &mut Random) -> Screen {
    const PARTS: [&str; 24] = [
        "\x1b[1m",
        "\x1b[2;3m",
        "\x1b[4:3;58:5:9m",
        "\x1b[4:2;9;53m",
        "\x1b[4:4;8m",
        "\x1b[4:5;7m",
        "\x1b[31;44m",
        "\x1b[38;2;1;2;3m",
        "\x1b[m",
        "\x1b]8;;https://example.org/?a=\"<&>'\x1b\\",
        "\x1b]8;;javascript:alert(1)\x1b\\",
        "\x1b]8;;\x1b\\",
        "\x1b]0;a <title> & ]]>\x07",
        "\r\n",
        "\x1b[3;7H",
        "\x1b[5 q",
        "\x1b[3 q",
        "\x1b[?25l",
        "<script>]]>&amp;\"'",
        "  two  words  ",
        "界面😀👩\u{200d}🚀e\u{301}",
        "─│┌╬╭╳┅▁▚▒⣿\u{e0b0}\u{e0b3}",
        "\u{202e}\u{feff}\u{10ffff}\u{85}",
        "→✓",
    ];
    let (cols, rows) = (2 + random.below(30), 1 + random.below(6));
    let mut bytes = String::new();
    for _ in 0..random.below(40) {
        bytes.push_str(random.pick(&PARTS));
        if random.one_in(3) {
            bytes.extend(char::from_u32(random.below(0x11_0000) as u32));
        }
        if random.one_in(4) {
            bytes.extend(char::from_u32(0x2500 + random.below(0xa0) as u32));
        }
    }
    screen(cols as u16, rows as u16, &bytes)
}

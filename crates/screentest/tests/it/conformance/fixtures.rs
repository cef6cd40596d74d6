//! Byte streams with an unambiguous meaning, and what a terminal shows for them.
//!
//! Each names the optional capabilities that it needs. Everything else, such as text, colours,
//! basic styles, scroll regions and the alternate screen, is required of every terminal. The
//! terminal starts with 10 columns and 5 rows.
//!
//! See also: `synthetic.rs` (the tests), `crates/core/src/emulator/tests/agreement.rs` (where
//! terminals differ legitimately).

use screentest::core::{
    Attributes, Capabilities, Color, CursorShape, MouseEncoding, MouseTracking, PaletteEntry, Rgb,
    Size, Style, Underline, Zone,
};

/// A program's output and the facts that are true afterwards.
pub(super) struct Fixture {
    /// Name of its row in `table.txt`.
    pub(super) name: &'static str,
    /// Capabilities that a terminal needs for it.
    pub(super) needs: Capabilities,
    /// The steps, in order.
    pub(super) steps: &'static [Step],
    /// The facts that are true afterwards.
    pub(super) facts: &'static [Fact],
}

/// A step of a fixture.
pub(super) enum Step {
    /// The program writes these bytes.
    Write(&'static [u8]),
    /// The terminal is resized once it shows everything written before.
    Resize(Size),
    /// The terminal is resized at an arbitrary moment while the program writes the next step.
    Race(Size),
}

/// A fact about the terminal.
pub(super) enum Fact {
    /// The text, with `|` before the cell of a visible cursor.
    Picture(&'static str),
    /// The style of a cell, by row and column.
    Style(usize, usize, Style),
    /// The link target of a cell, by row and column.
    Link(usize, usize, Option<&'static str>),
    /// The zone of a cell, by row and column.
    Zone(usize, usize, Zone),
    /// The scrollback, oldest row first.
    ScrolledOut(&'static [&'static str]),
    /// The colours that the program has changed.
    Colors(&'static [(PaletteEntry, Rgb)]),
    Title(&'static str),
    WorkingDirectory(&'static str),
    AlternateScreen(bool),
    CursorVisible(bool),
    CursorShape(CursorShape),
    Mouse(MouseTracking, MouseEncoding),
    BracketedPaste(bool),
    /// The terminal's replies.
    Replies(&'static [u8]),
    /// This text was shown, however briefly.
    Shown(&'static str),
    /// This text was never shown.
    NeverShown(&'static str),
    /// The numbers of bells, clears and images.
    Noted(u64, u64, u64),
}

use Fact::{
    AlternateScreen, BracketedPaste, Colors, CursorVisible, Link, Mouse, NeverShown, Noted,
    Picture, Replies, ScrolledOut, Shown, Title, WorkingDirectory,
};
use Step::{Race, Resize, Write};

const PLAIN: Style = Style {
    fg: Color::Default,
    bg: Color::Default,
    underline: Underline::None,
    underline_color: Color::Default,
    attributes: Attributes::empty(),
};

const fn attributes(attributes: Attributes) -> Style {
    Style {
        attributes,
        ..PLAIN
    }
}

const fn underline(underline: Underline) -> Style {
    Style { underline, ..PLAIN }
}

const fn size(cols: u16, rows: u16) -> Size {
    Size { cols, rows }
}

const NOTHING: Capabilities = Capabilities::empty();

pub(super) const FIXTURES: &[Fixture] = &[
    Fixture {
        name: "plain text",
        needs: NOTHING,
        steps: &[Write(b"hello\r\nworld")],
        facts: &[Picture("hello\nworld|\n"), CursorVisible(true)],
    },
    Fixture {
        name: "long text wraps",
        needs: NOTHING,
        steps: &[Write(b"0123456789abc")],
        facts: &[Picture("0123456789\nabc|\n")],
    },
    Fixture {
        name: "wide characters",
        needs: NOTHING,
        steps: &[Write("日本語\r\n012345678日\r\n界\x1b[3;2Hx".as_bytes())],
        facts: &[Picture("日本語\n012345678\n x|\n界\n")],
    },
    Fixture {
        name: "combining marks",
        needs: Capabilities::COMBINING,
        steps: &[Write("e\u{301}x\r\n❤\u{fe0f}\x1b[2;3Hx".as_bytes())],
        facts: &[Picture("e\u{301}x\n❤\u{fe0f} x|\n")],
    },
    Fixture {
        name: "colours keep their kind",
        needs: NOTHING,
        steps: &[Write(
            b"\x1b[31;42ma\x1b[38;5;200mb\x1b[48;2;1;2;3mc\x1b[39;49md\x1b[97;104me",
        )],
        facts: &[
            Picture("abcde|\n"),
            Fact::Style(0, 0, Style { fg: Color::Indexed(1), bg: Color::Indexed(2), ..PLAIN }),
            Fact::Style(0, 1, Style { fg: Color::Indexed(200), bg: Color::Indexed(2), ..PLAIN }),
            Fact::Style(
                0,
                2,
                Style {
                    fg: Color::Indexed(200),
                    bg: Color::Rgb(Rgb::new(1, 2, 3)),
                    ..PLAIN
                },
            ),
            Fact::Style(0, 3, PLAIN),
            Fact::Style(0, 4, Style { fg: Color::Indexed(15), bg: Color::Indexed(12), ..PLAIN }),
        ],
    },
    Fixture {
        name: "basic styles",
        needs: NOTHING,
        steps: &[Write(
            b"\x1b[1ma\x1b[0;2mb\x1b[0;3mc\x1b[0;4md\x1b[0;7me\x1b[0;9mf\x1b[mg",
        )],
        facts: &[
            Fact::Style(0, 0, attributes(Attributes::BOLD)),
            Fact::Style(0, 1, attributes(Attributes::FAINT)),
            Fact::Style(0, 2, attributes(Attributes::ITALIC)),
            Fact::Style(0, 3, underline(Underline::Single)),
            Fact::Style(0, 4, attributes(Attributes::INVERSE)),
            Fact::Style(0, 5, attributes(Attributes::STRIKETHROUGH)),
            Fact::Style(0, 6, PLAIN),
        ],
    },
    Fixture {
        name: "an erased row keeps the background",
        needs: NOTHING,
        steps: &[Write(b"\x1b[44mab\x1b[K")],
        facts: &[
            Picture("ab|\n"),
            Fact::Style(0, 9, Style { bg: Color::Indexed(4), ..PLAIN }),
        ],
    },
    Fixture {
        name: "slow blinking",
        needs: Capabilities::BLINK,
        steps: &[Write(b"\x1b[5ma\x1b[25mb")],
        facts: &[
            Fact::Style(0, 0, attributes(Attributes::BLINK)),
            Fact::Style(0, 1, PLAIN),
        ],
    },
    Fixture {
        name: "fast blinking",
        needs: Capabilities::RAPID_BLINK,
        steps: &[Write(b"\x1b[6ma")],
        facts: &[Fact::Style(0, 0, attributes(Attributes::RAPID_BLINK))],
    },
    Fixture {
        name: "bold and faint at once",
        needs: Capabilities::BOLD_FAINT,
        steps: &[Write(b"\x1b[1;2ma")],
        facts: &[Fact::Style(
            0,
            0,
            attributes(Attributes::BOLD.union(Attributes::FAINT)),
        )],
    },
    Fixture {
        name: "invisible text",
        needs: Capabilities::INVISIBLE,
        steps: &[Write(b"\x1b[8ma\x1b[28mb")],
        facts: &[
            Picture("ab|\n"),
            Fact::Style(0, 0, attributes(Attributes::INVISIBLE)),
            Fact::Style(0, 1, PLAIN),
        ],
    },
    Fixture {
        name: "overlines",
        needs: Capabilities::OVERLINE,
        steps: &[Write(b"\x1b[53ma\x1b[55mb")],
        facts: &[
            Fact::Style(0, 0, attributes(Attributes::OVERLINE)),
            Fact::Style(0, 1, PLAIN),
        ],
    },
    Fixture {
        name: "underline kinds",
        needs: Capabilities::UNDERLINE_KINDS,
        steps: &[Write(
            b"\x1b[21ma\x1b[4:3mb\x1b[4:4mc\x1b[4:5md\x1b[4:1;58;5;9me\x1b[59mf\x1b[4:0mg",
        )],
        facts: &[
            Fact::Style(0, 0, underline(Underline::Double)),
            Fact::Style(0, 1, underline(Underline::Curly)),
            Fact::Style(0, 2, underline(Underline::Dotted)),
            Fact::Style(0, 3, underline(Underline::Dashed)),
            Fact::Style(
                0,
                4,
                Style {
                    underline: Underline::Single,
                    underline_color: Color::Indexed(9),
                    ..PLAIN
                },
            ),
            Fact::Style(0, 5, underline(Underline::Single)),
            Fact::Style(0, 6, PLAIN),
        ],
    },
    Fixture {
        name: "links",
        needs: Capabilities::HYPERLINKS,
        steps: &[Write(
            b"a\x1b]8;;https://example.org/;x\x1b\\bc\x1b]8;;\x07d",
        )],
        facts: &[
            Picture("abcd|\n"),
            Link(0, 0, None),
            Link(0, 1, Some("https://example.org/;x")),
            Link(0, 2, Some("https://example.org/;x")),
            Link(0, 3, None),
        ],
    },
    Fixture {
        name: "links are not text",
        needs: NOTHING,
        steps: &[Write(b"a\x1b]8;;https://example.org/\x1b\\b\x1b]8;;\x07c")],
        facts: &[Picture("abc|\n")],
    },
    Fixture {
        name: "cursor movement",
        needs: NOTHING,
        steps: &[Write(
            b"\x1b[3;4Ha\x1b[Ab\x1b[2Bc\x1b[3Dd\x1b[4Ce\x1b[Gf\x1b[2dg\x1b7\x1b[Hh\x1b8i",
        )],
        facts: &[Picture("h\n gi| b\n   a\nf  d c  e\n")],
    },
    Fixture {
        name: "cursor movement stops at the edges",
        needs: NOTHING,
        steps: &[Write(b"\x1b[99;99Ha\x1b[99A\x1b[99Db\x1b[H\x1b[Dc")],
        facts: &[Picture("c|\n\n\n\n         a\n")],
    },
    Fixture {
        name: "erasing",
        needs: NOTHING,
        steps: &[Write(
            b"one\r\ntwo\r\nthree\r\nfour\x1b[1;2H\x1b[K\x1b[2;2H\x1b[1K\x1b[3;3H\x1b[J",
        )],
        facts: &[Picture("o\n  o\nth|\n")],
    },
    Fixture {
        name: "clearing the screen leaves the cursor",
        needs: NOTHING,
        steps: &[Write(b"one\r\ntwo\x1b[2Jx")],
        facts: &[Picture("\n   x|\n")],
    },
    Fixture {
        name: "inserting and deleting",
        needs: NOTHING,
        steps: &[Write(
            b"abcdef\x1b[3G\x1b[2P\x1b[2G\x1b[@\r\n1\r\n2\r\n3\x1b[2;1H\x1b[M\x1b[L",
        )],
        facts: &[Picture("a bef\n|\n2\n3\n")],
    },
    Fixture {
        name: "scrolling",
        needs: NOTHING,
        steps: &[Write(b"1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7")],
        facts: &[Picture("3\n4\n5\n6\n7|\n"), ScrolledOut(&["1", "2"])],
    },
    Fixture {
        name: "scroll regions",
        needs: NOTHING,
        steps: &[Write(
            b"1\r\n2\r\n3\r\n4\r\n5\x1b[2;4r\x1b[4;1H\na\x1b[2;1H\x1bMb\x1b[r\x1b[5;2Hc",
        )],
        facts: &[Picture("1\nb\n3\n4\n5c|\n"), ScrolledOut(&[])],
    },
    Fixture {
        name: "line drawing charset",
        needs: NOTHING,
        steps: &[Write(b"\x1b(0lqk\x1b(Bq")],
        facts: &[Picture("┌─┐q|\n")],
    },
    Fixture {
        name: "the alternate screen",
        needs: NOTHING,
        steps: &[Write(b"shell\r\n$ \x1b[?1049h\x1b[2J\x1b[Heditor")],
        facts: &[Picture("editor|\n"), AlternateScreen(true)],
    },
    Fixture {
        name: "leaving the alternate screen",
        needs: NOTHING,
        steps: &[Write(
            b"shell\r\n$ \x1b[?1049h\x1b[2J\x1b[Heditor\x1b[?1049lx",
        )],
        facts: &[Picture("shell\n$ x|\n"), AlternateScreen(false)],
    },
    Fixture {
        name: "a hidden cursor",
        needs: NOTHING,
        steps: &[Write(b"a\x1b[?25l")],
        facts: &[Picture("a\n"), CursorVisible(false)],
    },
    Fixture {
        name: "cursor shape",
        needs: Capabilities::CURSOR_SHAPE,
        steps: &[Write(b"a\x1b[6 q")],
        facts: &[Fact::CursorShape(CursorShape::Bar)],
    },
    Fixture {
        name: "synchronized updates",
        needs: Capabilities::SYNCHRONIZED,
        steps: &[Write(
            b"old\x1b[?2026h\x1b[2J\x1b[Hhalf\x1b[2K\rnew\x1b[?2026l",
        )],
        facts: &[
            Picture("new|\n"),
            Shown("old"),
            NeverShown("half"),
        ],
    },
    Fixture {
        name: "transient text",
        needs: Capabilities::TRANSIENT_SCREENS,
        steps: &[Write(b"toast\r\x1b[Kplain")],
        facts: &[Picture("plain|\n"), Shown("toast")],
    },
    Fixture {
        name: "titles",
        needs: Capabilities::TITLE,
        steps: &[Write("a\x1b]0;first\x07\x1b]2;a né title\x1b\\b".as_bytes())],
        facts: &[Picture("ab|\n"), Title("a né title")],
    },
    Fixture {
        name: "titles are not text",
        needs: NOTHING,
        steps: &[Write(b"a\x1b]0;title\x07b")],
        facts: &[Picture("ab|\n")],
    },
    Fixture {
        name: "changed colours",
        needs: Capabilities::PALETTE,
        steps: &[
            Write(b"a\x1b]4;1;#aabbcc;2;red\x07\x1b]11;rgb:10/20/40\x1b\\\x1b]12;lime\x07b"),
            Write(b"\x1b]104;2\x07\x1b]112\x07"),
        ],
        facts: &[
            Picture("ab|\n"),
            Colors(&[
                (PaletteEntry::Indexed(1), Rgb::hex(0xaabbcc)),
                (PaletteEntry::Background, Rgb::hex(0x102040)),
            ]),
        ],
    },
    Fixture {
        name: "the working directory",
        needs: Capabilities::WORKING_DIRECTORY,
        steps: &[Write(b"\x1b]7;file:///tmp/a%20b\x1b\\")],
        facts: &[WorkingDirectory("/tmp/a b")],
    },
    Fixture {
        name: "prompts and output",
        needs: Capabilities::ZONES,
        steps: &[Write(
            b"\x1b]133;A\x07$ \x1b]133;B\x07ls\r\n\x1b]133;C\x07file\r\n\x1b]133;D;0\x07",
        )],
        facts: &[
            Picture("$ ls\nfile\n|\n"),
            Fact::Zone(0, 0, Zone::Prompt),
            Fact::Zone(0, 2, Zone::Input),
            Fact::Zone(1, 0, Zone::Output),
        ],
    },
    Fixture {
        name: "input modes",
        needs: Capabilities::INPUT_MODES,
        steps: &[Write(b"\x1b[?2004h\x1b[?1002h\x1b[?1006h")],
        facts: &[
            BracketedPaste(true),
            Mouse(MouseTracking::Drags, MouseEncoding::Sgr),
        ],
    },
    Fixture {
        name: "replies in order",
        needs: Capabilities::REPLIES,
        steps: &[Write(b"ab\x1b[6n\x1b[5n")],
        facts: &[Replies(b"\x1b[1;3R\x1b[0n")],
    },
    Fixture {
        name: "bells, clears and images",
        needs: Capabilities::NOTES,
        steps: &[Write(
            b"a\x07\x07\x1b[2J\x1b_Ga=T,f=24,s=1,v=1;AAAA\x1b\\\x1bPq\"1;1;1;1~\x1b\\\x07",
        )],
        facts: &[Noted(3, 1, 2)],
    },
    Fixture {
        name: "a narrower terminal reflows text",
        needs: NOTHING,
        steps: &[
            Write(b"01234567\r\nab"),
            Resize(size(5, 5)),
            Write(b"c"),
        ],
        facts: &[Picture("567\nabc|\n"), ScrolledOut(&["01234"])],
    },
    Fixture {
        name: "a wider terminal joins wrapped text",
        needs: NOTHING,
        steps: &[
            Write(b"0123456789abc\r\n"),
            Resize(size(20, 5)),
            Write(b"x"),
        ],
        facts: &[Picture("0123456789abc\nx|\n")],
    },
    Fixture {
        name: "a resize within a sequence",
        needs: NOTHING,
        steps: &[
            Write(b"ab\x1b[3"),
            Resize(size(20, 5)),
            Write(b"1mc\x1b]0;ti"),
            Resize(size(8, 4)),
            Write(b"tle\x07d"),
        ],
        facts: &[
            Picture("abcd|\n"),
            Fact::Style(0, 2, Style { fg: Color::Indexed(1), ..PLAIN }),
        ],
    },
    Fixture {
        name: "a resize within a character",
        needs: NOTHING,
        steps: &[
            Write(b"a\xe7\x95"),
            Resize(size(6, 5)),
            Write(b"\x8cb"),
        ],
        facts: &[Picture("a界b|\n")],
    },
    Fixture {
        name: "a resize while the program draws",
        needs: NOTHING,
        steps: &[
            Write(b"\x1b[2J\x1b[Hold one\r\nold two\x1b[5;10Hx"),
            Race(size(8, 4)),
            Write(b"\x1b[Hlate one\x1b[5;1Hlate two"),
            Write(b"\x1b[m\x1b[2J\x1b[Hnew one\r\nnew two\x1b[4;8Hx\x1b[3;1H"),
        ],
        facts: &[Picture("new one\nnew two\n|\n       x\n")],
    },
    Fixture {
        name: "a resize on the alternate screen",
        needs: NOTHING,
        steps: &[
            Write(b"shell\x1b[?1049h\x1b[2J\x1b[Hed"),
            Race(size(20, 8)),
            Write(b"\x1b[2J\x1b[Heditor"),
            Write(b"\x1b[?1049l!"),
        ],
        facts: &[Picture("shell!|\n"), AlternateScreen(false)],
    },
    Fixture {
        name: "malformed sequences",
        needs: NOTHING,
        steps: &[Write(
            b"a\x1b[31;;;mb\x1b[?999hc\x1b]999;x\x07d\x1bPq\x1b\\e\x1b_x\x1b\\f\x1b[\x18g\x1b[99999999999mh",
        )],
        facts: &[Picture("abcdefgh|\n")],
    },
    Fixture {
        name: "invalid UTF-8",
        needs: NOTHING,
        steps: &[Write(b"a\xff\xfeb\xe4\xb8c\x1b[2;1H\xf0\x9f\x98\x80d")],
        facts: &[Picture("a\u{fffd}\u{fffd}b\u{fffd}c\n😀d|\n")],
    },
    Fixture {
        name: "an unterminated sequence",
        needs: NOTHING,
        steps: &[Write(b"ab\x1b[3;1")],
        facts: &[Picture("ab|\n")],
    },
    Fixture {
        name: "a sequence within another",
        needs: NOTHING,
        steps: &[Write(b"a\x1b[3\x1b[2;2Hb")],
        facts: &[Picture("a\n b|\n")],
    },
    Fixture {
        name: "a reset",
        needs: NOTHING,
        steps: &[Write(b"old\x1b[2;3r\x1b[31m\x1b[?25l\x1bcnew")],
        facts: &[
            Picture("new|\n"),
            CursorVisible(true),
            Fact::Style(0, 0, PLAIN),
        ],
    },
];

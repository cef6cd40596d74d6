//! Known differences between the two backends, with reasons.
//!
//! The pieces of `agreement.rs` avoid these, so that every other difference is found. The default
//! backend follows xterm wherever xterm is clear. Each entry contains the contents of a terminal of
//! 10 by 5 cells, with `|` at the cursor.

/// A difference between the backends.
#[derive(Debug, Clone, Copy)]
pub struct Difference {
    /// Short description.
    pub what: &'static str,
    /// The shortest stream that shows it.
    pub stream: &'static str,
    /// What the default backend shows.
    pub ours: &'static str,
    /// What the second backend shows.
    pub theirs: &'static str,
    /// The reason, and how the pieces avoid it.
    pub why: &'static str,
}

const fn difference(
    what: &'static str,
    stream: &'static str,
    [ours, theirs]: [&'static str; 2],
    why: &'static str,
) -> Difference {
    Difference {
        what,
        stream,
        ours,
        theirs,
        why,
    }
}

/// Every known difference, grouped by kind.
pub const DIFFERENCES: [Difference; 15] = [
    difference(
        "a tab while a wrap is pending",
        "0123456789\tX",
        ["0123456789\nX|\n", "012345678X|\n"],
        "in the default the wrap stays pending, as in xterm; while a wrap is pending, the pieces are text, cursor positions, styles and new lines",
    ),
    difference(
        "erasing while a wrap is pending",
        "0123456789\x1b[J",
        ["012345678|\n", "0123456789|\n"],
        "the default erases the last column, the second nothing; as above",
    ),
    difference(
        "the last column without autowrap",
        "\x1b[?7l0123456789",
        ["0123456789|\n", "012345678|9\n"],
        "the second has no pending wrap then; the pieces never turn autowrap off",
    ),
    difference(
        "margins below the screen",
        "a\x1b[4;9r\x1b[5;1H\n",
        ["a\n\n\n\n|\n", "\n\n\n\n|\n"],
        "the default clamps them to the last row, as xterm does; the second ignores them. The pieces set margins on the screen only",
    ),
    difference(
        "margins of one row",
        "ab\x1b[3;3rX",
        ["abX|\n", "X|b\n"],
        "the default requires at least two rows, as xterm does; the pieces set no smaller region",
    ),
    difference(
        "deleting lines outside the margins",
        "a\x1b[2;3r\x1b[M",
        ["|a\n", "|\n"],
        "the default deletes and inserts lines only within the margins, as xterm does; the pieces reset the margins first",
    ),
    difference(
        "inserting lines outside the margins",
        "a\x1b[2;3r\x1b[L",
        ["|a\n", "|\na\n"],
        "as above",
    ),
    difference(
        "a character that wraps in insert mode",
        "\r\na\x1b[H\x1b[4h0123456789X",
        ["0123456789\nX|a\n", "0123456789\nX|\n"],
        "the default shifts the next row, as xterm does; in the pieces insert mode lasts for one character",
    ),
    difference(
        "a relative row below the margin",
        "\x1b[1;3r\x1b[9eX",
        ["\n\n\n\nX|\n", "\n\nX|\n"],
        "in the default VPR does not stop at the margin, as in xterm; no piece contains it",
    ),
    difference(
        "reverse index in origin mode",
        "\x1b[3;5r\x1b[?6h\x1b[3;1H\x1bMX",
        ["\n\n\nX|\n", "\n\n\n\nX|\n"],
        "the second counts from the margin twice; in the pieces origin mode lasts for one character",
    ),
    difference(
        "combining marks",
        "e\u{301}x\x1b[2GX",
        ["e\u{301}X|\n", "eX|x\n"],
        "the second gives a mark its own cell; no piece contains one",
    ),
    difference(
        "a variation selector",
        "❤\u{fe0f}x\x1b[2GX",
        [" X|x\n", "❤X|x\n"],
        "in the default it gives the emoji two columns, in the second it has its own cell; no piece contains one",
    ),
    difference(
        "a grapheme cluster",
        "🇩🇪x\x1b[2GX",
        [" X|x\n", "🇩X|x\n"],
        "the second does not know clusters: each character has its own cells; no piece contains one",
    ),
    difference(
        "a wide character that does not fit into the last column",
        "\x1b[1;10Hx\x1b[1;10H日",
        ["\n日|\n", "         x\n日|\n"],
        "the default erases the last column, as xterm does; the pieces write wide characters only where they fit",
    ),
    difference(
        "the screen alignment pattern (DECALN)",
        "\x1b[6G\x1b#8\x1b[J",
        ["|\n", "EEEEE|\n"],
        "in the default it moves the cursor to the corner and resets the margins, as in xterm; the pieces do this first",
    ),
];

#[cfg(test)]
mod tests {
    use screentest_core::emulator::EmulatorOptions;
    use screentest_core::{Backend, Size};

    use super::*;

    /// Fails if an upgrade removes or changes a difference.
    #[test]
    fn each_difference_still_exists() {
        for difference in DIFFERENCES {
            let size = Size { cols: 10, rows: 5 };
            let shown = Backend::ALL.map(|backend| {
                let mut emulator = backend.emulator(size, EmulatorOptions::default());
                emulator.feed(difference.stream.as_bytes());
                emulator.screen().picture()
            });
            assert_eq!(
                shown,
                [difference.ours, difference.theirs],
                "{difference:?}"
            );
            assert_ne!(difference.ours, difference.theirs);
        }
    }
}

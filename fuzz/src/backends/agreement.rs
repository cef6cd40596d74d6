//! Compares both backends on streams of features that both support: text and cursor position must
//! be the same.
//!
//! An input selects pieces of output, with a few bytes each. Known differences are excluded or
//! restricted to cases where the backends agree; `differences.rs` lists them with reasons.

use screentest_core::emulator::{Emulator, EmulatorOptions};
use screentest_core::{Backend, Screen, Size, Width};

const SIZE: Size = Size { cols: 10, rows: 5 };

/// Maximum number of pieces: the stream of a failure must be short enough to read.
const MAX_PIECES: usize = 200;

/// Feeds both backends the pieces that the bytes select.
pub(super) fn check(choices: &[u8]) {
    let mut choices = Choices(choices);
    let mut pair = Backend::ALL.map(|backend| backend.emulator(SIZE, EmulatorOptions::default()));
    let mut stream = String::new();
    for _ in 0..MAX_PIECES {
        if choices.0.is_empty() {
            return;
        }
        let piece = piece(&mut choices, &pair[0].screen());
        stream.push_str(&piece);
        let [ours, theirs] = pair.each_mut().map(|emulator| shown(emulator, &piece));
        assert_eq!(ours, theirs, "{stream:?}");
    }
}

fn shown(emulator: &mut Box<dyn Emulator>, piece: &str) -> String {
    emulator.feed(piece.as_bytes());
    emulator.screen().picture()
}

/// The bytes of an input, one per choice. After the last byte, every choice is the first option.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn below(&mut self, end: usize) -> usize {
        match self.0 {
            [first, rest @ ..] => {
                self.0 = rest;
                usize::from(*first) % end
            }
            [] => 0,
        }
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// Returns the next piece for a screen.
fn piece(choices: &mut Choices<'_>, screen: &Screen) -> String {
    let wraps = screen.cursor.pending_wrap;
    let room = usize::from(SIZE.cols) - screen.cursor.position.col;
    // While a wrap is pending, and on screens with wide characters, use only pieces on which the
    // backends agree.
    let kind = choices.below(match (wraps, has_wide(screen)) {
        (true, _) => 4,
        (false, true) => 7,
        (false, false) => 26,
    });
    let count = |choices: &mut Choices<'_>| match choices.below(8) {
        0 => String::new(),
        7 => (5 + choices.below(20)).to_string(),
        count => count.to_string(),
    };
    match kind {
        0 => choices
            .pick(&["a", "bc", "defgh", "0123456789", "xyz ", "é"])
            .to_owned(),
        1 => place(choices),
        2 => "\r\n".to_owned(),
        3 => sgr(choices),
        4 => choices
            .pick(&["\r", "\n", "\x08", "\t", "\x0b", "\x0c", "\x07", "\0"])
            .to_owned(),
        5 => {
            let way = choices.pick(&["A", "B", "C", "D", "E", "F", "G", "d", "`", "a"]);
            format!("\x1b[{}{way}", count(choices))
        }
        6 if room >= 4 => choices.pick(&["日", "本語", "\x1b[2J"]).to_owned(),
        6 => "\x1b[2J".to_owned(),
        7 => format!("\x1b[{}K", choices.below(3)),
        8..=11 => {
            let edit = choices.pick(&["X", "@", "P", "S", "T"]);
            format!("\x1b[{}{edit}", count(choices))
        }
        12 => {
            let edit = choices.pick(&["L", "M"]);
            format!("\x1b[r{}\r\x1b[{}{edit}", place(choices), count(choices))
        }
        13 => {
            let top = 1 + choices.below(4);
            format!("\x1b[{top};{}r", top + 1 + choices.below(5 - top))
        }
        14 => choices
            .pick(&["\x1bM", "\x1bD", "\x1bE", "\x1b7", "\x1b8"])
            .to_owned(),
        15 => format!("x\x1b[{}b", count(choices)),
        16 => "\x1b[4hx\x1b[4l".to_owned(),
        17 => format!("\x1b[?6h{}x\x1b[?6l", place(choices)),
        18 if screen.modes.alternate_screen => "\x1b[?1049l".to_owned(),
        18 => "\x1b[?1049h".to_owned(),
        19 => choices.pick(&["\x1b[I", "\x1b[Z", "\x1bH"]).to_owned(),
        20 => choices
            .pick(&["\x1b(0lqk\x1b(B", "\x1b)0\x0elqk\x0f"])
            .to_owned(),
        21 => choices
            .pick(&[
                "\x1b[?25l",
                "\x1b[?25h",
                "\x1b[?1h",
                "\x1b[?1l",
                "\x1b[?2004h",
                "\x1b[?1006h",
                "\x1b=",
            ])
            .to_owned(),
        22 => format!("\x1b[{}J", choices.below(3)),
        23 => choices
            .pick(&[
                "\x1b]2;title\x07",
                "\x1b]8;;x:y\x1b\\",
                "\x1bPq~\x1b\\",
                "\x1b_Gx\x1b\\",
                "\x1b[c",
                "\x1b[6n",
                "\x1b[>q",
            ])
            .to_owned(),
        24 => choices.pick(&["\x1bc", "\x1b[!p"]).to_owned(),
        _ => "\x1b[r\x1b[H\x1b#8".to_owned(),
    }
}

fn has_wide(screen: &Screen) -> bool {
    let mut cells = screen.rows.iter().flat_map(|row| row.cells());
    cells.any(|cell| cell.width == Width::Wide)
}

fn place(choices: &mut Choices<'_>) -> String {
    format!("\x1b[{};{}H", 1 + choices.below(5), 1 + choices.below(10))
}

fn sgr(choices: &mut Choices<'_>) -> String {
    let one = choices.pick(&["", "1", "2", "3", "4", "5", "7", "9", "31", "44", "97"]);
    let two = choices.pick(&["", ";38;5;200", ";48;2;1;2;3", ";22", ";27", ";39", ";49"]);
    format!("\x1b[{one}{two}m")
}

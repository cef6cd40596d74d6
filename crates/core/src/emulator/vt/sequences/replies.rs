//! What replies consist of.

use super::super::terminal::Terminal;
use crate::emulator::vt::grid::cell::{CellFlags, Pen};
use crate::screen::style::Color;

/// The cell size that is reported in pixels. Programs usually need only the ratio; 1:2 is common.
pub(super) const CELL_WIDTH: usize = 8;
pub(super) const CELL_HEIGHT: usize = 16;

impl Terminal {
    /// Maximum size of pending replies, so that queries cannot fill memory if their replies are
    /// never read. The largest single reply, the clipboard, takes less than a third of it.
    const MAX_REPLIES: usize = 4 << 20;

    pub(crate) fn reply(&mut self, text: &str) {
        self.add_work(text.len());
        if self.replies.len() + text.len() > Terminal::MAX_REPLIES {
            self.notes
                .add_unanswered("more than 4 MiB of unread replies".to_owned());
            return;
        }
        self.replies.extend_from_slice(text.as_bytes());
    }
}

/// Returns a pen as SGR parameters.
pub(super) fn graphics(pen: &Pen) -> String {
    let flags = pen.cell.flags;
    let mut codes = vec!["0".to_owned()];
    for (flag, code) in [
        (CellFlags::BOLD, "1"),
        (CellFlags::FAINT, "2"),
        (CellFlags::ITALIC, "3"),
    ] {
        if flags.contains(flag) {
            codes.push(code.to_owned());
        }
    }
    match flags.underline() as u8 {
        0 => {}
        1 => codes.push("4".to_owned()),
        kind => codes.push(format!("4:{kind}")),
    }
    for (flag, code) in [
        (CellFlags::BLINK, "5"),
        (CellFlags::RAPID_BLINK, "6"),
        (CellFlags::INVERSE, "7"),
        (CellFlags::INVISIBLE, "8"),
        (CellFlags::STRIKETHROUGH, "9"),
        (CellFlags::OVERLINE, "53"),
    ] {
        if flags.contains(flag) {
            codes.push(code.to_owned());
        }
    }
    codes.extend(color_code(pen.cell.fg.color(), 30));
    codes.extend(color_code(pen.cell.bg.color(), 40));
    codes.extend(color_code(pen.underline_color().color(), 50));
    codes.join(";")
}

/// Returns a colour as an SGR parameter, based on 30, 40 or 50.
fn color_code(color: Color, base: u16) -> Option<String> {
    match color {
        Color::Default => None,
        Color::Indexed(index @ 0..=7) if base < 50 => Some((base + u16::from(index)).to_string()),
        Color::Indexed(index @ 8..=15) if base < 50 => {
            Some((base + 60 + u16::from(index) - 8).to_string())
        }
        Color::Indexed(index) => Some(format!("{}:5:{index}", base + 8)),
        Color::Rgb(rgb) => Some(format!("{}:2::{}:{}:{}", base + 8, rgb.r, rgb.g, rgb.b)),
    }
}

/// Returns the terminator of a reply: the same as that of the query.
pub(super) fn terminator(bell: bool) -> &'static str {
    if bell { "\x07" } else { "\x1b\\" }
}

/// Returns text as hexadecimal digits.
pub(super) fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02X}")).collect()
}

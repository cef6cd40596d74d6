//! Presentation state: the cursor with its attributes and character sets (DECCIR), and the tab
//! stops (DECTABSR). DECRQPSR asks for them, and DECRSPS restores them.

use super::super::terminal::Terminal;
use super::super::terminal::charsets::Charset;
use crate::emulator::vt::grid::cell::CellFlags;
use crate::emulator::vt::terminal::modes::Mode;

/// The attributes that DECCIR has, with their bits.
const RENDITION: [(CellFlags, u8); 4] = [
    (CellFlags::BOLD, 1),
    (CellFlags::UNDERLINE, 2),
    (CellFlags::BLINK, 4),
    (CellFlags::INVERSE, 8),
];

impl Terminal {
    /// DECCIR: the cursor with its attributes and character sets.
    pub(super) fn report_cursor_information(&mut self) {
        let flags = self.pen.cell.flags;
        let bit = |on: bool, value: u8| if on { value } else { 0 };
        let attributes = RENDITION
            .into_iter()
            .filter(|(flag, _)| flags.intersects(*flag));
        let attributes = b'@' + attributes.map(|(_, bit)| bit).sum::<u8>();
        let protection = b'@' + bit(flags.contains(CellFlags::PROTECTED), 1);
        let state = b'@'
            + bit(self.modes.contains(Mode::ORIGIN), 1)
            + bit(self.charsets.single == Some(2), 2)
            + bit(self.charsets.single == Some(3), 4)
            + bit(self.cursor.pending_wrap, 8);
        let sets = self.charsets.sets;
        let sizes = sets.iter().enumerate().filter(|(_, set)| set.is_96());
        let sizes = b'@' + sizes.map(|(index, _)| 1 << index).sum::<u8>();
        let names: Vec<u8> = sets.iter().flat_map(|set| set.name().to_vec()).collect();
        self.reply(&format!(
            "\x1bP1$u{};{};1;{};{};{};{};{};{};{}\x1b\\",
            self.cursor.row + 1,
            self.cursor.col + 1,
            char::from(attributes),
            char::from(protection),
            char::from(state),
            self.charsets.left,
            self.charsets.right,
            char::from(sizes),
            String::from_utf8_lossy(&names),
        ));
    }

    /// DECTABSR: the tab stops.
    pub(super) fn report_tab_stops(&mut self) {
        self.add_work_of_rows(1);
        let stops = self
            .tabs
            .iter()
            .enumerate()
            .filter(|(_, is_stop)| **is_stop);
        let stops: Vec<String> = stops.map(|(col, _)| (col + 1).to_string()).collect();
        self.reply(&format!("\x1bP2$u{}\x1b\\", stops.join("/")));
    }

    /// DECRSPS of a report of DECCIR. Fields that are missing or wrong are skipped.
    pub(super) fn restore_cursor_information(&mut self, report: &[u8]) {
        let report = String::from_utf8_lossy(report).into_owned();
        let fields: Vec<&str> = report.splitn(10, ';').collect();
        let number = |index: usize| fields.get(index)?.parse::<usize>().ok();
        let bits = |index: usize| fields.get(index)?.bytes().next();
        if let (Some(row), Some(col)) = (number(0), number(1)) {
            self.position(row.saturating_sub(1), col.saturating_sub(1));
        }
        if let Some(rendition) = bits(3) {
            let flags = &mut self.pen.cell.flags;
            flags.set_underline(u32::from(rendition >> 1 & 1));
            for (flag, bit) in RENDITION.into_iter().filter(|(_, bit)| *bit != 2) {
                flags.set(flag, rendition & bit != 0);
            }
        }
        if let Some(protection) = bits(4) {
            self.pen
                .cell
                .flags
                .set(CellFlags::PROTECTED, protection & 1 != 0);
        }
        if let Some(state) = bits(5) {
            self.modes.set(Mode::ORIGIN, state & 1 != 0);
            self.charsets.single = match state & 6 {
                2 => Some(2),
                4 => Some(3),
                _ => None,
            };
            let limit = self.right_limit();
            self.cursor.pending_wrap = state & 8 != 0 && self.cursor.col + 1 == limit;
        }
        if let (Some(left @ 0..=3), Some(right @ 0..=3)) = (number(6), number(7)) {
            (self.charsets.left, self.charsets.right) = (left as u8, right as u8);
        }
        if let (Some(sizes), Some(names)) = (bits(8), fields.get(9)) {
            self.restore_charsets(sizes, names.as_bytes());
        }
    }

    /// Designates the character sets by their names, one after the other. Bit `i` of `sizes` is set
    /// if set `i` has 96 characters.
    fn restore_charsets(&mut self, sizes: u8, mut names: &[u8]) {
        for (index, set) in self.charsets.sets.iter_mut().enumerate() {
            let length = match names.first() {
                Some(b'%' | b'"' | b'&') => 2,
                _ => 1,
            };
            let Some((name, rest)) = names.split_at_checked(length) else {
                return;
            };
            if let Some(named) = Charset::named(name, sizes >> index & 1 == 1) {
                *set = named;
            }
            names = rest;
        }
    }

    /// DECRSPS of a report of DECTABSR.
    pub(super) fn restore_tab_stops(&mut self, report: &[u8]) {
        self.add_work_of_rows(1);
        self.add_work(report.len());
        self.tabs.fill(false);
        for stop in report.split(|byte| *byte == b'/') {
            let col = std::str::from_utf8(stop)
                .ok()
                .and_then(|stop| stop.parse::<usize>().ok());
            let col = col.and_then(|col| col.checked_sub(1));
            if let Some(stop) = col.and_then(|col| self.tabs.get_mut(col)) {
                *stop = true;
            }
        }
    }
}

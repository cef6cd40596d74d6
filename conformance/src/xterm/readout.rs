//! Reads the state of xterm.

use anyhow::{Context, Result, bail};
use screentest_core::{Size, Style, Width};
use unicode_width::UnicodeWidthChar;

use super::printer::Printer;
use super::sequences::{Reply, split};
use super::tty::Tty;
use super::{PATIENCE, UNSET_TITLE, scrolling, sgr};
use crate::observation::{self, Cell, CursorState, Observation, SCROLLBACK};

/// The modes that are read. The names are those of `emulator.rs`; the last field is whether the
/// mode is set after a reset.
const MODES: [(&str, &str, bool); 18] = [
    ("?1049", "alternate_screen", false),
    ("?1", "application_cursor", false),
    ("?66", "application_keypad", false),
    ("?2004", "bracketed_paste", false),
    ("?1004", "focus_events", false),
    ("?1007", "alternate_scroll", true),
    ("?7", "autowrap", true),
    ("?6", "origin", false),
    ("4", "insert", false),
    ("20", "newline", false),
    ("?9", "mouse=x10", false),
    ("?1000", "mouse=clicks", false),
    ("?1002", "mouse=drags", false),
    ("?1003", "mouse=motion", false),
    ("?1005", "encoding=utf8", false),
    ("?1006", "encoding=sgr", false),
    ("?1015", "encoding=urxvt", false),
    ("?1016", "encoding=sgrpixels", false),
];

/// What xterm prints for the second half of a wide character.
const SPACER: char = '\u{ffff}';

/// Asks for everything except the cells. Changes only how xterm replies.
pub(super) fn ask_state(tty: &mut Tty) -> Result<Vec<Reply>> {
    let mut questions =
        String::from("\x1b F\x1b[>1;0T\x1b[1$w\x1bP$q q\x1b\\\x1b[21t\x1b[18t\x1b[?25$p");
    questions.push_str(scrolling::FLUSH);
    for (number, ..) in MODES {
        questions.push_str(&format!("\x1b[{number}$p"));
    }
    let answers = tty.ask(questions.as_bytes(), PATIENCE)?;
    split(&answers).context("xterm's state is not understood")
}

/// Reads everything. Changes the cursor, the margins and the origin mode.
pub(super) fn read(tty: &mut Tty, printer: &mut Printer, replies: Vec<u8>) -> Result<Observation> {
    let answers = ask_state(tty)?;
    let [
        Reply::Dcs(cursor),
        Reply::Dcs(shape),
        Reply::Osc(title),
        Reply::Csi(size, 't'),
        visible,
        modes @ ..,
    ] = answers.as_slice()
    else {
        bail!("xterm's state is not understood: {answers:?}");
    };
    let size = parse_size(size).context("size")?;
    let mut cursor = parse_cursor(cursor).context("cursor")?;
    cursor.visible = is_set(visible).context("visibility")?;
    (cursor.shape, cursor.blinking) = parse_shape(shape).context("shape")?;
    let modes = parse_modes(modes).context("modes")?;

    // The text, then the colours. Coordinates count from the margins in origin mode.
    let print = b"\x1b[?6l\x1b[?69l\x1b[r\x1b[?11i";
    tty.ask(print, PATIENCE)?;
    let printed = printer.read(PATIENCE)?;
    let mut lines: Vec<&str> = printed.split('\n').collect();
    // Each line ends with a newline.
    lines.pop();
    let Some(scrolled) = lines.len().checked_sub(size.rows.into()) else {
        bail!("xterm printed {} lines", lines.len());
    };
    let styles = styles(tty, size)?;
    let rows = lines[scrolled..].iter().zip(styles);
    let scrollback = lines[scrolled.saturating_sub(SCROLLBACK)..scrolled].iter();
    Ok(Observation {
        size,
        rows: rows.map(|(line, styles)| row(line, styles)).collect(),
        cursor,
        title: match title.strip_prefix('l') {
            // An empty title makes xterm show its own name.
            None | Some(UNSET_TITLE | "xterm") => String::new(),
            Some(title) => title.to_owned(),
        },
        modes,
        replies,
        scrolled,
        scrollback: scrollback
            .map(|line| line.replace(SPACER, "").trim_end_matches(' ').to_owned())
            .collect(),
    })
}

/// Asks for the style of each cell.
fn styles(tty: &mut Tty, size: Size) -> Result<Vec<Vec<Style>>> {
    let mut rows = Vec::new();
    for row in 1..=size.rows {
        let questions: String = (1..=size.cols)
            .map(|col| format!("\x1b[{row};{col};{row};{col}#|"))
            .collect();
        let answers = tty.ask(questions.as_bytes(), PATIENCE)?;
        let answers = split(&answers).context("styles")?;
        let styles = answers.iter().map(|answer| match answer {
            Reply::Csi(parameters, 'm') => sgr::parse(parameters),
            _ => None,
        });
        let styles: Option<Vec<_>> = styles.collect();
        let styles = styles.with_context(|| format!("styles of row {row}: {answers:?}"))?;
        if styles.len() != usize::from(size.cols) {
            bail!("{} styles in a row of {}", styles.len(), size.cols);
        }
        rows.push(styles);
    }
    Ok(rows)
}

/// Joins a printed line and its styles.
fn row(line: &str, styles: Vec<Style>) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    for c in line.chars() {
        if c == SPACER {
            if let Some(lead) = cells.last_mut() {
                lead.width = Width::Wide;
            }
            let mut spacer = Cell::blank();
            (spacer.text, spacer.width) = (String::new(), Width::Spacer);
            cells.push(spacer);
            continue;
        }
        match cells.iter_mut().rfind(|cell| cell.width != Width::Spacer) {
            // xterm stores marks after their character, and prints them after it.
            Some(before) if is_mark(c) => before.text.push(c),
            _ => {
                let mut cell = Cell::blank();
                cell.text = c.to_string();
                cells.push(cell);
            }
        }
    }
    cells.resize(styles.len(), Cell::blank());
    for (cell, style) in cells.iter_mut().zip(styles) {
        cell.style = style;
    }
    observation::normalise(cells)
}

/// Whether xterm adds a character to the cell before it.
fn is_mark(c: char) -> bool {
    c.width() == Some(0) && c != '\u{ad}'
}

/// Parses `8;ROWS;COLUMNS`.
fn parse_size(parameters: &str) -> Option<Size> {
    let (rows, cols) = parameters.strip_prefix("8;")?.split_once(';')?;
    Size::checked(cols.parse().ok()?, rows.parse().ok()?).ok()
}

/// Parses DECCIR: `1$uROW;COLUMN;PAGE;RENDITION;ATTRIBUTE;FLAGS;…`.
fn parse_cursor(content: &str) -> Option<CursorState> {
    let fields: Vec<&str> = content.strip_prefix("1$u")?.split(';').collect();
    let flags = fields.get(5)?.bytes().next()?;
    Some(CursorState {
        row: fields.first()?.parse::<usize>().ok()?.checked_sub(1)?,
        col: fields.get(1)?.parse::<usize>().ok()?.checked_sub(1)?,
        pending_wrap: flags & 8 != 0,
        visible: true,
        shape: String::new(),
        blinking: false,
    })
}

/// Parses the reply to DECRQSS of DECSCUSR: `1$rNUMBER q`.
fn parse_shape(content: &str) -> Option<(String, bool)> {
    let number = content.strip_prefix("1$r")?.strip_suffix(" q")?;
    let number: u8 = number.parse().ok()?;
    let shape = match number {
        0..=2 => "block",
        3 | 4 => "underline",
        _ => "bar",
    };
    Some((shape.to_owned(), number % 2 == 1))
}

/// Parses the reply to DECRQM: `?NUMBER;VALUE$`.
fn is_set(reply: &Reply) -> Option<bool> {
    let Reply::Csi(parameters, 'y') = reply else {
        return None;
    };
    let (_, value) = parameters.strip_suffix('$')?.split_once(';')?;
    Some(matches!(value, "1" | "3"))
}

fn parse_modes(replies: &[Reply]) -> Option<Vec<String>> {
    if replies.len() != MODES.len() {
        return None;
    }
    let mut names = Vec::new();
    for ((_, name, plain), reply) in MODES.iter().zip(replies) {
        let on = is_set(reply)?;
        if on != *plain {
            names.push(match (name.contains('='), on) {
                (true, _) => (*name).to_owned(),
                (false, true) => format!("+{name}"),
                (false, false) => format!("-{name}"),
            });
        }
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_report_is_parsed() {
        let cursor = parse_cursor("1$u3;12;1;@;@;I;0;2;O;BBBB").unwrap();
        assert_eq!((cursor.row, cursor.col, cursor.pending_wrap), (2, 11, true));
        assert_eq!(parse_cursor("0$u"), None);
    }

    #[test]
    fn modes_are_named_if_they_changed() {
        let replies: Vec<Reply> = MODES
            .iter()
            .map(|(number, name, _)| {
                let value = if matches!(*name, "mouse=drags" | "origin") {
                    1
                } else {
                    2
                };
                Reply::Csi(format!("{number};{value}$"), 'y')
            })
            .collect();
        let names = parse_modes(&replies).unwrap();
        assert_eq!(
            names,
            ["-alternate_scroll", "-autowrap", "+origin", "mouse=drags"]
        );
    }
}

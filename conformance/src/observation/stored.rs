//! Observations as text, as they are stored next to the probes.
//!
//! ```text
//! probe: the name
//! cursor: 2,5 pending-wrap
//! title: a title
//! modes: +origin
//! replies: \e[?62c
//! scrolled: 1
//! ^|a row that was scrolled out|
//! 1|text 界~[e\u{301}]|
//! 1: 1-4 bold fg=1; 6-7 bg=#0a0b0c
//! ```
//!
//! Rows and columns count from 1. A row is left out if it is blank, other lines if they are as
//! after a reset. `~` is the second half of a wide character, `[…]` one cell of several code
//! points; `\[`, `\]` and `\~` are these characters themselves.

use std::fmt::Write;

use screentest_core::{Attributes, Color, Rgb, Size, Style, Underline, Width};

use super::{Cell, CursorState, Observation};
use crate::notation;
use crate::probe;

/// Writes observations with their names.
pub fn write_all<'a>(
    header: &str,
    entries: impl IntoIterator<Item = (&'a str, &'a Observation)>,
) -> String {
    let mut text: String = header.lines().map(|line| format!("# {line}\n")).collect();
    for (name, observation) in entries {
        let _ = write!(text, "\nprobe: {name}\n{observation}");
    }
    text
}

impl std::fmt::Display for Observation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.size != probe::SIZE {
            writeln!(f, "size: {}", self.size)?;
        }
        writeln!(f, "cursor: {}", self.cursor)?;
        if !self.title.is_empty() {
            writeln!(f, "title: {}", notation::encode(self.title.as_bytes()))?;
        }
        if !self.modes.is_empty() {
            writeln!(f, "modes: {}", self.modes.join(" "))?;
        }
        if !self.replies.is_empty() {
            writeln!(f, "replies: {}", notation::encode(&self.replies))?;
        }
        if self.scrolled != 0 {
            writeln!(f, "scrolled: {}", self.scrolled)?;
        }
        for row in &self.scrollback {
            writeln!(f, "^|{}|", escape(row))?;
        }
        for (number, row) in (1..).zip(&self.rows) {
            if !row.is_empty() {
                writeln!(f, "{number}|{}|", row_text(row))?;
            }
            let styles = row_styles(row);
            if !styles.is_empty() {
                writeln!(f, "{number}: {styles}")?;
            }
        }
        Ok(())
    }
}

impl std::fmt::Display for CursorState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{}", self.row + 1, self.col + 1)?;
        if self.pending_wrap {
            f.write_str(" pending-wrap")?;
        }
        if !self.visible {
            f.write_str(" hidden")?;
        }
        if self.shape != "block" {
            write!(f, " {}", self.shape)?;
        }
        if self.blinking {
            f.write_str(" blinking")?;
        }
        Ok(())
    }
}

/// Writes the text of a row.
pub(crate) fn row_text(row: &[Cell]) -> String {
    let mut text = String::new();
    for cell in row {
        let mut chars = cell.text.chars();
        match (cell.width, chars.next(), chars.next()) {
            (Width::Spacer, ..) => text.push('~'),
            (_, Some(c), None) => text.push_str(&escape(c.encode_utf8(&mut [0; 4]))),
            _ => {
                let _ = write!(text, "[{}]", escape(&cell.text));
            }
        }
    }
    text
}

fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if matches!(c, '[' | ']' | '~') {
            escaped.push('\\');
        }
        notation::push_escaped(&mut escaped, c);
    }
    escaped
}

/// Writes the runs of cells that are not plain.
fn row_styles(row: &[Cell]) -> String {
    let mut parts = Vec::new();
    let mut first = 1;
    for run in row.chunk_by(|one, other| one.style == other.style) {
        let last = first + run.len() - 1;
        if run[0].style != Style::default() {
            parts.push(format!(
                "{} {}",
                columns(first, last),
                style_text(&run[0].style)
            ));
        }
        first = last + 1;
    }
    parts.join("; ")
}

/// Writes a range of columns.
pub(crate) fn columns(first: usize, last: usize) -> String {
    if first == last {
        first.to_string()
    } else {
        format!("{first}-{last}")
    }
}

/// Writes a style; `plain` if it is the default.
pub(crate) fn style_text(style: &Style) -> String {
    let mut words: Vec<String> = style
        .attributes
        .iter_names()
        .map(|(name, _)| name.to_lowercase())
        .collect();
    if style.underline != Underline::None {
        words.push(format!("underline={:?}", style.underline).to_lowercase());
    }
    for (name, color) in [
        ("ul", style.underline_color),
        ("fg", style.fg),
        ("bg", style.bg),
    ] {
        match color {
            Color::Default => {}
            Color::Indexed(index) => words.push(format!("{name}={index}")),
            Color::Rgb(rgb) => words.push(format!("{name}={rgb}")),
        }
    }
    if words.is_empty() {
        "plain".to_owned()
    } else {
        words.join(" ")
    }
}

/// Parses stored observations with their names. The error names the line.
pub fn parse_all(text: &str) -> Result<Vec<(String, Observation)>, String> {
    let mut entries: Vec<(String, Observation)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let parsed = match (line.strip_prefix("probe: "), entries.last_mut()) {
            (Some(name), _) => {
                entries.push((name.to_owned(), empty(probe::SIZE)));
                Some(())
            }
            (None, Some((_, observation))) => parse_line(observation, line),
            (None, None) => None,
        };
        parsed.ok_or_else(|| format!("line {}: `{line}` is not understood", index + 1))?;
    }
    Ok(entries)
}

fn empty(size: Size) -> Observation {
    Observation {
        size,
        rows: vec![Vec::new(); size.rows.into()],
        cursor: CursorState {
            row: 0,
            col: 0,
            pending_wrap: false,
            visible: true,
            shape: "block".to_owned(),
            blinking: false,
        },
        title: String::new(),
        modes: Vec::new(),
        replies: Vec::new(),
        scrolled: 0,
        scrollback: Vec::new(),
    }
}

fn parse_line(to: &mut Observation, line: &str) -> Option<()> {
    let decoded = |value| notation::decode(value).ok();
    if let Some((number, text)) = line.split_once('|').filter(|(n, _)| !n.contains(':')) {
        let cells = parse_cells(text.strip_suffix('|')?)?;
        if number == "^" {
            let text = cells.iter().map(|cell| cell.text.as_str()).collect();
            to.scrollback.push(text);
        } else {
            *row(to, number)? = cells;
        }
        return Some(());
    }
    let (key, value) = line.split_once(": ")?;
    match key {
        "size" => *to = empty(probe::size(value)?),
        "cursor" => to.cursor = parse_cursor(value)?,
        "title" => to.title = String::from_utf8(decoded(value)?).ok()?,
        "modes" => to.modes = value.split(' ').map(str::to_owned).collect(),
        "replies" => to.replies = decoded(value)?,
        "scrolled" => to.scrolled = value.parse().ok()?,
        number => {
            let row = row(to, number)?;
            for run in value.split("; ") {
                let (cols, style) = run.split_once(' ')?;
                let (first, last) = cols.split_once('-').unwrap_or((cols, cols));
                let first: usize = first.parse().ok()?;
                let cells = row.get_mut(first.checked_sub(1)?..last.parse().ok()?)?;
                let style = parse_style(style)?;
                cells.iter_mut().for_each(|cell| cell.style = style);
            }
        }
    }
    Some(())
}

fn row<'a>(of: &'a mut Observation, number: &str) -> Option<&'a mut Vec<Cell>> {
    let number: usize = number.parse().ok()?;
    of.rows.get_mut(number.checked_sub(1)?)
}

fn parse_cursor(text: &str) -> Option<CursorState> {
    let mut words = text.split(' ');
    let (row, col) = words.next()?.split_once(',')?;
    let mut cursor = empty(probe::SIZE).cursor;
    cursor.row = row.parse::<usize>().ok()?.checked_sub(1)?;
    cursor.col = col.parse::<usize>().ok()?.checked_sub(1)?;
    for word in words {
        match word {
            "pending-wrap" => cursor.pending_wrap = true,
            "hidden" => cursor.visible = false,
            "blinking" => cursor.blinking = true,
            shape => cursor.shape = shape.to_owned(),
        }
    }
    Some(cursor)
}

fn parse_cells(text: &str) -> Option<Vec<Cell>> {
    let mut cells: Vec<Cell> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('~') {
            if let Some(lead) = cells.last_mut() {
                lead.width = Width::Wide;
            }
            let mut spacer = Cell::blank();
            (spacer.text, spacer.width) = (String::new(), Width::Spacer);
            cells.push(spacer);
            rest = after;
            continue;
        }
        let mut cell = Cell::blank();
        cell.text.clear();
        if let Some(mut inside) = rest.strip_prefix('[') {
            while !inside.starts_with(']') {
                inside = parse_char(inside, &mut cell.text)?;
            }
            rest = inside.strip_prefix(']')?;
        } else {
            rest = parse_char(rest, &mut cell.text)?;
        }
        cells.push(cell);
    }
    Some(cells)
}

/// Parses a possibly escaped character, appends it, and returns the rest.
fn parse_char<'a>(text: &'a str, to: &mut String) -> Option<&'a str> {
    let first = text.chars().next()?;
    if first != '\\' {
        to.push(first);
        return text.strip_prefix(first);
    }
    let after = text.strip_prefix('\\')?;
    let second = after.chars().next()?;
    if matches!(second, '[' | ']' | '~') {
        to.push(second);
        return after.strip_prefix(second);
    }
    let length = match second {
        'x' => 4,
        'u' => text.find('}')? + 1,
        _ => 2,
    };
    let (escape, rest) = text.split_at_checked(length)?;
    to.push_str(std::str::from_utf8(&notation::decode(escape).ok()?).ok()?);
    Some(rest)
}

fn parse_style(text: &str) -> Option<Style> {
    let mut style = Style::default();
    for word in text.split(' ') {
        match word.split_once('=') {
            Some(("fg", color)) => style.fg = parse_color(color)?,
            Some(("bg", color)) => style.bg = parse_color(color)?,
            Some(("ul", color)) => style.underline_color = parse_color(color)?,
            Some(("underline", "single")) => style.underline = Underline::Single,
            Some(("underline", "double")) => style.underline = Underline::Double,
            Some(("underline", "curly")) => style.underline = Underline::Curly,
            Some(("underline", "dotted")) => style.underline = Underline::Dotted,
            Some(("underline", "dashed")) => style.underline = Underline::Dashed,
            Some(_) => return None,
            None => style.attributes |= Attributes::from_name(&word.to_uppercase())?,
        }
    }
    Some(style)
}

fn parse_color(text: &str) -> Option<Color> {
    match Rgb::parse(text) {
        Some(rgb) => Some(Color::Rgb(rgb)),
        None => text.parse().ok().map(Color::Indexed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STORED: &str = "\
# header

probe: all of it
size: 30x4
cursor: 2,5 pending-wrap hidden bar blinking
title: a\\e title
modes: +origin mouse=drags
replies: \\e[?62c
scrolled: 3
^|a row \\[1\\]|
1|text 界~[e\\u{301}]\\~\\\\|
1: 1-4 bold underline=curly ul=3 fg=1; 6-7 bg=#0a0b0c
3|  |
3: 1-2 inverse

probe: nothing
cursor: 1,1
";

    #[test]
    fn a_stored_observation_survives_reading_and_writing() {
        let entries = parse_all(STORED).unwrap();
        let borrowed = entries.iter().map(|(name, seen)| (name.as_str(), seen));
        assert_eq!(write_all("header", borrowed), STORED);
        let row = &entries[0].1.rows[0];
        assert_eq!((row[5].width, row[6].width), (Width::Wide, Width::Spacer));
        assert_eq!(row[7].text, "e\u{301}");
        assert_eq!(row[9].text, "\\");
    }

    #[test]
    fn a_damaged_file_is_an_error_with_its_line() {
        for line in [
            "9|x|",
            "1|x",
            "1: 3 bold",
            "1: 0 bold",
            "fg: red",
            "cursor: 0,1",
            "1|[x|",
        ] {
            let error = parse_all(&format!("probe: a\n{line}\n")).unwrap_err();
            assert_eq!(error, format!("line 2: `{line}` is not understood"));
        }
    }
}

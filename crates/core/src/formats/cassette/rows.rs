//! Encodes rows of a screen for `frames.jsonl`, and decodes them without loss.
//!
//! A row stores the width of each of its characters, so that it does not depend on the width tables
//! of the reading version. Styles are numbered from 1 in the order of their first use since the
//! last keyframe; 0 is the default style.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::style_json::{FrameStyleJson, LinkedStyle};
use crate::screen::row::{LinkId, StyleId, ZoneStart};
use crate::{Row, RowBuilder, Style, StyleRun, Text, Width, Zone};

/// A row in the file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum RowJson {
    /// Only characters of one column in the default style.
    Text(String),
    /// A list of spans.
    Spans(Vec<SpanJson>),
    /// Spans of a row that wraps into the next one, or that has zones marked by a shell.
    Marked {
        spans: Vec<SpanJson>,
        #[serde(default, skip_serializing_if = "super::is_false")]
        wrapped: bool,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        zones: Vec<(u16, ZoneJson)>,
    },
}

/// A span of cells with one style.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum SpanJson {
    /// `"text"`: default style, one column per character.
    Plain(String),
    /// `["text", 1]`: with the first style.
    Styled(String, usize),
    /// `["界", 1, 2]`: two columns per character. 0 columns mean the second half of a wide character
    /// whose first half was overwritten.
    Wide(String, usize, u8),
    /// `[["é"], 1, 1]`: each string is one cell.
    Clusters(Vec<String>, usize, u8),
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ZoneJson {
    None,
    Prompt,
    Input,
    Output,
}

/// The numbers of the styles since the last keyframe, for writing.
#[derive(Debug, Default)]
pub(super) struct StyleNumbers {
    numbers: HashMap<LinkedStyle, usize>,
    /// The styles that the next line must define.
    pub(super) new: Vec<FrameStyleJson>,
}

impl StyleNumbers {
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    pub(super) fn clear(&mut self) {
        self.numbers.clear();
        self.new.clear();
    }

    fn of(&mut self, run: &StyleRun<'_>) -> usize {
        if run.link().is_none() && *run.style() == Style::default() {
            return 0;
        }
        let style = LinkedStyle {
            style: *run.style(),
            link: run.link().cloned(),
        };
        let next = self.numbers.len() + 1;
        let number = *self.numbers.entry(style.clone()).or_insert(next);
        if number == next {
            self.new.push(FrameStyleJson::of(&style));
        }
        number
    }
}

impl RowJson {
    pub(super) fn of(row: &Row, styles: &mut StyleNumbers) -> RowJson {
        let mut spans: Vec<SpanJson> = Vec::new();
        let mut wide_before = false;
        let numbered = row.runs().flat_map(|run| {
            let number = styles.of(&run);
            run.cells().map(move |cell| (number, cell))
        });
        for (number, cell) in numbered {
            let width = match cell.width {
                // Written together with its character.
                Width::Spacer if wide_before => {
                    wide_before = false;
                    continue;
                }
                Width::Spacer => 0,
                Width::Narrow => 1,
                Width::Wide => 2,
            };
            wide_before = cell.width == Width::Wide;
            add(&mut spans, cell.text, number, width);
        }
        let zones: Vec<_> = row.zones().iter().map(zone).collect();
        if row.wrapped() || !zones.is_empty() {
            return RowJson::Marked {
                spans,
                wrapped: row.wrapped(),
                zones,
            };
        }
        match spans.as_mut_slice() {
            [] => RowJson::Text(String::new()),
            [SpanJson::Plain(text)] => RowJson::Text(std::mem::take(text)),
            _ => RowJson::Spans(spans),
        }
    }

    /// Decodes the row, with the table of styles and the width of the screen.
    pub(super) fn row(
        &self,
        styles: &[LinkedStyle],
        cols: u16,
        builder: &mut RowBuilder,
    ) -> Result<Row, String> {
        let plain;
        let (spans, wrapped, zones) = match self {
            RowJson::Text(text) => {
                plain = [SpanJson::Plain(text.clone())];
                (&plain[..], false, &[][..])
            }
            RowJson::Spans(spans) => (spans.as_slice(), false, &[][..]),
            RowJson::Marked {
                spans,
                wrapped,
                zones,
            } => (spans.as_slice(), *wrapped, zones.as_slice()),
        };
        let read = read(spans, zones, styles, cols.into(), builder);
        builder.wrapped(wrapped);
        // Finish the row after an error, too, so that the builder is empty again.
        let row = builder.finish();
        read.map(|()| row)
    }
}

/// Appends a cell to the last span if that has the same style and width; otherwise starts a new
/// span.
fn add(spans: &mut Vec<SpanJson>, text: Text<'_>, number: usize, columns: u8) {
    match (text, spans.last_mut()) {
        (Text::Char(c), Some(SpanJson::Plain(text))) if number == 0 && columns == 1 => text.push(c),
        (Text::Char(c), Some(SpanJson::Styled(text, style)))
            if *style == number && columns == 1 =>
        {
            text.push(c);
        }
        (Text::Char(c), Some(SpanJson::Wide(text, style, width)))
            if *style == number && *width == columns && columns != 1 =>
        {
            text.push(c);
        }
        (Text::Cluster(cluster), Some(SpanJson::Clusters(texts, style, width)))
            if *style == number && *width == columns =>
        {
            texts.push(cluster.to_owned());
        }
        (Text::Char(c), _) => spans.push(match (columns, number) {
            (1, 0) => SpanJson::Plain(c.to_string()),
            (1, style) => SpanJson::Styled(c.to_string(), style),
            (columns, style) => SpanJson::Wide(c.to_string(), style, columns),
        }),
        (Text::Cluster(cluster), _) => {
            spans.push(SpanJson::Clusters(
                vec![cluster.to_owned()],
                number,
                columns,
            ));
        }
    }
}

fn read(
    spans: &[SpanJson],
    zones: &[(u16, ZoneJson)],
    styles: &[LinkedStyle],
    cols: usize,
    builder: &mut RowBuilder,
) -> Result<(), String> {
    let mut zones = zones.iter().peekable();
    for span in spans {
        let (number, columns) = match span {
            SpanJson::Plain(_) => (0, 1),
            SpanJson::Styled(_, style) => (*style, 1),
            SpanJson::Wide(_, style, columns) | SpanJson::Clusters(_, style, columns) => {
                (*style, *columns)
            }
        };
        let width = match columns {
            0 => Width::Spacer,
            1 => Width::Narrow,
            2 => Width::Wide,
            other => return Err(format!("`{other}` columns: a character has 0, 1 or 2")),
        };
        let (style, link) = match number.checked_sub(1) {
            None => (StyleId::PLAIN, LinkId::NONE),
            Some(index) => {
                let style = styles.get(index).ok_or_else(|| {
                    format!(
                        "style `{number}` is not defined: there are {} styles",
                        styles.len()
                    )
                })?;
                let link = style.link.as_ref().map(|link| builder.link(link));
                (builder.style(&style.style), link.unwrap_or(LinkId::NONE))
            }
        };
        let mut cell = |text: Text<'_>| {
            while let Some((_, zone)) = zones.next_if(|(col, _)| usize::from(*col) <= builder.col())
            {
                builder.zone(zone.zone());
            }
            if let Some(c) = control_char(text) {
                let c = c.escape_unicode();
                return Err(format!("a row contains the control character `{c}`"));
            }
            match (text, width) {
                (_, Width::Spacer) => builder.push_spacer(style, link),
                (Text::Char(c), Width::Narrow) => builder.push(c, style, link),
                (Text::Char(c), Width::Wide) => builder.push_wide(c, style, link),
                (Text::Cluster(text), width) => builder.push_cluster(text, width, style, link),
            }
            if builder.col() > cols {
                return Err(format!("a row has more than the screen's {cols} columns"));
            }
            Ok(())
        };
        match span {
            SpanJson::Plain(text) | SpanJson::Styled(text, _) | SpanJson::Wide(text, _, _) => {
                text.chars().try_for_each(|c| cell(Text::Char(c)))?;
            }
            SpanJson::Clusters(texts, _, _) => {
                texts
                    .iter()
                    .try_for_each(|text| cell(Text::Cluster(text)))?;
            }
        }
    }
    // A zone may start after the last character.
    for (col, zone) in zones {
        let col = usize::from(*col);
        if col > cols {
            return Err(format!(
                "a zone in column {col} is outside the screen's {cols} columns"
            ));
        }
        while builder.col() < col {
            builder.push(' ', StyleId::PLAIN, LinkId::NONE);
        }
        builder.zone(zone.zone());
    }
    Ok(())
}

/// Returns the first control character of a cell. Emulators store none, and a terminal would
/// execute it.
fn control_char(text: Text<'_>) -> Option<char> {
    match text {
        Text::Char(c) => c.is_control().then_some(c),
        Text::Cluster(text) => text.chars().find(|c| c.is_control()),
    }
}

fn zone(start: &ZoneStart) -> (u16, ZoneJson) {
    let zone = match start.zone {
        Zone::None => ZoneJson::None,
        Zone::Prompt => ZoneJson::Prompt,
        Zone::Input => ZoneJson::Input,
        Zone::Output => ZoneJson::Output,
    };
    (start.col, zone)
}

impl ZoneJson {
    fn zone(self) -> Zone {
        match self {
            ZoneJson::None => Zone::None,
            ZoneJson::Prompt => Zone::Prompt,
            ZoneJson::Input => Zone::Input,
            ZoneJson::Output => Zone::Output,
        }
    }
}

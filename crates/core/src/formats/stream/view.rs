//! What a viewer has, and what messages make of it.
//!
//! A message is applied whole or not at all. Whatever is refused, the answer is the same: ask for a keyframe.

use std::sync::Arc;

use super::row::{Kind, RowChange};
use super::{Body, Changes, Ended, Message, Seen};
use crate::screen::row::{LinkId, StyleId};
use crate::{CellView, Row, RowBuilder, Size, Text, Width};

/// What a viewer has of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    channel: u32,
    shown: Option<(u64, Seen)>,
    ended: Option<Ended>,
    closed: bool,
}

impl View {
    /// A viewer of a channel who has seen nothing yet.
    pub fn new(channel: u32) -> View {
        View {
            channel,
            shown: None,
            ended: None,
            closed: false,
        }
    }

    /// What is shown; `None` before the first keyframe.
    pub fn seen(&self) -> Option<&Seen> {
        self.shown.as_ref().map(|(_, seen)| seen)
    }

    /// Which revision that is.
    pub fn revision(&self) -> Option<u64> {
        self.shown.as_ref().map(|(revision, _)| *revision)
    }

    /// How the program ended, once it has.
    pub fn ended(&self) -> Option<&Ended> {
        self.ended.as_ref()
    }

    /// Whether the session is closed.
    pub fn closed(&self) -> bool {
        self.closed
    }
}

/// Why a message does not follow from what a viewer has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// It is for another session.
    #[error("a message for channel `{channel}` in the view of channel `{own}`")]
    Channel {
        /// The message's.
        channel: u32,
        /// The view's.
        own: u32,
    },
    /// A delta before any keyframe.
    #[error("a delta since revision `{base}` where nothing is shown yet; ask for a keyframe")]
    NoKeyframe {
        /// What it is based on.
        base: u64,
    },
    /// A delta that is based on another screen.
    #[error("a delta since revision `{base}` where `{shown}` is shown; ask for a keyframe")]
    Base {
        /// What it is based on.
        base: u64,
        /// What is shown.
        shown: u64,
    },
    /// Rows, columns or a cursor that the screen does not have.
    #[error("{what} `{value}` is outside the screen of {size}; ask for a keyframe")]
    Outside {
        /// What is outside.
        what: &'static str,
        /// Where it is, from 0.
        value: usize,
        /// The size of the screen.
        size: Size,
    },
    /// A row that would end up with half a wide character.
    #[error(
        "row `{row}` is cut within the wide character before column `{col}`; ask for a keyframe"
    )]
    Half {
        /// The row, from 0.
        row: usize,
        /// The column of the second half, from 0.
        col: usize,
    },
}

/// Makes of a view what a message says. A view that a message is refused for stays as it is.
pub fn apply(view: &mut View, message: Message) -> Result<(), ApplyError> {
    let Message {
        channel,
        revision,
        body,
    } = message;
    if channel != view.channel {
        return Err(ApplyError::Channel {
            channel,
            own: view.channel,
        });
    }
    match body {
        Body::Keyframe { size, changes } => {
            let seen = changed(Seen::blank(size), changes)?;
            view.shown = Some((revision, seen));
        }
        Body::Delta { base, changes } => {
            let (shown, seen) = view.shown.as_ref().ok_or(ApplyError::NoKeyframe { base })?;
            if *shown != base {
                let shown = *shown;
                return Err(ApplyError::Base { base, shown });
            }
            let seen = changed(seen.clone(), changes)?;
            view.shown = Some((revision, seen));
        }
        Body::Ended(how) => view.ended = Some(how),
        Body::Closed => view.closed = true,
    }
    Ok(())
}

fn changed(mut seen: Seen, changes: Changes) -> Result<Seen, ApplyError> {
    let (screen, _) = seen.parts();
    let size = screen.size;
    let within = |what, value: usize, end: u16| {
        if value < usize::from(end) {
            return Ok(());
        }
        Err(ApplyError::Outside { what, value, size })
    };
    if let Some(cursor) = changes.facts.cursor() {
        within("the cursor's row", cursor.row, size.rows)?;
        within("the cursor's column", cursor.col, size.cols)?;
    }
    if !changes.moves.is_empty() {
        let before = screen.rows.clone();
        for moved in &changes.moves {
            within("row", moved.to.max(moved.from) + moved.count - 1, size.rows)?;
            screen.rows[moved.to..moved.to + moved.count]
                .clone_from_slice(&before[moved.from..moved.from + moved.count]);
        }
    }
    let mut builder = RowBuilder::new();
    for change in &changes.rows {
        within("row", change.index, size.rows)?;
        let row = &mut screen.rows[change.index];
        *row = Arc::new(build(&changes, change, row, size, &mut builder)?);
    }
    changes.facts.apply(&mut seen);
    Ok(seen)
}

/// The row that takes the place of another.
fn build(
    changes: &Changes,
    change: &RowChange,
    before: &Row,
    size: Size,
    builder: &mut RowBuilder,
) -> Result<Row, ApplyError> {
    let cols = usize::from(size.cols);
    let pieces = &changes.pieces[change.pieces.clone()];
    let new: usize = pieces.iter().map(|piece| usize::from(piece.cols)).sum();
    let end = change.kept + new;
    let last_zone = change.zones.last().map_or(0, |zone| zone.col.into());
    for (what, value) in [
        ("the end of the cells in column", end),
        ("a zone in column", last_zone),
    ] {
        if value > cols {
            return Err(ApplyError::Outside { what, value, size });
        }
    }
    let whole = |row: &Row, col: usize| {
        let half = col > 0
            && row.cell(col).width == Width::Spacer
            && row.cell(col - 1).width == Width::Wide;
        match half {
            true => Err(ApplyError::Half {
                row: change.index,
                col,
            }),
            false => Ok(()),
        }
    };
    whole(before, change.kept)?;
    if change.rest {
        whole(before, end)?;
    }
    let mut row = Zoned {
        builder,
        zones: &change.zones,
    };
    row.copy(before, 0..change.kept);
    for piece in pieces {
        // A piece's part of the text and its look were checked when it was read.
        let range = piece.text.start as usize..piece.text.end as usize;
        let text = changes.text.get(range).unwrap_or_default();
        let look = (piece.look as usize).checked_sub(1);
        let look = look.and_then(|index| changes.looks.get(index));
        let (style, link) = match look {
            None => (StyleId::PLAIN, LinkId::NONE),
            Some(look) => {
                let link = look.link.as_ref();
                let link = link.map_or(LinkId::NONE, |link| row.builder.link(link));
                (row.builder.style(&look.style), link)
            }
        };
        let mut push = |text: Text<'_>, width| row.push(text, width, style, link);
        match piece.kind {
            Kind::Narrow => text
                .chars()
                .for_each(|c| push(Text::Char(c), Width::Narrow)),
            Kind::Wide => text.chars().for_each(|c| push(Text::Char(c), Width::Wide)),
            Kind::NarrowCluster => push(Text::Cluster(text), Width::Narrow),
            Kind::WideCluster => push(Text::Cluster(text), Width::Wide),
            Kind::Again => {
                let c = text.chars().next().unwrap_or(' ');
                (0..piece.cols).for_each(|_| push(Text::Char(c), Width::Narrow));
            }
            Kind::Spacers => {
                (0..piece.cols).for_each(|_| push(Text::Char(' '), Width::Spacer));
            }
        }
    }
    if change.rest {
        row.copy(before, end..before.len());
    }
    row.finish_zones();
    row.builder.wrapped(change.wrapped);
    let built = row.builder.finish();
    // A zone begins with a character, so none on a second half was put where it belongs.
    for zone in &change.zones {
        whole(&built, zone.col.into())?;
    }
    Ok(built)
}

/// A row that grows, and the zones that are still to begin in it.
#[derive(Debug)]
struct Zoned<'a> {
    builder: &'a mut RowBuilder,
    zones: &'a [crate::screen::row::ZoneStart],
}

impl Zoned<'_> {
    fn push(&mut self, text: Text<'_>, width: Width, style: StyleId, link: LinkId) {
        while let [start, rest @ ..] = self.zones
            && usize::from(start.col) <= self.builder.col()
        {
            self.builder.zone(start.zone);
            self.zones = rest;
        }
        match (text, width) {
            (_, Width::Spacer) => self.builder.push_spacer(style, link),
            (Text::Char(c), Width::Narrow) => self.builder.push(c, style, link),
            (Text::Char(c), Width::Wide) => self.builder.push_wide(c, style, link),
            (Text::Cluster(text), _) => self.builder.push_cluster(text, width, style, link),
        }
    }

    /// Some cells of another row, in their columns.
    fn copy(&mut self, from: &Row, cols: std::ops::Range<usize>) {
        for col in cols {
            let CellView {
                text,
                width,
                style,
                link,
            } = from.cell(col);
            // The second half came with the first.
            if width == Width::Spacer && self.builder.col() > col {
                continue;
            }
            let style = self.builder.style(style);
            let link = link.map_or(LinkId::NONE, |link| self.builder.link(link));
            self.push(text, width, style, link);
        }
    }

    /// A shell may have marked a place behind the last character.
    fn finish_zones(&mut self) {
        while let [start, rest @ ..] = self.zones {
            while self.builder.col() < usize::from(start.col) {
                self.builder.push(' ', StyleId::PLAIN, LinkId::NONE);
            }
            self.builder.zone(start.zone);
            self.zones = rest;
        }
    }
}

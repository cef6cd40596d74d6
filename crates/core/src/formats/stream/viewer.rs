//! The state of a viewer, and the application of messages to it.
//!
//! A message is applied completely or not at all. After any refused message, the viewer asks for a
//! keyframe.

use std::sync::Arc;

use super::row::{RowChange, StreamPieceKind};
use super::{ProgramExit, ScreenChanges, StreamBody, StreamMessage, WireScreen};
use crate::screen::row::{LinkId, StyleId};
use crate::{CellView, Row, RowBuilder, Size, Text, Width};

/// A viewer's state of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Viewer {
    channel: u32,
    shown: Option<(u64, WireScreen)>,
    ended: Option<ProgramExit>,
    closed: bool,
}

impl Viewer {
    /// Creates a view of a channel, without a screen.
    pub fn new(channel: u32) -> Viewer {
        Viewer {
            channel,
            shown: None,
            ended: None,
            closed: false,
        }
    }

    /// Returns the current screen; `None` before the first keyframe.
    pub fn seen(&self) -> Option<&WireScreen> {
        self.shown.as_ref().map(|(_, seen)| seen)
    }

    /// Returns the revision of the current screen.
    pub fn revision(&self) -> Option<u64> {
        self.shown.as_ref().map(|(revision, _)| *revision)
    }

    /// Returns how the program exited, or `None` if it has not exited.
    pub fn ended(&self) -> Option<&ProgramExit> {
        self.ended.as_ref()
    }

    /// Whether the session is closed.
    pub fn closed(&self) -> bool {
        self.closed
    }
}

/// Reason why a message does not fit a view.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// The message is for another session.
    #[error("message for channel `{channel}` in the view of channel `{own}`")]
    Channel {
        /// The message's channel.
        channel: u32,
        /// The view's channel.
        own: u32,
    },
    /// A delta before any keyframe.
    #[error(
        "the delta is based on revision `{base}`, but the view has no screen yet; ask for a keyframe"
    )]
    NoKeyframe {
        /// The revision that the delta is based on.
        base: u64,
    },
    /// A delta that is based on another revision.
    #[error(
        "the delta is based on revision `{base}`, but the view is at `{shown}`; ask for a keyframe"
    )]
    Base {
        /// The revision that the delta is based on.
        base: u64,
        /// The revision of the view.
        shown: u64,
    },
    /// Rows, columns or a cursor that the screen does not have.
    #[error("{what} `{value}` is outside the screen of {size}; ask for a keyframe")]
    Outside {
        /// The item outside the screen.
        what: &'static str,
        /// Its position, counted from 0.
        value: usize,
        /// The size of the screen.
        size: Size,
    },
    /// A row that would contain half a wide character.
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

/// Applies a message to a view. If the message is refused, the view does not change.
pub fn apply(view: &mut Viewer, message: StreamMessage) -> Result<(), ApplyError> {
    let StreamMessage {
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
        StreamBody::Keyframe { size, changes } => {
            let seen = changed(WireScreen::blank(size), changes)?;
            view.shown = Some((revision, seen));
        }
        StreamBody::Delta { base, changes } => {
            let (shown, seen) = view.shown.as_ref().ok_or(ApplyError::NoKeyframe { base })?;
            if *shown != base {
                let shown = *shown;
                return Err(ApplyError::Base { base, shown });
            }
            let seen = changed(seen.clone(), changes)?;
            view.shown = Some((revision, seen));
        }
        StreamBody::Ended(how) => view.ended = Some(how),
        StreamBody::Closed => view.closed = true,
    }
    Ok(())
}

fn changed(mut seen: WireScreen, changes: ScreenChanges) -> Result<WireScreen, ApplyError> {
    let (screen, _) = seen.parts();
    let size = screen.size;
    let within = |what, value: usize, end: u16| {
        if value < usize::from(end) {
            return Ok(());
        }
        Err(ApplyError::Outside { what, value, size })
    };
    if let Some(cursor) = changes.metadata.cursor() {
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
    if let Some(images) = &changes.images {
        for rect in images.iter().flat_map(|image| image.visible.iter()) {
            within(
                "the last row of an image",
                rect.row + rect.rows - 1,
                size.rows,
            )?;
            within(
                "the last column of an image",
                rect.col + rect.cols - 1,
                size.cols,
            )?;
        }
        screen.images = Arc::clone(images);
    }
    changes.metadata.apply(&mut seen);
    Ok(seen)
}

/// Builds the row that replaces another.
fn build(
    changes: &ScreenChanges,
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
        if half {
            return Err(ApplyError::Half {
                row: change.index,
                col,
            });
        }
        Ok(())
    };
    whole(before, change.kept)?;
    if change.rest {
        whole(before, end)?;
    }
    let mut row = ZonedRowBuilder {
        builder,
        zones: &change.zones,
    };
    row.copy(before, 0..change.kept);
    for piece in pieces {
        // The decoder has checked the piece's text range and style number.
        let range = piece.text.start as usize..piece.text.end as usize;
        let text = changes.text.get(range).unwrap_or_default();
        let entry = (piece.style_number as usize).checked_sub(1);
        let entry = entry.and_then(|index| changes.styles.get(index));
        let (style, link) = match entry {
            None => (StyleId::PLAIN, LinkId::NONE),
            Some(entry) => {
                let link = entry.link.as_ref();
                let link = link.map_or(LinkId::NONE, |link| row.builder.link(link));
                (row.builder.style(&entry.style), link)
            }
        };
        let mut push = |text: Text<'_>, width| row.push(text, width, style, link);
        match piece.kind {
            StreamPieceKind::Narrow => text
                .chars()
                .for_each(|c| push(Text::Char(c), Width::Narrow)),
            StreamPieceKind::Wide => text.chars().for_each(|c| push(Text::Char(c), Width::Wide)),
            StreamPieceKind::NarrowCluster => push(Text::Cluster(text), Width::Narrow),
            StreamPieceKind::WideCluster => push(Text::Cluster(text), Width::Wide),
            StreamPieceKind::Repeated => {
                let c = text.chars().next().unwrap_or(' ');
                (0..piece.cols).for_each(|_| push(Text::Char(c), Width::Narrow));
            }
            StreamPieceKind::Spacers => {
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
    // A zone must not start at the second half of a wide character.
    for zone in &change.zones {
        whole(&built, zone.col.into())?;
    }
    Ok(built)
}

/// A row that is being built, and the zones that still have to start in it.
#[derive(Debug)]
struct ZonedRowBuilder<'a> {
    builder: &'a mut RowBuilder,
    zones: &'a [crate::screen::row::ZoneStart],
}

impl ZonedRowBuilder<'_> {
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

    /// Copies cells of another row to the same columns.
    fn copy(&mut self, from: &Row, cols: std::ops::Range<usize>) {
        for col in cols {
            let CellView {
                text,
                width,
                style,
                link,
            } = from.cell(col);
            // Already written together with the first half.
            if width == Width::Spacer && self.builder.col() > col {
                continue;
            }
            let style = self.builder.style(style);
            let link = link.map_or(LinkId::NONE, |link| self.builder.link(link));
            self.push(text, width, style, link);
        }
    }

    /// Starts the remaining zones, which may lie after the last character.
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

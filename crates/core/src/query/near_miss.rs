//! What comes close to a condition that does not hold.
//!
//! Whoever waited in vain wants to know what was there instead: the same word in another case, outside the rectangle, in
//! another style. Each kind of miss is a sentence that completes “near miss: …”. Nobody waits for this search, but it may
//! be asked of the largest screen, so its work grows with the cells and not faster.
//!
//! Elsewhere: the search (`selector/missed.rs` for selectors, `condition/unmet.rs` for everything else).

use std::fmt;

use crate::query::selector::{Relation, Styled};
use crate::query::truncate::quoted;
use crate::{Cursor, Match, Rect, Selector, Size, Style};

/// Something that comes close to a condition that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NearMiss {
    /// It was on the screen when Enter was pressed, and did not appear again.
    BeforeEnter(Match),
    /// The same letters stand there in another case.
    OtherCase(Match),
    /// The same words stand there with other blanks between them.
    OtherSpacing(Match),
    /// The words stand there, but the row ends between them.
    OverRows(Match),
    /// Much the same text stands there.
    Similar(Match),
    /// It stands there and scrolled out.
    ScrolledOut {
        /// How many rows above the top one.
        rows_above: usize,
    },
    /// The text stands there, drawn in another way.
    OtherStyle {
        /// The text.
        found: Match,
        /// How it should be drawn.
        wanted: Styled,
        /// How the first of its cells is drawn that is not.
        style: Style,
    },
    /// It stands outside the rectangle, or only in part inside.
    OutsideRectangle(Match),
    /// There are fewer than that.
    TooFew {
        /// How many there are.
        found: usize,
        /// Which one was asked for, counted from 0.
        index: usize,
    },
    /// It stands in another row than the cursor.
    OffCursorRow {
        /// The one that is nearest to the cursor.
        found: Match,
        /// The cursor's row.
        cursor_row: usize,
    },
    /// Of two that must stand so to each other, this one is not there.
    NotFound(Selector),
    /// Both are there, but do not stand so to each other.
    NotRelated {
        /// What was looked for.
        found: Match,
        /// How it should stand.
        relation: Relation,
        /// To this.
        other: Match,
    },
    /// A piece of a pattern is there, but not behind the one before it.
    OutOfOrder {
        /// The piece.
        found: Match,
        /// Behind which it should stand.
        behind: String,
    },
    /// A link leads somewhere else.
    OtherLink {
        /// Its text.
        found: Match,
        /// Where it leads.
        uri: String,
    },
    /// Nothing stands in the cell.
    Blank(crate::Position),
    /// The place that was named is not on the screen.
    OutsideScreen {
        /// The place, as the selector gives it.
        place: Rect,
        /// The size of the screen, or of the rectangle in which the place counts.
        searched: Size,
    },
    /// What should be gone is there.
    StillThere {
        /// The first of them.
        found: Match,
        /// How many more there are.
        more: usize,
    },
    /// The title is this.
    Title(String),
    /// The cursor is here.
    Cursor(Cursor),
}

/// Completes “near miss: …”.
impl fmt::Display for NearMiss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NearMiss::BeforeEnter(found) => write!(
                f,
                "{} was already on the screen before Enter and did not appear again",
                At(found)
            ),
            NearMiss::OtherCase(found) => write!(f, "{}", Stands(found)),
            NearMiss::OtherSpacing(found) => {
                write!(f, "{}, with other blanks", Stands(found))
            }
            NearMiss::OverRows(found) => {
                let rows = found.spans().len();
                write!(f, "{}, broken over {rows} rows", Stands(found))
            }
            NearMiss::Similar(found) => write!(f, "similar text, {}", Stands(found)),
            NearMiss::ScrolledOut { rows_above: 1 } => {
                f.write_str("it scrolled out, 1 row above the top")
            }
            NearMiss::ScrolledOut { rows_above } => {
                write!(f, "it scrolled out, {rows_above} rows above the top")
            }
            NearMiss::OtherStyle {
                found,
                wanted,
                style,
            } => {
                let amiss = wanted.amiss(style).join(", ");
                write!(f, "{}, {amiss}", Stands(found))
            }
            NearMiss::OutsideRectangle(found) => {
                write!(f, "{}, outside the rectangle", Stands(found))
            }
            NearMiss::TooFew { found, index } => {
                let were = if *found == 1 { "was" } else { "were" };
                write!(
                    f,
                    "only {found} {were} found, no match number {index} (counted from 0)"
                )
            }
            NearMiss::OffCursorRow { found, cursor_row } => {
                let row = cursor_row.saturating_add(1);
                write!(f, "{}, the cursor is in row {row}", Stands(found))
            }
            NearMiss::NotFound(selector) => write!(f, "{selector} was not found"),
            NearMiss::NotRelated {
                found,
                relation,
                other,
            } => write!(f, "{} is not {relation} {}", At(found), At(other)),
            NearMiss::OutOfOrder { found, behind } => {
                write!(f, "{} is not behind {}", At(found), quoted(behind))
            }
            NearMiss::OtherLink { found, uri } => {
                write!(f, "{} leads to {}", At(found), quoted(uri))
            }
            NearMiss::Blank(position) => write!(f, "{} is blank", position.to_wire()),
            NearMiss::OutsideScreen { place, searched } => {
                write!(
                    f,
                    "{place} is outside the {searched} cells that are searched"
                )
            }
            NearMiss::StillThere { found, more } => {
                write!(f, "{}", Stands(found))?;
                match more {
                    0 => Ok(()),
                    1 => f.write_str(", and in 1 more place"),
                    more => write!(f, ", and in {more} more places"),
                }
            }
            NearMiss::Title(title) if title.is_empty() => f.write_str("no title is set"),
            NearMiss::Title(title) => write!(f, "the title is {}", quoted(title)),
            NearMiss::Cursor(cursor) => {
                let hidden = if cursor.visible { "" } else { ", hidden" };
                write!(f, "the cursor is at {}{hidden}", cursor.position.to_wire())
            }
        }
    }
}

/// `"Save" stands at row 2, column 5`.
struct Stands<'a>(&'a Match);

impl fmt::Display for Stands<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stands(found) = self;
        let place = found.position().to_wire();
        write!(f, "{} stands at {place}", quoted(found.text()))
    }
}

/// `"Save" at row 2, column 5`.
struct At<'a>(&'a Match);

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let At(found) = self;
        write!(
            f,
            "{} at {}",
            quoted(found.text()),
            found.position().to_wire()
        )
    }
}

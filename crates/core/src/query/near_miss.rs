//! Closest matches of a condition that does not hold.
//!
//! A failed wait reports similar text that was on the screen: the same word in another case,
//! outside the rectangle, in another style. Each variant's text completes “closest match: …”. The
//! search is not time-critical, but it may run on the largest screen, so its work grows at most
//! linearly with the number of cells.
//!
//! See also: the search (`selector/near_miss_search.rs` for selectors, `condition/unmet.rs` for
//! everything else).

use std::fmt;

use crate::query::selector::{Relation, Styled};
use crate::query::truncate::quoted;
use crate::{Cursor, ImagePlacement, Match, Rect, Selector, Size, Style};

/// Something that comes close to a condition that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NearMiss {
    /// The match was already on the screen when Enter was pressed, and did not appear again.
    BeforeEnter(Match),
    /// A match except for case.
    OtherCase(Match),
    /// A match except for spacing.
    OtherSpacing(Match),
    /// A match except that it is split across rows.
    OverRows(Match),
    /// Similar text.
    Similar(Match),
    /// The text was found, but scrolled off the top.
    ScrolledOut {
        /// Number of rows above the top row.
        rows_above: usize,
    },
    /// The text was found, in another style.
    OtherStyle {
        /// The match.
        found: Match,
        /// The required style.
        wanted: Styled,
        /// The style of its first cell that does not fit.
        style: Style,
    },
    /// The match is outside the rectangle, or only partly inside.
    OutsideRectangle(Match),
    /// There are fewer matches than the index requires.
    TooFew {
        /// Number of matches.
        found: usize,
        /// The requested index, counted from 0.
        index: usize,
    },
    /// The match is in another row than the cursor.
    OffCursorRow {
        /// The match nearest to the cursor.
        found: Match,
        /// The cursor's row.
        cursor_row: usize,
    },
    /// One of the two selectors of a relation has no match.
    NotFound(Selector),
    /// Both selectors of a relation have matches, but none has the relation.
    NotRelated {
        /// The match of the first selector.
        found: Match,
        /// The required relation.
        relation: Relation,
        /// The match of the second selector.
        other: Match,
    },
    /// A piece of a pattern was found, but not after the piece before it.
    OutOfOrder {
        /// The piece.
        found: Match,
        /// The piece that it should follow.
        preceding: String,
    },
    /// The link has another address.
    OtherLink {
        /// The linked text.
        found: Match,
        /// Its address.
        uri: String,
    },
    /// The cell is blank.
    Blank(crate::Position),
    /// The position is not on the screen.
    OutsideScreen {
        /// The position, as given in the selector.
        place: Rect,
        /// The size of the screen, or of the rectangle that the position is relative to.
        searched: Size,
    },
    /// Text that should be gone is still there.
    StillThere {
        /// The first match.
        found: Match,
        /// Number of further matches.
        more: usize,
    },
    /// An image on the screen.
    Image(Box<ImagePlacement>),
    /// There is no image on the screen.
    NoImages,
    /// The title on the screen.
    Title(String),
    /// The cursor on the screen.
    Cursor(Cursor),
}

/// Completes “closest match: …”.
impl fmt::Display for NearMiss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NearMiss::BeforeEnter(found) => write!(
                f,
                "{} was already on the screen before Enter and did not appear again",
                QuotedMatch(found)
            ),
            NearMiss::OtherCase(found) => write!(f, "{}", QuotedMatch(found)),
            NearMiss::OtherSpacing(found) => {
                write!(f, "{}, with different spacing", QuotedMatch(found))
            }
            NearMiss::OverRows(found) => {
                let rows = found.spans().len();
                write!(f, "{}, split across {rows} rows", QuotedMatch(found))
            }
            NearMiss::Similar(found) => write!(f, "similar text, {}", QuotedMatch(found)),
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
                write!(f, "{}, {amiss}", QuotedMatch(found))
            }
            NearMiss::OutsideRectangle(found) => {
                write!(f, "{}, outside the rectangle", QuotedMatch(found))
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
                write!(f, "{}, the cursor is in row {row}", QuotedMatch(found))
            }
            NearMiss::NotFound(selector) => write!(f, "{selector} was not found"),
            NearMiss::NotRelated {
                found,
                relation,
                other,
            } => write!(
                f,
                "{} is not {relation} {}",
                QuotedMatch(found),
                QuotedMatch(other)
            ),
            NearMiss::OutOfOrder { found, preceding } => {
                write!(
                    f,
                    "{} is not after {}",
                    QuotedMatch(found),
                    quoted(preceding)
                )
            }
            NearMiss::OtherLink { found, uri } => {
                write!(f, "{} links to {}", QuotedMatch(found), quoted(uri))
            }
            NearMiss::Blank(position) => write!(f, "{} is blank", position.to_wire()),
            NearMiss::OutsideScreen { place, searched } => {
                write!(
                    f,
                    "{place} is outside the searched area of {searched} cells"
                )
            }
            NearMiss::StillThere { found, more } => {
                write!(f, "{}", QuotedMatch(found))?;
                match more {
                    0 => Ok(()),
                    1 => f.write_str(", and in 1 more place"),
                    more => write!(f, ", and in {more} more places"),
                }
            }
            NearMiss::Image(image) => write!(f, "{image}"),
            NearMiss::NoImages => f.write_str("there are no images"),
            NearMiss::Title(title) if title.is_empty() => f.write_str("no title is set"),
            NearMiss::Title(title) => write!(f, "the title is {}", quoted(title)),
            NearMiss::Cursor(cursor) => {
                let hidden = if cursor.visible { "" } else { ", hidden" };
                write!(f, "the cursor is at {}{hidden}", cursor.position.to_wire())
            }
        }
    }
}

/// Formats a match as `"Save" at row 2, column 5`.
struct QuotedMatch<'a>(&'a Match);

impl fmt::Display for QuotedMatch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let QuotedMatch(found) = self;
        if let Some(image) = found.image() {
            return write!(f, "{image}");
        }
        write!(
            f,
            "{} at {}",
            quoted(found.text()),
            found.position().to_wire()
        )
    }
}

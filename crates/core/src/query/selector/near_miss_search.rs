//! Search for the closest matches of a selector that finds nothing.
//!
//! Each kind of selector is searched again without one of its requirements. The result names that
//! requirement.
//!
//! See also: text in another case or with other spacing (`near_miss_search/folded.rs`), and text
//! with typos (`near_miss_search/similar.rs`).

use std::sync::Arc;

use super::pattern::{MissingPiece, Pattern};
use super::region::Region;
use super::{ImageSelector, Link, Regex, Relation, SelectError, Selector, Styled, literal, run};
use crate::{Match, NearMiss, Position, Row, Screen};

mod folded;
mod similar;
#[cfg(test)]
mod tests;

/// Largest number of reported near misses; more would hide the best one.
const MAX_MISSES: usize = 4;

/// Largest number of links that are compared.
const MAX_LINKS: usize = 64;

impl Selector {
    /// Returns the closest matches on a screen where the selector finds nothing, the closest first.
    /// `above` is the text that scrolled off the top, oldest row first.
    pub(crate) fn near_misses(&self, screen: &Screen, above: &[Arc<Row>]) -> Vec<NearMiss> {
        if let Err(SelectError::Outside { place, searched }) = self.check(screen.size) {
            return vec![NearMiss::OutsideScreen { place, searched }];
        }
        let mut misses = self.near_misses_in(SearchContext {
            region: Region::whole(screen),
            above,
        });
        misses.truncate(MAX_MISSES);
        misses
    }

    fn near_misses_in(&self, context: SearchContext<'_>) -> Vec<NearMiss> {
        let region = context.region;
        if region.is_empty() {
            return Vec::new();
        }
        match self {
            Selector::Exact(text) => {
                let mut misses = near_text(region, text);
                misses.extend(context.scrolled_out(self));
                misses
            }
            Selector::Pattern(pattern) => {
                let mut misses = near_pattern(region, pattern);
                misses.extend(context.scrolled_out(self));
                misses
            }
            Selector::Regex(regex) => {
                let other_case = near_regex(region, regex);
                other_case
                    .into_iter()
                    .chain(context.scrolled_out(self))
                    .collect()
            }
            Selector::At(at) => {
                let corner = region.corner();
                vec![NearMiss::Blank(Position {
                    row: corner.row.saturating_add(at.row),
                    col: corner.col.saturating_add(at.col),
                })]
            }
            Selector::Styled(_) => context.scrolled_out(self).into_iter().collect(),
            Selector::Link(link) => {
                let other = near_link(region, link);
                other
                    .into_iter()
                    .chain(context.scrolled_out(self))
                    .collect()
            }
            Selector::Image(_) => near_image(region),
            Selector::Within(rect, inner) => {
                let mut misses = Vec::new();
                // The cell counts from the rectangle's corner, so outside it would be a different
                // cell.
                if !matches!(**inner, Selector::At(_)) {
                    let outside = inner.search(region).into_iter().next();
                    misses.extend(outside.map(NearMiss::OutsideRectangle));
                }
                misses.extend(inner.near_misses_in(SearchContext {
                    region: region.part(*rect),
                    above: &[],
                }));
                if misses.is_empty() {
                    misses = inner.near_misses_in(context);
                }
                misses
            }
            Selector::Nth(index, inner) => match inner.search(region).len() {
                0 => inner.near_misses_in(context),
                found => vec![NearMiss::TooFew {
                    found,
                    index: *index,
                }],
            },
            Selector::OnCursorRow(inner) => {
                let cursor_row = region.screen.cursor.position.row;
                let matches = inner.search(region).into_iter();
                let nearest = matches.min_by_key(|found| found.position().row.abs_diff(cursor_row));
                match nearest {
                    None => inner.near_misses_in(context),
                    Some(found) => vec![NearMiss::OffCursorRow { found, cursor_row }],
                }
            }
            Selector::Any(selectors) => selectors
                .iter()
                .flat_map(|s| s.near_misses_in(context))
                .collect(),
            Selector::Related(inner, relation, other) => related(context, inner, *relation, other),
        }
    }
}

/// Where to search.
#[derive(Debug, Clone, Copy)]
struct SearchContext<'a> {
    region: Region<'a>,
    /// Rows that scrolled off the top, oldest first.
    above: &'a [Arc<Row>],
}

impl SearchContext<'_> {
    /// Returns the lowest place above the screen where a selector finds something.
    fn scrolled_out(self, selector: &Selector) -> Option<NearMiss> {
        if self.above.is_empty() {
            return None;
        }
        // The screen's rows are included: a match may begin above the top and end on the screen.
        let screen = self.region.screen;
        let tall = Screen {
            rows: self.above.iter().chain(&screen.rows).cloned().collect(),
            ..screen.clone()
        };
        let region = Region::whole(&tall);
        let row = match selector {
            Selector::Exact(text) => literal::starts(region, text)
                .map(|start| start.row)
                .take_while(|row| *row < self.above.len())
                .last()?,
            selector => {
                let matches = selector.search(region).into_iter();
                let rows = matches.map(|found| found.position().row);
                rows.filter(|row| *row < self.above.len()).max()?
            }
        };
        Some(NearMiss::ScrolledOut {
            rows_above: self.above.len() - row,
        })
    }
}

/// Closest text; typos are considered only if nothing is closer.
fn near_text(region: Region<'_>, text: &str) -> Vec<NearMiss> {
    let near = folded::nearest(region, text);
    let near = near.or_else(|| similar::nearest(region, text).map(NearMiss::Similar));
    near.into_iter().collect()
}

fn near_pattern(region: Region<'_>, pattern: &Pattern) -> Vec<NearMiss> {
    let missing = pattern.missing(region).take(MAX_MISSES);
    missing
        .flat_map(|MissingPiece { piece, preceding }| {
            if let (Some(found), Some(preceding)) = (literal::first(region, piece), preceding) {
                let preceding = preceding.to_owned();
                return vec![NearMiss::OutOfOrder { found, preceding }];
            }
            let mut misses = near_text(region, piece);
            if preceding.is_some() {
                // The pieces before it were found.
                misses.insert(0, NearMiss::NotFound(Selector::exact(piece)));
            }
            misses
        })
        .collect()
}

fn near_regex(region: Region<'_>, regex: &Regex) -> Option<NearMiss> {
    let any_case = Regex::new(&format!("(?i){}", regex.as_str())).ok()?;
    let found = any_case.all(region).into_iter().next()?;
    Some(NearMiss::OtherCase(found))
}

fn near_link(region: Region<'_>, link: &Link) -> Option<NearMiss> {
    let (Link::To(wanted) | Link::Containing(wanted)) = link;
    let wanted = wanted.to_lowercase();
    let links = run::all(region, |cell| cell.link)
        .into_iter()
        .take(MAX_LINKS);
    let named = links.filter_map(|found| {
        let link = region.screen.cell(found.position()).link?;
        Some((found, link.uri.to_string()))
    });
    let (found, uri) = named.min_by_key(|(_, uri)| {
        let uri = uri.to_lowercase();
        (!uri.contains(&wanted), similar::distance(&uri, &wanted))
    })?;
    Some(NearMiss::OtherLink { found, uri })
}

/// Returns all images of a region, or that there is none.
fn near_image(region: Region<'_>) -> Vec<NearMiss> {
    let found = ImageSelector::new().all(region).into_iter();
    let images = found.filter_map(|found| found.image().cloned());
    let misses: Vec<NearMiss> = images
        .map(|image| NearMiss::Image(Box::new(image)))
        .collect();
    if misses.is_empty() {
        vec![NearMiss::NoImages]
    } else {
        misses
    }
}

fn related(
    context: SearchContext<'_>,
    inner: &Selector,
    relation: Relation,
    other: &Selector,
) -> Vec<NearMiss> {
    let region = context.region;
    let found = inner.search(region).into_iter().next();
    let others = other.search(region);
    // The text is there, but does not have the required style.
    let drawn = match (relation, inner, other) {
        (Relation::Inside, _, Selector::Styled(style)) => found.as_ref().zip(Some(style)),
        (Relation::Holding, Selector::Styled(style), _) => others.first().zip(Some(style)),
        _ => None,
    };
    if let Some(miss) = drawn.and_then(|(found, style)| other_style(region, found, style)) {
        return vec![miss];
    }
    match (found, others.into_iter().next()) {
        (None, _) => missing_side(context, inner),
        (_, None) => missing_side(context, other),
        (Some(found), Some(other)) => vec![NearMiss::NotRelated {
            found,
            relation,
            other,
        }],
    }
}

/// Closest matches of the side of a relation that finds nothing at all.
fn missing_side(context: SearchContext<'_>, side: &Selector) -> Vec<NearMiss> {
    let mut misses = side.near_misses_in(context);
    // A nested relation already names its own side.
    if !matches!(side, Selector::Related(..)) {
        misses.insert(0, NearMiss::NotFound(side.clone()));
    }
    misses
}

fn other_style(region: Region<'_>, found: &Match, wanted: &Styled) -> Option<NearMiss> {
    let styles = found.cells().map(|at| *region.screen.cell(at).style);
    let style = styles.into_iter().find(|style| !wanted.fits(style))?;
    Some(NearMiss::OtherStyle {
        found: found.clone(),
        wanted: *wanted,
        style,
    })
}

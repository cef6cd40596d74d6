//! Finding text by where it leads.
//!
//! Neighbouring cells of one link are one match; two links side by side are two, and so are pieces of one link with other
//! text between them.

use std::fmt;

use super::area::Area;
use super::run;
use crate::Match;

/// Where text must lead (OSC 8) to be found.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Link {
    /// To this address.
    To(String),
    /// To an address that contains this.
    Containing(String),
}

impl Link {
    /// Whether an address is what is meant.
    pub fn fits(&self, uri: &str) -> bool {
        match self {
            Link::To(wanted) => uri == wanted,
            Link::Containing(part) => uri.contains(part.as_str()),
        }
    }

    pub(super) fn all(&self, area: Area<'_>) -> Vec<Match> {
        run::all(area, |cell| cell.link.filter(|link| self.fits(&link.uri)))
    }
}

/// As messages name it: `link "https://example.org/"`.
impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Link::To(uri) => write!(f, "link {uri:?}"),
            Link::Containing(part) => write!(f, "link containing {part:?}"),
        }
    }
}

//! Search for text by its hyperlink.
//!
//! Neighbouring cells of one link are one match. Two links side by side are two matches, and so are
//! pieces of one link with other text between them.

use std::fmt;

use super::region::Region;
use super::run;
use crate::Match;

/// The address (OSC 8) that text must link to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Link {
    /// Exactly this address.
    To(String),
    /// An address that contains this.
    Containing(String),
}

impl Link {
    /// Returns whether an address satisfies the requirement.
    pub fn fits(&self, uri: &str) -> bool {
        match self {
            Link::To(wanted) => uri == wanted,
            Link::Containing(part) => uri.contains(part.as_str()),
        }
    }

    pub(super) fn all(&self, region: Region<'_>) -> Vec<Match> {
        run::all(region, |cell| cell.link.filter(|link| self.fits(&link.uri)))
    }
}

/// The description in messages: `link "https://example.org/"`.
impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Link::To(uri) => write!(f, "link {uri:?}"),
            Link::Containing(part) => write!(f, "link containing {part:?}"),
        }
    }
}

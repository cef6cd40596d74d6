//! Makes a new cassette from a recording: a part of it, a copy with more redactions, or the
//! recovered part of an interrupted recording.

pub(crate) mod cut;
pub(crate) mod recover;
pub(crate) mod scrub;

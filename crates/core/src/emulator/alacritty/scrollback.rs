//! Memory of the scrollback: storage that grows in steps, and compressed old rows.

pub(super) mod compressed;
pub(super) mod growth;

//! Decisions that pixels, SVG and HTML share: colours of a style, columns of the cursor, position of the window.

mod cursor;
mod resolved_style;
pub(crate) mod window;

pub(crate) use cursor::DrawnCursor;
pub(crate) use resolved_style::ResolvedStyle;

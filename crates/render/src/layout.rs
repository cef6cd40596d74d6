//! Decisions that pixels, SVG and HTML share: the colours of a style, the columns of the cursor,
//! and the position of the window's parts.

mod cursor;
mod resolved_style;
pub(crate) mod window;

pub(crate) use cursor::DrawnCursor;
pub(crate) use resolved_style::ResolvedStyle;

//! Decisions that pixels, SVG and HTML share: the colours of a style, the columns of the cursor,
//! placeholders of images, and the position of the window's parts.

mod cursor;
mod placeholder;
mod resolved_style;
pub(crate) mod window;

pub(crate) use cursor::DrawnCursor;
pub(crate) use placeholder::is_placeholder;
pub(crate) use resolved_style::ResolvedStyle;

//! CSS classes, so that each style is written once.
//!
//! A class is named after its style. So a new style in a picture does not rename its other classes,
//! which keeps diffs small, and the same name has the same style in all pictures of a page.

use std::collections::BTreeSet;
use std::fmt;

/// The classes of a picture.
#[derive(Debug, Default)]
pub(super) struct Classes {
    styles: BTreeSet<(String, String)>,
}

impl Classes {
    /// Returns the class of a style, which is a list of CSS declarations.
    pub(super) fn named(&mut self, style: String) -> String {
        let name = name(&style);
        self.styles.insert((name.clone(), style));
        name
    }
}

/// Lines of CSS, sorted by name.
impl fmt::Display for Classes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, style) in &self.styles {
            writeln!(f, ".{name}{{{style}}}")?;
        }
        Ok(())
    }
}

/// Returns the name of a style: `fill:#31bb71;font-weight:bold` is `f31bb71-bold`.
fn name(style: &str) -> String {
    let mut parts = Vec::new();
    for (property, value) in style.split(';').filter_map(|part| part.split_once(':')) {
        let value: String = value.chars().filter(char::is_ascii_alphanumeric).collect();
        parts.push(match property {
            "fill" if value == "none" => continue,
            "fill" => format!("f{value}"),
            "stroke" => format!("s{value}"),
            "fill-opacity" => format!("o{value}"),
            "stroke-width" => format!("w{value}"),
            "stroke-linecap" => continue,
            _ => value,
        });
    }
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_names_describe_the_style_and_begin_with_a_letter() {
        for (style, expected) in [
            ("fill:#31bb71", "f31bb71"),
            (
                "fill:#31bb71;font-weight:bold;font-style:italic",
                "f31bb71-bold-italic",
            ),
            ("fill:#31bb71;fill-opacity:0.25", "f31bb71-o025"),
            ("font-weight:bold", "bold"),
            (
                "fill:none;stroke:#31bb71;stroke-width:2;stroke-linecap:square;shape-rendering:auto",
                "s31bb71-w2-auto",
            ),
        ] {
            assert_eq!(name(style), expected);
        }
    }
}

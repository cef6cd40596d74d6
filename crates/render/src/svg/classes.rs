//! Styles that are written once: numbered in the order of their first use, so that the same screen gives the same names.

use std::collections::HashMap;
use std::fmt;

/// The classes of a picture.
#[derive(Debug, Default)]
pub(super) struct Classes {
    styles: Vec<String>,
    /// Only looked up, never walked through.
    numbers: HashMap<String, usize>,
}

impl Classes {
    /// The class of a style.
    pub(super) fn named(&mut self, style: String) -> String {
        let next = self.styles.len() + 1;
        let number = *self.numbers.entry(style).or_insert_with_key(|style| {
            self.styles.push(style.clone());
            next
        });
        name(number)
    }
}

/// As lines of CSS.
impl fmt::Display for Classes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, style) in self.styles.iter().enumerate() {
            writeln!(f, ".{}{{{style}}}", name(index + 1))?;
        }
        Ok(())
    }
}

fn name(number: usize) -> String {
    format!("c{number}")
}

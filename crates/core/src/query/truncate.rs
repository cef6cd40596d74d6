//! Truncation of texts for messages.
//!
//! The text that a program shows or a test types can have any length; a line of a message cannot.

/// Largest number of characters shown. They fit in a line of 80 with some words around them.
const MAX_CHARS: usize = 60;

/// Returns the text. A text of more than 60 characters is cut after them and marked with `…`.
pub fn start(text: &str) -> String {
    if text.chars().nth(MAX_CHARS).is_none() {
        return text.to_owned();
    }
    text.chars().take(MAX_CHARS).chain(['…']).collect()
}

/// Returns the truncated text in quotes.
pub fn quoted(text: &str) -> String {
    format!("{:?}", start(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_and_marked() {
        assert_eq!(quoted("say \"no\"\n"), r#""say \"no\"\n""#);
        let sixty = "é".repeat(60);
        assert_eq!(quoted(&sixty), format!("\"{sixty}\""));
        let cut = start(&"é".repeat(61));
        assert_eq!(cut, format!("{sixty}…"));
        assert_eq!(quoted(&cut), format!("\"{sixty}…\""));
    }
}

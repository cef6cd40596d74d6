//! The beginning of a text, quoted for a message.
//!
//! What a program shows or a test types may be as long as it likes; a line that somebody reads may not.

/// How many characters of a text are shown: what is left of a line of 80 with words around it.
const MOST: usize = 60;

/// The text, with `…` where it was cut.
pub fn start(text: &str) -> String {
    if text.chars().nth(MOST).is_none() {
        return text.to_owned();
    }
    text.chars().take(MOST).chain(['…']).collect()
}

/// The same in quotes.
pub fn quoted(text: &str) -> String {
    format!("{:?}", start(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_and_says_so() {
        assert_eq!(quoted("say \"no\"\n"), r#""say \"no\"\n""#);
        let sixty = "é".repeat(60);
        assert_eq!(quoted(&sixty), format!("\"{sixty}\""));
        let cut = start(&"é".repeat(61));
        assert_eq!(cut, format!("{sixty}…"));
        assert_eq!(quoted(&cut), format!("\"{sixty}…\""));
    }
}

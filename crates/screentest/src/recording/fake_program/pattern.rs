//! Matches input of which a part may vary.
//!
//! A recorded input becomes a regular expression: the varying parts are the user's pattern, the
//! rest is literal. After each byte, the state of an automaton shows whether the input so far can
//! still become a match, so a wrong key is reported at once and not at the end of the line. A
//! search cannot do this; that is why this file uses the automata of `regex` and not `regex`
//! itself.

use std::error::Error;
use std::sync::Arc;

use regex_automata::hybrid::dfa::DFA;
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind, meta};

use super::expected::Fit;

/// The largest automaton, in bytes: enough for a page of text.
const MOST: usize = 4 << 20;

/// An input with varying parts.
#[derive(Debug, Clone)]
pub(super) struct Pattern(Arc<DFA>);

/// A regular expression whose matches may vary.
#[derive(Debug)]
pub(super) struct Varying {
    found_by: meta::Regex,
    text: String,
}

fn syntax() -> syntax::Config {
    // Input is bytes and may be invalid UTF-8.
    syntax::Config::new().utf8(false)
}

impl Varying {
    pub(super) fn new(text: &str) -> Result<Varying, String> {
        Varying::found_by(text, text)
    }

    /// Where `found_by` matches in the recording, any match of `text` is accepted.
    pub(super) fn found_by(found_by: &str, text: &str) -> Result<Varying, String> {
        let config = meta::Config::new()
            .utf8_empty(false)
            .nfa_size_limit(Some(MOST));
        let found_by = meta::Builder::new()
            .configure(config)
            .syntax(syntax())
            .build(found_by)
            .map_err(|error| told(&error))?;
        Ok(Varying {
            found_by,
            text: text.to_owned(),
        })
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

/// The message of the innermost error, which says what is wrong.
fn told(error: &dyn Error) -> String {
    let mut last = error;
    while let Some(cause) = last.source() {
        last = cause;
    }
    last.to_string()
}

impl Pattern {
    /// Makes a pattern of a recorded input; `None` if nothing in it varies.
    pub(super) fn of(bytes: &[u8], varying: &[Varying]) -> Result<Option<Pattern>, String> {
        let mut text = String::new();
        let mut varies = false;
        let mut at = 0;
        while at < bytes.len() {
            // Of several matches, take the one that begins first; of those, the pattern that was
            // given first.
            let found = varying
                .iter()
                .filter_map(|one| {
                    let input = Input::new(bytes).range(at..);
                    let found = one
                        .found_by
                        .search(&input)
                        .filter(|found| !found.is_empty())?;
                    Some((found.start(), found.end(), one))
                })
                .min_by_key(|(start, _, _)| *start);
            let (start, end) =
                found.map_or((bytes.len(), bytes.len()), |(start, end, _)| (start, end));
            for byte in &bytes[at..start] {
                text.push_str(&format!("(?-u:\\x{byte:02x})"));
            }
            if let Some((_, _, one)) = found {
                varies = true;
                text.push_str(&format!("(?:{})", one.text));
            }
            at = end;
        }
        if !varies {
            return Ok(None);
        }
        let dfa = DFA::builder()
            .configure(DFA::config().match_kind(MatchKind::All))
            .thompson(
                thompson::Config::new()
                    .utf8(false)
                    .nfa_size_limit(Some(MOST)),
            )
            .syntax(syntax())
            .build(&text);
        match dfa {
            Ok(dfa) => Ok(Some(Pattern(Arc::new(dfa)))),
            Err(error) => Err(told(&error)),
        }
    }

    /// Compares received input with this. If the match can be extended, returns the match so far;
    /// the rest is consumed when it arrives.
    pub(super) fn fit(&self, heard: &[u8]) -> Fit {
        self.walk(heard).unwrap_or(Fit::Unfit)
    }

    /// Returns `None` if the automaton gives up.
    fn walk(&self, heard: &[u8]) -> Option<Fit> {
        let dfa = &self.0;
        let mut cache = dfa.create_cache();
        let input = Input::new(heard).anchored(Anchored::Yes);
        let mut state = dfa.start_state_forward(&mut cache, &input).ok()?;
        let mut matched = None;
        for (at, byte) in heard.iter().enumerate() {
            state = dfa.next_state(&mut cache, state, *byte).ok()?;
            // A match state means that a match ended before the byte that led to it.
            if state.is_match() {
                matched = Some(at);
            }
            if state.is_dead() || state.is_quit() {
                break;
            }
        }
        let end = dfa.next_eoi_state(&mut cache, state).ok()?;
        if end.is_match() && !heard.is_empty() {
            return Some(Fit::Whole(heard.len()));
        }
        let mut goes_on = (0..=u8::MAX).map(|byte| dfa.next_state(&mut cache, state, byte));
        if goes_on.any(|next| next.is_ok_and(|next| !next.is_dead() && !next.is_quit())) {
            return Some(Fit::Part);
        }
        Some(match matched {
            Some(length) if length > 0 => Fit::Whole(length),
            _ => Fit::Unfit,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(recorded: &str, varying: &[&str]) -> Option<Pattern> {
        let varying: Vec<_> = varying
            .iter()
            .map(|text| Varying::new(text).unwrap())
            .collect();
        Pattern::of(recorded.as_bytes(), &varying).unwrap()
    }

    #[test]
    fn varying_parts_accept_any_match() {
        let date = pattern("log 2024-01-31\r", &[r"\d{4}-\d\d-\d\d"]).unwrap();
        assert_eq!(date.fit(b""), Fit::Part);
        assert_eq!(date.fit(b"log 19"), Fit::Part);
        assert_eq!(date.fit(b"log 1999-12-31\r"), Fit::Whole(15));
        assert_eq!(date.fit(b"log 1999-12-31\rls"), Fit::Whole(15));
        // A difference is found at the first wrong byte.
        assert_eq!(date.fit(b"log x"), Fit::Unfit);
        assert_eq!(date.fit(b"lag"), Fit::Unfit);
    }

    #[test]
    fn a_match_extends_over_all_received_bytes() {
        let number = pattern("12", &[r"\d+"]).unwrap();
        assert_eq!(number.fit(b"3"), Fit::Whole(1));
        assert_eq!(number.fit(b"345"), Fit::Whole(3));
        assert_eq!(number.fit(b"345\r"), Fit::Whole(3));
    }

    #[test]
    fn the_rest_is_matched_literally() {
        assert!(pattern("a+b", &[r"\d"]).is_none());
        let both = pattern("(1)*x", &[r"\d", "x"]).unwrap();
        assert_eq!(both.fit(b"(2)*x"), Fit::Whole(5));
        assert_eq!(both.fit(b"(2)x"), Fit::Unfit);
        let bytes = [b"\xff".as_slice(), b"1"].concat();
        let bytes = Pattern::of(&bytes, &[Varying::new(r"\d").unwrap()]);
        assert_eq!(bytes.unwrap().unwrap().fit(b"\xff7"), Fit::Whole(2));
    }

    #[test]
    fn invalid_patterns_are_reported() {
        let told = Varying::new("(").unwrap_err();
        assert!(told.contains("unclosed group"), "{told}");
        assert!(Varying::new(r"(\w{1000}){1000}").is_err());
        let varying = [Varying::new(r"\w{50}").unwrap()];
        let told = Pattern::of(&[b'x'; 1 << 20], &varying).unwrap_err();
        assert!(told.contains("limit"), "{told}");
    }
}

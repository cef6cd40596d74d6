//! Matches input of which a part may vary.
//!
//! A recorded input becomes a regular expression: the varying parts are the user's pattern, the
//! rest is literal. After each byte, the state of an automaton shows whether the input so far can
//! still become a match, so a wrong key is reported at once and not at the end of the line. The API
//! of `regex` cannot report this, so this file uses `regex-automata`.

use std::error::Error;
use std::sync::Arc;

use regex_automata::hybrid::dfa::DFA;
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind, meta};

use super::expected::InputMatch;

/// The largest automaton, in bytes: enough for a page of text.
const MAX_AUTOMATON: usize = 4 << 20;

/// An input with varying parts.
#[derive(Debug, Clone)]
pub(super) struct InputPattern(Arc<DFA>);

/// A regular expression whose matches may vary.
#[derive(Debug)]
pub(super) struct VaryingText {
    recorded: meta::Regex,
    text: String,
}

fn syntax() -> syntax::Config {
    // Input is bytes and may be invalid UTF-8.
    syntax::Config::new().utf8(false)
}

impl VaryingText {
    pub(super) fn new(text: &str) -> Result<VaryingText, String> {
        VaryingText::replacing(text, text)
    }

    /// Where `recorded` matches in the recording, any match of `text` is accepted.
    pub(super) fn replacing(recorded: &str, text: &str) -> Result<VaryingText, String> {
        let config = meta::Config::new()
            .utf8_empty(false)
            .nfa_size_limit(Some(MAX_AUTOMATON));
        let recorded = meta::Builder::new()
            .configure(config)
            .syntax(syntax())
            .build(recorded)
            .map_err(|error| innermost_message(&error))?;
        Ok(VaryingText {
            recorded,
            text: text.to_owned(),
        })
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

/// The message of the innermost error, which says what is wrong.
fn innermost_message(error: &dyn Error) -> String {
    let mut last = error;
    while let Some(cause) = last.source() {
        last = cause;
    }
    last.to_string()
}

impl InputPattern {
    /// Makes a pattern of a recorded input; `None` if nothing in it varies.
    pub(super) fn of(
        bytes: &[u8],
        varying: &[VaryingText],
    ) -> Result<Option<InputPattern>, String> {
        let mut text = String::new();
        let mut varies = false;
        let mut at = 0;
        while at < bytes.len() {
            // Take the match that begins first; if several do, the match of the pattern that was
            // given first.
            let found = varying
                .iter()
                .filter_map(|pattern| {
                    let input = Input::new(bytes).range(at..);
                    let found = pattern
                        .recorded
                        .search(&input)
                        .filter(|found| !found.is_empty())?;
                    Some((found.start(), found.end(), pattern))
                })
                .min_by_key(|(start, _, _)| *start);
            let (start, end) =
                found.map_or((bytes.len(), bytes.len()), |(start, end, _)| (start, end));
            for byte in &bytes[at..start] {
                text.push_str(&format!("(?-u:\\x{byte:02x})"));
            }
            if let Some((_, _, pattern)) = found {
                varies = true;
                text.push_str(&format!("(?:{})", pattern.text));
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
                    .nfa_size_limit(Some(MAX_AUTOMATON)),
            )
            .syntax(syntax())
            .build(&text);
        match dfa {
            Ok(dfa) => Ok(Some(InputPattern(Arc::new(dfa)))),
            Err(error) => Err(innermost_message(&error)),
        }
    }

    /// Compares received input with this. If the match can be extended, returns the match so far;
    /// the rest is consumed when it arrives.
    pub(super) fn matches(&self, received: &[u8]) -> InputMatch {
        self.run_automaton(received).unwrap_or(InputMatch::None)
    }

    /// Returns `None` if the automaton gives up.
    fn run_automaton(&self, received: &[u8]) -> Option<InputMatch> {
        let dfa = &self.0;
        let mut cache = dfa.create_cache();
        let input = Input::new(received).anchored(Anchored::Yes);
        let mut state = dfa.start_state_forward(&mut cache, &input).ok()?;
        let mut matched = None;
        for (at, byte) in received.iter().enumerate() {
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
        if end.is_match() && !received.is_empty() {
            return Some(InputMatch::Full(received.len()));
        }
        let mut next_states = (0..=u8::MAX).map(|byte| dfa.next_state(&mut cache, state, byte));
        if next_states.any(|next| next.is_ok_and(|next| !next.is_dead() && !next.is_quit())) {
            return Some(InputMatch::Partial);
        }
        Some(match matched {
            Some(length) if length > 0 => InputMatch::Full(length),
            _ => InputMatch::None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(recorded: &str, varying: &[&str]) -> Option<InputPattern> {
        let varying: Vec<_> = varying
            .iter()
            .map(|text| VaryingText::new(text).unwrap())
            .collect();
        InputPattern::of(recorded.as_bytes(), &varying).unwrap()
    }

    #[test]
    fn varying_parts_accept_any_match() {
        let date = pattern("log 2024-01-31\r", &[r"\d{4}-\d\d-\d\d"]).unwrap();
        assert_eq!(date.matches(b""), InputMatch::Partial);
        assert_eq!(date.matches(b"log 19"), InputMatch::Partial);
        assert_eq!(date.matches(b"log 1999-12-31\r"), InputMatch::Full(15));
        assert_eq!(date.matches(b"log 1999-12-31\rls"), InputMatch::Full(15));
        // A difference is found at the first wrong byte.
        assert_eq!(date.matches(b"log x"), InputMatch::None);
        assert_eq!(date.matches(b"lag"), InputMatch::None);
    }

    #[test]
    fn a_match_extends_over_all_received_bytes() {
        let number = pattern("12", &[r"\d+"]).unwrap();
        assert_eq!(number.matches(b"3"), InputMatch::Full(1));
        assert_eq!(number.matches(b"345"), InputMatch::Full(3));
        assert_eq!(number.matches(b"345\r"), InputMatch::Full(3));
    }

    #[test]
    fn the_rest_is_matched_literally() {
        assert!(pattern("a+b", &[r"\d"]).is_none());
        let both = pattern("(1)*x", &[r"\d", "x"]).unwrap();
        assert_eq!(both.matches(b"(2)*x"), InputMatch::Full(5));
        assert_eq!(both.matches(b"(2)x"), InputMatch::None);
        let bytes = [b"\xff".as_slice(), b"1"].concat();
        let bytes = InputPattern::of(&bytes, &[VaryingText::new(r"\d").unwrap()]);
        assert_eq!(
            bytes.unwrap().unwrap().matches(b"\xff7"),
            InputMatch::Full(2)
        );
    }

    #[test]
    fn invalid_patterns_are_reported() {
        let message = VaryingText::new("(").unwrap_err();
        assert!(message.contains("unclosed group"), "{message}");
        assert!(VaryingText::new(r"(\w{1000}){1000}").is_err());
        let varying = [VaryingText::new(r"\w{50}").unwrap()];
        let message = InputPattern::of(&[b'x'; 1 << 20], &varying).unwrap_err();
        assert!(message.contains("limit"), "{message}");
    }
}

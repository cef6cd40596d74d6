//! Input of which a part may vary.
//!
//! A recorded input becomes a regular expression: the parts that vary are the pattern that found them, the rest is as it was. An
//! automaton tells after each byte whether what came can still become a match, which a search cannot: a wrong key is told at once, not
//! when the line ends. That is why this uses the automata of `regex` and not `regex` itself.

use std::error::Error;
use std::sync::Arc;

use regex_automata::hybrid::dfa::DFA;
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind, meta};

use super::expected::Fit;

/// The largest automaton, in bytes: enough for a page of text.
const MOST: usize = 4 << 20;

/// What input may be.
#[derive(Debug, Clone)]
pub(super) struct Pattern(Arc<DFA>);

/// A regular expression whose matches may vary.
#[derive(Debug)]
pub(super) struct Varying {
    found_by: meta::Regex,
    text: String,
}

fn syntax() -> syntax::Config {
    // Input is bytes, of which not all are UTF-8.
    syntax::Config::new().utf8(false)
}

impl Varying {
    pub(super) fn new(text: &str) -> Result<Varying, String> {
        Varying::found_by(text, text)
    }

    /// Where the one expression matches, what matches the other is as good.
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

/// What is wrong, which the library says in the last of its causes.
fn told(error: &dyn Error) -> String {
    let mut last = error;
    while let Some(cause) = last.source() {
        last = cause;
    }
    last.to_string()
}

impl Pattern {
    /// What recorded input may be; `None` where nothing of it may vary.
    pub(super) fn of(bytes: &[u8], varying: &[Varying]) -> Result<Option<Pattern>, String> {
        let mut text = String::new();
        let mut varies = false;
        let mut at = 0;
        while at < bytes.len() {
            // Of several that begin here or later, the first in the text; of those, the first that was given.
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

    /// How what came stands to this. Where more could match, it is as much as does now: the rest is taken when it comes.
    pub(super) fn fit(&self, heard: &[u8]) -> Fit {
        self.walk(heard).unwrap_or(Fit::Unfit)
    }

    /// `None` where the automaton gives up.
    fn walk(&self, heard: &[u8]) -> Option<Fit> {
        let dfa = &self.0;
        let mut cache = dfa.create_cache();
        let input = Input::new(heard).anchored(Anchored::Yes);
        let mut state = dfa.start_state_forward(&mut cache, &input).ok()?;
        let mut matched = None;
        for (at, byte) in heard.iter().enumerate() {
            state = dfa.next_state(&mut cache, state, *byte).ok()?;
            // A state tells of a match that ended before the byte that led to it.
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
    fn what_varies_may_be_anything_that_matches() {
        let date = pattern("log 2024-01-31\r", &[r"\d{4}-\d\d-\d\d"]).unwrap();
        assert_eq!(date.fit(b""), Fit::Part);
        assert_eq!(date.fit(b"log 19"), Fit::Part);
        assert_eq!(date.fit(b"log 1999-12-31\r"), Fit::Whole(15));
        assert_eq!(date.fit(b"log 1999-12-31\rls"), Fit::Whole(15));
        // Told at the first byte that cannot be.
        assert_eq!(date.fit(b"log x"), Fit::Unfit);
        assert_eq!(date.fit(b"lag"), Fit::Unfit);
    }

    #[test]
    fn as_much_matches_as_came() {
        let number = pattern("12", &[r"\d+"]).unwrap();
        assert_eq!(number.fit(b"3"), Fit::Whole(1));
        assert_eq!(number.fit(b"345"), Fit::Whole(3));
        assert_eq!(number.fit(b"345\r"), Fit::Whole(3));
    }

    #[test]
    fn the_rest_stays_as_it_was_whatever_it_is() {
        assert!(pattern("a+b", &[r"\d"]).is_none());
        let both = pattern("(1)*x", &[r"\d", "x"]).unwrap();
        assert_eq!(both.fit(b"(2)*x"), Fit::Whole(5));
        assert_eq!(both.fit(b"(2)x"), Fit::Unfit);
        let bytes = [b"\xff".as_slice(), b"1"].concat();
        let bytes = Pattern::of(&bytes, &[Varying::new(r"\d").unwrap()]);
        assert_eq!(bytes.unwrap().unwrap().fit(b"\xff7"), Fit::Whole(2));
    }

    #[test]
    fn what_is_no_pattern_is_told() {
        let told = Varying::new("(").unwrap_err();
        assert!(told.contains("unclosed group"), "{told}");
        assert!(Varying::new(r"(\w{1000}){1000}").is_err());
        let varying = [Varying::new(r"\w{50}").unwrap()];
        let told = Pattern::of(&[b'x'; 1 << 20], &varying).unwrap_err();
        assert!(told.contains("limit"), "{told}");
    }
}

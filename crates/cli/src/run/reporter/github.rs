//! For GitHub: what failed, as annotations that stand at their line of a pull request.
//!
//! `::error file=…,line=…,col=…,title=…::message`. In what is said, `%` and line ends are escaped, in properties also `:` and `,`.

use std::fmt::Write;

use crate::run::case::{Results, Verdict};

/// The annotations, in the order of the tapes.
pub(super) fn write(results: &Results) -> String {
    let mut out = String::new();
    for case in &results.cases {
        let (command, word) = match case.verdict() {
            Verdict::Failed => ("error", "failed"),
            Verdict::Flaky => ("warning", "is flaky"),
            _ => continue,
        };
        // The last one is what decided, and of a flaky tape the one that is left to look at.
        let Some((_, attempt, failure)) = case.failures().last() else {
            continue;
        };
        let title = format!("{} {word}", case.title());
        let place = match &failure.place {
            Some(place) => format!(
                "file={},line={},col={}",
                property(place.source().name()),
                place.line(),
                place.column()
            ),
            None => format!("file={}", property(&case.name)),
        };
        let mut message = failure.message.clone();
        for path in attempt.left() {
            let _ = write!(message, "\n{}", path.display());
        }
        let _ = writeln!(
            out,
            "::{command} {place},title={}::{}",
            property(&title),
            data(&message)
        );
    }
    out
}

fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_property_or_a_line_is_escaped() {
        assert_eq!(data("100%: a,\r\nb"), "100%25: a,%0D%0Ab");
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25%0A");
    }
}

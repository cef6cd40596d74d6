//! HTML report: one page that shows every tape, and for failed ones the position, the screen and
//! the steps.
//!
//! The file is self-contained and has no scripts: CSS filters the tapes by the state of radio
//! buttons.

use std::fmt::Write;

use screentest::core::{Screen, Theme};
use screentest::render::{RenderOptions, html};
use screentest_tape::{TapeFailure, TapeFailureKind};

use crate::run::tape_result::{Attempt, RunResults, StepResult, TapeResult, Verdict, counted};

const STYLE: &str = include_str!("page.css");

/// Names and screens come from programs. They are escaped; the browser also runs no script and
/// loads nothing.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// Maximum number of displayed steps. The last ones before the failure are shown.
const MAX_STEPS: usize = 100;

/// Returns the whole page.
pub(super) fn write(results: &RunResults) -> String {
    let summary = escaped(&results.summary());
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>screentest: {summary}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>screentest</h1>\n<p>{summary}</p>\n"
    );
    filters(&mut page, results);
    page.push_str("<main>\n");
    for result in &results.cases {
        case(&mut page, result);
    }
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

/// Writes a button for each verdict that occurs. `failed` is selected if it occurs.
fn filters(page: &mut String, results: &RunResults) {
    let all = results.cases.len();
    let mut buttons = vec![("all", "all", all)];
    for verdict in Verdict::ALL {
        let count = results.count(verdict);
        if count > 0 {
            buttons.push((verdict.key(), verdict.word(), count));
        }
    }
    let pressed = match results.count(Verdict::Failed) {
        0 => "all",
        _ => Verdict::Failed.key(),
    };
    for (key, word, count) in buttons {
        let checked = if key == pressed { " checked" } else { "" };
        let _ = writeln!(
            page,
            "<input type=\"radio\" name=\"shown\" id=\"only-{key}\"{checked}>\
             <label for=\"only-{key}\" class=\"{key}\">{word} {count}</label>"
        );
    }
}

fn case(page: &mut String, case: &TapeResult) {
    let verdict = case.verdict();
    let open = if verdict == Verdict::Failed {
        " open"
    } else {
        ""
    };
    let _ = writeln!(
        page,
        "<details class=\"case {}\"{open}>\n<summary><b>{}</b> <span class=\"name\">{}</span> <span class=\"fact\">{}, {:.1} s</span></summary>",
        verdict.key(),
        verdict.word(),
        escaped(&case.title()),
        counted(case.steps, "step"),
        case.duration().as_secs_f64(),
    );
    for (index, one_attempt) in case.attempts.iter().enumerate() {
        if case.attempts.len() > 1 {
            let failure = one_attempt.run.failure.as_ref();
            let outcome = failure.map_or("passed", |failure| outcome(failure.kind));
            let _ = writeln!(page, "<h2>Attempt {}: {outcome}</h2>", index + 1);
        }
        attempt(page, one_attempt, &case.theme);
    }
    page.push_str("</details>\n");
}

fn attempt(page: &mut String, attempt: &Attempt, theme: &Theme) {
    if let Some(failure) = &attempt.run.failure {
        failed(page, failure);
        if let Some(screen) = &failure.screen {
            page.push_str("<h3>The last screen</h3>\n");
            picture(page, screen, theme);
        }
        steps(page, &attempt.started_steps, outcome(failure.kind));
        if !failure.details.is_empty() {
            let _ = writeln!(
                page,
                "<details>\n<summary>Details</summary>\n<pre>{}</pre>\n</details>",
                escaped(&failure.details)
            );
        }
    }
    let paths = attempt.artifacts();
    let notes = &attempt.run.notes;
    if paths.is_empty() && notes.is_empty() {
        return;
    }
    page.push_str("<ul>\n");
    for path in paths {
        let path = escaped(&path.to_string_lossy());
        let _ = writeln!(page, "<li><code>{path}</code></li>");
    }
    for note in notes {
        let _ = writeln!(page, "<li>{}</li>", escaped(note));
    }
    page.push_str("</ul>\n");
}

/// Writes the position in the tape, with the message.
fn failed(page: &mut String, failure: &TapeFailure) {
    let text = failure.position();
    let _ = writeln!(page, "<pre class=\"place\">{}</pre>", escaped(&text));
}

fn picture(page: &mut String, screen: &Screen, theme: &Theme) {
    match html::fragment(screen, theme, &RenderOptions::default()) {
        Ok(drawn) => {
            let _ = writeln!(page, "<div class=\"screen\">{drawn}</div>");
        }
        // A screen that cannot be drawn is shown as text.
        Err(_) => {
            let _ = writeln!(page, "<pre>{}</pre>", escaped(&screen.text()));
        }
    }
}

/// Returns the word for an attempt that did not pass, and for its last step.
fn outcome(kind: TapeFailureKind) -> &'static str {
    match kind {
        TapeFailureKind::Interrupted => Verdict::Stopped.word(),
        _ => Verdict::Failed.word(),
    }
}

/// Writes the steps that were started. `outcome` is that of a step that did not succeed.
fn steps(page: &mut String, started_steps: &[StepResult], outcome: &str) {
    let left_out = started_steps.len().saturating_sub(MAX_STEPS);
    let Some(shown) = started_steps
        .get(left_out..)
        .filter(|shown| !shown.is_empty())
    else {
        return;
    };
    page.push_str("<h3>Steps</h3>\n");
    if left_out > 0 {
        let _ = writeln!(page, "<p>{} earlier.</p>", counted(left_out, "step"));
    }
    let _ = writeln!(page, "<ol start=\"{}\">", left_out + 1);
    for StepResult { place, text, took } in shown {
        let (class, took) = match took {
            Some(took) => ("passed", format!("{:.2} s", took.as_secs_f64())),
            None => (outcome, outcome.to_owned()),
        };
        let _ = writeln!(
            page,
            "<li class=\"{class}\"><code>{}</code> <span class=\"fact\">{}, {took}</span></li>",
            escaped(text),
            escaped(place),
        );
    }
    page.push_str("</ol>\n");
}

/// Escapes text for HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_markup_and_control_characters() {
        assert_eq!(
            escaped("</pre><script x='\"&\u{1b}\n"),
            "&lt;/pre&gt;&lt;script x=&#39;&quot;&amp;\u{fffd}\n"
        );
    }

    #[test]
    fn step_of_an_interrupted_run_is_stopped_and_not_failed() {
        let step = StepResult {
            place: "demo.tape:3".to_owned(),
            text: "Sleep 1m".to_owned(),
            took: None,
        };
        for (kind, shown) in [
            (TapeFailureKind::Interrupted, "stopped"),
            (TapeFailureKind::Step, "failed"),
        ] {
            let mut page = String::new();
            steps(&mut page, std::slice::from_ref(&step), outcome(kind));
            let line = format!("<li class=\"{shown}\"><code>Sleep 1m</code>");
            assert!(page.contains(&line), "{page}");
            assert!(
                page.contains(&format!("demo.tape:3, {shown}</span>")),
                "{page}"
            );
        }
    }
}

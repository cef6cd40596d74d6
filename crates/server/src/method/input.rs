//! What a person does at the keyboard, and to the window.

use screentest::core::Chord;
use screentest::{Key, Signal, Terminal};
use serde::Deserialize;

use super::{Done, Perform};
use crate::service::Job;
use crate::stage::Stage;
use crate::wire::number::{Whole, millis};
use crate::wire::selector::{WireSelector, ambiguity};
use crate::wire::{Failure, place};

/// Presses a key.
#[derive(Debug, Deserialize)]
pub(crate) struct SendKey {
    key: String,
}

impl Perform for SendKey {
    type Answer = Done;

    fn perform(self, job: &Job<'_>) -> Result<Done, Failure> {
        let stage = job.stage()?;
        let chord: Chord = self
            .key
            .parse()
            .map_err(|error: screentest::core::KeyError| Failure::params(error.to_string()))?;
        let tui = stage.tui().with(job.waits(None));
        tui.press(chord)
            .map_err(|error| Failure::of("press", &error))?;
        Ok(Done::sent(&tui))
    }
}

/// A text, or the name of a secret.
#[derive(Debug)]
enum Words<'a> {
    Text(&'a str),
    Secret(&'a str),
}

/// What is to be typed: a text, or a secret by its name.
fn words<'a>(
    text: Option<&'a str>,
    secret: Option<&str>,
    stage: &'a Stage,
) -> Result<Words<'a>, Failure> {
    match (text, secret) {
        (Some(text), None) => Ok(Words::Text(text)),
        (None, Some(name)) => match stage.secrets().value(name) {
            Some(value) => Ok(Words::Secret(value)),
            None => Err(Failure::params(format!(
                "secret: `{name}` is not known: `--secret {name}` or the `secrets` of `initialize` make it so"
            ))),
        },
        (None, None) => Err(Failure::params("missing field `text`")),
        (Some(_), Some(_)) => Err(Failure::params("give either `text` or `secret`, not both")),
    }
}

/// Types words. A text with control characters is sent as it is: clients write the sequences of keys that have no name. Any
/// other is typed key by key, as the program has asked for keys.
fn type_words(tui: &Terminal, words: &Words<'_>) -> Result<(), Failure> {
    let typed = match words {
        Words::Text(text) if !text.contains(char::is_control) => tui.type_text(text),
        // Reports tell how much was sent, not what.
        Words::Text(text) | Words::Secret(text) => tui.send_bytes(text.as_bytes()),
    };
    typed.map_err(|error| Failure::of("typeText", &error))
}

/// Types a text.
#[derive(Debug, Deserialize)]
pub(crate) struct SendText {
    text: Option<String>,
    secret: Option<String>,
}

impl Perform for SendText {
    type Answer = Done;

    fn perform(self, job: &Job<'_>) -> Result<Done, Failure> {
        let stage = job.stage()?;
        let words = words(self.text.as_deref(), self.secret.as_deref(), stage)?;
        type_words(&stage.tui().with(job.waits(None)), &words)?;
        Ok(Done::sent(stage.tui()))
    }
}

/// Types a text and presses Enter.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SendLine {
    text: Option<String>,
    secret: Option<String>,
    expect_after: Option<WireSelector>,
    timeout_ms: Option<Whole>,
    #[serde(rename = "pollIntervalMs")]
    _poll_interval_ms: Option<Whole>,
    ambiguity_mode: Option<String>,
    anytime: Option<bool>,
}

impl Perform for SendLine {
    type Answer = Done;

    fn perform(self, job: &Job<'_>) -> Result<Done, Failure> {
        let stage = job.stage()?;
        let words = words(self.text.as_deref(), self.secret.as_deref(), stage)?;
        let expected = self.expect_after.as_ref();
        let expected = expected.map(|wire| wire.read().map(|selector| (wire, selector)));
        let expected = expected.transpose()?;
        let mut waits = job.waits_for(millis("timeoutMs", self.timeout_ms)?, self.anytime);
        waits.ambiguity = ambiguity(self.ambiguity_mode.as_deref())?;
        let tui = stage.tui().with(waits);
        type_words(&tui, &words)?;
        tui.press(Key::Enter)
            .map_err(|error| Failure::of("press", &error))?;
        if let Some((wire, expected)) = expected {
            tui.wait_for_selector(expected)
                .map_err(|error| wire.failure("waitFor", &error))?;
        }
        Ok(Done::sent(&tui))
    }
}

/// Pastes a text.
#[derive(Debug, Deserialize)]
pub(crate) struct Paste {
    text: Option<String>,
    secret: Option<String>,
}

impl Perform for Paste {
    type Answer = Done;

    fn perform(self, job: &Job<'_>) -> Result<Done, Failure> {
        let stage = job.stage()?;
        let text = match words(self.text.as_deref(), self.secret.as_deref(), stage)? {
            Words::Text(text) | Words::Secret(text) => text,
        };
        let pasted = stage.tui().with(job.waits(None)).paste(text);
        pasted.map_err(|error| Failure::of("paste", &error))?;
        Ok(Done::sent(stage.tui()))
    }
}

/// Gives the terminal another size.
#[derive(Debug, Deserialize)]
pub(crate) struct Resize {
    cols: Whole,
    rows: Whole,
}

impl Perform for Resize {
    type Answer = Done;

    fn perform(self, job: &Job<'_>) -> Result<Done, Failure> {
        let stage = job.stage()?;
        let otherwise = stage.tui().options().size;
        let size = place::size(Some(self.cols), Some(self.rows), otherwise)?;
        let resized = stage.tui().resize(size);
        resized.map_err(|error| Failure::of("resize", &error))?;
        Ok(Done::OK)
    }
}

/// Sends a signal to the program's process group.
#[derive(Debug, Deserialize)]
pub(crate) struct SendSignal {
    signal: WireSignal,
}

/// A signal by name or by number.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected the name of a signal, a string, or its number"
)]
enum WireSignal {
    Name(String),
    Number(i32),
}

impl Perform for SendSignal {
    type Answer = Done;

    fn perform(self, job: &Job<'_>) -> Result<Done, Failure> {
        let stage = job.stage()?;
        let word = match self.signal {
            WireSignal::Name(name) => name,
            WireSignal::Number(number) => number.to_string(),
        };
        let signal: Signal = word
            .trim()
            .parse()
            .map_err(|error| Failure::params(format!("signal: {error}")))?;
        let sent = stage.tui().signal(signal);
        sent.map_err(|error| Failure::of("signal", &error))?;
        Ok(Done::OK)
    }
}

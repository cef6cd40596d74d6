//! The tools, as one list.
//!
//! A tool is a type: its fields are the arguments, their comments are what an agent reads, and its answer has a type too. Both
//! become the schemas that a client is given, so that what is described is what is read.

use rmcp::model::{JsonObject, ToolAnnotations};
use rmcp::schemars::JsonSchema;
use screentest::Interrupt;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::desk::Desk;
use super::trouble::Trouble;
use super::{act, close, expect, extract, launch, look, schema, sessions};
use crate::caller::{Caller, Role};
use crate::stage::Stage;
use crate::wire::{message, params};

/// One call on its way.
#[derive(Debug)]
pub(super) struct Call<'a> {
    pub(super) desk: &'a Desk,
    /// Who asks.
    pub(super) caller: &'a Caller,
    pub(super) interrupt: &'a Interrupt,
}

impl Call<'_> {
    /// Whether somebody still wants it.
    pub(super) fn check(&self) -> Result<(), Trouble> {
        match self.interrupt.is_raised() {
            true => Err(Trouble::cancelled()),
            false => Ok(()),
        }
    }

    /// Whether who asks may do something to a session: a person may have taken control of it.
    pub(super) fn check_wheel(&self, stage: &Stage) -> Result<(), Trouble> {
        let checked = stage.wheel.check(self.caller);
        checked.map_err(|failure| Trouble::of_failure(&failure, "tui_look shows what they do"))
    }
}

/// What a tool answers.
#[derive(Debug)]
pub(super) struct Reply {
    /// In words, for agents whose client shows them nothing else.
    pub(super) text: String,
    /// The same as data.
    pub(super) data: Value,
    pub(super) png: Option<Vec<u8>>,
}

impl Reply {
    /// The same thing in words and as data.
    pub(super) fn new(text: String, data: &impl Serialize) -> Reply {
        Reply {
            text,
            data: message::value(data),
            png: None,
        }
    }
}

/// Something that an agent can ask for; its fields are the arguments.
pub(super) trait Perform: DeserializeOwned + JsonSchema {
    /// What is answered, as data.
    type Answer: JsonSchema;

    /// Does it.
    fn perform(self, call: &Call<'_>) -> Result<Reply, Trouble>;
}

/// A tool.
#[derive(Debug)]
pub(super) struct Tool {
    pub(super) name: &'static str,
    about: &'static str,
    effect: Effect,
    pub(super) turn: Turn,
    pub(super) session: Meant,
    input: fn() -> JsonObject,
    output: fn() -> JsonObject,
    perform: fn(JsonObject, &Call<'_>) -> Result<Reply, Trouble>,
}

/// What a call does to the world, which clients ask people about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    Acts,
    OnlyLooks,
}

/// When a call is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Behind the calls of its session that came before.
    OfSession,
    AtOnce,
}

/// Which session is meant where none is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meant {
    /// The only one.
    Only,
    /// The one of the usual name, which is opened.
    Usual,
}

/// All tools, in the order in which an agent meets them.
pub(super) const TOOLS: [Tool; 7] = [
    Tool::new::<launch::Launch>(
        "tui_launch",
        "Start a program in a terminal of its own; answers with its screen.",
        Effect::Acts,
    )
    .opens(),
    Tool::new::<act::Act>(
        "tui_act",
        "Do actions in order, wait, tell what changed on the screen. Without actions it only waits. Without `until` it waits for \
         a change, then until the screen stands still.",
        Effect::Acts,
    ),
    Tool::new::<look::Look>(
        "tui_look",
        "Show the screen, also after the program has ended: changes, text, styles, PNG, or what scrolled out.",
        Effect::OnlyLooks,
    ),
    Tool::new::<expect::Expect>(
        "tui_expect",
        "Find text or a regex and assert: waits until it is visible (answers with places) or gone, or looks back whether it was \
         ever shown. An error if not so.",
        Effect::OnlyLooks,
    ),
    Tool::new::<extract::Extract>("tui_extract", "Read the screen as data.", Effect::OnlyLooks),
    Tool::new::<sessions::Sessions>(
        "tui_sessions",
        "List the sessions, and the names of secrets that can be typed.",
        Effect::OnlyLooks,
    )
    .at_once(),
    Tool::new::<close::Close>(
        "tui_close",
        "End a session and every process in it.",
        Effect::Acts,
    )
    .at_once(),
];

impl Tool {
    const fn new<T: Perform>(name: &'static str, about: &'static str, effect: Effect) -> Tool {
        Tool {
            name,
            about,
            effect,
            turn: Turn::OfSession,
            session: Meant::Only,
            input: schema::of_input::<T>,
            output: schema::of_output::<T::Answer>,
            perform: |arguments, call| read::<T>(arguments)?.perform(call),
        }
    }

    /// The same, which opens a session.
    const fn opens(mut self) -> Tool {
        self.session = Meant::Usual;
        self
    }

    /// The same, done at once.
    const fn at_once(mut self) -> Tool {
        self.turn = Turn::AtOnce;
        self
    }

    /// What a client is told of it.
    pub(super) fn described(&self) -> rmcp::model::Tool {
        let tool = rmcp::model::Tool::new(self.name, self.about, (self.input)());
        let tool = tool.with_raw_output_schema((self.output)().into());
        match self.effect {
            Effect::Acts => tool,
            Effect::OnlyLooks => tool.annotate(ToolAnnotations::new().read_only(true)),
        }
    }

    /// Does what it is for.
    pub(super) fn perform(&self, arguments: JsonObject, call: &Call<'_>) -> Result<Reply, Trouble> {
        call.check()?;
        if self.effect == Effect::Acts && call.caller.role == Role::Look {
            return Err(Trouble::new(
                format!("{} does something, and your token may only look", self.name),
                "use tui_look, tui_expect, tui_extract or tui_sessions, or ask for another token",
            ));
        }
        self.check(&arguments)?;
        (self.perform)(arguments, call)
    }

    /// Whether every argument is one that it knows. A misspelt one would be left out in silence.
    fn check(&self, arguments: &JsonObject) -> Result<(), Trouble> {
        let schema = (self.input)();
        let known = schema.get("properties").and_then(Value::as_object);
        let names: Vec<&str> = known
            .into_iter()
            .flatten()
            .map(|(name, _)| name.as_str())
            .collect();
        match arguments
            .keys()
            .find(|name| !names.contains(&name.as_str()))
        {
            None => Ok(()),
            Some(name) => Err(Trouble::new(
                format!("{} has no argument `{name}`", self.name),
                match names.as_slice() {
                    [] => "call it without arguments".to_owned(),
                    names => format!("its arguments are {}", names.join(", ")),
                },
            )),
        }
    }
}

/// Reads the arguments.
fn read<T: DeserializeOwned>(arguments: JsonObject) -> Result<T, Trouble> {
    params::read(Value::Object(arguments)).map_err(|failure| {
        Trouble::new(
            format!(
                "the arguments are not as they should be: {}",
                failure.details()
            ),
            "compare them with the tool's schema",
        )
    })
}

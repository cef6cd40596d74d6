//! The list of tools.
//!
//! A tool is a type. Its fields are the arguments, and their doc comments are the descriptions that
//! agents read. The output is a type too. Both generate the JSON schemas that clients receive, so
//! that the schemas match what is parsed and returned.

use rmcp::model::{JsonObject, ToolAnnotations};
use rmcp::schemars::JsonSchema;
use screentest::session::Interrupt;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::agent_sessions::AgentSessions;
use super::error::ToolError;
use super::schema;
use crate::service::client::{ClientHandle, Role};
use crate::session::NamedSession;
use crate::wire::{message, params};

mod act;
mod action;
mod close;
mod expect;
mod extract;
mod launch;
mod look;
mod sessions;
pub(super) mod target;

/// A call of a tool while it is executed.
#[derive(Debug)]
pub(super) struct Call<'a> {
    pub(super) sessions: &'a AgentSessions,
    pub(super) caller: &'a ClientHandle,
    pub(super) interrupt: &'a Interrupt,
}

impl Call<'_> {
    /// Fails if the call has been cancelled.
    pub(super) fn check_cancelled(&self) -> Result<(), ToolError> {
        if self.interrupt.is_raised() {
            Err(ToolError::cancelled())
        } else {
            Ok(())
        }
    }

    /// Fails if another client, such as a person on the web page, has control of the session.
    pub(super) fn check_control(&self, session: &NamedSession) -> Result<(), ToolError> {
        let checked = session.control.check(self.caller);
        checked.map_err(|error| ToolError::from_rpc(&error, "tui_look shows what they do"))
    }
}

/// The result of a tool.
#[derive(Debug)]
pub(super) struct Reply {
    /// The result as text, for agents whose client shows only text.
    pub(super) text: String,
    /// The result as data.
    pub(super) data: Value,
    pub(super) png: Option<Vec<u8>>,
}

impl Reply {
    pub(super) fn new(text: String, data: &impl Serialize) -> Reply {
        Reply {
            text,
            data: message::to_value(data),
            png: None,
        }
    }
}

/// A tool. The fields of the implementing type are its arguments.
pub(super) trait Perform: DeserializeOwned + JsonSchema {
    /// The type of the result's data.
    type Output: JsonSchema;

    /// Executes the tool.
    fn perform(self, call: &Call<'_>) -> Result<Reply, ToolError>;
}

/// A tool's entry in the list.
#[derive(Debug)]
pub(super) struct Tool {
    pub(super) name: &'static str,
    about: &'static str,
    effect: ToolEffect,
    pub(super) scheduling: Scheduling,
    pub(super) default_session: DefaultSession,
    input: fn() -> JsonObject,
    output: fn() -> JsonObject,
    perform: fn(JsonObject, &Call<'_>) -> Result<Reply, ToolError>,
}

/// Whether a tool has side effects. Clients may ask the user before such a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ToolEffect {
    Acts,
    ReadOnly,
}

/// When a call runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scheduling {
    /// After the earlier calls for the same session.
    PerSession,
    Immediate,
}

/// The session that a call without a name refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DefaultSession {
    /// The only open session.
    Only,
    /// The session `main`, which the call opens.
    Main,
}

/// All tools, in the order in which clients list them.
pub(super) const TOOLS: [Tool; 7] = [
    Tool::new::<launch::LaunchArgs>(
        "tui_launch",
        "Start a program in a new terminal; returns its screen.",
        ToolEffect::Acts,
    )
    .opens(),
    Tool::new::<act::ActArgs>(
        "tui_act",
        "Do actions in order, wait, return what changed on the screen. Without actions it only waits. Without `until` it waits for \
         a change, then until the screen is stable.",
        ToolEffect::Acts,
    ),
    Tool::new::<look::LookArgs>(
        "tui_look",
        "Show the screen, also after the program has exited: changes, text, styles, PNG, or scrollback.",
        ToolEffect::ReadOnly,
    ),
    Tool::new::<expect::ExpectArgs>(
        "tui_expect",
        "Find text or a regex and assert: waits until it is visible (returns positions) or gone, or checks whether it was \
         ever shown. Fails otherwise.",
        ToolEffect::ReadOnly,
    ),
    Tool::new::<extract::ExtractArgs>(
        "tui_extract",
        "Read the screen as data.",
        ToolEffect::ReadOnly,
    ),
    Tool::new::<sessions::SessionsArgs>(
        "tui_sessions",
        "List the sessions, and the names of secrets that can be typed.",
        ToolEffect::ReadOnly,
    )
    .immediate(),
    Tool::new::<close::CloseArgs>(
        "tui_close",
        "End a session and every process in it.",
        ToolEffect::Acts,
    )
    .immediate(),
];

impl Tool {
    const fn new<T: Perform>(name: &'static str, about: &'static str, effect: ToolEffect) -> Tool {
        Tool {
            name,
            about,
            effect,
            scheduling: Scheduling::PerSession,
            default_session: DefaultSession::Only,
            input: schema::of_input::<T>,
            output: schema::of_output::<T::Output>,
            perform: |arguments, call| parse::<T>(arguments)?.perform(call),
        }
    }

    /// Marks the tool as one that opens a session.
    const fn opens(mut self) -> Tool {
        self.default_session = DefaultSession::Main;
        self
    }

    /// Marks the tool as one that does not wait for earlier calls.
    const fn immediate(mut self) -> Tool {
        self.scheduling = Scheduling::Immediate;
        self
    }

    /// Returns the description that clients receive.
    pub(super) fn description(&self) -> rmcp::model::Tool {
        let tool = rmcp::model::Tool::new(self.name, self.about, (self.input)());
        let tool = tool.with_raw_output_schema((self.output)().into());
        match self.effect {
            ToolEffect::Acts => tool,
            ToolEffect::ReadOnly => tool.annotate(ToolAnnotations::new().read_only(true)),
        }
    }

    /// Executes the tool if the client's role permits it.
    pub(super) fn perform(
        &self,
        arguments: JsonObject,
        call: &Call<'_>,
    ) -> Result<Reply, ToolError> {
        call.check_cancelled()?;
        if self.effect == ToolEffect::Acts && call.caller.role == Role::ReadOnly {
            return Err(ToolError::new(
                format!(
                    "{} needs full access, but your token is read-only",
                    self.name
                ),
                "use tui_look, tui_expect, tui_extract or tui_sessions, or ask for another token",
            ));
        }
        self.check_arguments(&arguments)?;
        (self.perform)(arguments, call)
    }

    /// Fails if there is an unknown argument. Otherwise a misspelt one would be ignored silently.
    fn check_arguments(&self, arguments: &JsonObject) -> Result<(), ToolError> {
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
            Some(name) => Err(ToolError::new(
                format!("{} has no argument `{name}`", self.name),
                match names.as_slice() {
                    [] => "call it without arguments".to_owned(),
                    names => format!("its arguments are {}", names.join(", ")),
                },
            )),
        }
    }
}

/// Parses the arguments of a tool.
fn parse<T: DeserializeOwned>(arguments: JsonObject) -> Result<T, ToolError> {
    params::read(Value::Object(arguments)).map_err(|error| {
        ToolError::new(
            format!("invalid arguments: {}", error.details()),
            "compare them with the tool's schema",
        )
    })
}

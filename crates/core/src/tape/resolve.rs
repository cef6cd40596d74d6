//! From what a tape says to what is run.
//!
//! Sourced tapes are put in where they are named, and what a command means by where it stands is decided: a setting counts
//! until the first step, a variable wherever it is. What is sourced is read through a function, which is the caller's.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use super::command::{Command, Launch, Step, Variable};
use super::diagnostic::{Diagnostic, MOST_TOLD, Report, Severity};
use super::output::Output;
use super::setting::{Setting, Settings};
use super::source::{Place, Placed};
use super::{Dialect, Tape, parser};
use crate::query::selector::Expressions;
use crate::query::suggest::nearest;
use crate::query::truncate;

/// How deep tapes may source each other, how many may be sourced, and how many commands they may have in all: more than any
/// demo has, and little enough that a tape which sources two which source two … ends soon.
const DEEPEST: usize = 16;
const MOST_SOURCED: usize = 1_000;
const MOST_COMMANDS: usize = 100_000;

/// A key that takes as long was meant to take as many milliseconds: a number alone counts seconds.
const SLOW_KEY: Duration = Duration::from_secs(5);

/// What is run.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// The dialect of the outermost tape.
    pub dialect: Dialect,
    /// Everything that can be set.
    pub settings: Settings,
    /// Where the font was set that counts.
    pub font_family: Option<Place>,
    /// The variables, in order; the last of several with one name counts.
    pub env: Vec<Placed<Variable>>,
    /// The programs that must be there.
    pub requires: Vec<Placed<String>>,
    /// What is written when all went well.
    pub outputs: Vec<Placed<Output>>,
    /// The program that runs instead of a shell.
    pub launch: Option<Placed<Launch>>,
    /// What is done, in order.
    pub steps: Vec<Placed<Step>>,
}

impl Tape {
    /// Puts in what is sourced, and decides what counts. The function gets a path as the tape has it and the name of the
    /// tape that it stands in, and gives the sourced tape's name and text. Two tapes of one name are the same, so that
    /// one which sources itself is found out.
    ///
    /// The report has what is wrong with the sourced tapes and with how all of it fits together; what is wrong with this
    /// tape alone was told when it was read.
    pub fn resolve<E: fmt::Display>(
        &self,
        load: impl FnMut(&str, &str) -> Result<(String, String), E>,
    ) -> (Plan, Report) {
        let mut resolver = Resolver {
            plan: Plan {
                dialect: self.dialect,
                settings: Settings::defaults(self.dialect),
                font_family: None,
                env: Vec::new(),
                requires: Vec::new(),
                outputs: Vec::new(),
                launch: None,
                steps: Vec::new(),
            },
            report: Report::default(),
            load,
            chain: vec![self.source.name().to_owned()],
            sourced: 0,
            commands: 0,
            begun: None,
            sizes: None,
            marks: BTreeSet::new(),
            copied: false,
            expressions: Expressions::default(),
        };
        resolver.tape(self);
        resolver.check_room();
        (resolver.plan, resolver.report.bounded())
    }
}

struct Resolver<F> {
    plan: Plan,
    report: Report,
    load: F,
    /// The names of the tapes that are open, the outermost first.
    chain: Vec<String>,
    sourced: usize,
    commands: usize,
    /// What ended the settings.
    begun: Option<Place>,
    /// The last setting that takes part in how large the picture is.
    sizes: Option<Place>,
    marks: BTreeSet<String>,
    copied: bool,
    /// Those of the sourced tapes, of which one may be sourced a thousand times.
    expressions: Expressions,
}

impl<F> Resolver<F> {
    fn tell(&mut self, severity: Severity, place: &Place, message: String) -> &mut Diagnostic {
        let found = Diagnostic::new(severity, place.clone(), message);
        self.bound();
        let all = &mut self.report.diagnostics;
        all.push(found);
        all.last_mut().expect("one was pushed")
    }

    /// Forgets what is never told, before it is much.
    fn bound(&mut self) {
        if self.report.diagnostics.len() > 4 * MOST_TOLD {
            self.report = std::mem::take(&mut self.report).bounded();
        }
    }

    /// Whether more of this severity would not be told. Who has to look far for words asks first: a tape can have a hundred
    /// thousand commands that are all wrong.
    fn is_full(&self, severity: Severity) -> bool {
        self.report.count(severity) >= MOST_TOLD
    }

    /// Where the settings ended, for a hint.
    fn begun(&self) -> String {
        let place = self
            .begun
            .as_ref()
            .expect("asked only once something began");
        let line = place.text().lines().next().unwrap_or_default();
        format!(
            "the tape begins with `{}` at {place}",
            truncate::start(line)
        )
    }

    fn step(&mut self, value: Step, place: &Place) {
        self.begin(place);
        match &value {
            Step::Mark(name) => self.marks.extend(name.clone()),
            Step::Saw(seen) | Step::Never(seen) => {
                if let Some(name) = seen
                    .since
                    .as_ref()
                    .filter(|name| !self.marks.contains(*name))
                    .filter(|_| !self.is_full(Severity::Error))
                {
                    let near = nearest(name, self.marks.iter().map(String::as_str));
                    let near = near.map(str::to_owned);
                    let message =
                        format!("there is no mark `{}` before this", truncate::start(name));
                    let found = self.tell(Severity::Error, place, message);
                    found.nearest = near;
                }
            }
            Step::Copy(_) => self.copied = true,
            Step::Paste if !self.copied => {
                let message = "nothing was copied before this, so nothing is pasted".to_owned();
                let hint = "the clipboard is the tape's own: put text there with `Copy`";
                self.tell(Severity::Warning, place, message).hint = Some(hint.to_owned());
            }
            _ => {}
        }
        let place = place.clone();
        self.plan.steps.push(Placed { value, place });
    }

    fn begin(&mut self, place: &Place) {
        self.begun.get_or_insert_with(|| place.clone());
    }

    fn set(&mut self, setting: Setting, place: &Place, dialect: Dialect) {
        if let Setting::TypingSpeed(time) = setting
            && time >= SLOW_KEY
        {
            let seconds = time.as_secs();
            let message = format!("each key takes {seconds} seconds");
            let hint =
                format!("`{seconds}ms` is as many milliseconds; a number alone counts seconds");
            self.tell(Severity::Warning, place, message).hint = Some(hint);
        }
        if self.begun.is_none() {
            if matches!(setting, Setting::FontFamily(_)) {
                self.plan.font_family = Some(place.clone());
            }
            let sizes = matches!(
                setting,
                Setting::Width(_)
                    | Setting::Height(_)
                    | Setting::Padding(_)
                    | Setting::Margin(_)
                    | Setting::WindowBar(_)
                    | Setting::WindowBarSize(_)
            );
            if sizes {
                self.sizes = Some(place.clone());
            }
            self.plan.settings.set(setting);
            return;
        }
        if dialect.wants_settings_first() {
            self.late("Set", place);
            return;
        }
        match setting {
            Setting::TypingSpeed(time) => self.step(Step::TypingSpeed(time), place),
            // VHS reads all shells before it starts one, so a late one counts for the whole tape.
            Setting::Shell(shell) => {
                self.plan.settings.shell = shell;
                if !self.is_full(Severity::Warning) {
                    let message =
                        "the shell is set after the tape has begun, and counts from its start";
                    let hint = self.begun();
                    self.tell(Severity::Warning, place, message.to_owned()).hint = Some(hint);
                }
            }
            _ if self.is_full(Severity::Warning) => {}
            _ => {
                let message = "this is set after the tape has begun, and does not count";
                let hint = format!("move it up: {}", self.begun());
                self.tell(Severity::Warning, place, message.to_owned()).hint = Some(hint);
            }
        }
    }

    fn late(&mut self, name: &str, place: &Place) {
        if self.is_full(Severity::Error) {
            return;
        }
        let hint = self.begun();
        let message = format!("`{name}` must stand before what the tape does");
        self.tell(Severity::Error, place, message).hint = Some(hint);
    }

    fn launch(&mut self, value: Launch, place: &Place) {
        let running = self.plan.launch.as_ref().map(|launch| &launch.place);
        let running = running.or_else(|| self.plan.steps.first().map(|step| &step.place));
        if let Some(first) = running {
            if self.is_full(Severity::Error) {
                return;
            }
            let hint = format!("something runs since {first}; `Launch` stands before that");
            let message = "a program runs already".to_owned();
            self.tell(Severity::Error, place, message).hint = Some(hint);
            return;
        }
        self.begin(place);
        let place = place.clone();
        self.plan.launch = Some(Placed { value, place });
    }

    /// What is around the text must leave room for it.
    fn check_room(&mut self) {
        let settings = &self.plan.settings;
        let around = 2 * (settings.padding + settings.margin);
        let bar = match settings.window_bar {
            super::WindowBar::Off => 0,
            super::WindowBar::Bar { .. } => settings.window_bar_size,
        };
        let small = |given: Option<u16>, size: u32, least: u32| given.is_none() && size < least;
        let narrow = small(settings.columns, settings.width, around);
        let low = small(settings.rows, settings.height, around + bar);
        let Some(place) = self.sizes.clone().filter(|_| narrow || low) else {
            return;
        };
        let (width, height) = (settings.width, settings.height);
        let message = format!(
            "a picture of `{width}x{height}` has no room for text: padding, margin and bar take `{around}x{}`",
            around + bar
        );
        let hint = "set a larger `Width` and `Height`, or `Columns` and `Rows`";
        self.tell(Severity::Error, &place, message).hint = Some(hint.to_owned());
    }
}

impl<E: fmt::Display, F: FnMut(&str, &str) -> Result<(String, String), E>> Resolver<F> {
    fn tape(&mut self, tape: &Tape) {
        let outermost = self.chain.len() == 1;
        for Placed { value, place } in &tape.commands {
            self.commands += 1;
            if self.commands > MOST_COMMANDS {
                if self.commands == MOST_COMMANDS + 1 {
                    let message = format!(
                        "the tape has more than {MOST_COMMANDS} commands with what it sources"
                    );
                    self.tell(Severity::Error, place, message);
                }
                return;
            }
            let late = self.begun.is_some() && tape.dialect.wants_settings_first();
            match value.clone() {
                Command::Output(value) if outermost => {
                    let place = place.clone();
                    self.plan.outputs.push(Placed { value, place });
                }
                // What a tape writes is decided by the tape that is run.
                Command::Output(output) => {
                    let message = format!("`{}` is not written: this tape is sourced", output.path);
                    let hint =
                        "what is written is decided by the tape that is run: move `Output` there";
                    self.tell(Severity::Warning, place, message).hint = Some(hint.to_owned());
                }
                Command::Require(_) if late => self.late("Require", place),
                Command::Require(value) => {
                    let place = place.clone();
                    self.plan.requires.push(Placed { value, place });
                }
                Command::Env(_) if late => self.late("Env", place),
                Command::Env(value) => {
                    if !tape.dialect.wants_settings_first() {
                        self.begin(place);
                    }
                    let place = place.clone();
                    self.plan.env.push(Placed { value, place });
                }
                Command::Set(setting) => self.set(setting, place, tape.dialect),
                Command::Launch(launch) => self.launch(launch, place),
                Command::Source(path) => self.source(&path, place, tape.dialect),
                Command::Step(step) => self.step(step, place),
            }
        }
    }

    fn source(&mut self, path: &str, place: &Place, dialect: Dialect) {
        self.sourced += 1;
        if self.sourced > MOST_SOURCED || self.chain.len() > DEEPEST {
            // Said once: each of the many would say the same.
            if self.sourced <= MOST_SOURCED {
                let message = format!("tapes source each other more than {DEEPEST} deep");
                let hint = self.chain.join(" → ");
                self.tell(Severity::Error, place, message).hint = Some(hint);
                self.sourced = MOST_SOURCED;
            } else if self.sourced == MOST_SOURCED + 1 {
                let message = format!("more than {MOST_SOURCED} tapes are sourced");
                self.tell(Severity::Error, place, message);
            }
            return;
        }
        let from = self.chain.last().cloned().unwrap_or_default();
        let (name, text) = match (self.load)(path, &from) {
            Ok(loaded) => loaded,
            Err(error) => {
                self.tell(
                    Severity::Error,
                    place,
                    format!("`{path}` cannot be read: {error}"),
                );
                return;
            }
        };
        if self.chain.contains(&name) {
            let message = format!("`{name}` sources itself");
            let hint = format!("{} → {name}", self.chain.join(" → "));
            self.tell(Severity::Error, place, message).hint = Some(hint);
            return;
        }
        let parsed = parser::parse(&text, &name, None, dialect, &mut self.expressions);
        if parsed.tape.commands.is_empty() && parsed.report.is_empty() {
            self.tell(Severity::Warning, place, format!("`{name}` has no command"));
        }
        self.report.diagnostics.extend(parsed.report.diagnostics);
        self.bound();
        self.chain.push(name);
        self.tape(&parsed.tape);
        self.chain.pop();
    }
}

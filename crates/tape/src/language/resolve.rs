//! Resolution of a tape into a plan that can be run.
//!
//! Inserts sourced tapes where they are named, and decides the effect of commands that depend on
//! their position: a setting applies until the first step, an environment variable at any position.
//! The caller passes a function that loads sourced tapes.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use super::command::{Command, Launch, Step, Variable};
use super::diagnostic::{Diagnostic, MOST_TOLD, Report, Severity};
use super::output::Output;
use super::setting::{Setting, Settings};
use super::source::{Place, Placed};
use super::{Dialect, Tape, parser};
use screentest_core::query::selector::Expressions;
use screentest_core::query::suggest::nearest;
use screentest_core::query::truncate;

/// Limits of nesting, of the number of sourced tapes, and of all their commands: more than any demo
/// has, and few enough that a tape that sources two tapes that each source two more … ends soon.
const DEEPEST: usize = 16;
const MOST_SOURCED: usize = 1_000;
const MOST_COMMANDS: usize = 100_000;

/// A typing speed this slow was meant in milliseconds: a number without a unit is in seconds.
const SLOW_KEY: Duration = Duration::from_secs(5);

/// A resolved tape, ready to run.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// The dialect of the outermost tape.
    pub dialect: Dialect,
    /// All settings.
    pub settings: Settings,
    /// Place of the font setting that applies.
    pub font_family: Option<Place>,
    /// The environment variables, in order; the last one of a name applies.
    pub env: Vec<Placed<Variable>>,
    /// The programs that must be installed.
    pub requires: Vec<Placed<String>>,
    /// The outputs to write after a successful run.
    pub outputs: Vec<Placed<Output>>,
    /// The program to run instead of a shell.
    pub launch: Option<Placed<Launch>>,
    /// The steps, in order.
    pub steps: Vec<Placed<Step>>,
}

impl Tape {
    /// Inserts sourced tapes and resolves settings. `load` receives a path as written and the name
    /// of the tape that contains it, and returns the sourced tape's name and text. Tapes with the
    /// same name are the same tape, which is how a tape that sources itself is detected.
    ///
    /// The report contains the errors in the sourced tapes and in how all commands fit together.
    /// Errors in this tape alone were reported by the parser.
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
    /// The names of the open tapes, the outermost first.
    chain: Vec<String>,
    sourced: usize,
    commands: usize,
    /// The command that ended the settings.
    begun: Option<Place>,
    /// The last setting that affects the size of the picture.
    sizes: Option<Place>,
    marks: BTreeSet<String>,
    copied: bool,
    /// Expressions of the sourced tapes, one of which may be sourced a thousand times.
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

    /// Drops diagnostics beyond the limit before they use much memory.
    fn bound(&mut self) {
        if self.report.diagnostics.len() > 4 * MOST_TOLD {
            self.report = std::mem::take(&mut self.report).bounded();
        }
    }

    /// Returns whether further diagnostics of this severity would be dropped. Check it before
    /// composing an expensive message: a tape can have a hundred thousand wrong commands.
    fn is_full(&self, severity: Severity) -> bool {
        self.report.count(severity) >= MOST_TOLD
    }

    /// Returns where the settings ended, for a hint.
    fn begun(&self) -> String {
        let place = self
            .begun
            .as_ref()
            .expect("`begun` is set before this is called");
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
                    let message = format!("no mark `{}` is set before this", truncate::start(name));
                    let found = self.tell(Severity::Error, place, message);
                    found.nearest = near;
                }
            }
            Step::Copy(_) => self.copied = true,
            Step::Paste if !self.copied => {
                let message = "nothing was copied before this, so nothing is pasted".to_owned();
                let hint = "the tape has its own clipboard: put text into it with `Copy`";
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
            let hint = format!("did you mean `{seconds}ms`? a number without a unit is in seconds");
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
            // VHS reads all `Set Shell` before it starts one, so a late one applies to the whole
            // tape.
            Setting::Shell(shell) => {
                self.plan.settings.shell = shell;
                if !self.is_full(Severity::Warning) {
                    let message =
                        "the shell is set after the tape has begun, but applies from its start";
                    let hint = self.begun();
                    self.tell(Severity::Warning, place, message.to_owned()).hint = Some(hint);
                }
            }
            _ if self.is_full(Severity::Warning) => {}
            _ => {
                let message = "this is set after the tape has begun and has no effect";
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
        let message = format!("`{name}` must come before the first step");
        self.tell(Severity::Error, place, message).hint = Some(hint);
    }

    fn launch(&mut self, value: Launch, place: &Place) {
        let running = self.plan.launch.as_ref().map(|launch| &launch.place);
        let running = running.or_else(|| self.plan.steps.first().map(|step| &step.place));
        if let Some(first) = running {
            if self.is_full(Severity::Error) {
                return;
            }
            let hint = format!("it runs since {first}; move `Launch` before that");
            let message = "a program is already running".to_owned();
            self.tell(Severity::Error, place, message).hint = Some(hint);
            return;
        }
        self.begin(place);
        let place = place.clone();
        self.plan.launch = Some(Placed { value, place });
    }

    /// Checks that bar, padding and margin leave space for the text.
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
                        "the tape and those that it sources have more than {MOST_COMMANDS} commands"
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
                // Only the tape that is run writes outputs.
                Command::Output(output) => {
                    let message = format!("`{}` is not written: this tape is sourced", output.path);
                    let hint = "only the tape that is run writes outputs: move `Output` there";
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
            // Reported once: each of the many would have the same message.
            if self.sourced <= MOST_SOURCED {
                let message = format!("sourced tapes are nested more than {DEEPEST} deep");
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

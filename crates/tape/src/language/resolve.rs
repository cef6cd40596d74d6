//! Resolution of a tape into a plan that can be run.
//!
//! Inserts sourced tapes where they are named, and decides the effect of commands that depend on
//! their position, such as a setting or an environment variable after the first step. The dialect
//! determines this effect. The caller passes a function that loads sourced tapes.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use super::command::{Command, LaunchCommand, TapeStep, Variable};
use super::diagnostic::{Diagnostic, DiagnosticReport, MAX_REPORTED, Severity};
use super::output::Output;
use super::setting::{TapeSetting, TapeSettings};
use super::source::{Span, Spanned};
use super::{Dialect, Tape, parser};
use screentest_core::query::selector::Expressions;
use screentest_core::query::suggest::nearest;
use screentest_core::query::truncate;

/// Limits of nesting, of the number of sourced tapes, and of all their commands. They are larger
/// than any demo needs. They also end the exponential growth of tapes that each source two more.
const MAX_DEPTH: usize = 16;
const MAX_SOURCED: usize = 1_000;
const MAX_COMMANDS: usize = 100_000;

/// A typing speed of at least this time per key was probably meant in milliseconds: a number
/// without a unit is in seconds.
const SLOW_KEY: Duration = Duration::from_secs(5);

/// A resolved tape, ready to run.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// The dialect of the outermost tape.
    pub dialect: Dialect,
    /// All settings.
    pub settings: TapeSettings,
    /// Place of the font setting that applies.
    pub font_family: Option<Span>,
    /// The environment variables, in order; the last one of a name applies.
    pub env: Vec<Spanned<Variable>>,
    /// The programs that must be installed.
    pub requires: Vec<Spanned<String>>,
    /// The outputs to write after a successful run.
    pub outputs: Vec<Spanned<Output>>,
    /// The program to run instead of a shell.
    pub launch: Option<Spanned<LaunchCommand>>,
    /// The steps, in order.
    pub steps: Vec<Spanned<TapeStep>>,
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
    ) -> (Plan, DiagnosticReport) {
        let mut resolver = Resolver {
            plan: Plan {
                dialect: self.dialect,
                settings: TapeSettings::defaults(self.dialect),
                font_family: None,
                env: Vec::new(),
                requires: Vec::new(),
                outputs: Vec::new(),
                launch: None,
                steps: Vec::new(),
            },
            report: DiagnosticReport::default(),
            load,
            chain: vec![self.source.name().to_owned()],
            sourced: 0,
            commands: 0,
            settings_end: None,
            size_setting: None,
            marks: BTreeSet::new(),
            copied: false,
            expressions: Expressions::default(),
        };
        resolver.tape(self);
        resolver.check_room();
        (resolver.plan, resolver.report.truncated())
    }
}

struct Resolver<F> {
    plan: Plan,
    report: DiagnosticReport,
    load: F,
    /// The names of the open tapes, the outermost first.
    chain: Vec<String>,
    sourced: usize,
    commands: usize,
    /// The command that ended the settings.
    settings_end: Option<Span>,
    /// The last setting that affects the size of the picture.
    size_setting: Option<Span>,
    marks: BTreeSet<String>,
    copied: bool,
    /// Compiled expressions of the sourced tapes. They are kept because a tape may be sourced a
    /// thousand times.
    expressions: Expressions,
}

impl<F> Resolver<F> {
    fn report_diagnostic(
        &mut self,
        severity: Severity,
        span: &Span,
        message: String,
    ) -> &mut Diagnostic {
        let found = Diagnostic::new(severity, span.clone(), message);
        self.drop_excess();
        let all = &mut self.report.diagnostics;
        all.push(found);
        all.last_mut().expect("one was pushed")
    }

    /// Drops diagnostics beyond the limit before they use much memory.
    fn drop_excess(&mut self) {
        if self.report.diagnostics.len() > 4 * MAX_REPORTED {
            self.report = std::mem::take(&mut self.report).truncated();
        }
    }

    /// Returns whether further diagnostics of this severity would be dropped. Check it before
    /// composing an expensive message: a tape can have a hundred thousand wrong commands.
    fn is_full(&self, severity: Severity) -> bool {
        self.report.count(severity) >= MAX_REPORTED
    }

    /// Returns where the settings ended, for a hint.
    fn settings_end_hint(&self) -> String {
        let span = self
            .settings_end
            .as_ref()
            .expect("`settings_end` is set before this is called");
        let line = span.text().lines().next().unwrap_or_default();
        format!("the tape begins with `{}` at {span}", truncate::start(line))
    }

    fn step(&mut self, value: TapeStep, span: &Span) {
        self.end_settings(span);
        match &value {
            TapeStep::Mark(name) => self.marks.extend(name.clone()),
            TapeStep::Saw(seen) | TapeStep::Never(seen) => {
                if let Some(name) = seen
                    .since
                    .as_ref()
                    .filter(|name| !self.marks.contains(*name))
                    .filter(|_| !self.is_full(Severity::Error))
                {
                    let near = nearest(name, self.marks.iter().map(String::as_str));
                    let near = near.map(str::to_owned);
                    let message = format!("no mark `{}` is set before this", truncate::start(name));
                    let found = self.report_diagnostic(Severity::Error, span, message);
                    found.nearest = near;
                }
            }
            TapeStep::Copy(_) => self.copied = true,
            TapeStep::Paste if !self.copied => {
                let message = "nothing was copied before this, so nothing is pasted".to_owned();
                let hint = "the tape has its own clipboard: put text into it with `Copy`";
                self.report_diagnostic(Severity::Warning, span, message)
                    .hint = Some(hint.to_owned());
            }
            _ => {}
        }
        let span = span.clone();
        self.plan.steps.push(Spanned { value, span });
    }

    fn end_settings(&mut self, span: &Span) {
        self.settings_end.get_or_insert_with(|| span.clone());
    }

    fn set(&mut self, setting: TapeSetting, span: &Span, dialect: Dialect) {
        if let TapeSetting::TypingSpeed(time) = setting
            && time >= SLOW_KEY
        {
            let seconds = time.as_secs();
            let message = format!("each key takes {seconds} seconds");
            let hint = format!("did you mean `{seconds}ms`? a number without a unit is in seconds");
            self.report_diagnostic(Severity::Warning, span, message)
                .hint = Some(hint);
        }
        if self.settings_end.is_none() {
            if matches!(setting, TapeSetting::FontFamily(_)) {
                self.plan.font_family = Some(span.clone());
            }
            let size_setting = matches!(
                setting,
                TapeSetting::Width(_)
                    | TapeSetting::Height(_)
                    | TapeSetting::Padding(_)
                    | TapeSetting::Margin(_)
                    | TapeSetting::WindowBar(_)
                    | TapeSetting::WindowBarSize(_)
            );
            if size_setting {
                self.size_setting = Some(span.clone());
            }
            self.plan.settings.set(setting);
            return;
        }
        if dialect.requires_settings_first() {
            self.report_late("Set", span);
            return;
        }
        match setting {
            TapeSetting::TypingSpeed(time) => self.step(TapeStep::TypingSpeed(time), span),
            // VHS reads all `Set Shell` before it starts one, so a late one applies to the whole
            // tape.
            TapeSetting::Shell(shell) => {
                self.plan.settings.shell = shell;
                if !self.is_full(Severity::Warning) {
                    let message =
                        "the shell is set after the tape has begun, but applies from its start";
                    let hint = self.settings_end_hint();
                    self.report_diagnostic(Severity::Warning, span, message.to_owned())
                        .hint = Some(hint);
                }
            }
            _ if self.is_full(Severity::Warning) => {}
            _ => {
                let message = "this is set after the tape has begun and has no effect";
                let hint = format!("move it up: {}", self.settings_end_hint());
                self.report_diagnostic(Severity::Warning, span, message.to_owned())
                    .hint = Some(hint);
            }
        }
    }

    fn report_late(&mut self, name: &str, span: &Span) {
        if self.is_full(Severity::Error) {
            return;
        }
        let hint = self.settings_end_hint();
        let message = format!("`{name}` must come before the first step");
        self.report_diagnostic(Severity::Error, span, message).hint = Some(hint);
    }

    fn launch(&mut self, value: LaunchCommand, span: &Span) {
        let running = self.plan.launch.as_ref().map(|launch| &launch.span);
        let running = running.or_else(|| self.plan.steps.first().map(|step| &step.span));
        if let Some(first) = running {
            if self.is_full(Severity::Error) {
                return;
            }
            let hint = format!("it starts at {first}; move `Launch` before that");
            let message = "a program is already running".to_owned();
            self.report_diagnostic(Severity::Error, span, message).hint = Some(hint);
            return;
        }
        self.end_settings(span);
        let span = span.clone();
        self.plan.launch = Some(Spanned { value, span });
    }

    /// Checks that bar, padding and margin leave space for the text.
    fn check_room(&mut self) {
        let settings = &self.plan.settings;
        let surround = 2 * (settings.padding + settings.margin);
        let bar = match settings.window_bar {
            super::WindowBar::Off => 0,
            super::WindowBar::Bar { .. } => settings.window_bar_size,
        };
        let small = |given: Option<u16>, size: u32, least: u32| given.is_none() && size < least;
        let narrow = small(settings.columns, settings.width, surround);
        let low = small(settings.rows, settings.height, surround + bar);
        let Some(span) = self.size_setting.clone().filter(|_| narrow || low) else {
            return;
        };
        let (width, height) = (settings.width, settings.height);
        let message = format!(
            "a picture of `{width}x{height}` has no room for text: padding, margin and bar take `{surround}x{}`",
            surround + bar
        );
        let hint = "set a larger `Width` and `Height`, or `Columns` and `Rows`";
        self.report_diagnostic(Severity::Error, &span, message).hint = Some(hint.to_owned());
    }
}

impl<E: fmt::Display, F: FnMut(&str, &str) -> Result<(String, String), E>> Resolver<F> {
    fn tape(&mut self, tape: &Tape) {
        let outermost = self.chain.len() == 1;
        for Spanned { value, span } in &tape.commands {
            self.commands += 1;
            if self.commands > MAX_COMMANDS {
                if self.commands == MAX_COMMANDS + 1 {
                    let message = format!(
                        "the tape and those that it sources have more than {MAX_COMMANDS} commands"
                    );
                    self.report_diagnostic(Severity::Error, span, message);
                }
                return;
            }
            let late = self.settings_end.is_some() && tape.dialect.requires_settings_first();
            match value.clone() {
                Command::Output(value) if outermost => {
                    let span = span.clone();
                    self.plan.outputs.push(Spanned { value, span });
                }
                // Only the tape that is run writes outputs.
                Command::Output(output) => {
                    let message = format!("`{}` is not written: this tape is sourced", output.path);
                    let hint = "only the tape that is run writes outputs: move `Output` there";
                    self.report_diagnostic(Severity::Warning, span, message)
                        .hint = Some(hint.to_owned());
                }
                Command::Require(_) if late => self.report_late("Require", span),
                Command::Require(value) => {
                    let span = span.clone();
                    self.plan.requires.push(Spanned { value, span });
                }
                Command::Env(_) if late => self.report_late("Env", span),
                Command::Env(value) => {
                    if !tape.dialect.requires_settings_first() {
                        self.end_settings(span);
                    }
                    let span = span.clone();
                    self.plan.env.push(Spanned { value, span });
                }
                Command::Set(setting) => self.set(setting, span, tape.dialect),
                Command::Launch(launch) => self.launch(launch, span),
                Command::Source(path) => self.source(&path, span, tape.dialect),
                Command::Step(step) => self.step(step, span),
            }
        }
    }

    fn source(&mut self, path: &str, span: &Span, dialect: Dialect) {
        self.sourced += 1;
        if self.sourced > MAX_SOURCED || self.chain.len() > MAX_DEPTH {
            // Report this once: every further `Source` would have the same message.
            if self.sourced <= MAX_SOURCED {
                let message = format!("sourced tapes are nested more than {MAX_DEPTH} deep");
                let hint = self.chain.join(" → ");
                self.report_diagnostic(Severity::Error, span, message).hint = Some(hint);
                self.sourced = MAX_SOURCED;
            } else if self.sourced == MAX_SOURCED + 1 {
                let message = format!("more than {MAX_SOURCED} tapes are sourced");
                self.report_diagnostic(Severity::Error, span, message);
            }
            return;
        }
        let from = self.chain.last().cloned().unwrap_or_default();
        let (name, text) = match (self.load)(path, &from) {
            Ok(loaded) => loaded,
            Err(error) => {
                self.report_diagnostic(
                    Severity::Error,
                    span,
                    format!("`{path}` cannot be read: {error}"),
                );
                return;
            }
        };
        if self.chain.contains(&name) {
            let message = format!("`{name}` sources itself");
            let hint = format!("{} → {name}", self.chain.join(" → "));
            self.report_diagnostic(Severity::Error, span, message).hint = Some(hint);
            return;
        }
        let parsed = parser::parse(&text, &name, None, dialect, &mut self.expressions);
        if parsed.tape.commands.is_empty() && parsed.report.is_empty() {
            self.report_diagnostic(Severity::Warning, span, format!("`{name}` has no command"));
        }
        self.report.diagnostics.extend(parsed.report.diagnostics);
        self.drop_excess();
        self.chain.push(name);
        self.tape(&parsed.tape);
        self.chain.pop();
    }
}

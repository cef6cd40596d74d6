//! Options from environment variables.
//!
//! They change the timeout or update snapshots without a change of the tests. An invalid value is
//! an error, so that a misspelt number does not silently mean the default.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use screentest_core::{Ambiguity, Size, SizeError, Theme, ThemeError};

use super::{InputOverrides, RunOptions, SnapshotTheme, Update};
use crate::environment::{Variables, environment};
use crate::session::AutoWait;

/// Why an environment variable is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// The value is not one of the accepted values.
    #[error("`{name}={value}`: expected {expected}")]
    Value {
        /// The variable.
        name: String,
        /// Its value.
        value: String,
        /// The accepted values.
        expected: &'static str,
    },
    /// The value is neither the name of a theme nor an inline theme.
    #[error("could not read the theme in `{name}`")]
    Theme {
        /// The variable.
        name: String,
        /// The error.
        #[source]
        source: ThemeError,
    },
    /// The size from the options and the environment is out of range.
    #[error("invalid terminal size (`{cols_name}` and `{rows_name}` override the test's own)")]
    Size {
        /// The variable for columns.
        cols_name: &'static str,
        /// The variable for rows.
        rows_name: &'static str,
        /// The error.
        #[source]
        source: SizeError,
    },
}

/// The kind of run, which decides the effect of `CI`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runner {
    /// A test: writes no baseline if `CI` is set.
    Test,
    /// A script.
    Session,
    /// A tape: like a test, writes no baseline if `CI` is set.
    Tape,
}

impl RunOptions {
    /// Applies the environment to the options.
    #[doc(hidden)]
    pub fn overridden(
        mut self,
        runner: Runner,
        variables: &impl Variables,
    ) -> Result<RunOptions, OptionError> {
        let read = Reader(variables);
        read.set("TIMEOUT_SECONDS", SECONDS, &mut self.timeout)?;
        read.set("RETRIES", COUNT, &mut self.retries)?;
        read.set("STEP_RETRIES", COUNT, &mut self.step_retries)?;
        read.set("TERMINAL_COLS", CELLS, &mut self.size.cols)?;
        read.set("TERMINAL_ROWS", CELLS, &mut self.size.rows)?;
        Size::checked(self.size.cols.into(), self.size.rows.into()).map_err(|source| {
            OptionError::Size {
                cols_name: "SCREENTEST_TERMINAL_COLS",
                rows_name: "SCREENTEST_TERMINAL_ROWS",
                source,
            }
        })?;
        if let Some((_, folder)) = variables.library_variable("ARTIFACTS_DIR") {
            self.artifacts_dir = folder.into();
        }
        if let Some((name, root)) = variables.library_variable("PROJECT_ROOT")
            && !Path::new(&root).is_dir()
        {
            return Err(OptionError::Value {
                name,
                value: root.to_string_lossy().into_owned(),
                expected: "an existing directory",
            });
        }
        read.set("AMBIGUITY_MODE", AMBIGUITY, &mut self.ambiguity)?;
        if let Some(theme) = SnapshotTheme::from_variables(variables)? {
            self.snapshot_theme = theme;
        }
        let ci = variables.get("CI").is_some_and(|value| {
            let value = value.to_string_lossy().to_ascii_lowercase();
            !["", "0", "false", "no", "off"].contains(&value.as_str())
        });
        if ci && runner != Runner::Session {
            self.update_snapshots = Update::None;
        }
        read.set("UPDATE_SNAPSHOTS", UPDATE, &mut self.update_snapshots)?;
        // Read even if it is overridden: an invalid value is always an error.
        let input = InputOverrides::from_variables(variables)?;
        self.input = self.input_overrides.or(input).apply(self.input);
        Ok(self)
    }
}

/// Reads `SCREENTEST_AUTO_WAIT` and `SCREENTEST_INPUT_DELAY_MS`.
pub(super) fn read_input(
    variables: &impl Variables,
) -> Result<(Option<AutoWait>, Option<Duration>), OptionError> {
    let read = Reader(variables);
    let auto_wait = read.get("AUTO_WAIT", AUTO_WAIT)?;
    Ok((auto_wait, read.get("INPUT_DELAY_MS", MILLISECONDS)?))
}

struct Reader<'a, V>(&'a V);

impl<V: Variables> Reader<'_, V> {
    fn get<T>(&self, name: &str, (parse, expected): Parser<T>) -> Result<Option<T>, OptionError> {
        let Some((name, value)) = self.0.library_variable(name) else {
            return Ok(None);
        };
        let value = value.to_string_lossy().into_owned();
        match parse(value.trim()) {
            Some(parsed) => Ok(Some(parsed)),
            None => Err(OptionError::Value {
                name,
                value,
                expected,
            }),
        }
    }

    fn set<T>(&self, name: &str, parser: Parser<T>, option: &mut T) -> Result<(), OptionError> {
        if let Some(parsed) = self.get(name, parser)? {
            *option = parsed;
        }
        Ok(())
    }
}

/// A parser of values, and the accepted values for its error.
type Parser<T> = (fn(&str) -> Option<T>, &'static str);

const SECONDS: Parser<Duration> = (
    |value| {
        let seconds: f64 = value.parse().ok()?;
        let given = Duration::try_from_secs_f64(seconds).ok()?;
        (!given.is_zero()).then_some(given)
    },
    "a number of seconds above 0, such as `10` or `2.5`",
);

const COUNT: Parser<u32> = (|value| value.parse().ok(), "a whole number, 0 or more");

const CELLS: Parser<u16> = (
    |value| value.parse().ok().filter(|cells| *cells > 0),
    "a whole number above 0",
);

const AMBIGUITY: Parser<Ambiguity> = (
    |value| match value.to_ascii_lowercase().as_str() {
        "fail" => Some(Ambiguity::Fail),
        "first" | "first-visible" => Some(Ambiguity::First),
        "last" | "last-visible" => Some(Ambiguity::Last),
        _ => None,
    },
    "`fail`, `first`, `first-visible`, `last` or `last-visible`",
);

const AUTO_WAIT: Parser<AutoWait> = (
    |value| match value.to_ascii_lowercase().as_str() {
        "on" | "true" | "yes" => Some(AutoWait::ON),
        "off" | "false" | "no" => Some(AutoWait::Off),
        value => {
            let bound = Duration::try_from_secs_f64(value.parse().ok()?).ok()?;
            // Other interfaces use milliseconds, in which 0 means off.
            let millis = bound.as_nanos().div_ceil(1_000_000);
            match Duration::from_millis(millis.try_into().ok()?) {
                Duration::ZERO => Some(AutoWait::Off),
                bound if bound <= AutoWait::LONGEST => Some(AutoWait::UpTo(bound)),
                _ => None,
            }
        }
    },
    "`on`, `off`, or a maximum in seconds, up to 600, such as `2.5`",
);

const MILLISECONDS: Parser<Duration> = (
    |value| {
        let given = value.parse().ok().filter(|millis| *millis <= 1000);
        given.map(Duration::from_millis)
    },
    "a whole number of milliseconds from 0 to 1000",
);

/// The boolean values of tuispec are accepted: true means `all`, false means `missing`.
const UPDATE: Parser<Update> = (
    |value| match value.to_ascii_lowercase().as_str() {
        "all" | "1" | "true" | "yes" | "on" => Some(Update::All),
        "changed" => Some(Update::Changed),
        "missing" | "0" | "false" | "no" | "off" => Some(Update::Missing),
        "none" => Some(Update::None),
        _ => None,
    },
    "`all`, `changed`, `missing` or `none`",
);

/// Parses `auto`, or a theme as [`Theme`] does.
impl FromStr for SnapshotTheme {
    type Err = ThemeError;

    fn from_str(value: &str) -> Result<SnapshotTheme, ThemeError> {
        if value.eq_ignore_ascii_case("auto") {
            return Ok(SnapshotTheme::Auto);
        }
        value.parse().map(SnapshotTheme::Theme)
    }
}

impl SnapshotTheme {
    /// Returns the theme that `SCREENTEST_SNAPSHOT_THEME` or `TUISPEC_SNAPSHOT_THEME` requests,
    /// otherwise `auto`.
    pub fn from_environment() -> Result<SnapshotTheme, OptionError> {
        SnapshotTheme::from_variables(&environment).map(Option::unwrap_or_default)
    }

    fn from_variables(variables: &impl Variables) -> Result<Option<SnapshotTheme>, OptionError> {
        let Some((name, value)) = variables.library_variable("SNAPSHOT_THEME") else {
            return Ok(None);
        };
        let theme = value.to_string_lossy().trim().parse();
        theme
            .map(Some)
            .map_err(|source| OptionError::Theme { name, source })
    }

    /// Returns the colours; `auto` uses the environment of this process.
    pub fn resolved(&self) -> Theme {
        self.theme(&environment)
    }

    /// Returns the colours. `COLORFGBG` ends in the number of the background colour: 7 and above
    /// are light, as in tuispec.
    #[doc(hidden)]
    pub fn theme(&self, variables: &impl Variables) -> Theme {
        if let SnapshotTheme::Theme(theme) = self {
            return theme.clone();
        }
        let light = variables.get("COLORFGBG").is_some_and(|value| {
            let value = value.to_string_lossy().into_owned();
            let background = value
                .rsplit(';')
                .next()
                .map(|part| part.trim().parse::<i64>());
            background.is_some_and(|number| number.is_ok_and(|number| number >= 7))
        });
        if light { Theme::LIGHT } else { Theme::DARK }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;

    /// Returns the options under these variables, given as `NAME=value` words.
    fn under(runner: Runner, words: &str) -> Result<RunOptions, OptionError> {
        RunOptions::default().overridden(runner, &variables(words))
    }

    fn variables(words: &str) -> impl Fn(&str) -> Option<OsString> {
        let pairs: Vec<(String, OsString)> = words
            .split_whitespace()
            .map(|word| word.split_once('=').unwrap())
            .map(|(name, value)| (name.to_owned(), value.into()))
            .collect();
        move |asked| {
            let found = pairs.iter().find(|(name, _)| name == asked);
            found.map(|(_, value)| value.clone())
        }
    }

    #[test]
    fn the_defaults_are_those_of_tuispec() {
        let options = under(Runner::Test, "").unwrap();
        assert_eq!(options.timeout, Duration::from_secs(5));
        assert_eq!((options.retries, options.step_retries), (0, 0));
        assert_eq!((options.size.cols, options.size.rows), (134, 40));
        assert_eq!(options.artifacts_dir.to_str(), Some("artifacts"));
        assert_eq!(options.ambiguity, Ambiguity::Fail);
        assert_eq!(options.update_snapshots, Update::Missing);
        assert_eq!(options.snapshot_theme, SnapshotTheme::Auto);
    }

    #[test]
    fn every_variable_changes_its_option() {
        for prefix in ["SCREENTEST", "TUISPEC"] {
            let words = "@_TIMEOUT_SECONDS=2.5 @_RETRIES=2 @_STEP_RETRIES=3 @_TERMINAL_COLS=100 @_TERMINAL_ROWS=30 \
                @_ARTIFACTS_DIR=out @_UPDATE_SNAPSHOTS=changed @_AMBIGUITY_MODE=Last-Visible @_SNAPSHOT_THEME=light \
                @_AUTO_WAIT=0.5 @_INPUT_DELAY_MS=20";
            let options = under(Runner::Test, &words.replace('@', prefix)).unwrap();
            assert_eq!(options.timeout, Duration::from_millis(2500));
            assert_eq!((options.retries, options.step_retries), (2, 3));
            assert_eq!((options.size.cols, options.size.rows), (100, 30));
            assert_eq!(options.artifacts_dir.to_str(), Some("out"));
            assert_eq!(options.update_snapshots, Update::Changed);
            assert_eq!(options.ambiguity, Ambiguity::Last);
            assert_eq!(options.snapshot_theme, SnapshotTheme::Theme(Theme::LIGHT));
            let half = Duration::from_millis(500);
            assert_eq!(options.input.auto_wait, AutoWait::UpTo(half));
            assert_eq!(options.input.delay, Duration::from_millis(20));
        }
        let auto_wait = |value: &str| {
            let words = format!("SCREENTEST_AUTO_WAIT={value}");
            under(Runner::Test, &words).unwrap().input.auto_wait
        };
        assert_eq!(auto_wait("off"), AutoWait::Off);
        assert_eq!(auto_wait("On"), AutoWait::ON);
        assert_eq!(auto_wait("0.0"), AutoWait::Off);
        // A bound below the smallest unit of other interfaces does not become `off` there.
        let least = Duration::from_millis(1);
        assert_eq!(auto_wait("0.0004"), AutoWait::UpTo(least));
        assert_eq!(auto_wait("600"), AutoWait::UpTo(AutoWait::LONGEST));
    }

    #[test]
    fn overrides_win_over_the_environment_and_it_over_options() {
        let words = "SCREENTEST_AUTO_WAIT=on SCREENTEST_INPUT_DELAY_MS=20";
        let millis = Duration::from_millis;
        let input = |overrides: InputOverrides, words: &str| {
            let mut options = RunOptions::default().auto_wait(AutoWait::Off);
            options = options.input_delay(millis(5)).input_overrides(overrides);
            let options = options.overridden(Runner::Test, &variables(words));
            let input = options.unwrap().input;
            (input.auto_wait, input.delay)
        };
        let none = InputOverrides::default();
        assert_eq!(input(none, ""), (AutoWait::Off, millis(5)));
        assert_eq!(input(none, words), (AutoWait::ON, millis(20)));
        let half = AutoWait::UpTo(millis(500));
        let flags = InputOverrides {
            auto_wait: Some(half),
            delay: Some(Duration::ZERO),
        };
        assert_eq!(input(flags, words), (half, Duration::ZERO));
    }

    #[test]
    fn screentest_variables_win_over_tuispec_variables() {
        let words = "TUISPEC_RETRIES=9 SCREENTEST_RETRIES=1 TUISPEC_TIMEOUT_SECONDS=7";
        let options = under(Runner::Test, words).unwrap();
        assert_eq!(options.retries, 1);
        assert_eq!(options.timeout, Duration::from_secs(7));
    }

    #[test]
    fn an_invalid_value_is_reported_with_its_variable() {
        for (word, message) in [
            (
                "SCREENTEST_TIMEOUT_SECONDS=abc",
                "`SCREENTEST_TIMEOUT_SECONDS=abc`: expected a number of seconds above 0, such as `10` or `2.5`",
            ),
            (
                "SCREENTEST_TIMEOUT_SECONDS=0",
                "`SCREENTEST_TIMEOUT_SECONDS=0`: expected a number of seconds above 0, such as `10` or `2.5`",
            ),
            (
                "TUISPEC_RETRIES=-1",
                "`TUISPEC_RETRIES=-1`: expected a whole number, 0 or more",
            ),
            (
                "SCREENTEST_AMBIGUITY_MODE=maybe",
                "`SCREENTEST_AMBIGUITY_MODE=maybe`: expected `fail`, `first`, `first-visible`, `last` or `last-visible`",
            ),
            (
                "SCREENTEST_UPDATE_SNAPSHOTS=al",
                "`SCREENTEST_UPDATE_SNAPSHOTS=al`: expected `all`, `changed`, `missing` or `none`",
            ),
            (
                "SCREENTEST_AUTO_WAIT=never",
                "`SCREENTEST_AUTO_WAIT=never`: expected `on`, `off`, or a maximum in seconds, up to 600, such as `2.5`",
            ),
            (
                "SCREENTEST_AUTO_WAIT=700",
                "`SCREENTEST_AUTO_WAIT=700`: expected `on`, `off`, or a maximum in seconds, up to 600, such as `2.5`",
            ),
            (
                "SCREENTEST_INPUT_DELAY_MS=1.5",
                "`SCREENTEST_INPUT_DELAY_MS=1.5`: expected a whole number of milliseconds from 0 to 1000",
            ),
            (
                "SCREENTEST_PROJECT_ROOT=/nonexistent",
                "`SCREENTEST_PROJECT_ROOT=/nonexistent`: expected an existing directory",
            ),
            (
                "SCREENTEST_TERMINAL_COLS=1",
                "invalid terminal size (`SCREENTEST_TERMINAL_COLS` and `SCREENTEST_TERMINAL_ROWS` override the test's own)",
            ),
        ] {
            let error = under(Runner::Test, word).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn update_snapshots_true_is_all_and_false_is_missing() {
        for (value, update) in [
            ("true", Update::All),
            ("1", Update::All),
            ("false", Update::Missing),
            ("off", Update::Missing),
            ("none", Update::None),
        ] {
            let options = under(Runner::Test, &format!("TUISPEC_UPDATE_SNAPSHOTS={value}"));
            assert_eq!(options.unwrap().update_snapshots, update);
        }
    }

    #[test]
    fn in_ci_a_test_writes_no_baseline_unless_updates_are_requested() {
        let update = |runner, words| under(runner, words).unwrap().update_snapshots;
        assert_eq!(update(Runner::Test, "CI=true"), Update::None);
        assert_eq!(update(Runner::Test, "CI=false"), Update::Missing);
        assert_eq!(update(Runner::Session, "CI=true"), Update::Missing);
        let words = "CI=true SCREENTEST_UPDATE_SNAPSHOTS=all";
        assert_eq!(update(Runner::Test, words), Update::All);
    }

    #[test]
    fn auto_follows_colorfgbg_and_falls_back_to_pty_default_dark() {
        let (dark, light) = ("pty-default-dark", "pty-default-light");
        for (words, name) in [
            ("", dark),
            ("COLORFGBG=15;0", dark),
            ("COLORFGBG=0;15", light),
            ("COLORFGBG=0;default;15", light),
            ("COLORFGBG=15;6", dark),
            ("COLORFGBG=15;7", light),
            ("COLORFGBG=15;8", light),
            ("COLORFGBG=7", light),
            ("COLORFGBG=300", light),
            ("COLORFGBG=-7", dark),
            ("COLORFGBG=15;", dark),
            ("COLORFGBG=light", dark),
            ("COLORFGBG=0;default", dark),
        ] {
            let theme = SnapshotTheme::Auto.theme(&variables(words));
            assert_eq!(theme.name, name, "{words}");
            assert_eq!(Ok(theme), Theme::named(name));
        }
        let spaced = |_: &str| Some(OsString::from("0; 15 "));
        assert_eq!(SnapshotTheme::Auto.theme(&spaced).name, light);
        // A chosen theme does not depend on the terminal.
        let chosen = SnapshotTheme::from(Theme::DARK);
        assert_eq!(chosen.theme(&variables("COLORFGBG=0;15")), Theme::DARK);
    }

    #[test]
    fn the_variable_chooses_the_theme_before_colorfgbg() {
        for (words, name) in [
            ("", "pty-default-dark"),
            ("COLORFGBG=0;15", "pty-default-light"),
            (
                "SCREENTEST_SNAPSHOT_THEME=auto COLORFGBG=0;15",
                "pty-default-light",
            ),
            (
                "SCREENTEST_SNAPSHOT_THEME=Dark COLORFGBG=0;15",
                "pty-default-dark",
            ),
            ("TUISPEC_SNAPSHOT_THEME=light", "pty-default-light"),
            (
                "TUISPEC_SNAPSHOT_THEME=GITHUB-LIGHT-HIGH-CONTRAST",
                "pty-default-light",
            ),
            (
                "TUISPEC_SNAPSHOT_THEME=pty-default-dark COLORFGBG=15",
                "pty-default-dark",
            ),
            (
                "SCREENTEST_SNAPSHOT_THEME=screentest COLORFGBG=15",
                "screentest",
            ),
            (
                "SCREENTEST_SNAPSHOT_THEME=Dracula TUISPEC_SNAPSHOT_THEME=light",
                "Dracula",
            ),
            (
                "SCREENTEST_SNAPSHOT_THEME= TUISPEC_SNAPSHOT_THEME=light",
                "pty-default-light",
            ),
        ] {
            let variables = variables(words);
            let theme = SnapshotTheme::from_variables(&variables).unwrap();
            let theme = theme.unwrap_or_default().theme(&variables);
            assert_eq!(theme.name, name, "{words}");
        }
    }

    #[test]
    fn a_theme_is_a_name_of_the_catalogue_or_inline() {
        let theme = |value: &str| {
            let options = under(Runner::Test, &format!("SCREENTEST_SNAPSHOT_THEME={value}"));
            options.map(|options| options.snapshot_theme.theme(&variables("")))
        };
        assert_eq!(
            theme("tokyo-night"),
            Ok(Theme::named("Tokyo Night").unwrap())
        );
        assert_eq!(theme("AUTO"), Ok(Theme::DARK));
        let inline = theme(r##"{"name":"mine","background":"#102040"}"##).unwrap();
        assert_eq!(
            (&*inline.name, inline.bg.to_string()),
            ("mine", "#102040".to_owned())
        );
    }

    #[test]
    fn an_unknown_theme_suggests_the_nearest() {
        for (value, message) in [
            (
                "draclua",
                "unknown theme `draclua`, did you mean `Dracula` or `Dracula+`?",
            ),
            (r#"{"red":1}"#, "`red`: `1` is not a colour as in `#1a2b3c`"),
        ] {
            let words = format!("TUISPEC_SNAPSHOT_THEME={value}");
            let error = under(Runner::Test, &words).unwrap_err();
            assert_eq!(
                error.to_string(),
                "could not read the theme in `TUISPEC_SNAPSHOT_THEME`"
            );
            let source = std::error::Error::source(&error).unwrap();
            assert_eq!(source.to_string(), message);
        }
    }
}

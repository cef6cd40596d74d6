//! `screentest.toml`: defaults of a project. The command line overrides them.
//!
//! The file is searched for in the current directory and then in its parents; the nearest one is
//! used. All wrong keys and values are reported at once, each with its line and column; of syntax
//! errors, only the first is. Relative paths in the file are relative to the directory of the file.
//!
//! See also: docs/formats/screentest-toml.md (the keys).

use std::env;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use screentest::core::query::suggest::nearest;
use screentest_tape::language::Dialect;
use toml::de::{DeTable, DeValue};

use crate::failure::Failure;
use crate::input::regular_file;
use crate::run::Reporter;

/// The file name.
pub(crate) const NAME: &str = "screentest.toml";

/// Maximum file size: far more than people write.
const MAX_BYTES: u64 = 1 << 20;

/// The settings of a project.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Config {
    /// The path of the file; `None` if there is none.
    pub(crate) path: Option<PathBuf>,
    /// Number of tapes that run in parallel.
    pub(crate) workers: Option<usize>,
    /// Number of retries of a failed tape.
    pub(crate) retries: Option<u32>,
    /// Whether pauses are skipped.
    pub(crate) fast: Option<bool>,
    /// Whether warnings are errors.
    pub(crate) strict: Option<bool>,
    /// The dialect of the tapes.
    pub(crate) dialect: Option<Dialect>,
    /// The reporters.
    pub(crate) reporters: Vec<Reporter>,
    /// Patterns of the tapes to use if the command line names none.
    pub(crate) tapes: Vec<String>,
    /// The directory for artifacts.
    pub(crate) artifacts: Option<PathBuf>,
}

const TABLES: [&str; 1] = ["run"];
const KEYS: [&str; 8] = [
    "artifacts",
    "dialect",
    "fast",
    "reporter",
    "retries",
    "strict",
    "tapes",
    "workers",
];

impl Config {
    /// Reads the nearest file. Returns the defaults if there is none.
    pub(crate) fn find() -> Result<Config, Failure> {
        let cwd = env::current_dir().unwrap_or_default();
        for folder in cwd.ancestors() {
            let path = folder.join(NAME);
            let text = match regular_file::read_text(&path, MAX_BYTES) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                text => text,
            };
            let shown = path
                .strip_prefix(&cwd)
                .unwrap_or(&path)
                .display()
                .to_string();
            let text = text
                .with_context(|| format!("could not read `{shown}`"))
                .map_err(Failure::usage)?;
            return match Config::parse(&text, path) {
                Ok(config) => Ok(config),
                Err(mistakes) => {
                    let messages: Vec<String> = mistakes
                        .iter()
                        .map(|mistake| format!("{shown}:{mistake}"))
                        .collect();
                    Err(Failure::usage(anyhow!("{}", messages.join("\n")))
                        .hint(format!("the keys of `[run]` are {}", KEYS.join(", "))))
                }
            };
        }
        Ok(Config::default())
    }

    /// Returns the directory that relative paths in the file start from.
    pub(crate) fn folder(&self) -> &Path {
        let folder = self.path.as_deref().and_then(Path::parent);
        folder.unwrap_or(Path::new(""))
    }

    /// Parses the text, or returns all mistakes, each with its line and column.
    fn parse(text: &str, path: PathBuf) -> Result<Config, Vec<String>> {
        let mut parser = Parser {
            text,
            mistakes: Vec::new(),
        };
        let mut config = Config {
            path: Some(path),
            ..Config::default()
        };
        match DeTable::parse(text) {
            Ok(file) => parser.file(file.get_ref(), &mut config),
            Err(error) => {
                let message = error.message().trim_end().replace('\n', ", ");
                parser.mistake(error.span().unwrap_or_default(), &message);
            }
        }
        // A table iterates its keys in alphabetical order; mistakes are listed from top to bottom.
        parser.mistakes.sort_by_key(|(at, _)| *at);
        if parser.mistakes.is_empty() {
            Ok(config)
        } else {
            Err(parser
                .mistakes
                .into_iter()
                .map(|(_, message)| message)
                .collect())
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    /// The offset and the message of each mistake.
    mistakes: Vec<(usize, String)>,
}

impl Parser<'_> {
    fn mistake(&mut self, at: Range<usize>, message: &str) {
        let before = self.text.get(..at.start).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before
            .rsplit('\n')
            .next()
            .unwrap_or_default()
            .chars()
            .count()
            + 1;
        let message = format!("{line}:{column}: {message}");
        self.mistakes.push((at.start, message));
    }

    fn unknown(&mut self, what: &str, name: &str, known: &[&str], at: Range<usize>) {
        let message = match nearest(name, known.iter().copied()) {
            Some(near) => format!("unknown {what} `{name}`, did you mean `{near}`?"),
            None => format!("unknown {what} `{name}`; known are {}", known.join(", ")),
        };
        self.mistake(at, &message);
    }

    fn file(&mut self, file: &DeTable<'_>, config: &mut Config) {
        for (key, value) in file {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("run", DeValue::Table(run)) => self.run(run, config),
                ("run", _) => self.mistake(value.span(), "`run` must be a table, `[run]`"),
                (name, _) if KEYS.contains(&name) => {
                    let message = format!("`{name}` must be in `[run]`");
                    self.mistake(key.span(), &message);
                }
                (name, _) => self.unknown("table", name, &TABLES, key.span()),
            }
        }
    }

    fn run(&mut self, run: &DeTable<'_>, config: &mut Config) {
        for (key, value) in run {
            let at = value.span();
            let name = key.get_ref().as_ref();
            let value = value.get_ref();
            match name {
                "workers" => {
                    let count = integer(value).and_then(|count| usize::try_from(count).ok());
                    config.workers = count.filter(|count| (1..=MAX_WORKERS).contains(count));
                    let wanted = format!("a whole number from 1 to {MAX_WORKERS}");
                    self.require(name, &wanted, config.workers.is_some(), at);
                }
                "retries" => {
                    config.retries = integer(value).and_then(|count| count.try_into().ok());
                    self.require(
                        name,
                        "a whole number, 0 or more",
                        config.retries.is_some(),
                        at,
                    );
                }
                "fast" => {
                    config.fast = boolean(value);
                    self.require(name, "`true` or `false`", config.fast.is_some(), at);
                }
                "strict" => {
                    config.strict = boolean(value);
                    self.require(name, "`true` or `false`", config.strict.is_some(), at);
                }
                "dialect" => match string(value).map(str::parse::<Dialect>) {
                    Some(Ok(dialect)) => config.dialect = Some(dialect),
                    Some(Err(error)) => self.mistake(at, &error.to_string()),
                    None => self.require(name, "`\"vhs\"` or `\"betamax\"`", false, at),
                },
                "reporter" => {
                    for (name, at) in self.strings(name, value, at) {
                        match name.parse::<Reporter>() {
                            Ok(mut reporter) => {
                                let file = reporter.file.take();
                                reporter.file = file.map(|file| {
                                    if file.as_os_str() == "-" {
                                        // `-` is stdout, not a path.
                                        file
                                    } else {
                                        config.folder().join(file)
                                    }
                                });
                                config.reporters.push(reporter);
                            }
                            Err(why) => self.mistake(at, &format!("`{name}`: {why}")),
                        }
                    }
                }
                "tapes" => {
                    for (pattern, at) in self.strings(name, value, at) {
                        match glob::Pattern::new(pattern) {
                            Ok(_) => config.tapes.push(pattern.to_owned()),
                            Err(error) => self.mistake(at, &format!("`{pattern}`: {error}")),
                        }
                    }
                }
                "artifacts" => {
                    let folder = string(value).filter(|folder| !folder.is_empty());
                    config.artifacts = folder.map(|folder| config.folder().join(folder));
                    self.require(
                        name,
                        "the path of a directory",
                        config.artifacts.is_some(),
                        at,
                    );
                }
                name => self.unknown("key", name, &KEYS, key.span()),
            }
        }
    }

    fn require(&mut self, name: &str, wanted: &str, valid: bool, at: Range<usize>) {
        if !valid {
            self.mistake(at, &format!("`{name}` must be {wanted}"));
        }
    }

    /// Reads a string or an array of strings.
    fn strings<'v>(
        &mut self,
        name: &str,
        value: &'v DeValue<'_>,
        at: Range<usize>,
    ) -> Vec<(&'v str, Range<usize>)> {
        let mut found = Vec::new();
        match value {
            DeValue::Array(all) => {
                for one in all {
                    match string(one.get_ref()) {
                        Some(text) => found.push((text, one.span())),
                        None => {
                            self.require(
                                name,
                                "a string or an array of strings",
                                false,
                                one.span(),
                            );
                        }
                    }
                }
            }
            value => match string(value) {
                Some(text) => found.push((text, at)),
                None => self.require(name, "a string or an array of strings", false, at),
            },
        }
        found
    }
}

/// Maximum number of workers: more than any machine can use.
pub(crate) const MAX_WORKERS: usize = 1024;

fn integer(value: &DeValue<'_>) -> Option<i64> {
    let number = value.as_integer()?;
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

fn boolean(value: &DeValue<'_>) -> Option<bool> {
    value.as_bool()
}

fn string<'v>(value: &'v DeValue<'_>) -> Option<&'v str> {
    value.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Config, Vec<String>> {
        Config::parse(text, PathBuf::from("/project/screentest.toml"))
    }

    #[test]
    fn all_keys_are_read() {
        let config = read(
            "# for all of us\n[run]\nworkers = 4\nretries = 2\nfast = true\nstrict = false\n\
             dialect = \"betamax\"\nreporter = [\"list\", \"junit=out/report.xml\", \"json=-\"]\n\
             tapes = \"tests/*.tape\"\nartifacts = \"out\"\n",
        );
        let reporters = ["list", "junit=/project/out/report.xml", "json=-"];
        assert_eq!(
            config.unwrap(),
            Config {
                path: Some("/project/screentest.toml".into()),
                workers: Some(4),
                retries: Some(2),
                fast: Some(true),
                strict: Some(false),
                dialect: Some(Dialect::Betamax),
                reporters: reporters.map(|one| one.parse().unwrap()).into(),
                tapes: vec!["tests/*.tape".to_owned()],
                artifacts: Some("/project/out".into()),
            }
        );
        assert_eq!(read("").unwrap().folder(), Path::new("/project"));
    }

    #[test]
    fn all_mistakes_are_reported_with_their_position() {
        for (text, expected) in [
            (
                "[run]\nworker = 1\nretrys = 1\nxyzzy = 1\n",
                &[
                    "2:1: unknown key `worker`, did you mean `workers`?",
                    "3:1: unknown key `retrys`, did you mean `retries`?",
                    "4:1: unknown key `xyzzy`; known are artifacts, dialect, fast, reporter, retries, strict, tapes, workers",
                ][..],
            ),
            (
                "fast = true\n[rnu]\n",
                &[
                    "1:1: `fast` must be in `[run]`",
                    "2:2: unknown table `rnu`, did you mean `run`?",
                ],
            ),
            ("run = 1\n", &["1:7: `run` must be a table, `[run]`"]),
            (
                "[run]\nworkers = 0\nretries = -1\nfast = 1\nstrict = \"no\"\n",
                &[
                    "2:11: `workers` must be a whole number from 1 to 1024",
                    "3:11: `retries` must be a whole number, 0 or more",
                    "4:8: `fast` must be `true` or `false`",
                    "5:10: `strict` must be `true` or `false`",
                ],
            ),
            (
                "[run]\ntapes = [\"a\", 1, \"***\"]\nartifacts = \"\"\n",
                &[
                    "2:15: `tapes` must be a string or an array of strings",
                    "2:18: `***`: ",
                    "3:13: `artifacts` must be the path of a directory",
                ],
            ),
            (
                "[run]\nreporter = \"jnuit\"\ndialect = \"latin\"\n",
                &[
                    "2:12: `jnuit`: unknown reporter, did you mean `junit`?",
                    "3:11: unknown dialect `latin`",
                ],
            ),
            ("[run]\nfast = \n", &["2:8: "]),
            ("\u{0}\u{1b}[run", &["1:"]),
        ] {
            let messages = read(text).unwrap_err();
            for (message, expected) in messages.iter().zip(expected) {
                assert!(message.starts_with(expected), "{expected} in {message}");
            }
            assert_eq!(messages.len(), expected.len(), "{messages:#?}");
        }
    }
}

//! `screentest.toml`: what a project wants unless the command line says otherwise.
//!
//! It is looked for in the directory that we are in and then upwards; the nearest counts. All that is wrong with it is told at once, each
//! with its place. Paths in it count from the folder that it is in.
//!
//! Elsewhere: what the keys mean to who writes them (docs/formats/screentest-toml.md).

use std::env;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use screentest::core::query::suggest::nearest;
use screentest_tape::language::Dialect;
use toml::de::{DeTable, DeValue};

use crate::failure::Failure;
use crate::run::Reporter;

/// The name of the file.
pub(crate) const NAME: &str = "screentest.toml";

/// The longest that is read: far more than people write.
const LONGEST: u64 = 1 << 20;

/// What a project wants.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Config {
    /// The file; `None` where there is none.
    pub(crate) path: Option<PathBuf>,
    /// How many tapes run side by side.
    pub(crate) workers: Option<usize>,
    /// How often a tape that failed is run again.
    pub(crate) retries: Option<u32>,
    /// Whether pauses are not lived through.
    pub(crate) fast: Option<bool>,
    /// Whether warnings are errors.
    pub(crate) strict: Option<bool>,
    /// Whose words tapes use.
    pub(crate) dialect: Option<Dialect>,
    /// Who is told.
    pub(crate) reporters: Vec<Reporter>,
    /// The patterns of tapes that are meant where none is named.
    pub(crate) tapes: Vec<String>,
    /// Where artifacts go.
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
    /// The nearest one, or what holds where there is none.
    pub(crate) fn find() -> Result<Config, Failure> {
        let cwd = env::current_dir().unwrap_or_default();
        for folder in cwd.ancestors() {
            let path = folder.join(NAME);
            let file = match File::open(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                file => file,
            };
            let shown = path
                .strip_prefix(&cwd)
                .unwrap_or(&path)
                .display()
                .to_string();
            let mut text = String::new();
            let read = file.and_then(|file| file.take(LONGEST + 1).read_to_string(&mut text));
            read.with_context(|| format!("could not read `{shown}`"))
                .map_err(Failure::usage)?;
            if text.len() as u64 > LONGEST {
                let fault = anyhow!("`{shown}` has more than {LONGEST} bytes");
                return Err(Failure::usage(fault));
            }
            return match Config::parse(&text, path) {
                Ok(config) => Ok(config),
                Err(wrong) => {
                    let told: Vec<String> = wrong
                        .iter()
                        .map(|wrong| format!("{shown}:{wrong}"))
                        .collect();
                    Err(Failure::usage(anyhow!("{}", told.join("\n")))
                        .hint("docs/formats/screentest-toml.md has every key"))
                }
            };
        }
        Ok(Config::default())
    }

    /// The folder that its paths count from.
    pub(crate) fn folder(&self) -> &Path {
        let folder = self.path.as_deref().and_then(Path::parent);
        folder.unwrap_or(Path::new(""))
    }

    /// Reads it, or says all that is wrong with it, each with its line and column.
    fn parse(text: &str, path: PathBuf) -> Result<Config, Vec<String>> {
        let mut reader = Reader {
            text,
            wrong: Vec::new(),
        };
        let mut config = Config {
            path: Some(path),
            ..Config::default()
        };
        match DeTable::parse(text) {
            Ok(file) => reader.file(file.get_ref(), &mut config),
            Err(error) => {
                let message = error.message().trim_end().replace('\n', ", ");
                reader.wrong(error.span().unwrap_or_default(), &message);
            }
        }
        // A table gives its keys in the order of the alphabet; who mends them goes from top to bottom.
        reader.wrong.sort_by_key(|(at, _)| *at);
        match reader.wrong.is_empty() {
            true => Ok(config),
            false => Err(reader.wrong.into_iter().map(|(_, wrong)| wrong).collect()),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    /// Where each begins, and what is told of it.
    wrong: Vec<(usize, String)>,
}

impl Reader<'_> {
    fn wrong(&mut self, at: Range<usize>, message: &str) {
        let before = self.text.get(..at.start).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before
            .rsplit('\n')
            .next()
            .unwrap_or_default()
            .chars()
            .count()
            + 1;
        let told = format!("{line}:{column}: {message}");
        self.wrong.push((at.start, told));
    }

    fn unknown(&mut self, what: &str, name: &str, known: &[&str], at: Range<usize>) {
        let message = match nearest(name, known.iter().copied()) {
            Some(near) => format!("unknown {what} `{name}`, did you mean `{near}`?"),
            None => format!("unknown {what} `{name}`: there are {}", known.join(", ")),
        };
        self.wrong(at, &message);
    }

    fn file(&mut self, file: &DeTable<'_>, config: &mut Config) {
        for (key, value) in file {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("run", DeValue::Table(run)) => self.run(run, config),
                ("run", _) => self.wrong(value.span(), "`run` is a table, `[run]`"),
                (name, _) if KEYS.contains(&name) => {
                    let message = format!("`{name}` belongs below `[run]`");
                    self.wrong(key.span(), &message);
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
                    let count = number(value).and_then(|count| usize::try_from(count).ok());
                    config.workers = count.filter(|count| (1..=MOST_WORKERS).contains(count));
                    let wanted = format!("a whole number from 1 to {MOST_WORKERS}");
                    self.needs(name, &wanted, config.workers.is_some(), at);
                }
                "retries" => {
                    config.retries = number(value).and_then(|count| count.try_into().ok());
                    self.needs(
                        name,
                        "a whole number, 0 or more",
                        config.retries.is_some(),
                        at,
                    );
                }
                "fast" => {
                    config.fast = truth(value);
                    self.needs(name, "`true` or `false`", config.fast.is_some(), at);
                }
                "strict" => {
                    config.strict = truth(value);
                    self.needs(name, "`true` or `false`", config.strict.is_some(), at);
                }
                "dialect" => match text(value).map(str::parse::<Dialect>) {
                    Some(Ok(dialect)) => config.dialect = Some(dialect),
                    Some(Err(error)) => self.wrong(at, &error.to_string()),
                    None => self.needs(name, "`\"vhs\"` or `\"betamax\"`", false, at),
                },
                "reporter" => {
                    for (name, at) in self.texts(name, value, at) {
                        match name.parse::<Reporter>() {
                            Ok(mut reporter) => {
                                let file = reporter.file.take();
                                reporter.file = file.map(|file| match file.as_os_str() == "-" {
                                    // Stdout is where it is.
                                    true => file,
                                    false => config.folder().join(file),
                                });
                                config.reporters.push(reporter);
                            }
                            Err(why) => self.wrong(at, &format!("`{name}`: {why}")),
                        }
                    }
                }
                "tapes" => {
                    for (pattern, at) in self.texts(name, value, at) {
                        match glob::Pattern::new(pattern) {
                            Ok(_) => config.tapes.push(pattern.to_owned()),
                            Err(error) => self.wrong(at, &format!("`{pattern}`: {error}")),
                        }
                    }
                }
                "artifacts" => {
                    let folder = text(value).filter(|folder| !folder.is_empty());
                    config.artifacts = folder.map(|folder| config.folder().join(folder));
                    self.needs(name, "the path of a folder", config.artifacts.is_some(), at);
                }
                name => self.unknown("key", name, &KEYS, key.span()),
            }
        }
    }

    fn needs(&mut self, name: &str, wanted: &str, met: bool, at: Range<usize>) {
        if !met {
            self.wrong(at, &format!("`{name}` is {wanted}"));
        }
    }

    /// One text, or a list of them.
    fn texts<'v>(
        &mut self,
        name: &str,
        value: &'v DeValue<'_>,
        at: Range<usize>,
    ) -> Vec<(&'v str, Range<usize>)> {
        let mut found = Vec::new();
        match value {
            DeValue::Array(all) => {
                for one in all {
                    match text(one.get_ref()) {
                        Some(text) => found.push((text, one.span())),
                        None => self.needs(name, "a text, or a list of texts", false, one.span()),
                    }
                }
            }
            value => match text(value) {
                Some(text) => found.push((text, at)),
                None => self.needs(name, "a text, or a list of texts", false, at),
            },
        }
        found
    }
}

/// More side by side than any machine that people have.
pub(crate) const MOST_WORKERS: usize = 1024;

fn number(value: &DeValue<'_>) -> Option<i64> {
    let number = value.as_integer()?;
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

fn truth(value: &DeValue<'_>) -> Option<bool> {
    value.as_bool()
}

fn text<'v>(value: &'v DeValue<'_>) -> Option<&'v str> {
    value.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Config, Vec<String>> {
        Config::parse(text, PathBuf::from("/project/screentest.toml"))
    }

    #[test]
    fn every_key_is_read() {
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
    fn all_that_is_wrong_is_told_with_its_place() {
        for (text, wrong) in [
            (
                "[run]\nworker = 1\nretrys = 1\nxyzzy = 1\n",
                &[
                    "2:1: unknown key `worker`, did you mean `workers`?",
                    "3:1: unknown key `retrys`, did you mean `retries`?",
                    "4:1: unknown key `xyzzy`: there are artifacts, dialect, fast, reporter, retries, strict, tapes, workers",
                ][..],
            ),
            (
                "fast = true\n[rnu]\n",
                &[
                    "1:1: `fast` belongs below `[run]`",
                    "2:2: unknown table `rnu`, did you mean `run`?",
                ],
            ),
            ("run = 1\n", &["1:7: `run` is a table, `[run]`"]),
            (
                "[run]\nworkers = 0\nretries = -1\nfast = 1\nstrict = \"no\"\n",
                &[
                    "2:11: `workers` is a whole number from 1 to 1024",
                    "3:11: `retries` is a whole number, 0 or more",
                    "4:8: `fast` is `true` or `false`",
                    "5:10: `strict` is `true` or `false`",
                ],
            ),
            (
                "[run]\ntapes = [\"a\", 1, \"***\"]\nartifacts = \"\"\n",
                &[
                    "2:15: `tapes` is a text, or a list of texts",
                    "2:18: `***`: ",
                    "3:13: `artifacts` is the path of a folder",
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
            let told = read(text).unwrap_err();
            for (told, wrong) in told.iter().zip(wrong) {
                assert!(told.starts_with(wrong), "{wrong} of {told}");
            }
            assert_eq!(told.len(), wrong.len(), "{told:#?}");
        }
    }
}

//! GitHub report: failures as annotations on the lines of a pull request.
//!
//! `::error file=…,line=…,col=…,title=…::message`. `%` and line ends are escaped, in properties
//! also `:` and `,`. Paths are relative to the root of the repository, whatever the current
//! directory: GitHub does not resolve other paths.

use std::env;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use screentest::test::project;

use crate::output::sanitize::replace_controls_in_lines;
use crate::run::select::{STDIN, canonical};
use crate::run::tape_result::{RunResults, Verdict};

/// Returns the annotations, in the order of the tapes.
pub(super) fn write(results: &RunResults) -> String {
    let mut out = String::new();
    let cwd = env::current_dir().unwrap_or_default();
    let root = project::root(|name| env::var_os(name), &cwd);
    let workspace = env::var_os("GITHUB_WORKSPACE").filter(|dir| !dir.is_empty());
    let workspace = workspace.map(|dir| canonical(Path::new(&dir)));
    let roots = Roots {
        workspace,
        project: canonical(&root),
    };
    let file = |path: PathBuf| property(&roots.named(&canonical(&path)));
    for case in &results.cases {
        let (command, word) = match case.verdict() {
            Verdict::Failed => ("error", "failed"),
            Verdict::Flaky => ("warning", "is flaky"),
            _ => continue,
        };
        // The last failure decides the verdict; for a flaky tape it is the one before the success.
        let Some((_, attempt, failure)) = case.failures().last() else {
            continue;
        };
        let title = property(&format!("{} {word}", case.title()));
        let place = match &failure.span {
            // A tape from stdin is not a file of the repository; files that it sources are.
            Some(place) if place.source().name() == STDIN => String::new(),
            None if case.name == STDIN => String::new(),
            Some(place) => format!(
                "file={},line={},col={},",
                file(cwd.join(place.source().name())),
                place.line(),
                place.column()
            ),
            None => format!("file={},", file(root.join(&case.name))),
        };
        let mut message = failure.message.clone();
        for path in attempt.artifacts() {
            let _ = write!(message, "\n{}", path.display());
        }
        let _ = writeln!(out, "::{command} {place}title={title}::{}", data(&message));
    }
    out
}

/// Directories that displayed paths may be relative to.
struct Roots {
    /// GITHUB_WORKSPACE.
    workspace: Option<PathBuf>,
    /// The root of the project. Used for paths outside the workspace and any repository.
    project: PathBuf,
}

impl Roots {
    /// Returns the path relative to the workspace, to its repository, or to the project.
    fn named(&self, path: &Path) -> String {
        let workspace = self.workspace.as_deref();
        let repository = || {
            let mut above = path.ancestors().skip(1);
            above.find(|dir| dir.join(".git").exists())
        };
        let root = workspace.filter(|dir| path.starts_with(dir));
        let root = root.or_else(repository).unwrap_or(&self.project);
        let relative = path.strip_prefix(root).unwrap_or(path);
        relative.to_string_lossy().into_owned()
    }
}

fn data(text: &str) -> String {
    // The log page interprets escape sequences. `\r` is escaped below.
    let text: String = text
        .split('\r')
        .map(replace_controls_in_lines)
        .collect::<Vec<_>>()
        .join("\r");
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_separators_and_line_ends() {
        assert_eq!(data("100%: a,\r\nb"), "100%25: a,%0D%0Ab");
        assert_eq!(data("\x1b[31mred\x07"), "\u{fffd}[31mred\u{fffd}");
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25%0A");
    }
}

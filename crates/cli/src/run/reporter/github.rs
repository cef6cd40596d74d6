//! For GitHub: what failed, as annotations that stand at their line of a pull request.
//!
//! `::error file=…,line=…,col=…,title=…::message`. In what is said, `%` and line ends are escaped, in properties also `:` and `,`. Files count
//! from the root of the repository, wherever one stands: others GitHub does not find.

use std::env;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use screentest::test::project;

use crate::run::case::{Results, Verdict};
use crate::run::select::{STDIN, whole};

/// The annotations, in the order of the tapes.
pub(super) fn write(results: &Results) -> String {
    let mut out = String::new();
    let cwd = env::current_dir().unwrap_or_default();
    let root = project::root(|name| env::var_os(name), &cwd);
    let workspace = env::var_os("GITHUB_WORKSPACE").filter(|folder| !folder.is_empty());
    let workspace = workspace.map(|folder| whole(Path::new(&folder)));
    let roots = Roots {
        workspace,
        project: whole(&root),
    };
    let file = |path: PathBuf| property(&roots.named(&whole(&path)));
    for case in &results.cases {
        let (command, word) = match case.verdict() {
            Verdict::Failed => ("error", "failed"),
            Verdict::Flaky => ("warning", "is flaky"),
            _ => continue,
        };
        // The last one is what decided, and of a flaky tape the one that is left to look at.
        let Some((_, attempt, failure)) = case.failures().last() else {
            continue;
        };
        let title = property(&format!("{} {word}", case.title()));
        let place = match &failure.span {
            // What came from stdin is no file of the repository; what it sources is one.
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
        for path in attempt.left() {
            let _ = write!(message, "\n{}", path.display());
        }
        let _ = writeln!(out, "::{command} {place}title={title}::{}", data(&message));
    }
    out
}

/// What the name of a file may count from.
struct Roots {
    /// The folder that GitHub works in.
    workspace: Option<PathBuf>,
    /// The root of the project, where there is no repository.
    project: PathBuf,
}

impl Roots {
    /// A path as it is called in its repository.
    fn named(&self, path: &Path) -> String {
        let workspace = self.workspace.as_deref();
        let repository = || {
            let mut above = path.ancestors().skip(1);
            above.find(|folder| folder.join(".git").exists())
        };
        let root = workspace.filter(|folder| path.starts_with(folder));
        let root = root.or_else(repository).unwrap_or(&self.project);
        let below = path.strip_prefix(root).unwrap_or(path);
        below.to_string_lossy().into_owned()
    }
}

fn data(text: &str) -> String {
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
    fn what_would_end_a_property_or_a_line_is_escaped() {
        assert_eq!(data("100%: a,\r\nb"), "100%25: a,%0D%0Ab");
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25%0A");
    }
}

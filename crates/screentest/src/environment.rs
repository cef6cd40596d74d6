//! Reads the environment variables of this process, including those that configure this library.

use std::ffi::OsString;

/// The source of environment variables: the process, or a test's own list.
pub trait Variables {
    /// Returns the value of a variable, if it is set.
    fn get(&self, name: &str) -> Option<OsString>;

    /// Returns the full name and the value of a variable of this library. `name` has no prefix. The
    /// prefix `SCREENTEST_` takes precedence over `TUISPEC_`.
    fn library_variable(&self, name: &str) -> Option<(String, OsString)> {
        ["SCREENTEST_", "TUISPEC_"]
            .into_iter()
            .map(|prefix| format!("{prefix}{name}"))
            .find_map(|name| {
                // An empty value counts as unset, because scripts often set empty variables.
                let value = self.get(&name).filter(|value| !value.is_empty())?;
                Some((name, value))
            })
    }
}

impl<F: Fn(&str) -> Option<OsString>> Variables for F {
    fn get(&self, name: &str) -> Option<OsString> {
        self(name)
    }
}

/// Returns a variable of this process.
pub fn environment(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

//! The program that a client asks to start, independent of the protocol.

use std::collections::BTreeMap;

use screentest::App;

/// A program as a client describes it.
#[derive(Debug)]
pub(crate) struct AppSpec {
    pub(crate) command: String,
    pub(crate) args: Option<Vec<String>>,
    /// Environment variables. `None` removes a variable.
    pub(crate) env: Option<BTreeMap<String, Option<String>>>,
    /// The environment to inherit instead of the server's.
    pub(crate) inherit: Option<BTreeMap<String, String>>,
    pub(crate) cwd: Option<String>,
    pub(crate) hermetic: Option<bool>,
}

impl AppSpec {
    /// Converts the description to an [`App`] that can be started.
    pub(crate) fn into_app(self) -> App {
        let mut app = App::new(self.command).args(self.args.unwrap_or_default());
        for (name, value) in self.env.unwrap_or_default() {
            app = match value {
                Some(value) => app.env(name, value),
                None => app.unset_env(name),
            };
        }
        if let Some(parent) = self.inherit {
            let parent = parent.into_iter();
            app = app.inherit_from(parent.map(|(name, value)| (name.into(), value.into())));
        }
        if let Some(cwd) = self.cwd {
            app = app.cwd(cwd);
        }
        match self.hermetic {
            Some(true) => app.hermetic(),
            _ => app,
        }
    }
}

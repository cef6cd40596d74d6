//! The program that a client names, in whichever protocol.

use std::collections::BTreeMap;

use screentest::App;

/// What clients say of a program.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) command: String,
    pub(crate) args: Option<Vec<String>>,
    /// `None` removes a variable.
    pub(crate) env: Option<BTreeMap<String, Option<String>>>,
    /// What it inherits in place of our own environment.
    pub(crate) inherit: Option<BTreeMap<String, String>>,
    pub(crate) cwd: Option<String>,
    pub(crate) hermetic: Option<bool>,
}

impl Program {
    /// The same as something that can be started.
    pub(crate) fn app(self) -> App {
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

//! Values of `--secret`.

use std::ffi::OsString;

use anyhow::anyhow;
use screentest::core::Secrets;

use crate::failure::Failure;

/// Reads the values of the secrets from the environment variables `names`. Hints of errors mention
/// `command`.
pub(crate) fn secrets(
    command: &str,
    names: &[String],
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<Secrets, Failure> {
    let mut secrets = Secrets::default();
    for name in names {
        if !is_variable_name(name) {
            // The argument is not quoted: it may be the value itself.
            return Err(Failure::usage(anyhow!(
                "`--secret` takes the name of an environment variable, not its value"
            ))
            .hint(format!(
                "name the variable: `API_TOKEN=… screentest {command} --secret API_TOKEN …`"
            )));
        }
        let value = variable(name).and_then(|value| value.into_string().ok());
        let value = value.ok_or_else(|| {
            Failure::usage(anyhow!(
                "`--secret {name}`: the environment variable `{name}` is not set, or is not UTF-8"
            ))
            .hint(format!(
                "set it for this command only: `{name}=… screentest {command} …`"
            ))
        })?;
        secrets
            .add(name, value)
            .map_err(|error| Failure::usage(anyhow!("`--secret {name}`: {error}")))?;
    }
    Ok(secrets)
}

/// Returns whether a shell can set a variable of this name.
fn is_variable_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_in_place_of_a_name_is_not_printed() {
        for wrong in ["API_TOKEN=hunter2!", "hunter2!", "7hunter2", ""] {
            let failure = secrets("run", &[wrong.to_owned()], |_| None).unwrap_err();
            let shown = format!("{failure:?}");
            assert!(!shown.contains("hunter2"), "{shown}");
            assert!(shown.contains("name of an environment variable"), "{shown}");
        }
    }

    #[test]
    fn an_unset_variable_is_named() {
        let failure = secrets("run", &["API_TOKEN".to_owned()], |_| None).unwrap_err();
        assert!(format!("{failure:?}").contains("`API_TOKEN` is not set"));
    }
}

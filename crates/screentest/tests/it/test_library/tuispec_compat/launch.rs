//! Starting programs.

use screentest::{App, TuiError};

use crate::harness::sandbox::Sandbox;

#[test]
fn app_is_a_program_and_its_arguments() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        let app = sandbox.app("printf").args(["%s-%s.", "a b", "c"]);
        tui.launch(app)?;
        tui.wait_for_text("a b-c.")?;
        Ok(())
    });
}

#[test]
fn launch_replaces_the_running_program() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        tui.launch_and_wait(sandbox.sh("echo first; read end"), "first")?;
        let first = tui.session()?;
        tui.launch_and_wait(sandbox.sh("echo second; read end"), "second")?;
        assert!(first.exit_status().is_some());
        // The screen contains only the new program's output.
        assert_eq!(tui.current_view()?.text(), "second\n");
        Ok(())
    });
}

#[test]
fn launch_of_a_missing_program_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        let error = tui.launch(sandbox.app("no-such-program")).unwrap_err();
        assert!(matches!(error, TuiError::Launch(_)));
        let message = format!("{error:?}");
        assert!(
            message.contains("`no-such-program` was not found"),
            "{message}"
        );
        Ok(())
    });
}

/// A program that prints a variable, or `unset`.
fn shows(app: App, variable: &str) -> App {
    app.args([
        "-c",
        &format!("echo \"is ${{{variable}-unset}}.\"; read end"),
    ])
}

#[test]
fn env_sets_and_overrides() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        let app = App::new("sh")
            .env("TEST_MODE", "test")
            .env("PATH", "/usr/bin:/bin");
        tui.launch_and_wait(shows(app.clone(), "TEST_MODE"), "is test.")?;
        tui.launch_and_wait(shows(app, "PATH"), "is /usr/bin:/bin.")?;
        Ok(())
    });
}

#[test]
fn env_is_inherited() {
    // Set by cargo and nextest for every test.
    let inherited = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        let app = shows(App::new("sh"), "CARGO_MANIFEST_DIR");
        tui.launch_and_wait(app, format!("is {inherited}."))?;
        Ok(())
    });
}

#[test]
fn env_nothing_unsets_an_inherited_variable() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        let app = App::new("sh").unset_env("CARGO_MANIFEST_DIR");
        tui.launch_and_wait(shows(app, "CARGO_MANIFEST_DIR"), "is unset.")?;
        Ok(())
    });
}

#[test]
fn cwd_is_the_directory_of_the_program() {
    let sandbox = Sandbox::new().with("here", "found");
    sandbox.run(|tui| {
        tui.launch_and_wait(App::new("cat").arg("here").cwd(sandbox.path()), "found")?;
        Ok(())
    });
}

#[test]
fn launch_and_wait_fails_when_the_program_exits_first() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        let error = tui
            .launch_and_wait(sandbox.sh("exit 7"), "ready")
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "the program ended (exit code 7) before text \"ready\" appeared"
        );
        Ok(())
    });
}

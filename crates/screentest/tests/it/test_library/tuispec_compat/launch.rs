//! Starting programs.

use screentest::{App, TuiError};

use crate::harness::sandbox::Desk;

#[test]
fn app_is_a_program_and_its_arguments() {
    let desk = Desk::new();
    desk.run(|tui| {
        let app = desk.app("printf").args(["%s-%s.", "a b", "c"]);
        tui.launch(app)?;
        tui.wait_for_text("a b-c.")?;
        Ok(())
    });
}

#[test]
fn launch_replaces_the_program_that_runs() {
    let desk = Desk::new();
    desk.run(|tui| {
        tui.launch_and_wait(desk.sh("echo first; read end"), "first")?;
        let first = tui.session()?;
        tui.launch_and_wait(desk.sh("echo second; read end"), "second")?;
        assert!(first.outcome().is_some());
        // The screen is the new one's alone.
        assert_eq!(tui.current_view()?.text(), "second\n");
        Ok(())
    });
}

#[test]
fn launch_of_what_is_not_there_is_an_error() {
    let desk = Desk::new();
    desk.run(|tui| {
        let error = tui.launch(desk.app("no-such-program")).unwrap_err();
        assert!(matches!(error, TuiError::Launch(_)));
        let told = format!("{error:?}");
        assert!(told.contains("`no-such-program` was not found"), "{told}");
        Ok(())
    });
}

/// A program that shows a variable, or `unset`.
fn shows(app: App, variable: &str) -> App {
    app.args([
        "-c",
        &format!("echo \"is ${{{variable}-unset}}.\"; read end"),
    ])
}

#[test]
fn env_sets_and_overrides() {
    let desk = Desk::new();
    desk.run(|tui| {
        let app = App::new("sh")
            .env("SEED_MODE", "test")
            .env("PATH", "/usr/bin:/bin");
        tui.launch_and_wait(shows(app.clone(), "SEED_MODE"), "is test.")?;
        tui.launch_and_wait(shows(app, "PATH"), "is /usr/bin:/bin.")?;
        Ok(())
    });
}

#[test]
fn env_is_inherited() {
    // Set by cargo and by nextest for every test.
    let inherited = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let desk = Desk::new();
    desk.run(|tui| {
        let app = shows(App::new("sh"), "CARGO_MANIFEST_DIR");
        tui.launch_and_wait(app, format!("is {inherited}."))?;
        Ok(())
    });
}

#[test]
fn env_nothing_unsets_what_is_inherited() {
    let desk = Desk::new();
    desk.run(|tui| {
        let app = App::new("sh").unset_env("CARGO_MANIFEST_DIR");
        tui.launch_and_wait(shows(app, "CARGO_MANIFEST_DIR"), "is unset.")?;
        Ok(())
    });
}

#[test]
fn cwd_is_where_it_runs() {
    let desk = Desk::new().with("here", "found");
    desk.run(|tui| {
        tui.launch_and_wait(App::new("cat").arg("here").cwd(desk.path()), "found")?;
        Ok(())
    });
}

#[test]
fn launch_and_wait_ends_with_a_program_that_ends_first() {
    let desk = Desk::new();
    desk.run(|tui| {
        let error = tui.launch_and_wait(desk.sh("exit 7"), "ready").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the program ended (exit code 7) before text \"ready\" appeared"
        );
        Ok(())
    });
}

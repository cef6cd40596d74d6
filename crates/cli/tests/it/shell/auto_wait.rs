//! Auto-wait of the shell commands: a flag overrides the environment of the command, and that
//! overrides the settings of `open`.

use super::sandbox::SandboxHome;
use crate::commands::auto_wait::{BUSY_SCRIPT, READ_LOGGER, last_input_was_late};

#[test]
fn flag_overrides_environment_overrides_session() {
    for (open_variable, open_flag, variable, flag, late) in [
        ("0.3", None, "", None, true),
        ("0.3", Some("--no-auto-wait"), "", None, false),
        ("", Some("--no-auto-wait"), "0.3", None, true),
        (
            "",
            Some("--no-auto-wait"),
            "on",
            Some("--no-auto-wait"),
            false,
        ),
        ("off", None, "0.3", None, true),
        ("0.3", None, "off", None, false),
        ("0.3", None, "", Some("--no-auto-wait"), false),
    ] {
        let mut home = SandboxHome::new();
        home.set("SCREENTEST_AUTO_WAIT", open_variable);
        let mut words = vec!["open"];
        words.extend(open_flag);
        words.extend(["--", "sh", "-c", BUSY_SCRIPT]);
        home.run(&words).text();
        home.done(&["wait", "ready"]);
        home.set("SCREENTEST_AUTO_WAIT", variable);
        let mut words = vec!["press"];
        words.extend(flag);
        words.push("x");
        let pressed = home.run(&words);
        assert_eq!(pressed.code, Some(0));
        assert_eq!(pressed.stderr.contains("sent after waiting"), late);
        let said = home.run(&["expect", "never", "--timeout", "0"]).failed(1);
        let case = format!("{open_variable:?} {open_flag:?} {variable:?} {flag:?}");
        assert_eq!(last_input_was_late(&said), late, "{case}: {said}");
    }
}

#[test]
fn environment_delay_of_zero_overrides_the_session() {
    let mut home = SandboxHome::new();
    home.run(&["open", "--delay", "1", "--", "python3", "-c", READ_LOGGER])
        .text();
    home.done(&["wait", "ready"]);
    home.set("SCREENTEST_INPUT_DELAY_MS", "0");
    home.done(&["type", "abc"]);
    home.done(&["wait", "ready<abc>"]);
}

#[test]
fn delay_types_character_by_character_and_escape_is_a_key() {
    for (options, text, shown) in [
        (&[][..], "abc", "ready<abc>"),
        (&["--delay", "1"], "abc", "ready<a><b><c>"),
        (&[], "ab\x1b:wq", r"ready<ab><\x1b><:wq>"),
        (&[], "a\x1b[3~", r"ready<a\x1b[3~>"),
    ] {
        let home = SandboxHome::new();
        home.run(&["open", "--", "python3", "-c", READ_LOGGER])
            .text();
        home.done(&["wait", "ready"]);
        home.done(&[&["type"], options, &[text]].concat());
        home.done(&["wait", shown]);
    }
}

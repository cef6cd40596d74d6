//! Every kind of step, with a program that reacts to it.

use std::fs;
use std::time::Duration;

use crate::TapeProject;

/// A program that prints its input.
const BYTES: &str =
    "Launch sh -c 'stty raw -echo; printf \"ready\\r\\n\"; exec cat -v'\nExpect \"ready\"\n";

#[test]
fn keys_are_pressed_with_counts_and_modifiers() {
    TapeProject::new().pass(&format!("{BYTES}Type 'ab' Up 2 Ctrl+C Alt+x F5 Shift+Tab Enter AssertText 'ab^[[A^[[A^C^[x^[[15~^[[Z^M'"));
}

#[test]
fn the_mouse_moves_clicks_drags_and_scrolls() {
    let mouse = "Launch sh -c 'stty raw -echo; printf \"\\033[?1002h\\033[?1006hready\\r\\n\"; exec cat -v'\nExpect \"ready\"\n";
    TapeProject::new().pass(&format!(
        "{mouse}MouseMove 4 2 MouseDown Left MouseMove 5 2 MouseUp Left Ctrl+MouseScroll Down 2 AssertText '^[[<0;5;3M^[[<32;6;3M^[[<0;6;3m^[[<81;6;3M^[[<81;6;3M'"
    ));
}

#[test]
fn copied_text_is_pasted_in_the_mode_of_the_program() {
    TapeProject::new().pass(&format!(
        "{BYTES}Copy 'two words' Paste AssertText 'two words'"
    ));
    let bracketed = BYTES.replace("ready\\r", "\\033[?2004hready\\r");
    TapeProject::new().pass(&format!(
        "{bracketed}Copy 'x' Paste AssertText '^[[200~x^[[201~'"
    ));
}

#[test]
fn env_and_source_take_effect() {
    let project = TapeProject::new();
    project.write(
        "more.tape",
        "Env GREETING 'hello'\nType 'echo $GREETING' Enter",
    );
    project.pass("Require sh\nSource '@/more.tape'\nExpect \"hello\" on cursor row or \"hello\" nth 0\nAssertText \"hello\"");
}

#[test]
fn a_sourced_tape_is_found_beside_its_parent() {
    let project = TapeProject::new();
    project.write("outer.tape", "Source inner.tape\nAssertText 'inner'");
    project.write("inner.tape", "Type 'echo inner' Enter");
    let script = screentest_tape::TapeScript::read(&project.path("outer.tape"), None).unwrap();
    let run = script.ready(project.options().fast()).unwrap().run(|_| {});
    assert!(run.passed(), "{}", run.failure_text());
}

#[test]
fn waits_end_when_the_screen_matches() {
    TapeProject::new().pass(
        "Type 'sleep 0.1; echo one two' Enter
Wait+Screen /one two\\n/
Wait
Submit 'printf \"%s$ \" ready; sleep 0.1'
Wait+Line@5s /ready\\$$/
Wait
Stable 50ms
Submit 'clear'
ExpectNot@5s \"ready\"",
    );
}

#[test]
fn saw_and_never_look_at_transient_screens() {
    TapeProject::new().pass(
        "Type 'echo fir\\st; clear; echo la\\st'
Mark asked
Enter
Expect \"last\"
Saw since asked \"last\"
Never since asked \"error\"
Mark
Type 'x'
Never /fir.t/ in row 1
Saw \"x\"",
    );
}

#[test]
fn a_snapshot_is_stored_compared_and_masked() {
    let project = TapeProject::new();
    let tape = |word: &str| {
        format!(
            "Set Columns 30 Set Rows 4\nSubmit 'clear; echo {word}'\nExpect /{word}\\n/ or \"{word}\"\nMask /v\\d+/\nSnapshot 'the word'"
        )
    };
    let run = project.pass(&tape("v1"));
    assert_eq!(run.snapshots.len(), 1);
    project.pass(&tape("v2"));
    let run = project.run(
        &tape("other")
            .replace("15s", "1s")
            .replace("Set Rows 4", "Set Rows 4 Set WaitTimeout 1s"),
    );
    let message = run.failure_text();
    assert!(
        message.starts_with("error: snapshot `the word` differs from its baseline"),
        "{message}"
    );
    assert!(
        project
            .path("artifacts/snapshots/test-tape/the-word.ansi.txt")
            .is_file()
    );
    let pending = screentest::test::Pending::find(&project.path("artifacts"));
    let [pending] = &pending.pending[..] else {
        panic!("one is pending");
    };
    assert_eq!((pending.slug(), pending.name()), ("test-tape", "the-word"));
}

#[test]
fn a_different_snapshot_fails_once_the_program_is_idle() {
    let project = TapeProject::new();
    let tape = |line: &str| {
        format!(
            "Set Columns 30 Set Rows 4 Set TypingSpeed 0\nSubmit 'clear; {line}'\nSnapshot word"
        )
    };
    project.pass(&tape("echo kept"));
    // A program that is still busy is waited for.
    let late = project.ready(&tape("sleep 1; clear; echo kept"), project.options());
    let run = late.run(|_| {});
    assert!(run.passed(), "{}", run.failure_text());
    let other = project.ready(&tape("echo other"), project.options());
    let run = other.run(|_| {});
    assert!(
        run.failure_text().contains("snapshot `word` differs"),
        "{}",
        run.failure_text()
    );
    assert!(run.duration < Duration::from_secs(5), "{:?}", run.duration);
}

#[test]
fn assertions_check_text_cells_styles_and_states() {
    let project = TapeProject::new();
    let tape =
        "Set Columns 60 Set Rows 4\nType \"printf '\\033[1;31mA界\\033[m e\\n'\" Enter Wait ";
    let run = project.pass(&format!("{tape} State '@/state.json'"));
    assert_eq!(run.checkpoints, [project.path("state.json")]);
    project.pass(&format!(
        "{tape}
AssertText 'A界 e'
AssertAbsent@50ms 'Error'
AssertCells 0 1 '[\"A\",\"界\",\" \",\" \",\"e\"]'
AssertStyle 0 1 3 '{{\"bold\":true}}'
AssertState '@/state.json'"
    ));
}

#[test]
fn scrolled_out_text_can_be_viewed() {
    let project = TapeProject::new();
    project.pass(
        "Output '@/a.txt'
Set Columns 20 Set Rows 4
Type 'seq 20' Enter
Wait
AssertAbsent '15'
ScrollUp 3
AssertText '15'
Screenshot '@/up.png'
ScrollDown 3
AssertAbsent '15'
Screenshot '@/down.png'
ScrollUp 2
Type 'x'
AssertText '> x'",
    );
    let [up, down] = ["up.png", "down.png"].map(|name| fs::read(project.path(name)).unwrap());
    assert_ne!(up, down);
}

#[test]
fn resize_changes_the_terminal() {
    let project = TapeProject::new();
    project.pass("Output '@/a.gif'\nSet Columns 30 Set Rows 4\nResize 50 6\nSubmit 'stty size'\nExpect \"6 50\"");
}

#[test]
fn typing_takes_the_time_of_the_tape() {
    /// Returns the milliseconds from the first key to the last.
    fn typed(tape: &str) -> u128 {
        let project = TapeProject::new();
        project.pass(&format!("Output '@/a.cassette'\nLaunch cat\n{tape}"));
        let cassette = screentest::recording::Cassette::open(project.path("a.cassette")).unwrap();
        let inputs = cassette.inputs().unwrap();
        let (first, last) = (inputs.first().unwrap(), inputs.last().unwrap());
        (last.t_ms.time() - first.t_ms.time()).as_millis()
    }
    // 50 ms per character, unless `@` or an earlier `Set TypingSpeed` changes it.
    for (tape, millis) in [
        (format!("Type '{}'", "x".repeat(41)), 2000),
        ("Type@1s 'abc'".to_owned(), 2000),
        (
            "Type 'a' Set TypingSpeed 1s Type 'bc' Left@2s 2".to_owned(),
            4050,
        ),
        ("Type 'a' Sleep 1.5s Type 'b'".to_owned(), 1550),
    ] {
        let took = typed(&tape);
        // A busy machine is late, but its delays do not add up.
        assert!(took.abs_diff(millis) <= 200, "{tape}: {took}, not {millis}");
    }
}

#[test]
fn keys_for_a_program_that_starts_late_are_not_sent_in_a_burst() {
    let project = TapeProject::new();
    let tape = "Output '@/a.cassette'\nSet TypingSpeed 150ms\nLaunch sh -c 'echo ready; sleep 0.2; exec cat'\nType 'ab'";
    let run = project.ready(tape, project.options()).run(|_| {});
    assert!(run.passed(), "{}", run.failure_text());
    let cassette = screentest::recording::Cassette::open(project.path("a.cassette")).unwrap();
    let keys = cassette.inputs().unwrap();
    let [first, second] = [&keys[0], &keys[1]].map(|key| key.t_ms.time());
    let between = second - first;
    assert!(between >= Duration::from_millis(100), "{between:?}");
}

#[test]
fn a_snapshot_waits_for_the_reaction_to_a_lone_escape() {
    let project = TapeProject::new();
    // The script waits for the rest of a key as for any other input.
    project.write(
        "keys.sh",
        r#"echo ready
while read -rsn1 key; do
  read -rsn1 -t 2 key || echo left
done"#,
    );
    let tape = |after: &str| {
        format!(
            "Set Columns 30 Set Rows 4\nLaunch bash '@/keys.sh'\nExpect \"ready\"\nEscape\n{after}\nSnapshot word"
        )
    };
    project.pass(&tape("Expect \"left\""));
    project.pass(&tape(""));
}

#[test]
fn assertions_check_the_colours_that_the_program_changed() {
    let project = TapeProject::new();
    let tape = |colors: &str| {
        format!(
            "Set Columns 60 Set Rows 4\nLaunch sh -c 'printf \"{colors}\\033[31mred\"; read x'\nExpect \"red\"\n"
        )
    };
    let themed = tape("\\033]4;1;#aabbcc\\007\\033]11;#102040\\007");
    project.pass(&format!("{themed}State '@/state.json'"));
    project.pass(&format!(
        "{themed}AssertStyle 0 0 3 '{{\"fg\":\"#aabbcc\",\"bg\":\"#102040\"}}' AssertState '@/state.json'"
    ));
    let plain = tape("\\033]4;1;#aabbcc\\007");
    let run = project
        .ready(
            &format!("{plain}AssertState '@/state.json'"),
            project.options(),
        )
        .run(|_| {});
    let failure = run.failure_text();
    assert!(
        failure.contains("colours: background #102040 → default"),
        "{failure}"
    );
}

//! Pauses that are not lived through: what is shown, and when, stays the same.

use std::time::Duration;

use screentest::{Cassette, Player};

use super::Studio;

/// What a tape shows, in order, and when.
fn shown(studio: &Studio, cassette: &str) -> Vec<(Duration, String)> {
    let cassette = Cassette::open(studio.path(cassette)).unwrap();
    let player = Player::new(&cassette).unwrap();
    let frames = player.into_frames().map(Result::unwrap);
    let mut shown: Vec<(Duration, String)> = Vec::new();
    for frame in frames {
        let picture = frame.screen.picture();
        // What a program draws in several goes comes in pieces, as the kernel hands them over.
        let late = shown.last().map(|(time, _)| frame.time - *time);
        if late.is_some_and(|late| late < Duration::from_millis(15)) {
            shown.pop();
        }
        if shown.last().is_none_or(|(_, last)| *last != picture) {
            shown.push((frame.time, picture));
        }
    }
    shown
}

/// Runs a tape both ways, and compares all that is shown. The first is the start, which takes as long as it takes.
#[track_caller]
fn check(tape: &str) {
    let studio = Studio::new();
    let lived = format!("Output '@/lived.cassette'\n{tape}");
    let lived = studio.ready(&lived, studio.options()).run(|_| {});
    assert!(lived.passed(), "{}", lived.told());
    studio.pass(&format!("Output '@/fast.cassette'\n{tape}"));
    let (a, b) = (
        shown(&studio, "lived.cassette"),
        shown(&studio, "fast.cassette"),
    );
    let screens = |shown: &[(Duration, String)]| -> Vec<String> {
        shown.iter().map(|(_, screen)| screen.clone()).collect()
    };
    assert_eq!(screens(&a), screens(&b));
    let since = |shown: &[(Duration, String)]| -> Vec<Duration> {
        let start = shown.get(1).map_or(Duration::ZERO, |(time, _)| *time);
        shown
            .iter()
            .skip(1)
            .map(|(time, _)| *time - start)
            .collect()
    };
    let frame = Duration::from_millis(20);
    let (times, others) = (since(&a), since(&b));
    let apart = times.iter().zip(&others).map(|(a, b)| a.abs_diff(*b));
    // A busy machine is late with a screen here and there. What adds up would be late with all that follow.
    let late = apart.filter(|apart| *apart > frame).count();
    assert!(late <= times.len() / 4, "{times:?}\n{others:?}");
    assert!(a.len() > 10, "a screen for each key: {a:?}");
}

#[test]
fn a_shell_shows_the_same_at_the_same_times() {
    check(
        "Set Columns 40 Set Rows 8 Type 'echo $((6 * 7))' Enter Sleep 300ms Type 'ls /nowhere' Enter Sleep 200ms",
    );
}

#[test]
fn vim_shows_the_same_at_the_same_times_and_escape_is_no_part_of_a_key() {
    check(
        "Set Columns 40 Set Rows 8
Launch vim -u NONE -i NONE -n
Type 'ione two'
Escape
Type 'bx'
Sleep 200ms
Type 'Ax'
Escape
Sleep 300ms",
    );
}

#[test]
fn what_works_or_sleeps_is_waited_for() {
    let studio = Studio::new();
    // Neither a command that sleeps nor one that computes waits for input.
    studio.pass("Type 'sleep 0.2; echo do\\ne' Enter Sleep 5s AssertText 'done'");
    studio.pass(
        "Type 'for i in $(seq 30000); do :; done; echo do\\ne' Enter Sleep 9s AssertText 'done'",
    );
    // Nor does one that reads what another has to say, in the foreground or not.
    studio.pass("Type 'cat < <(sleep 0.2; echo do\\ne)' Enter Sleep 5s AssertText 'done'");
    studio.pass("Type '(sleep 0.2; echo do\\ne) | cat' Enter Sleep 5s AssertText 'done'");
}

#[test]
fn a_pause_is_never_longer_than_the_tape_says() {
    let studio = Studio::new();
    let run = studio.pass("Type 'sleep 5' Enter Sleep 100ms");
    assert!(run.duration < Duration::from_secs(3), "{:?}", run.duration);
}

#[test]
fn a_program_that_reads_lines_is_seen_to_wait() {
    let studio = Studio::new();
    let run =
        studio.pass("Launch cat\nType 'hello' Enter Sleep 60s Wait+Screen /hello\\nhello\\n/");
    assert!(run.duration < Duration::from_secs(20), "{:?}", run.duration);
    assert!(run.recorded >= Duration::from_secs(60));
}

#[test]
fn an_escape_is_not_run_into_the_key_behind_it() {
    let studio = Studio::new();
    // It tells them apart by time, as editors do.
    studio.write(
        "keys.sh",
        r#"echo ready
while read -rsn1 key; do
  if [[ $key != $'\e' ]]; then printf '%s ' "$key"
  elif read -rsn1 -t 0.1 key; then printf 'Alt+%s ' "$key"
  else printf 'Esc '; fi
done"#,
    );
    studio.pass(
        "Set TypingSpeed 1s
Launch bash '@/keys.sh'
Expect \"ready\"
Escape Type 'x' Escape Type 'y'
AssertText 'Esc x Esc y'
Alt+z
AssertText 'Alt+z'",
    );
}

//! Fast runs skip pauses; screens and their times stay the same.

use std::time::Duration;

use screentest::clock::Clock;
use screentest::recording::{Cassette, Player};

use crate::TapeProject;
use screentest_fixtures::random::quick_or_full;

/// The contents of a tape's recording.
struct RunRecording {
    /// Every screen, however brief, with its time.
    screens: Vec<(Duration, String)>,
    /// The time of each key.
    keys: Vec<Duration>,
}

impl RunRecording {
    fn of(project: &TapeProject, cassette: &str) -> RunRecording {
        let cassette = Cassette::open(project.path(cassette)).unwrap();
        let frames = Player::new(&cassette).unwrap().into_frames();
        let frames = frames.map(Result::unwrap);
        let keys = cassette.inputs().unwrap().into_iter();
        let keys = keys.filter(|input| input.kind.bytes().is_some());
        RunRecording {
            screens: frames
                .map(|frame| (frame.time, frame.screen.picture()))
                .collect(),
            keys: keys.map(|input| input.t_ms.time()).collect(),
        }
    }

    /// Returns the screen at each key and at the end, when output in several pieces is complete.
    fn settled(&self) -> Vec<&str> {
        let ends = self.keys.iter().copied().chain([Duration::MAX]);
        let before = |end| {
            let mut screens = self.screens.iter().rev();
            screens.find(|(time, _)| *time <= end)
        };
        let settled = ends.filter_map(before);
        settled.map(|(_, screen)| screen.as_str()).collect()
    }

    /// Counts the screens that were not shown in this order.
    fn missing(&self, screens: &[&str]) -> usize {
        let mut left = &self.screens[..];
        let missing = screens.iter().filter(|screen| {
            let place = left.iter().position(|(_, shown)| shown == **screen);
            left = &left[place.unwrap_or(0)..];
            place.is_none()
        });
        missing.count()
    }

    /// Returns the times of the keys, relative to the first.
    fn times(&self) -> Vec<f64> {
        let since = |time: &Duration| (*time - self.keys[0]).as_secs_f64();
        self.keys.iter().map(since).collect()
    }
}

/// Runs a tape in real time and fast.
#[track_caller]
fn both_ways(tape: &str) -> (RunRecording, RunRecording) {
    let project = TapeProject::new();
    let real_time = format!("Output '@/real-time.cassette'\n{tape}");
    let real_time = project.ready(&real_time, project.options()).run(|_| {});
    assert!(real_time.passed(), "{}", real_time.failure_text());
    project.pass(&format!("Output '@/fast.cassette'\n{tape}"));
    let shown = |name| RunRecording::of(&project, name);
    (shown("real-time.cassette"), shown("fast.cassette"))
}

/// Runs a tape both ways and compares everything that is shown. In real time, a busy machine shows
/// some screens late or not at all.
#[track_caller]
fn check(tape: &str) {
    let (real_time, fast) = both_ways(tape);
    let settled = fast.settled();
    assert!(settled.len() > 10, "a screen for each key: {settled:?}");
    let missing = real_time.missing(&settled);
    let all = &real_time.screens;
    assert!(missing <= settled.len() / 4, "{settled:?}\n{all:?}");
    assert_eq!(real_time.settled().first(), settled.first());
    assert_eq!(real_time.settled().last(), settled.last());
    let (times, others) = (real_time.times(), fast.times());
    assert_eq!(times.len(), others.len());
    let apart: Vec<f64> = times.iter().zip(&others).map(|(a, b)| a - b).collect();
    // Delays that add up are still visible at the end. Those of a busy machine are made up for
    // later.
    let usual = |part: &[f64]| {
        let mut part = part.to_vec();
        part.sort_by(f64::total_cmp);
        part[part.len() / 2]
    };
    let parts: Vec<f64> = apart.chunks(apart.len().div_ceil(3)).map(usual).collect();
    let adds_up = parts.last().map(|last| (last - parts[0]).abs() > 0.02);
    assert_eq!(adds_up, Some(false), "{times:?}\n{others:?}");
}

#[test]
fn the_first_screen_is_recorded_before_the_first_key() {
    let (real_time, fast) = both_ways("Set Columns 40 Set Rows 8 Type 'ls'");
    for shown in [real_time, fast] {
        let first = shown.keys[0];
        let before = shown.screens.iter().rev().find(|(time, _)| *time <= first);
        let (time, screen) = before.unwrap();
        assert_eq!(screen, "> |\n");
        assert!(
            first - *time >= Duration::from_millis(49),
            "{time:?} {first:?}"
        );
    }
}

#[test]
fn a_shell_shows_the_same_at_the_same_times() {
    check(
        "Set Columns 40 Set Rows 8 Type 'echo $((6 * 7))' Enter Sleep 300ms Type 'ls /nowhere' Enter Sleep 200ms Wait",
    );
}

#[test]
fn vim_shows_the_same_and_escape_is_a_separate_key() {
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

/// tmux waits for input while the shells in its panes still work. So a waiting tmux does not mean
/// that its panes are ready.
#[test]
fn two_panes_of_tmux_show_the_same_screens() {
    for _ in quick_or_full(2, 20) {
        let (real_time, fast) = both_ways(
            r#"Set Columns 50 Set Rows 12
Env TMUX_TMPDIR '@/'
Launch tmux -L panes -f /dev/null start-server ';' set -g status off ';' set -g default-command "PS1='> ' bash --norc --noprofile" ';' new-session
Wait+Screen />/
Ctrl+B Type '"'
Ctrl+L
Type 'echo Window 1' Enter
Ctrl+B Type 'o'
Type 'echo Window 2' Enter
Sleep 300ms
"#,
        );
        let distinct = |shown: &RunRecording| {
            let mut screens: Vec<String> = shown.settled().into_iter().map(str::to_owned).collect();
            screens.dedup();
            screens
        };
        let (real_time, fast) = (distinct(&real_time), distinct(&fast));
        let last = fast.last().unwrap();
        assert!(
            last.contains("\nWindow 1\n") && last.contains("\nWindow 2\n"),
            "{last}"
        );
        assert_eq!(real_time, fast);
    }
}

#[test]
fn a_busy_or_sleeping_program_is_waited_for() {
    let project = TapeProject::new();
    // Commands that sleep or compute do not wait for input.
    project.pass("Type 'sleep 0.2; echo do\\ne' Enter Sleep 5s AssertText 'done'");
    project.pass(
        "Type 'for i in $(seq 30000); do :; done; echo do\\ne' Enter Sleep 9s AssertText 'done'",
    );
    // A command that reads the output of another, in the foreground or not, does not wait for input
    // either.
    project.pass("Type 'cat < <(sleep 0.2; echo do\\ne)' Enter Sleep 5s AssertText 'done'");
    project.pass("Type '(sleep 0.2; echo do\\ne) | cat' Enter Sleep 5s AssertText 'done'");
}

#[test]
fn a_pause_is_never_longer_than_the_tape_says() {
    let project = TapeProject::new();
    let run = project.pass("Type 'sleep 5' Enter Sleep 100ms");
    assert!(run.duration < Duration::from_secs(3), "{:?}", run.duration);
}

#[test]
fn a_program_that_reads_lines_is_detected_as_waiting() {
    let project = TapeProject::new();
    let run =
        project.pass("Launch cat\nType 'hello' Enter Sleep 60s Wait+Screen /hello\\nhello\\n/");
    assert!(run.duration < Duration::from_secs(20), "{:?}", run.duration);
    assert!(run.recorded >= Duration::from_secs(60));
}

#[test]
fn an_escape_is_not_joined_with_the_next_key() {
    let project = TapeProject::new();
    // The script distinguishes Escape from Alt by time, as editors do.
    project.write(
        "keys.sh",
        r#"echo ready
while read -rsn1 key; do
  if [[ $key != $'\e' ]]; then printf '%s ' "$key"
  elif read -rsn1 -t 0.1 key; then printf 'Alt+%s ' "$key"
  else printf 'Esc '; fi
done"#,
    );
    project.pass(
        "Set TypingSpeed 1s
Launch bash '@/keys.sh'
Expect \"ready\"
Escape Type 'x' Escape Type 'y'
AssertText 'Esc x Esc y'
Alt+z
AssertText 'Alt+z'",
    );
}

#[test]
fn delay_between_keys_is_kept_in_a_fast_run() {
    let project = TapeProject::new();
    let mut options = project.options().fast();
    // Shorter than the typing speed, whose pauses a fast run skips.
    options.run = options.run.input_delay(Duration::from_millis(40));
    let ready = project.ready("Launch cat\nType \"0123456789\"\n", options);
    let clock = Clock::system();
    let run = ready.run(|_| {});
    assert!(run.passed(), "{}", run.failure_text());
    let took = clock.now();
    assert!(took >= Duration::from_millis(9 * 40), "{took:?}");
}

//! Tests of each kind of volatile text: what is covered, and what is left alone.

use super::*;

/// Checks what is covered in one line, and that the same is covered inside parentheses.
#[track_caller]
fn line(volatile: VolatileText, before: &str, after: &str) {
    check(&volatile.into(), &[before], &[after]);
    let (inside, evened) = (format!("({before})"), format!("({after})"));
    if volatile != VolatileText::Spinners && !before.starts_with('[') {
        check(&volatile.into(), &[&inside], &[&evened]);
    }
}

/// Checks that the whole text is covered.
#[track_caller]
fn whole(volatile: VolatileText, text: &str) {
    line(volatile, text, &"▒".repeat(text.chars().count()));
}

#[track_caller]
fn left(volatile: VolatileText, text: &str) {
    line(volatile, text, text);
}

#[test]
fn clocks_and_dates_are_covered() {
    for text in [
        "12:34",
        "0:05",
        "23:59:59",
        "12:34:56.789",
        "9:05 PM",
        "9:05:00am",
        "12:34 UTC",
        "2026-11-16",
        "2026/11/16",
        "2026-11-16 12:34",
        "2026-11-16T12:34:56Z",
        "2026-11-16T12:34+01:00",
        "Nov 16",
        "Mon Nov  6",
        "16 Nov 2026",
        "Nov 6, 2026",
    ] {
        whole(VolatileText::Clocks, text);
    }
    line(VolatileText::Clocks, "12:34: up", "▒▒▒▒▒: up");
    line(VolatileText::Clocks, "12:34 12:35", "▒▒▒▒▒ ▒▒▒▒▒");
    line(VolatileText::Clocks, "12:34–12:45,", "▒▒▒▒▒–▒▒▒▒▒,");
    for text in [
        "24:00",
        "12:60",
        "x12:34",
        "12:345",
        "12:34:56:78:9a:bc",
        "2026-13-01",
        "1.2.3",
        "Maybe 1",
        "::1",
        "12:34▒",
    ] {
        left(VolatileText::Clocks, text);
    }
}

#[test]
fn process_ids_are_covered() {
    line(VolatileText::Pids, "pid 4711", "pid ▒▒▒▒");
    line(VolatileText::Pids, "PID: 4711.", "PID: ▒▒▒▒.");
    line(VolatileText::Pids, "ppid=1, pid=2", "ppid=▒, pid=▒");
    line(VolatileText::Pids, "(pid 4711)", "(pid ▒▒▒▒)");
    line(VolatileText::Pids, "sshd[4711]: hi", "sshd[▒▒▒▒]: hi");
    line(VolatileText::Pids, "[1] 4711", "[1] ▒▒▒▒");
    line(VolatileText::Pids, "[1]+ 4711 done", "[1]+ ▒▒▒▒ done");
    for text in ["rapid 7", "pid 7a", "a[3]", "pid", "4711", "pid ▒1"] {
        left(VolatileText::Pids, text);
    }
}

#[test]
fn numbers_under_a_pid_heading_are_process_ids() {
    check(
        &Normaliser::pids(),
        &[
            "    PID USER   PR",
            "   4711 root   20",
            "      9 root   20",
            "1234567 root   20",
            "",
            "     12 items",
        ],
        &[
            "    PID USER   PR",
            "   ▒▒▒▒ root   20",
            "      ▒ root   20",
            "▒▒▒▒▒▒▒ root   20",
            "",
            "     12 items",
        ],
    );
    check(
        &Normaliser::pids(),
        &["N PID   N", "1 12345 2", "1 bash  2", "1 12345 2"],
        &["N PID   N", "1 ▒▒▒▒▒ 2", "1 bash  2", "1 12345 2"],
    );
}

#[test]
fn durations_are_covered() {
    for text in [
        "1.23s",
        "250 ms",
        "250ms",
        "1m 02s",
        "1m02s",
        "3d4h",
        "5m",
        "2 minutes",
        "1 hour",
        "7µs",
        "1,234 ms",
        "00:01:02",
        "0:07",
        "123:45.67",
        "2-03:04:05",
    ] {
        whole(VolatileText::Durations, text);
    }
    line(
        VolatileText::Durations,
        "in 9 ms, 10s/it",
        "in ▒▒▒▒, ▒▒▒/it",
    );
    for text in ["5 m", "5 apples", "v1.2s", "5sx", "0x5s", "12"] {
        left(VolatileText::Durations, text);
    }
}

#[test]
fn counters_and_percentages_are_covered() {
    line(VolatileText::Counters, "frame=12", "frame=▒▒");
    line(
        VolatileText::Counters,
        "frame=  12 fps= 25",
        "frame=  ▒▒ fps= ▒▒",
    );
    line(VolatileText::Counters, "tick 7, Tick #8", "tick ▒, Tick #▒");
    line(VolatileText::Counters, "60 fps", "▒▒ fps");
    line(
        VolatileText::Counters,
        "1 frames 2 frames",
        "▒ frames ▒ frames",
    );
    left(VolatileText::Counters, "sticks 7");
    left(VolatileText::Counters, "tick seven");
    line(VolatileText::Percentages, "42%", "▒▒%");
    line(VolatileText::Percentages, "99.5 % 3%", "▒▒▒▒ % ▒%");
    left(VolatileText::Percentages, "x42%");
}

#[test]
fn spinners_are_covered() {
    line(VolatileText::Spinners, "⠋ Loading", "▒ Loading");
    line(VolatileText::Spinners, "[⣾] ◐ x", "[▒] ▒ x");
    line(VolatileText::Spinners, "⠋ ⠙ ⠹", "▒ ▒ ▒");
    line(VolatileText::Spinners, "🌒 Loading", "▒▒ Loading");
    for sign in ["|", "/", "-", "\\"] {
        line(VolatileText::Spinners, sign, "▒");
        line(
            VolatileText::Spinners,
            &format!("Loading {sign} x"),
            "Loading ▒ x",
        );
        left(VolatileText::Spinners, &format!("a{sign}b {sign}c d{sign}"));
    }
    left(VolatileText::Spinners, "⣀⣤⣶⣿");
    left(VolatileText::Spinners, "a -- b");
}

#[test]
fn every_pattern_compiles() {
    for volatile in VolatileText::ALL {
        check(&volatile.into(), &["PID"], &["PID"]);
    }
}

//! top: a table that draws itself again and again.

use screentest::core::{Condition, Screen};
use screentest::{Outcome, Session};

use super::{Home, SOON, inverse, line, size};

const COLUMNS: &str =
    "    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND";

/// top of this test's own process, as others come and go; the first picture is complete.
fn top(home: &Home) -> Session {
    let own = std::process::id().to_string();
    let app = home.app("top").args(["-d", "0.1", "-p", &own]);
    let session = home.start(&app, "procps");
    session.wait_for(complete(), SOON).unwrap();
    session
}

/// A row of the table stands below its head.
fn complete() -> Condition {
    let own = std::process::id().to_string();
    Condition::new("a row of the table", move |screen| {
        head(screen).is_some_and(|row| {
            let pid = line(screen, row + 1).split_whitespace().next();
            pid == Some(&own)
        })
    })
}

/// Where the head of the table is.
fn head(screen: &Screen) -> Option<usize> {
    (0..screen.rows.len()).find(|row| line(screen, *row).trim_start().starts_with("PID USER"))
}

#[test]
fn the_summary_and_the_table_with_its_columns_are_shown() {
    let home = Home::new();
    let session = top(&home);
    let screen = session.screen();
    assert!(line(&screen, 0).starts_with("top - "), "{screen}");
    assert!(line(&screen, 0).contains("load average:"), "{screen}");
    assert_eq!(
        line(&screen, 1)
            .split_whitespace()
            .take(3)
            .collect::<Vec<_>>(),
        ["Tasks:", "1", "total,"]
    );
    let row = head(&screen).unwrap();
    let titles: Vec<&str> = line(&screen, row).split_whitespace().collect();
    assert_eq!(titles, COLUMNS.split_whitespace().collect::<Vec<_>>());
    assert_eq!(inverse(&screen, row), "#".repeat(80), "{screen}");
    let cells: Vec<&str> = line(&screen, row + 1).split_whitespace().collect();
    assert_eq!(cells.len(), titles.len(), "{screen}");
    assert_eq!(cells[0], std::process::id().to_string());
    assert!(cells[8].parse::<f32>().is_ok(), "{screen}");
}

#[test]
fn a_key_shows_every_processor_on_its_own() {
    let home = Home::new();
    let session = top(&home);
    assert!(session.screen().contains("%Cpu(s):"));
    session.type_text("1").unwrap();
    let screen = session
        .wait_for(Condition::all(["%Cpu0  :", "PID USER"]), SOON)
        .unwrap();
    assert!(!screen.contains("%Cpu(s):"), "{screen}");
    session.type_text("1").unwrap();
    session.wait_for("%Cpu(s):", SOON).unwrap();
}

#[test]
fn refreshes_are_frames() {
    let home = Home::new();
    let session = top(&home);
    let start = session.mark();
    let mut mark = start;
    let mut revisions = Vec::new();
    for _ in 0..5 {
        let frame = session.wait_frame(mark, SOON).unwrap();
        revisions.push(frame.revision);
        mark = frame.mark();
    }
    assert!(revisions.is_sorted_by(|a, b| a < b), "{revisions:?}");
    // The summary stays on every one of them: nothing was caught half drawn.
    let torn = Condition::new("a screen without its summary", |screen| {
        !line(screen, 0).starts_with("top - ") || head(screen).is_none()
    });
    assert_eq!(session.never(torn, start), Ok(true));
}

#[test]
fn a_narrow_terminal_has_fewer_columns() {
    let home = Home::new();
    let session = top(&home);
    session.resize(size(60, 12)).unwrap();
    let narrow = Condition::new("a table without its last columns", |screen| {
        head(screen).is_some_and(|row| line(screen, row).ends_with("%MEM"))
    });
    let screen = session
        .wait_for(Condition::all([narrow, complete()]), SOON)
        .unwrap();
    assert_eq!(screen.size, size(60, 12));
    assert!(!screen.contains("COMMAND"), "{screen}");
    session.resize(size(100, 30)).unwrap();
    session.wait_for("TIME+ COMMAND", SOON).unwrap();
}

#[test]
fn q_ends_it() {
    let home = Home::new();
    let session = top(&home);
    session.type_text("q").unwrap();
    assert_eq!(session.wait_exit(SOON).unwrap(), Outcome::Exited(0));
    assert!(session.screen().cursor.visible);
}

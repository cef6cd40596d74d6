//! top: a table that is redrawn at intervals.

use screentest::core::{Condition, Screen};
use screentest::{ExitStatus, Failure, Terminal};

use super::{inverse, line, program, size};
use crate::harness::sandbox::Sandbox;

const COLUMNS: &str =
    "    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND";

/// Runs top for this test's own process, since other processes come and go; waits until the first
/// screen is complete.
#[track_caller]
fn top(body: impl FnOnce(&Terminal) -> Result<(), Failure>) {
    let sandbox = Sandbox::new();
    let own = std::process::id().to_string();
    let app = program(&sandbox, "top", "procps").args(["-d", "0.1", "-p", &own]);
    sandbox.run(|tui| {
        tui.launch(app)?;
        tui.wait_for(complete())?;
        body(tui)
    });
}

/// Holds if a row of the table is below its header.
fn complete() -> Condition {
    let own = std::process::id().to_string();
    Condition::new("a row of the table", move |screen| {
        head(screen).is_some_and(|row| {
            let pid = line(screen, row + 1).split_whitespace().next();
            pid == Some(&own)
        })
    })
}

/// Returns the row of the table's header.
fn head(screen: &Screen) -> Option<usize> {
    (0..screen.rows.len()).find(|row| line(screen, *row).trim_start().starts_with("PID USER"))
}

#[test]
fn the_summary_and_the_table_are_shown() {
    top(|tui| {
        let screen = tui.current_view()?;
        assert!(line(&screen, 0).starts_with("top - "), "{screen}");
        assert!(line(&screen, 0).contains("load average:"), "{screen}");
        let tasks: Vec<&str> = line(&screen, 1).split_whitespace().take(3).collect();
        assert_eq!(tasks, ["Tasks:", "1", "total,"]);
        let row = head(&screen).unwrap();
        let titles: Vec<&str> = line(&screen, row).split_whitespace().collect();
        assert_eq!(titles, COLUMNS.split_whitespace().collect::<Vec<_>>());
        // After its last column, `top` erases to the end of the row, which erases that column.
        assert_eq!(inverse(&screen, row), "#".repeat(79), "{screen}");
        let cells: Vec<&str> = line(&screen, row + 1).split_whitespace().collect();
        assert_eq!(cells.len(), titles.len(), "{screen}");
        assert_eq!(cells[0], std::process::id().to_string());
        assert!(cells[8].parse::<f32>().is_ok(), "{screen}");
        Ok(())
    });
}

#[test]
fn a_key_shows_every_processor() {
    top(|tui| {
        tui.expect_visible("%Cpu(s):")?;
        tui.type_text("1")?;
        let screen = tui.wait_for(Condition::all(["%Cpu0  :", "PID USER"]))?;
        assert!(!screen.contains("%Cpu(s):"), "{screen}");
        tui.type_text("1")?;
        tui.expect_visible("%Cpu(s):")?;
        Ok(())
    });
}

#[test]
fn refreshes_are_frames() {
    top(|tui| {
        let start = tui.mark()?;
        let mut mark = start;
        let mut revisions = Vec::new();
        for _ in 0..5 {
            let frame = tui.wait_for_frame(mark)?;
            revisions.push(frame.revision);
            mark = frame.mark();
        }
        assert!(revisions.is_sorted_by(|a, b| a < b), "{revisions:?}");
        // The summary is on every frame: no frame is half drawn.
        let torn = Condition::new("a screen without its summary", |screen| {
            !line(screen, 0).starts_with("top - ") || head(screen).is_none()
        });
        tui.never(torn, start)?;
        Ok(())
    });
}

#[test]
fn a_narrow_terminal_shows_fewer_columns() {
    top(|tui| {
        tui.resize(size(60, 12))?;
        let narrow = Condition::new("a table without its last columns", |screen| {
            head(screen).is_some_and(|row| line(screen, row).ends_with("%MEM"))
        });
        let screen = tui.wait_for(Condition::all([narrow, complete()]))?;
        assert_eq!(screen.size, size(60, 12));
        assert!(!screen.contains("COMMAND"), "{screen}");
        tui.resize(size(100, 30))?;
        tui.expect_visible("TIME+ COMMAND")?;
        Ok(())
    });
}

#[test]
fn q_exits() {
    top(|tui| {
        tui.press('q')?;
        assert_eq!(tui.wait_for_exit()?, ExitStatus::Exited(0));
        assert!(tui.current_view()?.cursor.visible);
        Ok(())
    });
}

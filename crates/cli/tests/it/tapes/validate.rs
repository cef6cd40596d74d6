//! `validate`: reports problems without running a tape. `tape_runs/invalid_arguments.rs` covers the
//! individual problems.

use serde_json::{Value, json};

use crate::harness::cli::{Folder, run_in};

#[test]
fn valid_tape_is_confirmed() {
    let folder = Folder::new();
    folder.file("a.tape", "Launch sh -c 'touch ran; cat'\nType 'a'\n");
    let said = run_in(&folder, &["validate", "a.tape"]).noted();
    assert_eq!(said, "note: 1 tape can run\n");
    assert_eq!(folder.names(), ["a.tape"]);
}

#[test]
fn warnings_are_reported_and_are_errors_with_strict() {
    let folder = Folder::new();
    folder.file("late.tape", "Launch cat\nType 'a'\nSet FontSize 10\n");
    let said = run_in(&folder, &["validate", "late.tape"]).noted();
    assert!(said.starts_with("warning: this is set after"), "{said}");
    assert!(
        said.ends_with("note: 1 tape can run; 1 warning\n"),
        "{said}"
    );
    let said = run_in(&folder, &["validate", "--strict", "late.tape"]).failed(2);
    assert!(said.ends_with("error: 1 error in 1 tape\n"), "{said}");
}

#[test]
fn json_report_has_the_same_problems() {
    let folder = Folder::new();
    folder.file("a.tape", "Type 'ü'\nSlep 1\n");
    folder.file("good.tape", "Launch cat\nType 'a'\n");
    let run = run_in(
        &folder,
        &["validate", "--json", "a.tape", "good.tape", "none"],
    );
    assert_eq!(run.code, Some(2));
    assert_eq!(run.stderr, "error: 2 errors in 2 of 3 tapes\n");
    let found: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(
        found["tapes"][0],
        json!({ "name": "a.tape", "ok": false, "problems": [{
            "severity": "error", "file": "a.tape", "line": 2, "column": 1, "bytes": [10, 14],
            "message": "unknown command `Slep`", "hint": null, "nearest": "Sleep",
        }]})
    );
    assert_eq!(
        found["tapes"][1],
        json!({ "name": "good.tape", "ok": true, "problems": [] })
    );
    let message = found["tapes"][2]["problems"][0]["message"]
        .as_str()
        .unwrap();
    assert!(message.starts_with("`none` cannot be read: "), "{message}");
}

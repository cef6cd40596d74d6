//! Reports: JSON, JUnit, GitHub annotations, HTML.

use serde_json::{Value, json};

use super::{BAD, FLAKY, GOOD, tapes};
use crate::harness::cli::{Folder, command, project_path, run_in};

/// A folder with a passing, a flaky and a failing tape, and the arguments that run them.
fn tapes_of_each_outcome() -> (Folder, [&'static str; 6]) {
    let folder = tapes(&[
        ("bad.tape", BAD),
        ("flaky.tape", FLAKY),
        ("good.tape", GOOD),
    ]);
    let words = [
        "run",
        "--retries",
        "1",
        "good.tape",
        "flaky.tape",
        "bad.tape",
    ];
    (folder, words)
}

/// Returns the report of a reporter for these tapes, from stdout.
#[track_caller]
fn report(kind: &str) -> String {
    let (folder, words) = tapes_of_each_outcome();
    // The test folder is a repository, whether or not the target directory is in one.
    std::fs::create_dir(folder.path().join(".git")).unwrap();
    let run = run_in(&folder, &[&words[..], &["--reporter", kind]].concat());
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("failed: bad.tape: "), "{}", run.stderr);
    String::from_utf8(run.stdout).unwrap()
}

#[test]
fn json_report_lists_tapes_in_argument_order() {
    let report: Value = serde_json::from_str(&report("json")).unwrap();
    assert_eq!(report["format"], "screentest-run");
    assert_eq!(report["version"], 1);
    assert_eq!(
        report["summary"],
        json!({ "passed": 1, "flaky": 1, "failed": 1, "stopped": 0, "not_run": 0 })
    );
    let tapes = report["tapes"].as_array().unwrap();
    let name_and_status = |tape: &Value| [tape["name"].clone(), tape["status"].clone()];
    let results: Vec<Value> = tapes.iter().flat_map(name_and_status).collect();
    let expected = [
        "good.tape",
        "passed",
        "flaky.tape",
        "flaky",
        "bad.tape",
        "failed",
    ];
    assert_eq!(results, expected);
    assert_eq!(tapes[0]["steps"], 2);
    assert_eq!(tapes[0]["attempts"][0]["failure"], Value::Null);
    assert_eq!(tapes[1]["attempts"][0]["passed"], false);
    assert_eq!(tapes[1]["attempts"][1]["passed"], true);
    let failure = &tapes[2]["attempts"][1]["failure"];
    assert_eq!(failure["kind"], "step");
    assert_eq!(failure["file"], "bad.tape");
    assert_eq!([&failure["line"], &failure["column"]], [3, 1]);
    assert_eq!(
        failure["message"],
        "text \"nothing\" did not appear within 50ms"
    );
    assert_eq!(failure["screen"], "hello\n");
    assert_eq!(
        failure["artifacts"],
        "artifacts/tapes/bad-tape/failure-bundles"
    );
}

/// Validates a JUnit report with `xmllint`.
#[track_caller]
fn assert_fits_schema(folder: &Folder, report: &str) {
    let schema = project_path("crates/cli/tests/it/tape_runs/junit.xsd");
    command(
        "xmllint",
        ["--noout", "--schema", &schema, &folder.join(report)],
    );
}

#[test]
fn junit_report_fits_the_schema() {
    let (folder, words) = tapes_of_each_outcome();
    let words = [
        &words[..],
        &["--repeat", "2", "--reporter", "junit=report.xml"],
    ]
    .concat();
    run_in(&folder, &words).failed(1);
    assert_fits_schema(&folder, "report.xml");
    let xml = String::from_utf8(folder.read("report.xml")).unwrap();
    for part in [
        "<testsuite name=\"tapes\" tests=\"6\" skipped=\"0\" errors=\"0\" failures=\"2\" ",
        "<testcase name=\"good.tape (1 of 2)\" classname=\"good.tape\" ",
        "<property name=\"flaky\" value=\"true\"/>",
        "<failure message=\"text &quot;nothing&quot; did not appear within 50ms\" type=\"step\">error: ",
        "<flakyFailure ",
        "<rerunFailure ",
        "artifacts/tapes/bad-tape/failure-bundles</system-out>",
    ] {
        assert!(xml.contains(part), "{part}: {xml}");
    }
    // The second repetition passed at the first attempt.
    assert_eq!(xml.matches("<flakyFailure ").count(), 1);
}

#[test]
fn junit_report_lists_tapes_not_run() {
    let folder = tapes(&[("bad.tape", BAD), ("good.tape", GOOD)]);
    let words = ["run", "--workers", "1", "--max-failures", "1"];
    let words = [
        &words[..],
        &["--reporter", "junit=r.xml", "bad.tape", "good.tape"],
    ]
    .concat();
    run_in(&folder, &words).failed(1);
    assert_fits_schema(&folder, "r.xml");
    let xml = String::from_utf8(folder.read("r.xml")).unwrap();
    assert!(xml.contains("<skipped message=\"not run\"/>"), "{xml}");
    assert!(xml.contains("tests=\"2\" skipped=\"1\""), "{xml}");
}

#[test]
fn special_characters_are_escaped_in_xml_and_html() {
    let name = "a\u{1}<&\">'\u{ffff}]]>.tape";
    let text =
        "Launch cat\nType '</pre><script>alert(1)</script>'\nExpect@50ms \"]]>\u{7}<b>\u{fffe}\"\n";
    let folder = tapes(&[(name, text)]);
    let words = [
        "run",
        "--reporter",
        "junit=r.xml",
        "--reporter",
        "html=r.html",
        name,
    ];
    run_in(&folder, &words).failed(1);
    assert_fits_schema(&folder, "r.xml");
    let xml = String::from_utf8(folder.read("r.xml")).unwrap();
    assert!(
        xml.contains("classname=\"a\u{fffd}&lt;&amp;&quot;"),
        "{xml}"
    );
    let page = String::from_utf8(folder.read("r.html")).unwrap();
    assert!(
        !page.contains("<script") && !page.contains('\u{1}'),
        "{page}"
    );
    assert!(page.contains("&lt;script&gt;alert(1)"), "{page}");
}

#[test]
fn github_annotations_have_file_and_line() {
    assert_eq!(
        report("github"),
        "\
::warning file=flaky.tape,line=2,col=1,title=flaky.tape is flaky::text \"again\" did not appear within 500ms%0Aartifacts/tapes/flaky-tape.try-1
::error file=bad.tape,line=3,col=1,title=bad.tape failed::text \"nothing\" did not appear within 50ms%0Aartifacts/tapes/bad-tape/failure-bundles
"
    );
}

#[test]
fn html_report_is_one_file_with_screens_of_failures() {
    let (folder, words) = tapes_of_each_outcome();
    folder.file(
        "bad.tape",
        "Launch sh -c 'printf \"\\033[31mred\\033[m plain\"; cat'\nType 'x'\nExpect@50ms \"nothing\"\n",
    );
    let said = run_in(&folder, &[&words[..], &["--reporter", "html"]].concat()).failed(1);
    assert!(
        said.contains("note: the report is in `artifacts/report.html`\n"),
        "{said}"
    );
    let page = String::from_utf8(folder.read("artifacts/report.html")).unwrap();
    // A browser that opens the report runs no script and loads nothing.
    assert!(page.contains("Content-Security-Policy\" content=\"default-src 'none';"));
    for part in [
        "<!doctype html>\n",
        "<title>screentest: 1 passed, 1 flaky, 1 failed in ",
        "id=\"only-failed\" checked>",
        "<details class=\"case passed\">",
        "<details class=\"case failed\" open>",
        "3 | Expect@50ms &quot;nothing&quot;",
        "<code>Type &#39;x&#39;</code>",
        "<code>artifacts/tapes/bad-tape/failure-bundles</code>",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    // The screen's colours are inline, and the page loads nothing.
    let (before, _) = page.split_once(">red</span>").unwrap();
    assert!(
        before.ends_with("\"") && before.contains("color:#"),
        "{before}"
    );
    let page = page.replace("<meta http-equiv=", "");
    for part in ["http", "src=", "url(", "@import", "<script", "<link"] {
        assert!(!page.contains(part), "{part}: {page}");
    }
}

#[test]
fn failed_report_does_not_prevent_others() {
    let folder = tapes(&[("bad.tape", BAD)]);
    let words = [
        "json=/dev/full",
        "junit=r.xml",
        "github=/dev/full",
        "html=r.html",
    ];
    let words = words.iter().flat_map(|word| ["--reporter", word]);
    let words: Vec<&str> = ["run", "bad.tape"].into_iter().chain(words).collect();
    let said = run_in(&folder, &words).failed(2);
    let full = "error: could not write `/dev/full`: No space left on device";
    assert_eq!(said.matches(full).count(), 2, "{said}");
    assert!(said.contains("error: 1 of 1 tape failed\n"), "{said}");
    assert_fits_schema(&folder, "r.xml");
    assert!(folder.read("r.html").starts_with(b"<!doctype html>"));
    // The list of failed tapes is written nevertheless.
    let names = run_in(&folder, &["run", "--last-failed", "--list"]).text();
    assert_eq!(names, "bad.tape\n");
}

#[test]
fn github_paths_are_relative_to_the_repository() {
    let folder = tapes(&[]);
    std::fs::create_dir_all(folder.path().join("repo/.git")).unwrap();
    std::fs::create_dir_all(folder.path().join("repo/app/tests")).unwrap();
    folder.file("repo/app/tests/part.tape", "Expect@50ms \"nothing\"\n");
    folder.file(
        "repo/app/tests/bad.tape",
        "Launch cat\nSource tests/part.tape\n",
    );
    let app = folder.path().join("repo/app");
    let file = |workspace: &str| {
        let script = format!(
            "export GITHUB_WORKSPACE='{workspace}'; cd '{}' && '{}' run --reporter github tests/bad.tape; true",
            app.display(),
            crate::harness::cli::TOOL
        );
        let said = command("sh", ["-c", &script]);
        let (_, file) = said.split_once("file=").unwrap();
        file.split(',').next().unwrap().to_owned()
    };
    assert_eq!(file(""), "app/tests/part.tape");
    assert_eq!(file(&folder.join("repo")), "app/tests/part.tape");
    assert_eq!(file(&folder.join("")), "repo/app/tests/part.tape");
    assert_eq!(file("/elsewhere"), "app/tests/part.tape");
}

#[test]
fn github_annotation_of_stdin_has_no_file() {
    let folder = tapes(&[]);
    folder.file("in", BAD);
    let script = format!(
        "'{}' run --reporter github - < in; true",
        crate::harness::cli::TOOL
    );
    let said = crate::harness::cli::command_in(folder.path(), "sh", ["-c", &script]);
    assert!(
        said.starts_with("::error title=stdin failed::text "),
        "{said}"
    );
}

#[test]
fn github_annotation_names_a_file_sourced_by_stdin() {
    let folder = tapes(&[]);
    folder.file("in", "Launch cat\nSource part.tape\n");
    folder.file("part.tape", "Expect@50ms \"nothing\"\n");
    let script = format!(
        "export GITHUB_WORKSPACE=\"$PWD\"; '{}' run --reporter github - < in; true",
        crate::harness::cli::TOOL
    );
    let said = crate::harness::cli::command_in(folder.path(), "sh", ["-c", &script]);
    let place = "::error file=part.tape,line=1,col=1,title=stdin failed::";
    assert!(said.starts_with(place), "{said}");
}

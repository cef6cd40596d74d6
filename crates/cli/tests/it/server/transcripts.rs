//! Runs the transcripts of docs/formats/json-rpc.md.

use screentest_server::method::METHODS;

use crate::harness::cli::project_file;
use crate::server::client::Client;

/// A request and the lines that follow it.
struct Exchange {
    request: String,
    answers: Vec<String>,
}

/// Returns the transcripts of the page, each with its line number.
fn transcripts() -> Vec<(usize, Vec<Exchange>)> {
    let page = project_file("docs/formats/json-rpc.md");
    let mut transcripts: Vec<(usize, Vec<Exchange>)> = Vec::new();
    let mut inside = false;
    for (number, line) in (1..).zip(page.lines()) {
        match (inside, line) {
            (false, "```jsonrpc") => {
                inside = true;
                transcripts.push((number, Vec::new()));
            }
            (true, "```") => inside = false,
            (true, line) => {
                let (_, exchanges) = transcripts.last_mut().unwrap();
                match (line.strip_prefix("→ "), line.strip_prefix("← ")) {
                    (Some(request), _) => exchanges.push(Exchange {
                        request: request.to_owned(),
                        answers: Vec::new(),
                    }),
                    (_, Some(answer)) => {
                        let last = exchanges.last_mut().unwrap();
                        last.answers.push(answer.to_owned());
                    }
                    _ => panic!(
                        "line {number} of the page is neither a request nor a response: {line}"
                    ),
                }
            }
            (false, _) => {}
        }
    }
    transcripts
}

/// Masks the parts of a line that differ between runs: the folder, the version, and reports, which
/// contain times.
fn masked(client: &Client, line: &str) -> String {
    let folder = client.folder.path().canonicalize().unwrap();
    let line = line
        .replace(folder.to_str().unwrap(), "/home/you/project")
        .replace(
            &format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION")),
            "\"version\":\"0.1.0\"",
        );
    const REPORT: &str = "\"report\":\"";
    let Some((before, report)) = line.split_once(REPORT) else {
        return line;
    };
    let mut escaped = false;
    let end = report.find(|c| match c {
        _ if escaped => {
            escaped = false;
            false
        }
        '\\' => {
            escaped = true;
            false
        }
        c => c == '"',
    });
    let (_, after) = report.split_at(end.unwrap());
    format!("{before}{REPORT}…{after}")
}

#[test]
fn each_transcript_matches_the_real_output() {
    for (number, exchanges) in transcripts() {
        let mut client = Client::start_with(&[], &[("TOKEN", "correct-horse")]);
        for Exchange { request, answers } in exchanges {
            client.send(&request);
            // A response and a notification may arrive in either order.
            let mut said: Vec<String> = Vec::new();
            for _ in &answers {
                let line = client.line();
                said.push(masked(&client, &line));
            }
            let mut expected = answers.clone();
            expected.sort();
            said.sort();
            assert_eq!(said, expected, "line {number} of the page: {request}");
        }
        let (rest, status, _) = client.end();
        assert_eq!(rest, [""; 0], "line {number} of the page");
        assert!(status.success(), "line {number} of the page: {status}");
    }
}

#[test]
fn each_method_has_a_heading_and_a_transcript() {
    let page = project_file("docs/formats/json-rpc.md");
    let transcripts = transcripts();
    let requests: Vec<&str> = transcripts
        .iter()
        .flat_map(|(_, exchanges)| exchanges)
        .map(|exchange| exchange.request.as_str())
        .collect();
    for method in METHODS {
        let asked = format!("\"method\":\"{method}\"");
        assert!(
            requests.iter().any(|request| request.contains(&asked)),
            "{method}"
        );
        let heading = |line: &str| line.starts_with('#') && line.contains(&format!("`{method}`"));
        assert!(page.lines().any(heading), "{method} has no heading");
    }
}

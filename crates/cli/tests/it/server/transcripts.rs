//! docs/formats/json-rpc.md says what a client writes and reads, and so it is.

use screentest_server::method::METHODS;

use crate::harness::cli::project;
use crate::server::client::Client;

/// A request and what is read after it, until the next.
struct Exchange {
    request: String,
    answers: Vec<String>,
}

/// The transcripts of the page, each with the line where it begins.
fn transcripts() -> Vec<(usize, Vec<Exchange>)> {
    let page = project("docs/formats/json-rpc.md");
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
                    _ => panic!("line {number} of the page is neither sent nor read: {line}"),
                }
            }
            (false, _) => {}
        }
    }
    transcripts
}

/// What a line says without what is another in every run: the folder, the version, and reports, which have times.
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
fn every_transcript_is_what_a_client_sees() {
    for (number, exchanges) in transcripts() {
        let mut client = Client::start_with(&[], &[("TOKEN", "correct-horse")]);
        for Exchange { request, answers } in exchanges {
            client.send(&request);
            // Where there are two, an answer and a notification, either may come first.
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
fn every_method_has_a_transcript_and_a_place_on_the_page() {
    let page = project("docs/formats/json-rpc.md");
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

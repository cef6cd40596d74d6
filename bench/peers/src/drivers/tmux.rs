//! tmux in control mode: a server that holds screens, and a client that receives the programs'
//! output.
//!
//! A wait reads notifications until the text appears, then captures the pane once, so that the
//! result is a screen.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::LazyLock;

use crate::clock::monotonic;
use crate::driver::{Driver, Size, Sum};

/// A separate server, kept alive by an idle session. It is started once, as in normal use of
/// tmux.
static SERVER: LazyLock<String> = LazyLock::new(|| {
    let socket = format!("peers-{}", std::process::id());
    let mut command = tmux(&socket);
    // With `remain-on-exit`, the pane keeps the last output and the exit status; control mode may
    // lose both otherwise.
    let set = ["set-option", "-g", "remain-on-exit", "on"];
    command.args(["new-session", "-d", "exec sleep 1000", ";"]);
    let status = command.args(set).status();
    assert!(status.expect("tmux is installed").success());
    socket
});

/// Returns a command that runs the program. A script or `cat` is followed by a sleep, because tmux
/// sometimes loses the output of a program that ends at once. `sh` gets the option `-i`: tmux runs
/// a single word in another shell, which loses the prompt.
fn staying(program: &[&str]) -> Vec<String> {
    let (script, rest) = match program {
        ["sh", "-c", script, rest @ ..] => (*script, rest),
        ["cat", files @ ..] => ("cat \"$0\"", files),
        ["sh"] => return vec!["sh".to_owned(), "-i".to_owned()],
        other => return other.iter().map(|word| word.to_string()).collect(),
    };
    let script = format!("{script}; exec sleep 1000");
    let words = ["sh", "-c", &script];
    words
        .iter()
        .chain(rest)
        .map(|word| word.to_string())
        .collect()
}

/// Longer than any text that is waited for.
const LONGEST: usize = 64;

fn tmux(socket: &str) -> Command {
    let mut command = Command::new("tmux");
    command.args(["-L", socket, "-f", "/dev/null"]);
    command
}

/// Ends the server on drop, if there is one.
#[derive(Debug)]
pub(crate) struct End;

impl Drop for End {
    fn drop(&mut self) {
        if LazyLock::get(&SERVER).is_some() {
            let _ = tmux(&SERVER).arg("kill-server").status();
            let folder = format!("tmux-{}", rustix::process::getuid().as_raw());
            let _ = std::fs::remove_file(std::env::temp_dir().join(folder).join(&*SERVER));
        }
    }
}

pub(crate) struct Tmux {
    client: Option<Client>,
    matched: String,
}

struct Client {
    process: Child,
    commands: ChildStdin,
    output: BufReader<ChildStdout>,
    /// The last output of the program, as far as received.
    stream: Vec<u8>,
    ended: bool,
}

/// A message to the client.
enum Message {
    Output,
    Reply(Vec<u8>),
    Ended,
    Other,
}

impl Client {
    fn send_command(&mut self, command: &str) {
        // If the server is gone, the next message is `Message::Ended`.
        let _ = writeln!(self.commands, "{command}");
    }

    fn next(&mut self) -> Message {
        let mut line = Vec::new();
        self.output
            .read_until(b'\n', &mut line)
            .expect("tmux replies");
        if line.is_empty() || line.starts_with(b"%exit") {
            self.ended = true;
            return Message::Ended;
        }
        if let Some(rest) = line.strip_prefix(b"%output ") {
            let at = rest.iter().position(|&byte| byte == b' ').unwrap_or(0);
            let kept = self.stream.len().saturating_sub(LONGEST);
            self.stream.drain(..kept);
            self.stream
                .extend_from_slice(rest[at + 1..].trim_ascii_end());
            return Message::Output;
        }
        if line.starts_with(b"%begin ") {
            let mut reply = Vec::new();
            loop {
                let from = reply.len();
                let read = self.output.read_until(b'\n', &mut reply);
                let last = &reply[from..];
                if read.expect("tmux replies") == 0 {
                    self.ended = true;
                    return Message::Ended;
                }
                if last.starts_with(b"%end ") || last.starts_with(b"%error ") {
                    reply.truncate(from);
                    return Message::Reply(reply);
                }
            }
        }
        Message::Other
    }

    /// Sends a command and returns its response; `None` if the session is gone.
    fn ask(&mut self, command: &str) -> Option<Vec<u8>> {
        if self.ended {
            return None;
        }
        self.send_command(command);
        loop {
            match self.next() {
                Message::Reply(reply) => return Some(reply),
                Message::Ended => return None,
                Message::Output | Message::Other => {}
            }
        }
    }
}

impl Driver for Tmux {
    fn start(program: &[&str], size: Size) -> Self {
        let mut command = tmux(&SERVER);
        let (cols, rows) = (size.cols.to_string(), size.rows.to_string());
        command.args(["-C", "new-session", "-x", &cols, "-y", &rows]);
        let mut process = command
            .args(staying(program))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("tmux is installed");
        let mut client = Client {
            commands: process.stdin.take().expect("the stream is piped"),
            output: BufReader::new(process.stdout.take().expect("the stream is piped")),
            process,
            stream: Vec::new(),
            ended: false,
        };
        // The response to `new-session`.
        while !matches!(client.next(), Message::Reply(_) | Message::Ended) {}
        // A client in control mode sets its size; the default is 80x24.
        if size != crate::driver::USUAL {
            client.ask(&format!("refresh-client -C {cols}x{rows}"));
        }
        Tmux {
            client: Some(client),
            matched: String::new(),
        }
    }

    fn send(&mut self, text: &str) {
        let hex: Vec<String> = text.bytes().map(|byte| format!("{byte:02x}")).collect();
        let client = self.client.as_mut().expect("the client is attached");
        client.ask(&format!("send-keys -H {}", hex.join(" ")));
    }

    fn wait(&mut self, text: &str) {
        let client = self.client.as_mut().expect("the client is attached");
        let has = |bytes: &[u8]| {
            bytes
                .windows(text.len())
                .any(|part| part == text.as_bytes())
        };
        // Output from before the client attached is not sent, but it is on the pane.
        let mut pane = client.ask("capture-pane -p").expect("the pane stays");
        if !has(&pane) {
            while !has(&client.stream) {
                assert!(!client.ended, "`{text}` does not come");
                client.next();
            }
            pane = client.ask("capture-pane -p").expect("the pane stays");
        }
        self.matched = String::from_utf8_lossy(&pane).into_owned();
    }

    fn matched(&mut self) -> String {
        std::mem::take(&mut self.matched)
    }

    fn finish(mut self) -> bool {
        // tmux does not notify about the end of a program, so the pane is polled.
        let client = self.client.as_mut().expect("the client is attached");
        loop {
            let state = client.ask("display-message -p '#{pane_dead} #{pane_dead_status}'");
            match state.expect("the pane stays").trim_ascii() {
                // The exit status is not always available.
                b"1" | b"1 0" => return true,
                [b'1', ..] => return false,
                _ => {}
            }
        }
    }

    fn styled(&mut self) -> Option<u64> {
        let client = self.client.as_mut().expect("the client is attached");
        let pane = client.ask("capture-pane -p -e").expect("the pane is there");
        let mut sum = Sum::default();
        pane.iter().for_each(|&byte| sum.add(char::from(byte), 0));
        sum.get()
    }

    fn hold(program: &[&str], text: &str) -> Self {
        let name = format!("held-{:.0}", monotonic());
        let mut command = tmux(&SERVER);
        command.args(["new-session", "-d", "-x", "80", "-y", "24", "-s", &name]);
        assert!(command.args(program).status().expect("tmux").success());
        loop {
            let mut capture = tmux(&SERVER);
            let output = capture.args(["capture-pane", "-p", "-t", &name]).output();
            let output = output.expect("tmux is installed").stdout;
            if String::from_utf8_lossy(&output).contains(text) {
                break;
            }
        }
        Tmux {
            client: None,
            matched: String::new(),
        }
    }

    fn server_processes() -> Vec<u32> {
        let mut command = tmux(&SERVER);
        let output = command.args(["display-message", "-p", "#{pid}"]).output();
        let output = output.expect("tmux is installed").stdout;
        let pid = String::from_utf8_lossy(&output);
        vec![pid.trim().parse().expect("the server has a process id")]
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        if let Some(client) = &mut self.client {
            client.send_command("kill-session");
            // The client does not exit before all of its output was read.
            while !client.ended {
                client.next();
            }
            let _ = client.process.wait();
        }
    }
}

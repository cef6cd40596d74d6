//! Nothing outlives a terminal: not a job, not a daemon, not one that ignores every polite word.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal as Kill, kill_process};
use screentest::core::Size;
use screentest::pty::native::{self, NativePty};
use screentest::pty::{Interest, Pty};
use screentest::{App, ExitStatus, Signal};
use screentest_fixtures::scratch::Scratch;

use super::driver::{PATIENCE, outcome, read_to_end, read_until, sh, start, write_all};
use crate::alone::alone;
use crate::processes::{children, processes, stat, unique_word, wait_until, with_word};

/// Ways to live on. Each gets a word as `$0` that no other process has, passes it to all that it starts, and says `ready`
/// when they run. The word is a time that `sleep` takes, longer than any test. `stay` is a process that has it.
const FUGITIVES: &[(&str, &str)] = &[
    ("a plain child", "stay & echo ready; wait"),
    (
        "one that ignores what it can",
        "trap '' TERM HUP INT QUIT; (trap '' TERM HUP; stay) & echo ready; while :; do sleep 0.1; done",
    ),
    ("a stopped one", "stay & kill -STOP $!; echo ready; wait"),
    ("one without its parent", "(stay &); echo ready; sleep $0"),
    // The end of a program hangs up on whoever shares its terminal, so that this one must not listen beforehand.
    ("one whose program ended", "trap '' HUP; stay & echo ready"),
    (
        "one in a session of its own",
        "setsid sh -c 'trap \"\" TERM HUP; sleep $0; :' \"$0\" & echo ready; wait",
    ),
    (
        "a daemon",
        "setsid sh -c '(trap \"\" TERM HUP; exec </dev/null >/dev/null 2>&1; setsid sh -c \"sleep \\$0; :\" \"$0\" &) &' \"$0\"; echo ready",
    ),
    (
        "one that keeps starting others",
        "(trap '' TERM HUP; for i in 1 2 3 4 5 6 7 8 9; do sh -c 'sleep $0; :' \"$0\" & sleep 0.01; done) & echo ready; wait",
    ),
];

#[test]
fn nothing_is_left_after_a_close() {
    for (name, script) in FUGITIVES {
        let fugitive = Fugitive::start(name, script);
        fugitive.pty.close(Duration::from_millis(50)).unwrap();
        assert_eq!(fugitive.alive(), [], "{name}");
        // Again does nothing.
        fugitive.pty.close(Duration::from_millis(50)).unwrap();
        assert!(fugitive.pty.outcome().is_some(), "{name}");
    }
}

#[test]
fn nothing_is_left_after_a_close_without_grace() {
    for (name, script) in FUGITIVES {
        let fugitive = Fugitive::start(name, script);
        fugitive.pty.close(Duration::ZERO).unwrap();
        assert_eq!(fugitive.alive(), [], "{name}");
    }
}

#[test]
fn nothing_is_left_after_a_drop() {
    for (name, script) in FUGITIVES {
        let Fugitive { pty, word } = Fugitive::start(name, script);
        drop(pty);
        assert_eq!(with_word(&word), [], "{name}");
    }
}

#[test]
fn nothing_is_left_of_an_interactive_shell_and_its_jobs() {
    let word = unique_word();
    let pty = interactive_shell_with_job(&word);
    read_until(&pty, |text| text.contains("ready"));
    wait_for_some(&word, &pty);
    pty.close(Duration::from_millis(200)).unwrap();
    assert_eq!(with_word(&word), []);
    // A hangup that comes just as Bash makes ready to read a line is noticed only after that line. It sits at its prompt
    // until then, and is killed, however long the grace.
    let outcome = pty.outcome().unwrap();
    assert!(
        [Signal::HUP, Signal::KILL]
            .map(ExitStatus::Signaled)
            .contains(&outcome),
        "{outcome}"
    );
}

#[test]
fn an_interactive_shell_at_its_prompt_and_its_jobs_leave_when_asked() {
    let word = unique_word();
    let pty = interactive_shell_with_job(&word);
    read_until(&pty, |text| {
        text.split_once("\nready")
            .is_some_and(|(_, then)| then.contains(PROMPT))
    });
    // The shell of the job and its `sleep`, so that nobody starts anything any more.
    wait_until(|| with_word(&word).len() == 2);
    // Once it has shown its prompt, it sleeps only to wait for a line, and a hangup wakes it.
    wait_until(|| sleeps(program(&pty)));
    pty.close(PATIENCE).unwrap();
    assert_eq!(with_word(&word), []);
    assert_eq!(pty.outcome(), Some(ExitStatus::Signaled(Signal::HUP)));
}

const PROMPT: &str = "> ";

/// An interactive shell that says `ready` when it has started a job, which has the word and which no hangup ends.
#[track_caller]
fn interactive_shell_with_job(word: &str) -> NativePty {
    let pty = start(
        &App::new("bash")
            .args(["--norc", "--noprofile", "-i"])
            .env("PS1", PROMPT)
            // Whoever runs the tests would find all this in a history of theirs.
            .env("HISTFILE", ""),
    );
    write_all(
        &pty,
        &format!("nohup sh -c 'sleep $0; :' {word} >/dev/null 2>&1 & disown; echo rea''dy\n"),
    );
    pty
}

#[test]
fn closing_just_as_the_program_leaves_is_no_error() {
    for round in 0..300 {
        let pty = start(&App::new("true"));
        for _ in 0..round % 7 {
            pty.signal(Signal::CONT).unwrap();
        }
        pty.close(PATIENCE).unwrap();
        let outcome = pty.outcome().unwrap();
        assert!(
            [
                ExitStatus::Exited(0),
                ExitStatus::Signaled(Signal::HUP),
                ExitStatus::Signaled(Signal::TERM)
            ]
            .contains(&outcome),
            "{outcome}"
        );
    }
}

#[test]
fn who_leaves_when_asked_has_the_time_to_say_goodbye() {
    let pty = sh(
        "trap 'echo goodbye; exit 5' TERM; trap '' HUP; echo ready; while :; do sleep 0.01; done",
    );
    read_until(&pty, |text| text.contains("ready"));
    pty.close(PATIENCE).unwrap();
    let (text, outcome) = read_to_end(&pty);
    assert!(text.contains("goodbye"), "{text:?}");
    assert_eq!(outcome, ExitStatus::Exited(5));
}

#[test]
fn grandchildren_are_asked_too() {
    let job =
        "trap '' HUP; trap 'echo goodbye; exit' TERM; echo ready; while :; do sleep 0.01; done";
    let pty = start(&App::new("sh").args(["-c", "(setsid sh -c \"$0\"; :) & wait", job]));
    read_until(&pty, |text| text.contains("ready"));
    pty.close(PATIENCE).unwrap();
    let (text, _) = read_to_end(&pty);
    assert!(text.contains("goodbye"), "{text:?}");
}

#[test]
fn a_job_of_another_terminal_is_left_alone() {
    let word = unique_word();
    let stays = sh(&format!("exec sh -c 'echo ready; sleep 300; :' {word}"));
    read_until(&stays, |text| text.contains("ready"));
    drop(Fugitive::start("another", "stay & echo ready; wait"));
    assert!(with_word(&word).contains(&program(&stays)));
    assert_eq!(stays.outcome(), None);
}

/// A program that closes its terminal and opens it again later has not ended its output.
#[test]
fn the_end_of_output_is_final() {
    let pty = sh("echo one; exec <&- >&- 2>&-; sleep 0.1; echo two >/dev/tty");
    assert_eq!(read_to_end(&pty).0, "one\r\ntwo\r\n");
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a wait that was not woken shows only in the time it took"
)]
fn a_wait_hears_of_an_end_that_was_asked_for_first() {
    // What it leaves behind keeps both the terminal and the supervisor, so that neither wakes anybody.
    let pty = sh("trap '' HUP; sleep 300 & exit 3");
    while pty.outcome().is_none() {
        std::thread::yield_now();
    }
    let start = std::time::Instant::now();
    assert!(pty.wait(Interest::Read, Some(PATIENCE)).unwrap().ended);
    assert!(start.elapsed() < PATIENCE);
    // It was told, so that from now on only output counts, which there is none of.
    let ready = pty.wait(Interest::Read, Some(Duration::ZERO)).unwrap();
    assert!(ready.ended && !ready.readable);
}

#[test]
fn a_guardian_that_was_killed_is_replaced() {
    alone(|| {
        let pty = sh("read line");
        let guardian = guardian();
        kill_process(guardian, Kill::KILL).unwrap();
        let next = sh("echo next");
        assert_eq!(read_to_end(&next).0, "next\r\n");
        // What the first one started has a supervisor still.
        write_all(&pty, "\n");
        assert_eq!(outcome(&pty), ExitStatus::Exited(0));
        pty.close(PATIENCE).unwrap();
    });
}

#[test]
fn programs_start_after_a_guardian_was_killed_although_others_still_run() {
    alone(|| {
        let first = sh("echo first; read line");
        read_until(&first, |text| text.contains("first"));
        kill_process(guardian(), Kill::KILL).unwrap();
        // More than were ready: a request must not wait for one that has work.
        let others = [1, 2, 3].map(|_| sh("echo next; read line"));
        for other in &others {
            assert_eq!(read_until(other, |text| text.contains("next")), "next\r\n");
        }
    });
}

#[test]
fn programs_that_follow_each_other_share_a_supervisor() {
    alone(|| {
        let rounds = 20;
        let mut supervisors = std::collections::BTreeSet::new();
        for _ in 0..rounds {
            let pty = sh("exit");
            assert_eq!(outcome(&pty), ExitStatus::Exited(0));
            pty.close(PATIENCE).unwrap();
            supervisors.extend(children(guardian()).iter().map(ToString::to_string));
        }
        assert!(supervisors.len() < rounds / 2, "{supervisors:?}");
    });
}

#[test]
fn a_supervisor_that_has_served_holds_nothing_of_its_program() {
    alone(|| {
        // Whoever could not be started was served as well.
        let scratch = Scratch::new();
        scratch.write("lost", "#!/no/such/interpreter\n");
        let lost = scratch.path().join("lost");
        fs::set_permissions(&lost, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(native::spawn(&App::new(&lost), Size { cols: 10, rows: 5 }).is_err());
        let pty = sh("exit");
        assert_eq!(outcome(&pty), ExitStatus::Exited(0));
        pty.close(PATIENCE).unwrap();
        wait_until(|| {
            let waiting = children(guardian());
            let held = |pid: &Pid| {
                let links = fs::read_dir(format!("/proc/{}/fd", pid.as_raw_nonzero()));
                links.map_or(0, Iterator::count)
            };
            // The three standard ones, the guardian's socket, the pipe to it, and what tells of deaths.
            !waiting.is_empty() && waiting.iter().all(|pid| held(pid) == 6)
        });
    });
}

#[test]
fn a_killed_supervisor_is_no_reason_for_another_guardian() {
    alone(|| {
        drop(sh("exit"));
        let first = guardian();
        wait_until(|| !children(first).is_empty());
        for idle in children(first) {
            kill_process(idle, Kill::KILL).unwrap();
        }
        let next = sh("echo next");
        assert_eq!(read_to_end(&next).0, "next\r\n");
        assert_eq!(guardian(), first);
    });
}

#[test]
fn a_supervisor_that_was_killed_leaves_nothing() {
    alone(|| {
        for (name, script) in FUGITIVES {
            let fugitive = Fugitive::start(name, script);
            // The one that is ready for the next program has no children. Nor does the other seem to have any in a moment in which
            // they change.
            wait_until(|| {
                let mut busy = children(guardian()).into_iter();
                let busy = busy.find(|supervisor| !children(*supervisor).is_empty());
                busy.is_some_and(|supervisor| kill_process(supervisor, Kill::KILL).is_ok())
            });
            wait_until(|| fugitive.alive().is_empty());
            assert!(fugitive.pty.close(PATIENCE).is_err(), "{name}");
            assert!(fugitive.pty.outcome().is_some(), "{name}");
        }
    });
}

#[test]
fn a_program_dies_with_its_supervisor_even_without_a_guardian() {
    alone(|| {
        let pty = sh("echo ready; exec sleep 300");
        read_until(&pty, |text| text.contains("ready"));
        let guardian = guardian();
        let supervisors = children(guardian);
        // The guardian first, or it would do the work.
        for process in [guardian].into_iter().chain(supervisors) {
            kill_process(process, Kill::KILL).unwrap();
        }
        assert_eq!(outcome(&pty), ExitStatus::Signaled(Signal::KILL));
        wait_until(|| !processes().any(|pid| pid == program(&pty)));
    });
}

#[test]
fn the_guardian_holds_nothing_of_its_host_open() {
    alone(|| {
        drop(sh("exit"));
        let guardian = guardian();
        // By then it has made itself at home: there is a supervisor.
        wait_until(|| !children(guardian).is_empty());
        let links = fs::read_dir(format!("/proc/{guardian}/fd")).unwrap();
        let mut held: Vec<String> = links
            .filter_map(|link| fs::read_link(link.ok()?.path()).ok())
            .map(|target| target.display().to_string())
            .map(|target| target.split(':').next().unwrap_or_default().to_owned())
            .collect();
        held.sort();
        let standard = ["/dev/null"; 3];
        assert_eq!(
            held,
            [&standard[..], &["anon_inode", "pipe", "pipe", "socket"]].concat()
        );
    });
}

#[test]
fn a_host_that_is_killed_leaves_nothing() {
    let words: Vec<String> = FUGITIVES.iter().map(|_| unique_word()).collect();
    #[expect(
        clippy::disallowed_methods,
        reason = "the host to be killed is this test binary, not a program in a terminal"
    )]
    let host = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "pty::ends::as_a_host_to_be_killed",
            "--nocapture",
        ])
        .env(HOST, words.join(" "))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut host = Killed(host);
    let mut lines = BufReader::new(host.0.stdout.take().unwrap()).lines();
    let guardian = lines.find_map(|line| line.unwrap().strip_prefix(STARTED)?.parse().ok());
    let guardian = Pid::from_raw(guardian.expect("the host starts everything")).unwrap();
    for word in &words {
        // One that is changing places may not be seen at once.
        wait_until(|| !with_word(word).is_empty());
    }
    drop(host);
    // Nothing of ours holds the host's output: it ends with the host.
    assert_eq!(lines.count(), 0);
    for word in &words {
        wait_until(|| with_word(word).is_empty());
    }
    wait_until(|| !processes().any(|pid| pid == guardian));
}

/// A process that is killed in any case.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

const HOST: &str = "SCREENTEST_TEST_HOST";
const STARTED: &str = "all started under guardian ";

/// Not a test by itself: what the test above runs in a process of its own, until it is killed.
#[test]
#[expect(
    clippy::print_stdout,
    reason = "tells the test above that everything was started"
)]
fn as_a_host_to_be_killed() {
    let Ok(words) = std::env::var(HOST) else {
        return;
    };
    let ptys: Vec<Fugitive> = FUGITIVES
        .iter()
        .zip(words.split(' '))
        .map(|((name, script), word)| Fugitive::start_as(name, script, word))
        .collect();
    // On a line of its own: the test harness has begun one already.
    println!("\n{STARTED}{}", guardian());
    loop {
        // For ever: this process is about to be killed.
        ptys[0].pty.wait(Interest::Read, None).unwrap();
        let _ = ptys[0].pty.read(&mut [0; 64]).unwrap();
    }
}

#[test]
fn many_terminals_leave_no_descriptor_thread_or_child() {
    alone(|| {
        let rounds = match std::env::var_os("SCREENTEST_FULL") {
            Some(_) => 1000,
            None => 100,
        };
        // The first start brings the guardian, which stays.
        drop(sh("exit"));
        let guardian = guardian();
        let count = |what: &str| fs::read_dir(format!("/proc/self/{what}")).unwrap().count();
        let before = (count("fd"), count("task"));
        for round in 0..rounds {
            let pty = sh("echo hello; read line");
            match round % 3 {
                0 => pty.close(Duration::from_millis(10)).unwrap(),
                1 => {
                    write_all(&pty, "\n");
                    assert_eq!(outcome(&pty), ExitStatus::Exited(0));
                }
                _ => {}
            }
        }
        assert_eq!((count("fd"), count("task")), before);
        let guardians = children(Pid::from_raw(std::process::id().cast_signed()).unwrap());
        assert_eq!(guardians, [guardian]);
        // One is always ready for the next program, and few wait for longer.
        wait_until(|| matches!(children(guardian).len(), 1..=8));
    });
}

#[test]
fn the_guardian_of_a_large_host_is_small() {
    alone(|| {
        let ballast = vec![1_u8; 64 << 20];
        drop(sh("exit"));
        let status = fs::read_to_string(format!("/proc/{}/status", guardian())).unwrap();
        let held = status
            .lines()
            .find_map(|line| line.strip_prefix("RssAnon:"))
            .unwrap();
        let held: u32 = held.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(held < 4096, "{held} kB");
        assert!(ballast.iter().all(|byte| *byte == 1));
    });
}

/// A program that tries to leave something behind.
struct Fugitive {
    pty: NativePty,
    word: String,
}

impl Fugitive {
    #[track_caller]
    fn start(name: &str, script: &str) -> Fugitive {
        Fugitive::start_as(name, script, &unique_word())
    }

    #[track_caller]
    fn start_as(name: &str, script: &str, word: &str) -> Fugitive {
        // The shell has the word too, while it waits for its `sleep`.
        let script = format!("stay() {{ sh -c 'sleep $0; :' \"$0\"; }}; {script}");
        let pty = start(&App::new("sh").args(["-c", &script, word]));
        let text = read_until(&pty, |text| text.contains("ready"));
        assert!(text.contains("ready"), "{name}: {text:?}");
        wait_for_some(word, &pty);
        Fugitive {
            pty,
            word: word.to_owned(),
        }
    }

    fn alive(&self) -> Vec<Pid> {
        with_word(&self.word)
    }
}

/// Whether a process waits for something to happen, and is not merely kept waiting by others.
fn sleeps(process: Pid) -> bool {
    stat(process).first().is_some_and(|state| state == "S")
}

fn program(pty: &NativePty) -> Pid {
    Pid::from_raw(pty.pid().cast_signed()).unwrap()
}

/// This process's guardian, which runs once anything was started.
fn guardian() -> Pid {
    let this = Pid::from_raw(std::process::id().cast_signed()).unwrap();
    let name = |pid: &Pid| {
        fs::read_to_string(format!("/proc/{}/comm", pid.as_raw_nonzero())).unwrap_or_default()
    };
    let found = children(this)
        .into_iter()
        .find(|pid| name(pid) == "st-guardian\n");
    found.expect("something was started before")
}

/// Waits until somebody besides the program itself has the word.
#[track_caller]
fn wait_for_some(word: &str, pty: &NativePty) {
    wait_until(|| with_word(word).iter().any(|pid| *pid != program(pty)));
}

//! Nothing outlives a PTY: neither jobs nor daemons nor processes that ignore every signal.

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

use super::driver::{TIMEOUT, exit_status, read_to_end, read_until, sh, start, write_all};
use crate::harness::own_process::in_own_process;
use crate::harness::processes::{
    children, processes, processes_with_tag, stat, unique_tag, wait_until,
};

/// Scripts whose processes try to outlive the terminal. Each gets a unique tag as `$0`, passes it
/// to every process it starts, and prints `ready` when they run. The tag is a duration for `sleep`,
/// longer than any test. `stay` starts a process with the tag.
const STUBBORN_PROGRAMS: &[(&str, &str)] = &[
    ("a plain child", "stay & echo ready; wait"),
    (
        "one that ignores signals",
        "trap '' TERM HUP INT QUIT; (trap '' TERM HUP; stay) & echo ready; while :; do sleep 0.1; done",
    ),
    ("a stopped child", "stay & kill -STOP $!; echo ready; wait"),
    ("an orphan", "(stay &); echo ready; sleep $0"),
    // At the exit of the session leader the kernel sends SIGHUP to the foreground process group, so
    // this process must ignore it beforehand.
    (
        "a child that outlives the program",
        "trap '' HUP; stay & echo ready",
    ),
    (
        "a child in its own session",
        "setsid sh -c 'trap \"\" TERM HUP; sleep $0; :' \"$0\" & echo ready; wait",
    ),
    (
        "a daemon",
        "setsid sh -c '(trap \"\" TERM HUP; exec </dev/null >/dev/null 2>&1; setsid sh -c \"sleep \\$0; :\" \"$0\" &) &' \"$0\"; echo ready",
    ),
    (
        "one that keeps starting processes",
        "(trap '' TERM HUP; for i in 1 2 3 4 5 6 7 8 9; do sh -c 'sleep $0; :' \"$0\" & sleep 0.01; done) & echo ready; wait",
    ),
];

#[test]
fn close_leaves_no_process() {
    for (name, script) in STUBBORN_PROGRAMS {
        let stubborn = StubbornProgram::start(name, script);
        stubborn.pty.close(Duration::from_millis(50)).unwrap();
        assert_eq!(stubborn.alive(), [], "{name}");
        // A second close does nothing.
        stubborn.pty.close(Duration::from_millis(50)).unwrap();
        assert!(stubborn.pty.exit_status().is_some(), "{name}");
    }
}

#[test]
fn close_without_grace_leaves_no_process() {
    for (name, script) in STUBBORN_PROGRAMS {
        let stubborn = StubbornProgram::start(name, script);
        stubborn.pty.close(Duration::ZERO).unwrap();
        assert_eq!(stubborn.alive(), [], "{name}");
    }
}

#[test]
fn drop_leaves_no_process() {
    for (name, script) in STUBBORN_PROGRAMS {
        let StubbornProgram { pty, tag } = StubbornProgram::start(name, script);
        drop(pty);
        assert_eq!(processes_with_tag(&tag), [], "{name}");
    }
}

#[test]
fn close_ends_an_interactive_shell_and_its_jobs() {
    let tag = unique_tag();
    let pty = interactive_shell_with_job(&tag);
    read_until(&pty, |text| text.contains("ready"));
    wait_for_tagged_process(&tag, &pty);
    pty.close(Duration::from_millis(200)).unwrap();
    assert_eq!(processes_with_tag(&tag), []);
    // If SIGHUP arrives just before bash reads a line, bash notices the signal only after that
    // line. Bash stays at its prompt until then and is killed, however long the grace period is.
    let exit_status = pty.exit_status().unwrap();
    assert!(
        [Signal::HUP, Signal::KILL]
            .map(ExitStatus::Signaled)
            .contains(&exit_status),
        "{exit_status}"
    );
}

#[test]
fn an_interactive_shell_at_its_prompt_exits_on_hangup() {
    let tag = unique_tag();
    let pty = interactive_shell_with_job(&tag);
    read_until(&pty, |text| {
        text.split_once("\nready")
            .is_some_and(|(_, then)| then.contains(PROMPT))
    });
    // The shell of the job and its `sleep`; nothing more is started.
    wait_until(|| processes_with_tag(&tag).len() == 2);
    // After printing its prompt, the shell sleeps only in order to read a line, and SIGHUP wakes
    // it.
    wait_until(|| sleeps(program(&pty)));
    pty.close(TIMEOUT).unwrap();
    assert_eq!(processes_with_tag(&tag), []);
    assert_eq!(pty.exit_status(), Some(ExitStatus::Signaled(Signal::HUP)));
}

const PROMPT: &str = "> ";

/// Starts an interactive shell that prints `ready` once it has started a job with this tag. SIGHUP
/// does not end the job.
#[track_caller]
fn interactive_shell_with_job(tag: &str) -> NativePty {
    let pty = start(
        &App::new("bash")
            .args(["--norc", "--noprofile", "-i"])
            .env("PS1", PROMPT)
            // Otherwise the commands end up in the user's history.
            .env("HISTFILE", ""),
    );
    write_all(
        &pty,
        &format!("nohup sh -c 'sleep $0; :' {tag} >/dev/null 2>&1 & disown; echo rea''dy\n"),
    );
    pty
}

#[test]
fn closing_while_the_program_exits_is_not_an_error() {
    for round in 0..300 {
        let pty = start(&App::new("true"));
        for _ in 0..round % 7 {
            pty.signal(Signal::CONT).unwrap();
        }
        pty.close(TIMEOUT).unwrap();
        let exit_status = pty.exit_status().unwrap();
        assert!(
            [
                ExitStatus::Exited(0),
                ExitStatus::Signaled(Signal::HUP),
                ExitStatus::Signaled(Signal::TERM)
            ]
            .contains(&exit_status),
            "{exit_status}"
        );
    }
}

#[test]
fn a_program_that_handles_sigterm_can_print_before_it_exits() {
    let pty = sh(
        "trap 'echo goodbye; exit 5' TERM; trap '' HUP; echo ready; while :; do sleep 0.01; done",
    );
    read_until(&pty, |text| text.contains("ready"));
    pty.close(TIMEOUT).unwrap();
    let (text, exit_status) = read_to_end(&pty);
    assert!(text.contains("goodbye"), "{text:?}");
    assert_eq!(exit_status, ExitStatus::Exited(5));
}

#[test]
fn close_terminates_grandchildren() {
    let job =
        "trap '' HUP; trap 'echo goodbye; exit' TERM; echo ready; while :; do sleep 0.01; done";
    let pty = start(&App::new("sh").args(["-c", "(setsid sh -c \"$0\"; :) & wait", job]));
    read_until(&pty, |text| text.contains("ready"));
    pty.close(TIMEOUT).unwrap();
    let (text, _) = read_to_end(&pty);
    assert!(text.contains("goodbye"), "{text:?}");
}

#[test]
fn processes_of_other_terminals_are_not_affected() {
    let tag = unique_tag();
    let stays = sh(&format!("exec sh -c 'echo ready; sleep 300; :' {tag}"));
    read_until(&stays, |text| text.contains("ready"));
    drop(StubbornProgram::start("another", "stay & echo ready; wait"));
    assert!(processes_with_tag(&tag).contains(&program(&stays)));
    assert_eq!(stays.exit_status(), None);
}

/// A program that closes its terminal and opens it again later has not ended its output.
#[test]
fn a_reopened_terminal_continues_the_output() {
    let pty = sh("echo one; exec <&- >&- 2>&-; sleep 0.1; echo two >/dev/tty");
    assert_eq!(read_to_end(&pty).0, "one\r\ntwo\r\n");
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a wait that was not woken shows only in the time it took"
)]
fn a_wait_returns_after_the_exit_status_was_already_queried() {
    // The job keeps the terminal and the supervisor alive, so neither wakes the wait.
    let pty = sh("trap '' HUP; sleep 300 & exit 3");
    while pty.exit_status().is_none() {
        std::thread::yield_now();
    }
    let start = std::time::Instant::now();
    assert!(pty.wait(Interest::Read, Some(TIMEOUT)).unwrap().ended);
    assert!(start.elapsed() < TIMEOUT);
    // The exit has been reported, so from now on only output makes a wait return, and there is
    // none.
    let ready = pty.wait(Interest::Read, Some(Duration::ZERO)).unwrap();
    assert!(ready.ended && !ready.readable);
}

#[test]
fn a_killed_guardian_is_replaced() {
    in_own_process(|| {
        let pty = sh("read line");
        let guardian = guardian();
        kill_process(guardian, Kill::KILL).unwrap();
        let next = sh("echo next");
        assert_eq!(read_to_end(&next).0, "next\r\n");
        // The program of the first guardian still has its supervisor.
        write_all(&pty, "\n");
        assert_eq!(exit_status(&pty), ExitStatus::Exited(0));
        pty.close(TIMEOUT).unwrap();
    });
}

#[test]
fn programs_start_after_the_guardian_is_killed_while_others_run() {
    in_own_process(|| {
        let first = sh("echo first; read line");
        read_until(&first, |text| text.contains("first"));
        kill_process(guardian(), Kill::KILL).unwrap();
        // More programs than idle supervisors: a request must not wait for a busy one.
        let others = [1, 2, 3].map(|_| sh("echo next; read line"));
        for other in &others {
            assert_eq!(read_until(other, |text| text.contains("next")), "next\r\n");
        }
    });
}

#[test]
fn consecutive_programs_share_a_supervisor() {
    in_own_process(|| {
        let rounds = 20;
        let mut supervisors = std::collections::BTreeSet::new();
        for _ in 0..rounds {
            let pty = sh("exit");
            assert_eq!(exit_status(&pty), ExitStatus::Exited(0));
            pty.close(TIMEOUT).unwrap();
            supervisors.extend(children(guardian()).iter().map(ToString::to_string));
        }
        assert!(supervisors.len() < rounds / 2, "{supervisors:?}");
    });
}

#[test]
fn an_idle_supervisor_holds_no_descriptor_of_its_program() {
    in_own_process(|| {
        // A failed start uses a supervisor, too.
        let scratch = Scratch::new();
        scratch.write("lost", "#!/no/such/interpreter\n");
        let lost = scratch.path().join("lost");
        fs::set_permissions(&lost, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(native::spawn(&App::new(&lost), Size { cols: 10, rows: 5 }).is_err());
        let pty = sh("exit");
        assert_eq!(exit_status(&pty), ExitStatus::Exited(0));
        pty.close(TIMEOUT).unwrap();
        wait_until(|| {
            let waiting = children(guardian());
            let held = |pid: &Pid| {
                let links = fs::read_dir(format!("/proc/{}/fd", pid.as_raw_nonzero()));
                links.map_or(0, Iterator::count)
            };
            // Three standard descriptors, the guardian's socket, the pipe to it, and the descriptor
            // that reports exits.
            !waiting.is_empty() && waiting.iter().all(|pid| held(pid) == 6)
        });
    });
}

#[test]
fn a_killed_supervisor_does_not_replace_the_guardian() {
    in_own_process(|| {
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
fn a_killed_supervisor_leaves_no_process() {
    in_own_process(|| {
        for (name, script) in STUBBORN_PROGRAMS {
            let stubborn = StubbornProgram::start(name, script);
            // The idle supervisor has no children. The busy one may appear to have none while they
            // change.
            wait_until(|| {
                let mut busy = children(guardian()).into_iter();
                let busy = busy.find(|supervisor| !children(*supervisor).is_empty());
                busy.is_some_and(|supervisor| kill_process(supervisor, Kill::KILL).is_ok())
            });
            wait_until(|| stubborn.alive().is_empty());
            assert!(stubborn.pty.close(TIMEOUT).is_err(), "{name}");
            assert!(stubborn.pty.exit_status().is_some(), "{name}");
        }
    });
}

#[test]
fn a_program_dies_with_its_supervisor_without_a_guardian() {
    in_own_process(|| {
        let pty = sh("echo ready; exec sleep 300");
        read_until(&pty, |text| text.contains("ready"));
        let guardian = guardian();
        let supervisors = children(guardian);
        // The guardian is killed first; otherwise it would end the program.
        for process in [guardian].into_iter().chain(supervisors) {
            kill_process(process, Kill::KILL).unwrap();
        }
        assert_eq!(exit_status(&pty), ExitStatus::Signaled(Signal::KILL));
        wait_until(|| !processes().any(|pid| pid == program(&pty)));
    });
}

#[test]
fn the_guardian_holds_no_descriptor_of_its_host() {
    in_own_process(|| {
        drop(sh("exit"));
        let guardian = guardian();
        // Once a supervisor exists, the guardian has finished its setup.
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
fn a_killed_host_leaves_no_process() {
    let tags: Vec<String> = STUBBORN_PROGRAMS.iter().map(|_| unique_tag()).collect();
    #[expect(
        clippy::disallowed_methods,
        reason = "the host to be killed is this test binary, not a program in a terminal"
    )]
    let host = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "pty::cleanup::process_of_a_host_to_be_killed",
            "--nocapture",
        ])
        .env(HOST, tags.join(" "))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut host = Killed(host);
    let mut lines = BufReader::new(host.0.stdout.take().unwrap()).lines();
    let guardian = lines.find_map(|line| line.unwrap().strip_prefix(STARTED)?.parse().ok());
    let guardian = Pid::from_raw(guardian.expect("the host starts everything")).unwrap();
    for tag in &tags {
        // A process that is just calling `exec` may not be visible at once.
        wait_until(|| !processes_with_tag(tag).is_empty());
    }
    drop(host);
    // No helper process holds the host's output open: it ends with the host.
    assert_eq!(lines.count(), 0);
    for tag in &tags {
        wait_until(|| processes_with_tag(tag).is_empty());
    }
    wait_until(|| !processes().any(|pid| pid == guardian));
}

/// Kills the process on drop.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

const HOST: &str = "SCREENTEST_TEST_HOST";
const STARTED: &str = "all started under guardian ";

/// Not a test: the process that the test above starts and kills.
#[test]
#[expect(clippy::print_stdout, reason = "the test above reads it")]
fn process_of_a_host_to_be_killed() {
    let Ok(tags) = std::env::var(HOST) else {
        return;
    };
    let ptys: Vec<StubbornProgram> = STUBBORN_PROGRAMS
        .iter()
        .zip(tags.split(' '))
        .map(|((name, script), tag)| StubbornProgram::start_with_tag(name, script, tag))
        .collect();
    // On a separate line, since the test harness has already begun one.
    println!("\n{STARTED}{}", guardian());
    loop {
        // Runs forever; the process is about to be killed.
        ptys[0].pty.wait(Interest::Read, None).unwrap();
        let _ = ptys[0].pty.read(&mut [0; 64]).unwrap();
    }
}

#[test]
fn many_terminals_leak_no_descriptor_thread_or_child() {
    in_own_process(|| {
        let rounds = match std::env::var_os("SCREENTEST_FULL") {
            Some(_) => 1000,
            None => 100,
        };
        // The first start also starts the guardian, which stays.
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
                    assert_eq!(exit_status(&pty), ExitStatus::Exited(0));
                }
                _ => {}
            }
        }
        assert_eq!((count("fd"), count("task")), before);
        let guardians = children(Pid::from_raw(std::process::id().cast_signed()).unwrap());
        assert_eq!(guardians, [guardian]);
        // One supervisor is always ready for the next program, and few are kept idle.
        wait_until(|| matches!(children(guardian).len(), 1..=8));
    });
}

#[test]
fn the_guardian_of_a_large_host_is_small() {
    in_own_process(|| {
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

/// A program with a process that tries to outlive the terminal.
struct StubbornProgram {
    pty: NativePty,
    tag: String,
}

impl StubbornProgram {
    #[track_caller]
    fn start(name: &str, script: &str) -> StubbornProgram {
        StubbornProgram::start_with_tag(name, script, &unique_tag())
    }

    #[track_caller]
    fn start_with_tag(name: &str, script: &str, tag: &str) -> StubbornProgram {
        // The shell has the tag, too, while it waits for its `sleep`.
        let script = format!("stay() {{ sh -c 'sleep $0; :' \"$0\"; }}; {script}");
        let pty = start(&App::new("sh").args(["-c", &script, tag]));
        let text = read_until(&pty, |text| text.contains("ready"));
        assert!(text.contains("ready"), "{name}: {text:?}");
        wait_for_tagged_process(tag, &pty);
        StubbornProgram {
            pty,
            tag: tag.to_owned(),
        }
    }

    fn alive(&self) -> Vec<Pid> {
        processes_with_tag(&self.tag)
    }
}

/// Returns whether the process is blocked, not just waiting for a processor.
fn sleeps(process: Pid) -> bool {
    stat(process).first().is_some_and(|state| state == "S")
}

fn program(pty: &NativePty) -> Pid {
    Pid::from_raw(pty.pid().cast_signed()).unwrap()
}

/// Returns this process's guardian. A program must have been started before.
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

/// Waits until a process other than the program itself has the tag.
#[track_caller]
fn wait_for_tagged_process(tag: &str, pty: &NativePty) {
    wait_until(|| {
        processes_with_tag(tag)
            .iter()
            .any(|pid| *pid != program(pty))
    });
}

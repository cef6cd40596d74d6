//! How programs start, what they inherit, and errors at start.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use screentest::pty::{Interest, Pty, PtyReady, Read, SpawnError, native};
use screentest::{App, ExitStatus, Signal};
use screentest_core::Size;

use super::driver::{SIZE, TIMEOUT, exit_status, read_to_end, read_until, sh, start, write_all};

#[test]
fn input_is_echoed_and_read() {
    let pty = sh("read name; echo \"hello $name\"");
    write_all(&pty, "world\n");
    let (text, exit_status) = read_to_end(&pty);
    assert_eq!(text, "world\r\nhello world\r\n");
    assert_eq!(exit_status, ExitStatus::Exited(0));
}

#[test]
fn the_last_output_can_be_read_after_the_exit() {
    for round in 0..50 {
        let pty = sh("printf 'last words'");
        assert_eq!(read_after_exit(&pty), "last words", "round {round}");
    }
}

/// Waits for the exit without reading, then reads.
fn read_after_exit(pty: &dyn Pty) -> String {
    while pty.exit_status().is_none() {
        let _ = pty.wait(Interest::Read, Some(TIMEOUT)).unwrap();
    }
    read_to_end(pty).0
}

#[test]
fn the_exit_code_and_the_signal_are_reported() {
    assert_eq!(exit_status(&sh("exit 7")), ExitStatus::Exited(7));
    let killed = sh("kill -SEGV $$");
    assert_eq!(exit_status(&killed), ExitStatus::Signaled(Signal::SEGV));
}

#[test]
fn a_signal_reaches_the_programs_process_group() {
    let pty = sh("trap 'echo caught; exit 3' USR1; echo ready; while :; do sleep 0.01; done");
    read_until(&pty, |text| text.contains("ready"));
    pty.signal(Signal::USR1).unwrap();
    let (text, exit_status) = read_to_end(&pty);
    assert!(text.contains("caught"), "{text:?}");
    assert_eq!(exit_status, ExitStatus::Exited(3));
    // There is no process to signal any more.
    pty.signal(Signal::KILL).unwrap();
    assert_eq!(pty.exit_status(), Some(ExitStatus::Exited(3)));
}

#[test]
fn the_program_sees_the_size_and_a_resize() {
    let pty = sh("trap 'stty size; exit' WINCH; stty size; while :; do sleep 0.01; done");
    assert_eq!(read_until(&pty, |text| text.contains("\r\n")), "24 80\r\n");
    pty.resize(Size {
        cols: 132,
        rows: 43,
    })
    .unwrap();
    assert_eq!(read_to_end(&pty).0, "43 132\r\n");
}

#[test]
fn the_program_leads_a_session_with_only_its_terminal_open() {
    let pty =
        sh("test -t 0 && test -t 1 && test -t 2 && tty < /dev/tty > /dev/null && ls /proc/$$/fd");
    // `ls` lists the descriptors of the shell, not its own. The shell reads no script file, which
    // it would open as descriptor 10 or 255.
    assert_eq!(
        read_to_end(&pty).0.split_whitespace().collect::<Vec<_>>(),
        ["0", "1", "2"]
    );
}

#[test]
fn the_program_starts_with_no_signal_ignored_or_blocked() {
    let pty = start(&App::new("grep").args(["^Sig[BI]", "/proc/self/status"]));
    let text = read_to_end(&pty).0;
    assert_eq!(
        text,
        "SigBlk:\t0000000000000000\r\nSigIgn:\t0000000000000000\r\n"
    );
}

#[test]
fn the_environment_is_the_configured_one() {
    let app = App::new("env")
        .env("MINE", "1")
        .env("NO_COLOR", "1")
        .unset_env("HOME")
        .cwd("/");
    let text = read_to_end(&start(&app)).0;
    // The whole environment must not appear in a log.
    let of = |name: &str| {
        text.lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
    };
    assert_eq!(of("TERM"), Some("xterm-256color"));
    assert_eq!(of("MINE"), Some("1"));
    assert_eq!(of("NO_COLOR"), Some("1"));
    assert_eq!(of("PWD"), Some("/"));
    assert_eq!(of("HOME"), None);
    assert_eq!(of("PATH"), std::env::var("PATH").ok().as_deref());
}

#[test]
fn the_program_starts_in_its_directory() {
    let directory = Scratch::new("starts in");
    let app = App::new("sh")
        .args(["-c", "pwd -P; echo $PWD"])
        .cwd(&directory.0);
    let real = directory.0.canonicalize().unwrap();
    assert_eq!(
        read_to_end(&start(&app)).0,
        format!("{}\r\n{}\r\n", real.display(), directory.0.display())
    );
    // The default is the directory of this process.
    let ours = std::env::current_dir().unwrap();
    let (text, _) = read_to_end(&start(&App::new("pwd").arg("-P")));
    assert_eq!(
        text.trim_end(),
        ours.canonicalize().unwrap().to_str().unwrap()
    );
}

#[test]
fn a_program_is_searched_in_the_path_of_its_environment() {
    let directory = Scratch::new("path");
    directory.script("greet", "#!/bin/sh\necho hi from $0\n", 0o755);
    let app = App::new("greet").env("PATH", "bin:").cwd(&directory.0);
    assert!(read_to_end(&start(&app)).0.contains("hi from"));
    let relative = App::new("./greet").cwd(&directory.0);
    assert!(read_to_end(&start(&relative)).0.contains("hi from"));
    // The PATH of this process, which contains `sh`, is not searched.
    let nowhere = App::new("sh").env("PATH", &directory.0);
    assert!(matches!(refusal(&nowhere), SpawnError::NotInPath { .. }));
}

#[test]
fn a_script_without_a_shebang_is_run_by_the_shell() {
    let directory = Scratch::new("shebang");
    directory.script("plain", "echo $# \"$1\"\n", 0o755);
    let app = App::new("./plain").args(["a b", "c"]).cwd(&directory.0);
    assert_eq!(read_to_end(&start(&app)).0, "2 a b\r\n");
}

#[test]
fn a_program_with_large_arguments_and_environment_starts() {
    let long = "x".repeat(100_000);
    let app = App::new("sh")
        .args(["-c", "echo ${#LONG} $#"])
        .args(vec!["y"; 10_000])
        .env("LONG", &long);
    assert_eq!(read_to_end(&start(&app)).0, "100000 9999\r\n");
}

#[test]
fn spawn_errors_name_the_reason() {
    let directory = Scratch::new("refused");
    let at = |name: &str| directory.0.join(name).display().to_string();
    directory.script("plain.txt", "", 0o644);
    directory.script("lost", "#!/no/such/interpreter\n", 0o755);
    directory.script("broken", "\x7fELF", 0o755);
    let app = |program: &str| App::new(program).cwd(&directory.0);

    check(
        &app("no-such").env("PATH", "/a:/b"),
        "`no-such` was not found in PATH",
    );
    check(&app("").env("PATH", "/bin"), "`` was not found in PATH");
    check(
        &app("./no-such"),
        &format!("`{}` does not exist", at("./no-such")),
    );
    check(&app("/"), "`/` is a directory, not a program");
    check(
        &app("./plain.txt"),
        &format!("`{}` is not executable", at("./plain.txt")),
    );
    check(
        &app("plain.txt").env("PATH", &directory.0),
        &format!("`{}` is not executable", at("plain.txt")),
    );
    check(
        &app("./lost"),
        &format!(
            "`{}` needs an interpreter that does not exist",
            at("./lost")
        ),
    );
    check(
        &app("sh").cwd(at("no")),
        &format!("the working directory `{}` does not exist", at("no")),
    );
    check(
        &app("sh").cwd(at("lost")),
        &format!("the working directory `{}` is not a directory", at("lost")),
    );
    check(
        &app("sh").cwd(at("lost/in")),
        &format!(
            "the working directory `{}` is not a directory",
            at("lost/in")
        ),
    );
    check(
        &app("sh").arg("a\0b"),
        "argument 1 contains a NUL byte: `a\\0b`",
    );
    check(&app("s\0h"), "argument 0 contains a NUL byte: `s\\0h`");
    check(
        &app("sh").env("A", "\0"),
        "the variable `A` contains a NUL byte: `A=\\0`",
    );
    check(
        &app("sh").env("A=B", "1"),
        "`A=B` cannot be the name of an environment variable",
    );
    check(
        &app("sh").env("", "1"),
        "`` cannot be the name of an environment variable",
    );
    // The kernel's limit for one argument is 128 KiB.
    check(
        &app("sh").arg("x".repeat(200_000)),
        "`/usr/bin/sh` could not be executed",
    );
}

#[track_caller]
fn check(app: &App, message: &str) {
    assert_eq!(refusal(app).to_string(), message);
}

#[track_caller]
fn refusal(app: &App) -> SpawnError {
    native::spawn(app, SIZE).map(|pty| pty.pid()).unwrap_err()
}

#[test]
fn a_program_that_does_not_read_does_not_block_the_writer() {
    let pty = sh("stty raw -echo; echo ready; sleep 300");
    read_until(&pty, |text| text.contains("ready"));
    let mut taken = 0;
    loop {
        match pty.write(&[b'x'; 4096]).unwrap() {
            0 => break,
            count => taken += count,
        }
        assert!(taken < 10_000_000, "the kernel takes everything");
    }
    assert!(taken > 0);
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a wait that was not woken shows only in the time it took"
)]
fn wake_ends_a_wait() {
    let pty = sh("sleep 300");
    let start = std::time::Instant::now();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| pty.wait(Interest::Read, Some(TIMEOUT)));
        pty.wake();
        assert_eq!(waiting.join().unwrap().unwrap(), PtyReady::default());
    });
    assert!(start.elapsed() < TIMEOUT);
}

#[test]
fn the_end_of_output_is_reported_once() {
    let pty = sh("exit");
    while pty.read(&mut [0; 64]).unwrap() != Read::End {
        pty.wait(Interest::Read, Some(TIMEOUT)).unwrap();
    }
    // Otherwise a loop that waits for the next event would spin.
    assert!(
        !pty.wait(Interest::Read, Some(Duration::ZERO))
            .unwrap()
            .readable
    );
    assert_eq!(pty.read(&mut [0; 64]).unwrap(), Read::End);
}

/// A directory of one test, removed on drop.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    fn script(&self, name: &str, text: &str, mode: u32) {
        use std::os::unix::fs::PermissionsExt;
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

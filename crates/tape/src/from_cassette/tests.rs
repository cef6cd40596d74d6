use std::collections::BTreeMap;

use screentest_core::emulator::EmulatorOptions;
use screentest_core::formats::cassette::Millis;
use screentest_core::formats::cassette::input::InputBytes;
use screentest_core::formats::cassette::manifest::{
    PinnedEmulator, Provenance, RecordedEnvironment, RecordedTerminal, RecordingStatus,
    RecordingTiming,
};
use screentest_core::{Backend, Emulator};

use super::*;

const SIZE: Size = Size { cols: 40, rows: 8 };

/// A made-up session: output of the program and input of the user.
struct MadeUpSession {
    emulator: Box<dyn Emulator>,
    actions: ActionCollector,
    time: u64,
}

impl MadeUpSession {
    fn new() -> MadeUpSession {
        MadeUpSession {
            emulator: Backend::default().emulator(SIZE, EmulatorOptions::default()),
            actions: ActionCollector::new(SIZE, true),
            time: 0,
        }
    }

    fn prints(mut self, output: &str) -> MadeUpSession {
        self.emulator.feed(output.as_bytes());
        self
    }

    /// Lets `ms` milliseconds pass.
    fn later(mut self, ms: u64) -> MadeUpSession {
        self.time += ms;
        self
    }

    fn input(mut self, kind: InputLineKind) -> MadeUpSession {
        let time = Duration::from_millis(self.time);
        let input = InputLine {
            seq: 1,
            t_ms: Millis::new(time),
            at: 0,
            kind,
        };
        self.actions.add(&input, self.emulator.screen(), time);
        self
    }

    fn sends(self, bytes: &str) -> MadeUpSession {
        let bytes = InputBytes(bytes.as_bytes().to_vec());
        self.input(InputLineKind::Bytes { bytes })
    }

    /// Sends each character alone and echoes it, as a line editor does.
    fn types(self, text: &str) -> MadeUpSession {
        text.chars().fold(self, |play, c| {
            let c = c.to_string();
            play.sends(&c).prints(&c)
        })
    }

    /// Returns the tape of a program that was still running at the end.
    fn tape(self) -> TapeFromCassette {
        self.end(false)
    }

    fn end(mut self, ended: bool) -> TapeFromCassette {
        let mut writer = TapeWriter::default();
        let time = Duration::from_millis(self.time);
        let actions = self.actions.finish(ended, &self.emulator.screen(), time);
        let names = ["ann", "box"].map(str::to_owned);
        let volatile = VolatileText::of(names, ["/tmp".to_owned()], None);
        write_steps(&actions, &Screen::blank(SIZE), &volatile, &mut writer);
        let tape = read_back(writer.finish()).unwrap();
        let (_, report) = language::parse(&tape.text, "x.tape", None);
        assert!(report.is_empty(), "{report}");
        tape
    }

    /// Checks the text of the tape.
    #[track_caller]
    fn check(self, lines: &str) {
        let tape = self.tape();
        assert_eq!(tape.text, lines);
        assert_eq!(tape.warnings, []);
    }
}

#[test]
fn a_shell_yields_waits_for_prompt_and_answer() {
    MadeUpSession::new()
        .prints("$ ")
        .types("echo hello")
        .sends("\r")
        .prints("\r\nhello\r\n$ ")
        .types("cat x")
        .sends("\r")
        .prints("\r\na.txt\r\n$ ")
        .check(
            "Wait+Line /^\\$$/\nType \"echo hello\"\nEnter\nWait+Line /^\\$$/\nWait+Screen /(?m)^hello$/\nType \"cat x\"\nEnter\nWait+Line /^\\$$/\nWait+Screen /(?m)^a\\.txt$/\n",
        );
}

#[test]
fn output_of_lines_typed_ahead_may_have_appeared_before_the_last_enter() {
    MadeUpSession::new()
        .sends("echo hello\rcat x\r")
        .prints("$ echo hello\r\nhello\r\n$ cat x\r\na.txt\r\n$ ")
        .check(
            "Type \"echo hello\"\nEnter\nType \"cat x\"\nEnter\nWait+Line+Anytime /^\\$$/\nWait+Screen+Anytime /(?m)^a\\.txt$/\n",
        );
}

/// Checks the waits after a shell has answered a line. The first one, for the prompt, is not in
/// `waits`.
#[track_caller]
fn check_answer(line: &str, answer: &str, waits: &[&str]) {
    let tape = MadeUpSession::new()
        .prints("$ ")
        .types(line)
        .sends("\r")
        .prints(&format!("\r\n{answer}\r\n$ "))
        .tape();
    let (_, after) = tape.text.split_once("Enter\n").unwrap();
    let mut lines = after.lines();
    assert_eq!(lines.next(), Some("Wait+Line /^\\$$/"), "{}", tape.text);
    assert_eq!(lines.collect::<Vec<_>>(), waits, "{line}");
}

#[test]
fn answers_yield_waits() {
    check_answer("echo $((6*7))", "42", &["Wait+Screen /(?m)^42$/"]);
    check_answer("./add", "first\r\nsum: 7", &["Wait+Screen /(?m)^sum: 7$/"]);
    check_answer(
        "cat x",
        "  a.txt  b.txt",
        &[r"Wait+Screen /(?m)^\s*a\.txt  b\.txt$/"],
    );
    // Words of the command are expected to appear again in the answer.
    check_answer("echo 123456", "123456", &["Wait+Screen /(?m)^123456$/"]);
    check_answer(
        "cat /no/file1",
        "cat: /no/file1: No such file",
        &[r"Wait+Screen /(?m)^cat: \/no\/file1: No such file$/"],
    );
    // The wait is for the lowest row that does not vary.
    check_answer(
        "make",
        "linking app\r\ndone in 12 s",
        &["Wait+Screen /(?m)^linking app$/"],
    );
}

#[test]
fn answers_that_vary_between_runs_yield_no_wait() {
    for (line, answer) in [
        ("echo $$", "4242"),
        ("sleep 9 &", "[1] 4242"),
        ("echo $RANDOM", "17"),
        ("date", "Mon Nov 16 12:53:01 UTC 2026"),
        ("date +%A", "Monday 16"),
        ("./stamp", "1763297581"),
        ("whoami", "ann"),
        ("./where", "/tmp/tmp.ab12/x"),
        ("pwd", "/srv/app"),
        ("cat key", "********"),
        ("cat key", "××××××××"),
        ("./load", "12% 7"),
        ("./table", "1 2 3 4"),
        ("true", ""),
    ] {
        check_answer(line, answer, &[]);
    }
    check_answer(
        "./key",
        "the key is ******** now",
        &["Wait+Screen \"the key is\""],
    );
    check_answer(
        "./when",
        "built on Nov 16, fine",
        &["Wait+Screen \"built on\""],
    );
}

#[test]
fn an_answer_already_on_screen_yields_no_wait() {
    MadeUpSession::new()
        .prints("$ ")
        .types("./six")
        .sends("\r")
        .prints("\r\n42\r\n$ ")
        .types("./six")
        .sends("\r")
        .prints("\r\n42\r\n$ ")
        .check("Wait+Line /^\\$$/\nType \"./six\"\nEnter\nWait+Line /^\\$$/\nWait+Screen /(?m)^42$/\nType \"./six\"\nEnter\nWait+Line /^\\$$/\n");
}

#[test]
fn a_different_number_counts_as_a_new_answer() {
    MadeUpSession::new()
        .prints("41\r\n$ ")
        .types("./next")
        .sends("\r")
        .prints("\r\n42\r\n$ ")
        .check("Wait+Line /^\\$$/\nType \"./next\"\nEnter\nWait+Line /^\\$$/\nWait+Screen /(?m)^42$/\n");
}

#[test]
fn numbers_on_the_alternate_screen_are_not_trusted() {
    MadeUpSession::new()
        .prints("\x1b[?1049hmenu")
        .sends("\r")
        .prints("\r\ntasks 42\r\n")
        .check("Wait+Screen /(?m)^menu$/\nEnter\nWait+Screen \"tasks\"\n");
}

#[test]
fn output_at_exit_yields_a_wait() {
    let tape = MadeUpSession::new()
        .prints("How many? ")
        .types("6")
        .sends("\r")
        .prints("\r\nThat makes 42\r\n")
        .end(true);
    assert_eq!(
        tape.text,
        "Wait+Line /^How many\\?$/\nType \"6\"\nEnter\nWait+Screen /(?m)^That makes 42$/\n"
    );
}

#[test]
fn typed_secrets_in_any_script_are_left_out() {
    for covered in ["*****", "××××××", "＊＊＊＊", "**×*•", "🔒🔒🔒🔒"] {
        let tape = MadeUpSession::new()
            .sends(&format!("key {covered}\r"))
            .sends(&format!("\x1b[200~{covered}\x1b[201~"))
            .tape();
        assert!(!tape.text.contains(covered), "{}", tape.text);
        let lines: Vec<usize> = tape.warnings.iter().map(|warning| warning.line).collect();
        assert_eq!(lines, [2, 4], "{}", tape.text);
        assert!(
            tape.text
                .starts_with("Type \"key \"\n# a secret was typed here")
        );
    }
}

#[test]
fn user_host_and_directory_are_wildcards_in_prompts() {
    MadeUpSession::new()
        .prints("ann@box:~/src/demo$ ")
        .types("cd /")
        .sends("\r")
        .prints("\r\nann@box:/$ ")
        .check("Wait+Line /^.*:.*\\$$/\nType \"cd /\"\nEnter\nWait+Line /^.*:.*\\$$/\n");
}

#[test]
fn a_prompt_already_on_screen_yields_no_wait() {
    MadeUpSession::new()
        .prints("$ ")
        .sends("\r")
        .prints("\r\n$ ")
        .check("Wait+Line /^\\$$/\nEnter\nStable 200ms\n");
}

#[test]
fn a_prompt_may_be_punctuation_only() {
    MadeUpSession::new()
        .prints(">>> ")
        .types("x = [")
        .sends("\r")
        .prints("\r\n... ")
        .types("]")
        .sends("\r")
        .prints("\r\n>>> ")
        .check("Wait+Line /^>>>$/\nType \"x = [\"\nEnter\nWait+Line /^\\.\\.\\.$/\nType \"]\"\nEnter\nWait+Line /^>>>$/\n");
}

#[test]
fn an_editor_yields_waits_for_text_shown_and_removed() {
    MadeUpSession::new()
        .prints("\x1b[?1049h~\r\n~\r\n\x1b[8;1H\"new.txt\" [New]\x1b[1;1H")
        .sends("i")
        .prints("\x1b[8;1H\x1b[K-- INSERT --\x1b[1;1H")
        .types("two words")
        .sends("\x1b")
        .prints("\x1b[8;1H\x1b[K\x1b[1;9H")
        .sends(":")
        .prints("\x1b[8;1H:")
        .types("wq")
        .sends("\r")
        .prints("\x1b[8;1H\x1b[K\"new.txt\" 1L, 10B written")
        .check(
            "Wait+Screen /(?m)^\"new\\.txt\" \\[New\\]$/\nType \"i\"\nWait+Screen /(?m)^-- INSERT --$/\nType \"two words\"\nEscape\nExpectNot \"-- INSERT --\"\nType \":wq\"\nEnter\nWait+Screen '\"new.txt\"'\n",
        );
}

#[test]
fn rulers_clocks_and_colours_yield_no_wait() {
    MadeUpSession::new()
        .prints("one\r\ntwo\r\n1,1\x1b[1;1H")
        .sends("j")
        .prints("\x1b[3;1H2,1\x1b[2;1H")
        .sends("\x1b[A")
        .prints("\x1b[1;1H\x1b[7mone\x1b[m\x1b[1;1H")
        .sends("\x1b[B")
        .prints("\x1b[3;1H2,10\x1b[2;1H")
        .sends("\x1b[B")
        .prints("\x1b[3;1H3,1\x1b[2;1H")
        .check("Wait+Screen /(?m)^two$/\nType \"j\"\nUp\nDown 2\nStable 200ms\n");
}

#[test]
fn an_echo_yields_no_wait() {
    // The echo is printed after Enter was pressed, as for a script that types ahead.
    MadeUpSession::new()
        .prints("Name: ")
        .sends("otto\r")
        .prints("otto\r\nHello otto, 3 messages\r\n")
        .check("Wait+Line /^Name:$/\nType \"otto\"\nEnter\nWait+Screen /(?m)^Hello otto, 3 messages$/\n");
}

#[test]
fn borders_and_temporary_paths_are_left_out_of_waits() {
    MadeUpSession::new()
        .sends("\r")
        .prints("┌──────────────────┐\r\n│ Choose one  <OK> │\r\n└──────────────────┘\r\n")
        .sends("\t")
        .prints("saved in /tmp/tmp.ab12/x\r\n")
        .check("Enter\nWait+Screen \"Choose one\"\nTab\nWait+Screen \"saved in\"\n");
}

#[test]
fn line_editing_yields_no_wait() {
    MadeUpSession::new()
        .prints("$ ")
        .types("lss")
        .sends("\x7f")
        .prints("\x08 \x08")
        .sends("\x7f")
        .prints("\x08 \x08")
        .sends("\x1b[D")
        .sends("\x01")
        .check("Wait+Line /^\\$$/\nType \"lss\"\nBackspace 2\nLeft\nCtrl+A\n");
}

#[test]
fn mouse_pastes_and_sizes_are_written() {
    MadeUpSession::new()
        .prints("\x1b[?1003h\x1b[?1006h\x1b[?2004hmenu")
        .sends("\x1b[<35;3;2M")
        .sends("\x1b[<35;9;2M")
        .sends("\x1b[<0;9;2M")
        .sends("\x1b[<32;10;2M")
        .sends("\x1b[<0;10;2m")
        .sends("\x1b[<81;10;2M\x1b[<81;10;2M")
        .sends("\x1b[200~it's \"so\"\x1b[201~")
        .input(InputLineKind::Resize { cols: 40, rows: 8 })
        .input(InputLineKind::Resize { cols: 50, rows: 9 })
        .sends("\x1b[I\x1b[?62c")
        .check(
            "Wait+Screen /(?m)^menu$/\nMouseMove 8 1\nMouseDown Left\nMouseMove 9 1\nMouseUp Left\nCtrl+MouseScroll Down 2\nCopy `it's \"so\"`\nPaste\nResize 50 9\n",
        );
}

#[test]
fn mouse_moves_are_written_only_where_they_have_an_effect() {
    MadeUpSession::new()
        .prints("menu")
        .sends("\x1b[<35;3;2M")
        .sends("\x1b[<35;4;1M")
        .prints("\r\nOpens a file")
        .check("Wait+Screen /(?m)^menu$/\nMouseMove 3 0\nWait+Screen /(?m)^Opens a file$/\n");
}

#[test]
fn unknown_input_becomes_a_comment_and_a_warning() {
    let tape = MadeUpSession::new()
        .prints("Password: ")
        .input(InputLineKind::Withheld)
        .input(InputLineKind::Withheld)
        .prints("\r\nwelcome\r\n")
        .sends("tok*****\r")
        .sends("\x1b[99x")
        .input(InputLineKind::Signal {
            name: "SIGINT".to_owned(),
        })
        .sends("\x1b[200~a\nb\x1b[201~")
        .tape();
    let commands: Vec<&str> = tape
        .text
        .lines()
        .map(|line| if line.starts_with('#') { "#" } else { line })
        .collect();
    assert_eq!(
        commands,
        [
            "Wait+Line /^Password:$/",
            "#",
            "Wait+Screen /(?m)^welcome$/",
            "Type \"tok\"",
            "#",
            "Enter",
            "#",
            "#",
            "#",
            "Copy \"a\"",
            "Paste",
            "Enter",
            "Copy \"b\"",
            "Paste",
        ]
    );
    let lines: Vec<usize> = tape.warnings.iter().map(|warning| warning.line).collect();
    assert_eq!(lines, [2, 5, 7, 8, 9]);
    assert!(
        tape.warnings[2]
            .message
            .starts_with("`\\x1b[99x` was sent here")
    );
}

#[test]
fn scripted_bytes_become_escape_and_enter() {
    MadeUpSession::new()
        .sends("ihi\x1b:q\n")
        .sends("\x1bb")
        .check("Type \"ihi\"\nEscape\nType \":q\"\nEnter\nAlt+b\n");
    MadeUpSession::new()
        .prints("\x1b[?1049h")
        .sends("\n")
        .check("Ctrl+J\n");
}

#[test]
fn slow_waits_get_a_longer_timeout() {
    MadeUpSession::new()
        .prints("$ ")
        .sends("\r")
        .later(60_000)
        .prints("\r\nbuilt\r\n> ")
        .sends("\r")
        .check(
            "Wait+Line /^\\$$/\nEnter\nWait+Line@240s /^>$/\nWait+Screen /(?m)^built$/\nEnter\n",
        );
}

#[test]
fn a_silent_exit_yields_no_wait() {
    let play = |last: &str| {
        MadeUpSession::new()
            .prints("$ ")
            .types("exit")
            .sends("\r")
            .prints(last)
    };
    // Some shells print the typed command once more.
    assert_eq!(
        play("\r\nexit\r\n").end(true).text,
        "Wait+Line /^\\$$/\nType \"exit\"\nEnter\n"
    );
    let mut closed = play("\r\nlogout\r\n");
    closed
        .actions
        .closed(&closed.emulator.screen(), Duration::ZERO);
    assert!(
        closed
            .end(true)
            .text
            .ends_with("Enter\nWait+Screen /(?m)^logout$/\n")
    );
}

#[test]
fn launch_lines_parse_back_to_the_same_words() {
    for words in [
        &["vim", "-u", "NONE"][..],
        &["sh", "-c", "echo 'a b' \"$HOME\" # no comment"],
        &["a b", "", "it's", "#x", "back\\slash", "`tick`", "界"],
    ] {
        let args: Vec<String> = words[1..].iter().map(|word| (*word).to_owned()).collect();
        let line = launch_line(words[0], &args).unwrap();
        let (tape, report) = language::parse(&line, "x", None);
        assert!(report.is_empty(), "{line}: {report}");
        let language::Command::Launch(launch) = &tape.commands[0].value else {
            panic!("{line}");
        };
        assert_eq!((launch.program.as_str(), &launch.args), (words[0], &args));
    }
    let error = launch_line("sh", &["a\nb".to_owned()]).unwrap_err();
    assert!(
        error.to_string().contains("contains a line break"),
        "{error}"
    );
}

#[test]
fn any_bytes_give_a_valid_tape() {
    let mut random = screentest_fixtures::random::Random::new(11);
    for _ in 0..300 {
        let mut play = MadeUpSession::new();
        for _ in 0..random.below(12) {
            let mut piece = || -> Vec<u8> {
                (0..random.below(12))
                    .map(|_| match random.below(3) {
                        0 => *b"\x1b[]M<;:u~20\xc3\"'`/\r"
                            .get(random.below(17))
                            .unwrap_or(&0),
                        _ => random.bits() as u8,
                    })
                    .collect()
            };
            play.emulator.feed(&piece());
            let bytes = InputBytes(piece());
            play = play.input(InputLineKind::Bytes { bytes });
        }
        // `tape` parses the tape again.
        let _ = play.tape();
    }
}

#[test]
fn manifest_text_cannot_inject_commands() {
    let mut manifest = Manifest::new(
        "1".to_owned(),
        RecordingStatus::Complete,
        RecordedCommand {
            program: "sh".to_owned(),
            args: Vec::new(),
            cwd: Some("/srv\nType 'rm'".to_owned()),
        },
        RecordedEnvironment::default(),
        RecordedTerminal {
            cols: 80,
            rows: 24,
            term: String::new(),
            locale: String::new(),
            scrollback: 0,
            hostname: None,
            emulator: PinnedEmulator::of(MadeUpSession::new().emulator.identity()),
        },
        RecordingTiming::monotonic(Millis::default()),
        Provenance::default(),
        BTreeMap::new(),
    );
    let named = ("A\nType".to_owned(), "x".to_owned());
    manifest.environment.set.extend([named]);
    let stars = ("STARS".to_owned(), "********".to_owned());
    manifest.environment.set.extend([stars]);
    let tape = |secrets: bool| {
        let mut writer = TapeWriter::default();
        write_head(&manifest, secrets, &mut writer).unwrap();
        writer.finish()
    };
    // Replacement characters count as a redacted secret only if the recording has redacted any.
    assert_eq!(tape(true).warnings.len(), 3);
    let made = tape(false);
    assert!(made.text.contains("Env STARS"), "{}", made.text);
    let (tape, report) = language::parse(&made.text, "x.tape", None);
    assert!(!report.has_errors(), "{report}");
    let steps = |command: &&language::Command| matches!(command, language::Command::Step(_));
    assert_eq!(tape.meaning().into_iter().filter(steps).count(), 0);
    assert_eq!(made.warnings.len(), 2);
}

#[test]
fn a_late_frame_counts_if_its_output_came_before_the_input() {
    let types = InputMoment {
        seq: 7,
        at: 100,
        resized: 12,
    };
    assert!(types.includes((6, 90)));
    assert!(types.includes((8, 100)), "its output came before the input");
    assert!(!types.includes((8, 101)), "it shows the effect of the key");
    assert!(!types.includes((13, 100)), "it has another size");
    assert!(InputMoment::END.includes((1 << 40, 1 << 40)));
}

#[test]
fn a_random_number_printed_by_a_later_command_is_not_trusted() {
    let tape = MadeUpSession::new()
        .prints("$ ")
        .types("n=$RANDOM")
        .sends("\r")
        .prints("\r\n$ ")
        .types("echo $n")
        .sends("\r")
        .prints("\r\n17\r\n$ ")
        .tape();
    assert!(!tape.text.contains("17"), "{}", tape.text);
    let bytes = InputBytes(b"n=$RANDOM".to_vec());
    let tape = MadeUpSession::new()
        .prints("$ ")
        .input(InputLineKind::Paste { bytes })
        .prints("n=$RANDOM")
        .sends("\r")
        .prints("\r\n$ ")
        .types("echo $n")
        .sends("\r")
        .prints("\r\n17\r\n$ ")
        .tape();
    assert!(!tape.text.contains("17"), "{}", tape.text);
}

#[test]
fn an_answer_may_end_with_the_typed_text() {
    MadeUpSession::new()
        .prints("one or two? ")
        .types("2")
        .sends("\r")
        .prints("\r\nyou chose 2\r\n")
        .check("Wait+Line /^one or two\\?$/\nType \"2\"\nEnter\nWait+Screen /(?m)^you chose 2$/\n");
    // Here the program prints no question, and the echo is late.
    MadeUpSession::new()
        .sends("2\r")
        .prints("2\r\nyou chose 2\r\n")
        .check("Type \"2\"\nEnter\nWait+Screen /(?m)^you chose 2$/\n");
}

#[test]
fn only_typed_bytes_count_as_typed() {
    let bytes = || InputBytes(b"\x1b[<0;1;1M".to_vec());
    let name = String::new();
    for (kind, count) in [
        (InputLineKind::Text { bytes: bytes() }, 9),
        (InputLineKind::Reply { bytes: bytes() }, 0),
        (
            InputLineKind::Mouse {
                name,
                bytes: bytes(),
            },
            1,
        ),
    ] {
        assert_eq!(typed_bytes(&kind), count, "{kind:?}");
    }
}

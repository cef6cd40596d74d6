//! Tapes, settings, assertions, requests, snapshots and names.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use serde_json::json;

use super::super::commands::InputKind;
use super::super::process::make_fifo;
use super::{CONTROLS, Folders, HostileInput, NAME, write};

pub(super) fn inputs() -> Vec<HostileInput> {
    let mut inputs = tapes();
    inputs.extend(settings());
    inputs.extend(program_output());
    inputs.extend(ansi());
    inputs.extend(requests());
    inputs.extend(snapshots());
    inputs.extend(words());
    inputs.extend(names());
    inputs
}

fn tapes() -> Vec<HostileInput> {
    let tapes: Vec<(&str, String)> = vec![
        ("command with controls", format!("{CONTROLS}\n")),
        ("text with controls", format!("Type \"{}\"\n", CONTROLS.replace('\r', ""))),
        ("setting with controls", format!("Set {CONTROLS} 1\n")),
        ("output with controls", format!("Output \"{}.txt\"\n", CONTROLS.replace('\r', ""))),
        ("output of another kind", "Output x.exe\n".to_owned()),
        ("program with controls", format!("Require \"{}\"\n", CONTROLS.replace('\r', ""))),
        ("missing program", "Launch \"/nosuch\\x1b]0;OWNED\"\n".to_owned()),
        (
            "failing wait on hostile output",
            "Launch \"printf '\\\\033]0;OWNED\\\\007\\\\033[31mred'\"\nWait@0.2s /nothing/\n".to_owned(),
        ),
        (
            "failing wait on a hostile title",
            "Launch \"sh -c 'printf \\\"\\\\033]2;a\\\\302\\\\233b\\\\007\\\"; sleep 5'\"\nWait@0.2s /nothing/\n".to_owned(),
        ),
        ("sources itself", "Source in.tape\n".to_owned()),
        ("sources a FIFO", "Source fifo.tape\n".to_owned()),
        ("sources a device", "Source /dev/zero\n".to_owned()),
        ("sources outside", "Source ../outside/victim.txt\n".to_owned()),
        ("huge repeat", "Enter 99999999999999999999\n".to_owned()),
        ("huge time", "Sleep 99999999999999999999s\n".to_owned()),
        ("negative time", "Sleep -1s\n".to_owned()),
        ("huge size", "Set Width 4294967295\nSet Height 4294967295\nOutput x.gif\nType a\n".to_owned()),
        ("zero size", "Set Width 0\nSet FontSize 0\nOutput x.gif\n".to_owned()),
        ("100000 settings", "Set FontSize 10\n".repeat(100_000)),
        ("100000 errors", "Nosuch\n".repeat(100_000)),
        ("bad regex", "Wait /((((((((((a{1000}){1000}){1000}/\n".to_owned()),
        ("theme with controls", format!("Set Theme {{\"name\":\"{}\"}}\n", "\x1b[31m")),
        ("unclosed quote", "Type \"abc\n".repeat(100)),
    ];
    tapes
        .into_iter()
        .map(|(what, text)| {
            HostileInput::new(InputKind::Tape, what, move |folders| {
                write(&folders.work.join("in.tape"), text.as_bytes())?;
                make_fifo(&folders.work.join("fifo.tape"))?;
                Ok(PathBuf::from("in.tape"))
            })
        })
        .collect()
}

fn settings() -> Vec<HostileInput> {
    let toml = |text: &str| format!("{text:?}");
    let mut inputs = Vec::new();
    for (what, text) in [
        (
            "key with controls",
            format!("[run]\n{} = 1\n", toml("a\x1b[31mb")),
        ),
        (
            "table with controls",
            "[\"a\\u001b]0;OWNED\\u0007\"]\n".to_owned(),
        ),
        (
            "value with controls",
            "[run]\nreporter = \"a\\u001b]0;OWNED\\u0007\"\n".to_owned(),
        ),
        (
            "dialect with controls",
            "[run]\ndialect = \"\\u009b31m\"\n".to_owned(),
        ),
        (
            "pattern with controls",
            "[run]\ntapes = [\"\\u001b]0;OWNED\\u0007/*.tape\"]\n".to_owned(),
        ),
        (
            "pattern of everything",
            "[run]\ntapes = [\"/**/*.tape.nosuch\"]\n".to_owned(),
        ),
        (
            "pattern outside",
            "[run]\ntapes = [\"../../../../../../**/*.nosuch\"]\n".to_owned(),
        ),
        (
            "artifacts outside",
            "[run]\nartifacts = \"../outside/artifacts\"\ntapes = [\"x.tape\"]\n".to_owned(),
        ),
        (
            "huge workers",
            "[run]\nworkers = 9223372036854775807\n".to_owned(),
        ),
        ("negative workers", "[run]\nworkers = -1\n".to_owned()),
        (
            "huge retries",
            "[run]\nretries = 9223372036854775807\n".to_owned(),
        ),
        ("deep table", format!("{} = 1\n", "a.".repeat(50_000) + "a")),
        ("raw controls", format!("# {CONTROLS}\n")),
        (
            "1000 unknown keys",
            (0..1000).map(|n| format!("k{n} = 1\n")).collect(),
        ),
    ] {
        inputs.push(HostileInput::file(InputKind::Config, what, text));
    }
    let head = "format = \"screentest-assertions\"\nversion = 1\ncassette = \"72f511a2615c9dfad6c04e5dd9a19cb6\"\n";
    for (what, text) in [
        ("cassette with controls", "format = \"screentest-assertions\"\nversion = 1\ncassette = \"\\u001b]0;OWNED\\u0007\"\nsha256_of_manifest = \"\\u001b[31m\"\n".to_owned()),
        ("format with controls", "format = \"\\u001b]0;OWNED\\u0007\"\nversion = 1\n".to_owned()),
        ("name with controls", format!("{head}[[assert]]\nname = \"\\u001b]0;OWNED\\u0007\"\nat = \"\\u009b\"\nvisible = \"\\u001b[31m\"\n")),
        ("key with controls", format!("{head}\"\\u001b]0;OWNED\\u0007\" = 1\n")),
        ("version huge", "format = \"screentest-assertions\"\nversion = 9223372036854775807\n".to_owned()),
        ("cursor huge", format!("{head}[[assert]]\nat = \"drawn\"\ncursor = {{ row = 9223372036854775807, col = -1 }}\n")),
        ("huge regex", format!("{head}[[assert]]\nat = \"drawn\"\nvisible = {{ type = \"regex\", pattern = \"((a{{1000}}){{1000}}){{1000}}\" }}\n")),
        ("50000 assertions", head.to_owned() + &"[[assert]]\nat = \"drawn\"\nvisible = \"nothing\"\n".repeat(50_000)),
    ] {
        inputs.push(HostileInput::new(InputKind::Assertions, what, move |folders| {
            write(&folders.work.join("in.assertions.toml"), text.as_bytes())?;
            Ok(PathBuf::from("in.assertions.toml"))
        }));
    }
    inputs
}

/// Output of a program with control sequences, or that takes long to interpret.
fn program_output() -> Vec<HostileInput> {
    [
        ("all sequences", CONTROLS.to_owned()),
        (
            "title with C1",
            "\x1b]2;a\u{9b}31mb\u{7f}c\x07text".to_owned(),
        ),
        (
            "C1 in text",
            "a\u{85}b\u{9b}31mc\u{9d}0;OWNED\u{9c}d\u{7f}e".to_owned(),
        ),
        ("bidirectional", "a\u{202e}b\u{2066}c\u{2069}".to_owned()),
        (
            "link",
            "\x1b]8;id=\u{9b};http://x/\u{9b}31m\x1b\\text\x1b]8;;\x1b\\".to_owned(),
        ),
        (
            "directory",
            "\x1b]7;file://h/a%1b%5d0;OWNED%07b\x07".to_owned(),
        ),
        ("repeat bomb", "x\x1b[65535b".repeat(1000)),
        (
            "scroll bomb",
            "\x1b[65535S\x1b[65535T\x1b[65535L\x1b[65535M".repeat(1000),
        ),
        (
            "marks on a cell",
            "x".to_owned() + &"\u{301}".repeat(200_000),
        ),
        (
            "unfinished sequence",
            "\x1b]0;".to_owned() + &"x".repeat(1 << 20),
        ),
        (
            "wide characters",
            "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}".repeat(20_000),
        ),
        (
            "image",
            "\x1b_Ga=T,f=100,s=65535,v=65535;AAAA\x1b\\".repeat(100),
        ),
        (
            "queries",
            "\x1b[c\x1b[6n\x1b]10;?\x07\x1bP+q544e\x1b\\".repeat(1000),
        ),
    ]
    .map(|(what, text)| HostileInput::file(InputKind::Output, what, text))
    .into()
}

/// Text with escape sequences, with and without a hostile size file.
fn ansi() -> Vec<HostileInput> {
    let mut inputs: Vec<HostileInput> = program_output()
        .into_iter()
        .map(|output| {
            HostileInput::new(
                InputKind::Ansi,
                format!("text {}", output.name),
                move |folders| {
                    let raw = output.make(folders)?;
                    fs::rename(folders.work.join(raw), folders.work.join("in.ansi.txt"))?;
                    Ok(PathBuf::from("in.ansi.txt"))
                },
            )
        })
        .collect();
    for (what, meta) in [
        (
            "size file with controls",
            json!({"cols": CONTROLS, "rows": 1}).to_string(),
        ),
        (
            "size file 65535x65535",
            json!({"cols": 65535, "rows": 65535}).to_string(),
        ),
        ("size file 0x0", json!({"cols": 0, "rows": 0}).to_string()),
        (
            "size file negative",
            json!({"cols": -1, "rows": -1}).to_string(),
        ),
        (
            "size file 2000x2000",
            json!({"cols": 2000, "rows": 2000}).to_string(),
        ),
        ("size file deep", "[".repeat(100_000)),
        ("size file empty", String::new()),
        (
            "size file of version",
            json!({"cols": 20, "rows": 4, "version": CONTROLS}).to_string(),
        ),
    ] {
        inputs.push(HostileInput::new(InputKind::Ansi, what, move |folders| {
            write(&folders.work.join("in.ansi.txt"), b"text")?;
            write(&folders.work.join("in.meta.json"), meta.as_bytes())?;
            Ok(PathBuf::from("in.ansi.txt"))
        }));
    }
    inputs.push(HostileInput::new(
        InputKind::Ansi,
        "FIFO as size file",
        |folders| {
            write(&folders.work.join("in.ansi.txt"), b"text")?;
            make_fifo(&folders.work.join("in.meta.json"))?;
            Ok(PathBuf::from("in.ansi.txt"))
        },
    ));
    inputs.push(HostileInput::new(
        InputKind::Ansi,
        "device as size file",
        |folders| {
            write(&folders.work.join("in.ansi.txt"), b"text")?;
            symlink("/dev/zero", folders.work.join("in.meta.json"))?;
            Ok(PathBuf::from("in.ansi.txt"))
        },
    ));
    inputs
}

/// Requests to a server on stdin.
fn requests() -> Vec<HostileInput> {
    let request = |method: &str, parameters: serde_json::Value| {
        json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}).to_string()
            + "\n"
    };
    [
        ("empty", String::new()),
        ("no JSON", format!("{CONTROLS}\n")),
        ("deep", "[".repeat(100_000) + "\n"),
        ("method with controls", request(CONTROLS, json!({}))),
        (
            "missing program with controls",
            request("initialize", json!({})) + &request("launch", json!({"command": NAME})),
        ),
        (
            "huge size",
            request(
                "initialize",
                json!({"terminalCols": u64::MAX, "terminalRows": -1}),
            ),
        ),
        (
            "artifact outside",
            request("initialize", json!({"name": "../../../outside/session"}))
                + &request("launch", json!({"command": "cat"}))
                + &request("dumpView", json!({"name": "../../../../../outside/view"})),
        ),
        ("line of 1 MB", "x".repeat(1 << 20) + "\n"),
        ("replacement character and NUL", "\u{fffd}\0\n".to_owned()),
        (
            "10000 requests",
            request("nosuch", json!({})).repeat(10_000),
        ),
        (
            "replay of a device",
            request("replay", json!({"path": "/dev/zero"})),
        ),
    ]
    .map(|(what, text)| HostileInput::file(InputKind::Requests, what, text))
    .into()
}

/// Adds a pending snapshot, given its test, its name and its text. Returns its folder.
type AddSnapshot<'a> = dyn Fn(&str, &str, &[u8]) -> anyhow::Result<PathBuf> + 'a;

/// Snapshots to review, in a folder of artifacts.
fn snapshots() -> Vec<HostileInput> {
    let pending = |folders: &Folders, test: &str, name: &str, text: &[u8]| {
        let folder = folders
            .work
            .join("artifacts/tests")
            .join(test)
            .join("snapshots");
        fs::create_dir_all(&folder)?;
        for kind in ["", ".actual"] {
            write(&folder.join(format!("{name}{kind}.ansi.txt")), text)?;
            write(
                &folder.join(format!("{name}{kind}.meta.json")),
                b"{\"cols\":20,\"rows\":3}",
            )?;
        }
        write(
            &folder.join(format!("{name}.diff.txt")),
            CONTROLS.as_bytes(),
        )?;
        Ok(folder)
    };
    let input = |what: &str, make: fn(&Folders, &AddSnapshot<'_>) -> anyhow::Result<()>| {
        HostileInput::new(InputKind::Artifacts, what, move |folders| {
            make(folders, &|test, name, text| {
                pending(folders, test, name, text)
            })?;
            Ok(PathBuf::from("artifacts"))
        })
    };
    vec![
        input("screen with controls", |_, pending| {
            pending("login", "a", CONTROLS.as_bytes()).map(drop)
        }),
        input("names with controls", |_, pending| {
            pending(NAME, NAME, b"text").map(drop)
        }),
        input("repeat bomb", |_, pending| {
            pending("login", "a", "x\x1b[65535b".repeat(1000).as_bytes()).map(drop)
        }),
        input("FIFO as capture", |_, pending| {
            let folder = pending("login", "a", b"text")?;
            fs::remove_file(folder.join("a.actual.ansi.txt"))?;
            make_fifo(&folder.join("a.actual.ansi.txt"))
        }),
        input("size file of a device", |_, pending| {
            let folder = pending("login", "a", b"text")?;
            fs::remove_file(folder.join("a.actual.meta.json"))?;
            Ok(symlink("/dev/zero", folder.join("a.actual.meta.json"))?)
        }),
        input("size 65535x65535", |_, pending| {
            let folder = pending("login", "a", b"text")?;
            write(
                &folder.join("a.actual.meta.json"),
                b"{\"cols\":65535,\"rows\":65535}",
            )
        }),
        input("snapshots outside", |folders, pending| {
            pending("login", "a", b"text")?;
            Ok(symlink(
                &folders.outside,
                folders.work.join("artifacts/snapshots"),
            )?)
        }),
        input("folder of a test outside", |folders, pending| {
            pending("login", "a", b"text")?;
            Ok(symlink(
                &folders.outside,
                folders.work.join("artifacts/tests/other"),
            )?)
        }),
        input("2000 snapshots", |_, pending| {
            (0..2000)
                .try_for_each(|number| pending("login", &format!("s{number}"), b"text").map(drop))
        }),
    ]
}

/// Words of the command line.
fn words() -> Vec<HostileInput> {
    let long = "x".repeat(100_000);
    let deep = "nosuch/".repeat(400) + "x";
    [
        ("controls", CONTROLS.to_owned()),
        ("name", NAME.to_owned()),
        ("C1", "\u{9b}31m\u{9d}0;OWNED\u{9c}".to_owned()),
        ("line feeds", "a\nerror: b\r\nc".to_owned()),
        ("bidirectional", "a\u{202e}b\u{2066}".to_owned()),
        ("empty", String::new()),
        ("long", long),
        ("many folders", deep),
        ("number", "99999999999999999999999".to_owned()),
        ("negative number", "-99999999999999999999999".to_owned()),
        ("not a number", "NaN".to_owned()),
        ("device", "/dev/zero".to_owned()),
        ("folder", "/".to_owned()),
        ("dashes", "--".to_owned()),
        ("format", "%s%n{}${IFS}$(true)`true`".to_owned()),
    ]
    .map(|(what, word)| HostileInput::new(InputKind::Word, what, move |_| Ok(PathBuf::from(&word))))
    .into()
}

/// Valid files with hostile names.
fn names() -> Vec<HostileInput> {
    let named = |kind: InputKind, extension: &'static str, text: &'static str| {
        HostileInput::new(kind, "hostile name", move |folders| {
            let name = PathBuf::from(format!("{NAME}{extension}"));
            write(&folders.work.join(&name), text.as_bytes())?;
            Ok(name)
        })
    };
    vec![
        named(
            InputKind::Tape,
            ".tape",
            "Launch cat\nType a\nWait@0.2s /nothing/\n",
        ),
        named(
            InputKind::Cast,
            ".cast",
            "{\"version\":2,\"width\":20,\"height\":3}\n[0.1,\"x\",1]\n",
        ),
        named(InputKind::State, ".json", "{\"size\": 1}"),
        named(InputKind::Vt2, ".vt2", "VT\x01"),
        named(InputKind::Ansi, ".ansi.txt", "text"),
        named(InputKind::Messages, ".jsonl", "garbage\n"),
        named(InputKind::Theme, ".json", "{}"),
        named(InputKind::Assertions, ".toml", "x = 1\n"),
        named(InputKind::Tokens, "", "short\n"),
    ]
}

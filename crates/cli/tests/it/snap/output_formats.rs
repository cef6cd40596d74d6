//! Output of `snap` for a small program, in each format.

use crate::harness::cli::run;

const PROGRAM: &str = r"printf 'plain \033[1;31mred\033[0m\n> '";

fn snap(options: &[&str]) -> Vec<u8> {
    let mut words = vec!["snap", "--cols", "12", "--rows", "3"];
    words.extend(options);
    words.extend(["--", "sh", "-c", PROGRAM]);
    run(words).done()
}

#[track_caller]
fn check(options: &[&str], written: &str) {
    assert_eq!(String::from_utf8(snap(options)).unwrap(), written);
}

#[test]
fn default_format_is_text() {
    check(&[], "plain red\n>\n");
    check(&["--format", "text"], "plain red\n>\n");
}

#[test]
fn sketch_shows_the_cursor() {
    check(&["--format", "sketch"], "plain red\n> |\n");
}

#[test]
fn ansi_has_complete_styles() {
    check(&["--format", "ansi"], "plain \x1b[0;1;31mred\x1b[0m\n>\n");
}

const JSON: &str = r##"{
  "size": [
    12,
    3
  ],
  "total_rows": 3,
  "scrollback_rows": 0,
  "cursor": {
    "x": 2,
    "y": 1,
    "visible": true
  },
  "default_style": {
    "fg": "#dddddd",
    "bg": "#171717"
  },
  "styles": [
    {
      "fg": "#d74e6f",
      "bold": true
    }
  ],
  "viewport_text": "plain red\n>\n",
  "scrollback_text": "",
  "viewport": [
    [
      "plain ",
      [
        "red",
        0
      ]
    ],
    [
      ">"
    ]
  ],
  "scrollback": []
}"##;

#[test]
fn json_is_the_state() {
    check(&["--format", "json"], JSON);
}

#[test]
fn theme_sets_colours_of_json() {
    let light = JSON
        .replace("#dddddd", "#000000")
        .replace("#171717", "#ffffff")
        .replace("#d74e6f", "#cd3131");
    check(&["--format", "json", "--theme", "light"], &light);
}

#[test]
fn color_query_is_answered_with_the_theme() {
    let ask = r"stty raw -echo; printf '\033]11;?\033\\'; head -c 25 | tr '\033' E";
    let words = ["snap", "--theme", "light", "--", "sh", "-c", ask];
    assert_eq!(run(words).text(), "E]11;rgb:ffff/ffff/ffffE\\\n");
}

#[test]
fn vt2_is_a_binary_snapshot() {
    let bytes = snap(&["--format", "vt2"]);
    // Magic, version, flags; 12 columns, 3 rows; no row above; column and row of the cursor.
    let header = b"VT\x02\0\x0c\0\0\0\x03\0\0\0\0\0\0\0\x02\0\0\0\x01\0\0\0";
    assert_eq!(bytes.get(..header.len()), Some(&header[..]));
    assert!(bytes.len() < 100, "{} bytes", bytes.len());
}

#[test]
fn json_has_scrollback_up_to_the_limit() {
    let scrolled = |options: &[&str]| {
        let mut words = vec!["snap", "--rows", "4", "--format", "json"];
        words.extend(options);
        words.extend(["--", "seq", "9"]);
        let json = run(words).text();
        let text = json
            .lines()
            .find(|line| line.contains("\"scrollback_text\""));
        text.unwrap().trim().to_owned()
    };
    // The cursor is in the fourth row, below 7, 8 and 9.
    assert_eq!(scrolled(&[]), r#""scrollback_text": "1\n2\n3\n4\n5\n6\n","#);
    assert_eq!(
        scrolled(&["--scrollback", "2"]),
        r#""scrollback_text": "5\n6\n","#
    );
    assert_eq!(
        scrolled(&["--scrollback", "0"]),
        r#""scrollback_text": "","#
    );
}

#[track_caller]
fn check_note(format: &str, shown: &str, note: &str) {
    let run = run(["snap", "--format", format, "--", "printf", shown]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), note), "{shown}");
}

#[test]
fn vt2_notes_what_it_cannot_store() {
    for (shown, lost) in [
        (r"e\314\201", "combining marks (1 cell)"),
        (r"\033[4:3mcurly\033[m", "kinds of underlines (5 cells)"),
        (
            r"\033[4;58:5:1mred line\033[m",
            "colours of underlines (8 cells)",
        ),
        (r"\033[37mwhite\033[m \033[30;47mx", "colours (5 cells)"),
        (r"\033[40m \033[m", "colours (1 cell)"),
        (r"\033[53mabove\033[m", "overlines (5 cells)"),
        (r"\033[5mnow\033[m", "blinking (3 cells)"),
        (
            r"\033[5;4:3mab\033[m \033[4:2mc",
            "kinds of underlines (3 cells), blinking (2 cells)",
        ),
    ] {
        let note = format!("note: vt2 cannot represent everything on the screen; lost: {lost}\n");
        check_note("vt2", shown, &note);
    }
    // Differences that are not visible, or that reading the file restores, are not lost.
    check_note(
        "vt2",
        r"\033[1;3;4;7;31;44mall\033[m \033[37m   x\033[30;47m \033[m.",
        "note: vt2 cannot represent everything on the screen; lost: colours (1 cell)\n",
    );
    check_note("vt2", r"\033[58:5:1mno line\033[m", "");
}

#[test]
fn json_notes_what_it_cannot_store() {
    check_note(
        "json",
        r"\033[4;58:5:1mred line\033[m",
        "note: json cannot represent everything on the screen; lost: colours of underlines (8 cells)\n",
    );
    check_note("json", r"\033[4:3;5;53;37mall of it\033[m e\314\201", "");
}

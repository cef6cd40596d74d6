//! `screentest themes` and the option `--theme`.

use std::time::Duration;

use screentest::core::screen::theme::catalogue;
use screentest::core::{Color, Position, Rgb, Theme, ThemeCollection};
use screentest::session::SessionOptions;
use screentest::{App, Session};
use serde_json::json;

use crate::harness::cli::{Folder, TOOL, run};

#[test]
fn themes_prints_one_name_per_line_to_a_pipe() {
    let all = catalogue();
    let names: Vec<&str> = all.iter().map(|entry| &*entry.theme.name).collect();
    assert_eq!(run(["themes"]).text(), names.join("\n") + "\n");
    assert_eq!(names[0], "screentest");
}

#[test]
fn themes_of_a_collection_are_all_of_its_names() {
    for (name, collection) in ThemeCollection::ALL {
        let names: Vec<_> = collection.themes().map(|theme| theme.name).collect();
        let text = run(["themes", "--collection", name]).text();
        assert_eq!(text, names.join("\n") + "\n");
    }
    let lines = |name| run(["themes", "--collection", name]).text().lines().count();
    assert_eq!((lines("vhs"), lines("betamax")), (348, 452));
}

#[test]
fn themes_json_round_trips_each_theme() {
    for (words, entries) in [
        (&["themes", "--json"][..], catalogue()),
        (
            &["themes", "--json", "--collection", "betamax"],
            ThemeCollection::Betamax.catalogue(),
        ),
    ] {
        let json = run(words).text();
        let objects: Vec<serde_json::Value> = serde_json::from_str(&json).unwrap();
        assert_eq!(objects.len(), entries.len());
        for (object, entry) in objects.iter().zip(entries) {
            assert_eq!(Theme::from_json(&object.to_string()), Ok(entry.theme));
        }
    }
}

#[test]
fn themes_json_names_collections_and_aliases() {
    let json = run(["themes", "--json", "gruvbox-dark"]).text();
    let objects: Vec<serde_json::Value> = serde_json::from_str(&json).unwrap();
    let meta: Vec<_> = objects
        .iter()
        .map(|object| (object["name"].clone(), object["meta"].clone()))
        .collect();
    let expected = [
        (
            json!("Gruvbox Dark Hard"),
            json!({"aliases": [], "collections": ["betamax"], "isDark": true}),
        ),
        (
            json!("GruvboxDark"),
            json!({"aliases": ["Gruvbox Dark", "Gruvbox"], "collections": ["vhs"], "isDark": true}),
        ),
        (
            json!("GruvboxDarkHard"),
            json!({"aliases": [], "collections": ["vhs"], "isDark": true}),
        ),
    ];
    assert_eq!(meta, expected);
}

#[test]
fn themes_lists_those_whose_name_contains_every_word() {
    let names = |words: &[&str]| run(["themes"].iter().chain(words)).text();
    assert_eq!(
        names(&["tokyo", "STORM"]),
        "Tokyo Night Storm\nTokyoNight Storm\ntokyonight-storm\nTokyoNightStorm\n"
    );
    assert_eq!(names(&["adventure time"]), "AdventureTime\n");
    assert_eq!(
        names(&["--collection", "betamax", "catppuccin", "mocha"]),
        "Catppuccin Mocha\n"
    );
    assert_eq!(
        run(["themes", "draclua"]).failed(2),
        "error: no theme has a name with `draclua`\nhint: similar names: `Dracula`, `Dracula+`\n"
    );
    assert_eq!(
        run(["themes", "xyzzy"]).failed(2),
        "error: no theme has a name with `xyzzy`\nhint: `screentest themes` lists all\n"
    );
}

#[test]
fn themes_shows_each_theme_in_its_own_colours_in_a_terminal() {
    let app = App::new(TOOL).args(["themes", "nord"]);
    let session = Session::start(&app, SessionOptions::default()).unwrap();
    session.wait_for_exit(Duration::from_secs(20)).unwrap();
    let screen = session.screen();
    for group in ["Dark (4)", "Light (2)"] {
        assert!(screen.find(group).is_some(), "{group}");
    }
    let nord = screen.find(" Nord ").unwrap();
    let name = screen.cell(Position {
        col: nord.col + 1,
        ..nord
    });
    assert_eq!(name.style.bg, Color::Rgb(Rgb::hex(0x2e3440)));
    let red = screen.cell(Position {
        col: nord.col + 14,
        ..nord
    });
    assert_eq!(red.style.bg, Color::Rgb(Rgb::hex(0xbf616a)));
}

#[test]
fn theme_sets_colours_of_json() {
    let folder = Folder::new();
    let file = folder.file("a.ansi.txt", "\x1b[31mx");
    let json = |theme| run(["convert", &file, "--format", "json", "--theme", theme]).text();
    let nord = json("NORD");
    assert!(
        nord.contains("#2e3440") && nord.contains("#bf616a"),
        "{nord}"
    );
    let inline = json(r##"{"background":"#102040"}"##);
    assert!(inline.contains("#102040"), "{inline}");
}

#[test]
fn unknown_theme_is_a_usage_error() {
    for (written, said) in [
        (
            "Draclua",
            "unknown theme `Draclua`, did you mean `Dracula` or `Dracula+`?",
        ),
        (
            "xyzzy",
            "unknown theme `xyzzy`; `screentest themes` lists all",
        ),
        (
            "{\"rde\":0}",
            "unknown key `rde` in the theme, did you mean `red`?",
        ),
    ] {
        let error = run(["snap", "--theme", written, "--", "true"]).failed(2);
        let start = format!("error: invalid value '{written}' for '--theme <T>': {said}\n");
        assert!(error.starts_with(&start), "{error}");
    }
}

#[test]
fn theme_can_be_a_file() {
    let folder = Folder::new();
    let shown = folder.file("a.ansi.txt", "\x1b[31mx");
    let json = |theme: &str| run(["convert", &shown, "--format", "json", "--theme", theme]);
    let text = r##"{"name": "Mine", "background": "#102040", "red": "#010203"}"##;
    for name in ["mine.json", "Mine.JSON", "plain"] {
        let drawn = json(&folder.file(name, text)).text();
        assert!(
            drawn.contains("#102040") && drawn.contains("#010203"),
            "{drawn}"
        );
    }
    // A slash inside inline JSON does not make it a path.
    let inline = json(r##"{"name": "a/b", "background": "#102040"}"##).text();
    assert!(inline.contains("#102040"), "{inline}");
}

#[test]
fn invalid_theme_file_is_named_in_the_error() {
    let folder = Folder::new();
    folder.file("broken.json", "{\"rde\": 0}");
    folder.file("noise.json", [0xff; 9]);
    folder.file("list.json", "nord");
    folder.file("huge.json", vec![b' '; 2 << 20]);
    for (name, said) in [
        (
            "lost.json",
            "could not read the theme `FOLDER/lost.json`: No such file or directory (os error 2)",
        ),
        (
            "",
            "could not read the theme `FOLDER/`: Is a directory (os error 21)",
        ),
        (
            "broken.json",
            "`FOLDER/broken.json`: unknown key `rde` in the theme, did you mean `red`?",
        ),
        ("noise.json", "`FOLDER/noise.json` is not valid UTF-8"),
        (
            "huge.json",
            "`FOLDER/huge.json`: a theme has at most 1048576 bytes",
        ),
    ] {
        let path = folder.join(name);
        let error = folder.masked(&run(["snap", "--theme", &path, "--", "true"]).failed(2));
        let start = format!("error: invalid value 'FOLDER/{name}' for '--theme <T>': {said}\n");
        assert!(error.starts_with(&start), "{error}");
    }
    let error = run(["snap", "--theme", &folder.join("list.json"), "--", "true"]).failed(2);
    assert!(error.contains("list.json`: "), "{error}");
    // A name that ends in `.json` is a path, even if the file does not exist.
    let error = run(["snap", "--theme", "nrod.json", "--", "true"]).failed(2);
    assert!(
        error.contains("could not read the theme `nrod.json`: No such file"),
        "{error}"
    );
}

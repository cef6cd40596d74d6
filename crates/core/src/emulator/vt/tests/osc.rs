//! Tests of operating system commands: titles, directories, zones, links.

use super::{fed, fed_with};
use crate::emulator::{Emulator, EmulatorOptions};
use crate::screen::geometry::Position;
use crate::screen::row::{Zone, ZoneStart};

#[track_caller]
fn check_title(bytes: &str, title: &str) {
    assert_eq!(&*fed(bytes).screen().title, title);
}

#[track_caller]
fn check_directory(uri: &str, directory: &str) {
    let options = EmulatorOptions {
        hostname: "here".to_owned(),
        ..EmulatorOptions::default()
    };
    let screen = fed_with(options, &format!("\x1b]7;{uri}\x07")).screen();
    assert_eq!(&*screen.working_directory, directory);
}

/// Checks the zones of the first row.
#[track_caller]
fn check_zones(bytes: &str, zones: &[(u16, Zone)]) {
    let screen = fed(bytes).screen();
    let expected: Vec<ZoneStart> = zones
        .iter()
        .map(|(col, zone)| ZoneStart {
            col: *col,
            zone: *zone,
        })
        .collect();
    assert_eq!(screen.rows[0].zones(), expected);
}

/// Checks the id and the URI of the link of each cell in the first row.
#[track_caller]
fn check_links(bytes: &str, links: &[Option<(Option<&str>, &str)>]) {
    let screen = fed(bytes).screen();
    for (col, expected) in links.iter().enumerate() {
        let link = screen.cell(Position { row: 0, col }).link;
        let link = link.map(|link| (link.id.as_deref(), &*link.uri));
        assert_eq!(link, *expected, "column {col}");
    }
}

#[test]
fn osc_0_and_2_set_the_title_and_osc_1_does_not() {
    check_title("\x1b]0;one\x07", "one");
    check_title("\x1b]2;zwölf; drei\x1b\\", "zwölf; drei");
    check_title("\x1b]2;one\x07\x1b]1;icon\x07", "one");
    check_title("\x1b]2;one\x07\x1b]2;\x07", "");
}

#[test]
fn pushed_titles_are_popped_newest_first() {
    let pushed = "\x1b]2;one\x07\x1b[22t\x1b]2;two\x07\x1b[22;0t\x1b]2;three\x07";
    check_title(pushed, "three");
    check_title(&format!("{pushed}\x1b[23;0t"), "two");
    check_title(&format!("{pushed}\x1b[23t\x1b[23t"), "one");
    check_title(&format!("{pushed}\x1b[23t\x1b[23t\x1b[23t"), "one");
}

#[test]
fn the_stack_of_titles_is_bounded() {
    let many: String = (0..1000)
        .map(|n| format!("\x1b]2;{n}\x07\x1b[22t"))
        .collect();
    check_title(&format!("{many}{}", "\x1b[23t".repeat(64)), "936");
    check_title(&format!("{many}{}", "\x1b[23t".repeat(1000)), "936");
}

#[test]
fn a_title_is_truncated_to_4096_characters() {
    check_title(
        &format!("\x1b]2;{}\x07", "é".repeat(5000)),
        &"é".repeat(4096),
    );
}

#[test]
fn a_local_directory_is_a_path() {
    check_directory("file:///tmp/x%20y", "/tmp/x y");
    check_directory("file://localhost/tmp", "/tmp");
    check_directory("file://here/tmp/%C3%A9", "/tmp/é");
    check_directory("file://HERE/tmp", "/tmp");
    check_directory("file:///a;b", "/a;b");
}

#[test]
fn invalid_percent_codes_are_unchanged() {
    check_directory("file:///100%", "/100%");
    check_directory("file:///a%zz%4", "/a%zz%4");
    check_directory("file:///a%+1", "/a%+1");
}

#[test]
fn a_remote_directory_keeps_its_uri() {
    check_directory("file://there/tmp/x%20y", "file://there/tmp/x%20y");
    check_directory("sftp://here/tmp", "sftp://here/tmp");
    check_directory("/tmp", "/tmp");
    check_directory("", "");
}

#[test]
fn a_named_host_is_remote_if_our_host_name_is_unknown() {
    let screen = fed("\x1b]7;file://some/tmp\x07").screen();
    assert_eq!(&*screen.working_directory, "file://some/tmp");
}

#[test]
fn prompts_inputs_and_outputs_are_zones() {
    check_zones(
        "\x1b]133;A\x07$ \x1b]133;B\x07ls\x1b]133;C\x07out",
        &[(0, Zone::Prompt), (2, Zone::Input), (4, Zone::Output)],
    );
    check_zones(
        "a\x1b]133;A;aid=7\x1b\\$ \x1b]133;D\x1b\\b",
        &[(1, Zone::Prompt), (3, Zone::None)],
    );
}

#[test]
fn a_zone_continues_in_the_next_row_and_in_the_scrollback() {
    let mut emulator = fed(&format!("\x1b]133;C\x07one\r\ntwo{}", "\r\n".repeat(9)));
    let out = [ZoneStart {
        col: 0,
        zone: Zone::Output,
    }];
    for row in &emulator.scrollback(100)[..2] {
        assert_eq!(row.zones()[..1], out);
    }
}

#[test]
fn command_status_is_recorded() {
    assert_eq!(fed("x").notes().command_status, None);
    assert_eq!(fed("\x1b]133;D;0\x07").notes().command_status, Some(0));
    assert_eq!(
        fed("\x1b]133;D;130;aid=7\x07").notes().command_status,
        Some(130)
    );
    assert_eq!(
        fed("\x1b]133;D;0\x07\x1b]133;D\x07").notes().command_status,
        None
    );
}

#[test]
fn a_link_covers_the_text_until_it_ends() {
    check_links(
        "a\x1b]8;id=n;http://x/?a;b\x1b\\bc\x1b]8;;\x1b\\d",
        &[
            None,
            Some((Some("n"), "http://x/?a;b")),
            Some((Some("n"), "http://x/?a;b")),
            None,
        ],
    );
}

#[test]
fn a_link_without_an_id_has_none() {
    check_links(
        "\x1b]8;;http://x/\x07a\x1b]8;foo=1;http://y/\x07b",
        &[Some((None, "http://x/")), Some((None, "http://y/"))],
    );
}

#[test]
fn links_are_equal_across_terminals() {
    let bytes = "\x1b]8;;http://x/\x07a\x1b]8;;http://x/\x07b";
    assert_eq!(fed(bytes).screen(), fed(bytes).screen());
}

#[test]
fn a_link_with_a_uri_that_is_too_long_is_ignored() {
    let longest = format!("http://{}", "a".repeat(2083 - 7));
    check_links(
        &format!("\x1b]8;;{longest}\x07a"),
        &[Some((None, &longest))],
    );
    check_links(&format!("\x1b]8;;{longest}a\x07a"), &[None]);
}

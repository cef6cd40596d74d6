//! Tests of tables as programs draw them.

use super::screens::{screen, shown, state};
use crate::{Selector, Table};

/// Formats the columns and the rows of a table, with `/` between cells.
fn written(table: &Table) -> Vec<String> {
    let names: Vec<&str> = table.columns.iter().map(|column| &*column.name).collect();
    let rows = table.rows.iter().map(|row| row.texts().join("/"));
    std::iter::once(names.join("/")).chain(rows).collect()
}

#[track_caller]
fn check_under(cols: u16, lines: &[&str], header: impl Into<Selector>, expected: &[&str]) {
    let table = state(cols, 24, &lines.join("\r\n"))
        .screen
        .table_under(header)
        .expect("the header is visible");
    assert_eq!(written(&table), expected, "{lines:#?}");
}

#[track_caller]
fn check(lines: &[&str], names: &[&str], expected: &[&str]) {
    let table = screen(100, lines).table(names.iter().copied());
    let table = table.as_ref().map_or(Vec::new(), written);
    assert_eq!(table, expected, "{lines:#?}");
}

const TOP: [&str; 9] = [
    "top - 12:00:01 up 3 days,  load average: 0.00, 0.01, 0.05",
    "Tasks: 120 total,   1 running",
    "",
    "    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND",
    "      1 root      20   0  168140  11788   8320 S   0.0   0.1   0:05.21 systemd",
    "     14 root      rt   0       0      0      0 S   0.3   0.0   0:00.02 migration/0",
    "   2120 systemd+  20 -20   12.5g 612000 120000 R 102.3  10.2  99:59.99 my server --all",
    "1234567 me        20   0    4624   3712   3200 S   0.0   0.0   0:00.00 sh",
    "",
];

#[test]
fn columns_of_top_are_aligned_to_both_sides() {
    check_under(
        80,
        &TOP,
        "PID USER",
        &[
            "PID/USER/PR/NI/VIRT/RES/SHR/S/%CPU/%MEM/TIME+/COMMAND",
            "1/root/20/0/168140/11788/8320/S/0.0/0.1/0:05.21/systemd",
            "14/root/rt/0/0/0/0/S/0.3/0.0/0:00.02/migration/0",
            "2120/systemd+/20/-20/12.5g/612000/120000/R/102.3/10.2/99:59.99/my server --all",
            "1234567/me/20/0/4624/3712/3200/S/0.0/0.0/0:00.00/sh",
        ],
    );
    check(
        &TOP,
        &["PID", "%CPU", "COMMAND"],
        &[
            "PID/%CPU/COMMAND",
            "1/0.0/systemd",
            "14/0.3/migration/0",
            "2120/102.3/my server --all",
            "1234567/0.0/sh",
        ],
    );
}

#[test]
fn values_of_ps_may_be_wider_than_their_column() {
    check_under(
        90,
        &[
            "USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND",
            "root           1  0.0  0.1 168140 11788 ?        Ss   Jan01   0:05 /sbin/init splash",
            "messagebus   612  0.0  0.0   9124  5120 ?        Ss   Jan01   0:00 @dbus-daemon --system",
            "me         99120 12.5  2.0 3374124 330588 pts/12 Sl+  10:02   1:40 cargo build",
        ],
        "PID %CPU",
        &[
            "USER/PID/%CPU/%MEM/VSZ/RSS/TTY/STAT/START/TIME/COMMAND",
            "root/1/0.0/0.1/168140/11788/?/Ss/Jan01/0:05//sbin/init splash",
            "messagebus/612/0.0/0.0/9124/5120/?/Ss/Jan01/0:00/@dbus-daemon --system",
            "me/99120/12.5/2.0/3374124/330588/pts/12/Sl+/10:02/1:40/cargo build",
        ],
    );
}

const DOCKER: [&str; 3] = [
    "CONTAINER ID   IMAGE          COMMAND                  CREATED         STATUS         PORTS                  NAMES",
    "4c01db0b339c   ubuntu:24.04   \"bash -c 'sleep 9'\"      2 minutes ago   Up 2 minutes                          lazy_kare",
    "d7886598dbe2   web            \"/bin/web --port 80\"     3 hours ago     Up 3 hours     0.0.0.0:80->80/tcp     web 1",
];

#[test]
fn names_and_values_of_docker_contain_spaces() {
    let expected = [
        "CONTAINER ID/IMAGE/COMMAND/CREATED/STATUS/PORTS/NAMES",
        "4c01db0b339c/ubuntu:24.04/\"bash -c 'sleep 9'\"/2 minutes ago/Up 2 minutes//lazy_kare",
        "d7886598dbe2/web/\"/bin/web --port 80\"/3 hours ago/Up 3 hours/0.0.0.0:80->80/tcp/web 1",
    ];
    check_under(130, &DOCKER, "CONTAINER ID", &expected);
    // A line that is wrapped is still one line.
    check_under(80, &DOCKER, "CONTAINER ID", &expected);
    check_under(33, &DOCKER, "CONTAINER ID", &expected);
    let empty = &DOCKER[..1];
    check_under(130, empty, "CONTAINER ID", &expected[..1]);
}

#[test]
fn a_box_divides_its_columns() {
    let lines = [
        "┌─────────┬──────────────┬───┐",
        "│ 名前    │ State of it  │   │",
        "├─────────┼──────────────┼───┤",
        "│ 世界    │ up  and well │ x │",
        "│ web one │              │   │",
        "│ a│b     │ gone         │ y │",
        "└─────────┴──────────────┴───┘",
        "not a row",
    ];
    check_under(
        40,
        &lines,
        "State",
        &[
            "名前/State of it/",
            "世界/up  and well/x",
            "web one//",
            "a│b/gone/y",
        ],
    );
    check(
        &lines,
        &["State of it"],
        &["State of it", "up  and well", "", "gone"],
    );
}

#[test]
fn a_box_may_have_gaps_for_columns_and_panes_next_to_it() {
    check(
        &[
            "╭─ menu ─╮╭─ pods ───────────────╮",
            "│ Pods   ││ NAME       READY AGE │",
            "│ Nodes  ││ web-1        1/1  3d │",
            "│ Jobs   ││ db 0         0/1 12h │",
            "│ More   ││                      │",
            "│ Yet    ││ of another           │",
            "╰────────╯╰──────────── 2 of 2 ──╯",
        ],
        &["NAME", "READY", "AGE"],
        &["NAME/READY/AGE", "web-1/1/1/3d", "db 0/0/1/12h"],
    );
}

#[test]
fn the_bottom_of_a_frame_ends_a_table() {
    check(
        &["│ A   B   │", "│ 1   2   │", "╰── 1/9 ──╯", "│ 3   4   │"],
        &["A", "B"],
        &["A/B", "1/2"],
    );
}

#[test]
fn another_box_below_is_a_separate_table() {
    check(
        &[
            "│ A   B   │",
            "│ 1   2   │",
            "└─────────┘",
            "┌─────────┐",
            "│ X   Y   │",
        ],
        &["A", "B"],
        &["A/B", "1/2"],
    );
}

#[test]
fn a_rows_borders_may_be_in_other_columns() {
    check(
        &["│ NAME  │ AGE │", "│ wide   │ 3d  │", "│ web   │ 4d  │"],
        &["NAME", "AGE"],
        &["NAME/AGE", "wide/3d", "web/4d"],
    );
}

#[test]
fn a_gap_is_found_between_values_of_several_words() {
    // Aligned with the left end of its name.
    check(
        &[
            "NAME                  STATE",
            "web      (default)    up",
            "db       (default)    down",
        ],
        &["NAME", "STATE"],
        &[
            "NAME/STATE",
            "web      (default)/up",
            "db       (default)/down",
        ],
    );
    // Aligned with the right end of the name before.
    check(
        &["SIZE       WHEN", "1234 2 days ago", "   7 9 days ago"],
        &["SIZE", "WHEN"],
        &["SIZE/WHEN", "1234/2 days ago", "7/9 days ago"],
    );
    // Aligned with neither.
    check(
        &[
            "NAME            WHEN",
            "a         9 days ago",
            "bbbbbb   12 days ago",
        ],
        &["NAME", "WHEN"],
        &["NAME/WHEN", "a/9 days ago", "bbbbbb/12 days ago"],
    );
}

#[test]
fn tables_of_databases_end_where_their_borders_end() {
    check(
        &[
            " id | name  | note ",
            "----+-------+------",
            "  1 | alice | ",
            " 22 | bob   | a b  c",
            "(2 rows)",
        ],
        &["id", "name", "note"],
        &["id/name/note", "1/alice/", "22/bob/a b  c"],
    );
    check(
        &[
            "+----+-------+",
            "| id | name  |",
            "+----+-------+",
            "|  1 | alice |",
            "+----+-------+",
            "1 row in set (0.00 sec)",
        ],
        &["id", "name"],
        &["id/name", "1/alice"],
    );
}

#[test]
fn separators_are_not_rows_and_dashes_are_values() {
    check(
        &["Id Name", "-- ----", " 1 -", " - -", "======="],
        &["Id", "Name"],
        &["Id/Name", "1/-", "-/-"],
    );
}

#[test]
fn names_are_matched_as_whole_words_and_in_order() {
    let lines = ["PPID PID X", "   1   2 3"];
    check(&lines, &["PID"], &["PID", "2"]);
    check(&lines, &["PPID", "X"], &["PPID/X", "1/3"]);
    check(&lines, &["PID", "PPID"], &[]);
    check(&lines[..1], &["PID"], &["PID"]);
    check(&lines, &["PI"], &[]);
    check(&lines, &[""], &[]);
    check(&lines, &[], &[]);
    assert_eq!(screen(20, &lines).table_under("none"), None);
}

#[test]
fn a_value_too_wide_pushes_only_its_neighbours() {
    check(
        &[
            "NAME  SIZE  WHEN",
            "a       12  now",
            "long-name-here 7 now",
            "b        3  now",
        ],
        &["NAME", "SIZE", "WHEN"],
        &[
            "NAME/SIZE/WHEN",
            "a/12/now",
            "long-name-here/7/now",
            "b/3/now",
        ],
    );
}

#[test]
fn a_value_that_fills_the_gap_is_cut_at_the_nearest_blank() {
    check(
        &[
            "NAME      SIZE",
            "aaa       1234",
            "bbb         12",
            "cccccccc 123 6",
            "ddddd 1234567 8",
        ],
        &["NAME", "SIZE"],
        &[
            "NAME/SIZE",
            "aaa/1234",
            "bbb/12",
            "cccccccc/123 6",
            "ddddd/1234567 8",
        ],
    );
}

#[test]
fn cells_have_their_positions() {
    let table = screen(100, &TOP).table(["USER", "COMMAND"]).unwrap();
    assert_eq!(
        shown(table.columns[1].header.as_ref().unwrap()),
        "3:71 COMMAND"
    );
    let row = table.row_where("USER", "me").unwrap();
    assert_eq!(row.cell("COMMAND").map(shown).unwrap(), "7:71 sh");
    assert_eq!(row.at(0).map(shown).unwrap(), "7:8 me");
    assert_eq!(
        (row.at(2), row.cell("PID"), row.text("PID")),
        (None, None, "")
    );
    assert_eq!(table.row_where("USER", "m"), None);
    assert_eq!(row.cells().len(), 2);
}

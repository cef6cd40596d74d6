//! Memory bounds: small files must not take much memory. Each file here is built to cost as much as
//! its format allows.
//!
//! Checks the peak resident memory of the process, as counted by the kernel (`VmHWM`).
#![cfg(target_os = "linux")]

use screentest_core::formats::state_json::{MAX_SCROLLBACK, StateJson};
use screentest_core::formats::stream::{self, Viewer};
use screentest_core::formats::vt2::{self, MAX_ROWS, Strictness, Vt2Error};

/// Returns the peak memory of this process so far, in kilobytes.
fn peak() -> u64 {
    let status =
        std::fs::read_to_string("/proc/self/status").expect("/proc/self/status is readable");
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|rest| rest.split_whitespace().next())
        .and_then(|number| number.parse().ok())
        .expect("VmHWM is a number of kilobytes")
}

fn header(cols: u32, rows: u32) -> Vec<u8> {
    let mut bytes = b"VT\x02\x00".to_vec();
    bytes.extend(cols.to_le_bytes());
    bytes.extend(rows.to_le_bytes());
    bytes.extend([0; 20]);
    bytes
}

/// A single test, since the peak is that of the whole process.
#[test]
fn small_files_take_little_memory() {
    let before = peak();
    // Headers that announce data that does not follow.
    let promise = header(2000, 8388);
    assert!(vt2::decode_rows(&promise, Strictness::Strict).is_err());
    let huge = header(u32::MAX, u32::MAX);
    let error = vt2::decode_rows(&huge, Strictness::Lenient).unwrap_err();
    assert!(matches!(error, Vt2Error::TooLarge { .. }));
    // Blank rows share one row, also those that a lenient reading adds.
    let (_, rows) = vt2::decode_rows(&header(128, MAX_ROWS), Strictness::Lenient).unwrap();
    assert_eq!(rows.len() as u32, MAX_ROWS);
    drop(rows);
    let claim = format!(
        r##"{{"size":[2,1],"scrollback_rows":{MAX_SCROLLBACK},"cursor":{{"x":0,"y":0,"visible":true}},
        "default_style":{{"fg":"#000000","bg":"#000000"}},"viewport":[]}}"##
    );
    assert_eq!(
        StateJson::parse(claim).unwrap().scrollback.len(),
        MAX_SCROLLBACK
    );
    // A message that announces four million styles, and one with as many links, with no data.
    for table in [&[0, 0x80, 0x92, 0xf4, 1][..], &[0x80, 0x92, 0xf4, 1]] {
        let promise = [&[1, 1, 7, 1, 80, 24, 0, 0], table].concat();
        assert!(stream::decode(&promise).is_err());
    }
    let promises = peak() - before;
    assert!(promises < 16 * 1024, "{promises} KB for announced data");

    // 3 KB that expand to the largest number of rows.
    let mut rows = header(1, MAX_ROWS);
    for _ in 0..MAX_ROWS / 255 {
        rows.extend([0xff, 0xff, b'x', 1, 7, 0]);
    }
    rows.extend([0xff, (MAX_ROWS % 255) as u8, b'x', 1, 7, 0]);
    assert!(rows.len() < 4 * 1024);
    assert!(vt2::decode_rows(&rows, Strictness::Strict).is_ok());
    // 400 KB that expand to the largest number of cells.
    let mut cells = header(2000, 8388);
    for _ in 0..2000 * 8388 / 255 {
        cells.extend([0xff, 0xff, b'x', 1, 7, 0]);
    }
    assert!(vt2::decode_rows(&cells, Strictness::Lenient).is_ok());
    // 12 KB that expand to the largest screen.
    let mut largest = vec![
        1, 1, 7, 1, 0xd0, 0x0f, 0xd0, 0x0f, 0, 0, 0, 1, 0x40, 1, 0xd0, 0x0f,
    ];
    for _ in 0..2000 {
        largest.extend([0, 0x10, 0x0a, 0xd0, 0x0f, b'x']);
    }
    let mut view = Viewer::new(7);
    stream::apply(&mut view, stream::decode(&largest).unwrap()).unwrap();
    let shown = view.seen().unwrap().screen();
    assert_eq!(shown.rows[1999].len(), 2000);
    let all = peak() - before;
    assert!(all < 256 * 1024, "{all} KB for rows and cells");
}

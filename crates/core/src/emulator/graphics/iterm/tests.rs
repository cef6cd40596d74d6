use super::*;

const SIZE: Size = Size { cols: 40, rows: 10 };
/// Six by two cells.
const IMAGE: ImageSize = ImageSize::new(48, 32);

/// Checks cells and pixels: `cols x rows, drawn width x height + x + y`.
#[track_caller]
fn check(arguments: &str, col: usize, expected: &str) {
    let geometry = ItermFile::parse(arguments.as_bytes()).geometry(IMAGE, col, SIZE);
    let CellGeometry {
        cols, rows, drawn, ..
    } = geometry;
    let ImageRect {
        x,
        y,
        width,
        height,
    } = drawn;
    let shown = format!("{cols}x{rows}, {width}x{height}+{x}+{y}");
    assert_eq!(shown, expected, "{arguments:?}");
}

#[test]
fn an_image_has_its_own_size_unless_one_is_requested() {
    check("inline=1", 0, "6x2, 48x32+0+0");
    check("width=auto;height=auto", 0, "6x2, 48x32+0+0");
    check("width=12", 0, "12x4, 96x64+0+0");
    check("height=1", 0, "3x1, 24x16+0+0");
    check("width=20px", 0, "3x1, 20x13+0+0");
    check("width=50%", 0, "20x7, 160x107+0+0");
    check("height=50%", 0, "15x5, 120x80+0+0");
    check("width=0;height=-1", 0, "6x2, 48x32+0+0");
}

#[test]
fn an_image_is_fitted_into_a_box_or_stretched() {
    check("width=12;height=2", 0, "12x2, 48x32+24+0");
    check("width=6;height=6", 0, "6x6, 48x32+0+32");
    check(
        "width=12;height=2;preserveAspectRatio=0",
        0,
        "12x2, 96x32+0+0",
    );
    check(
        "width=48px;height=32px;preserveAspectRatio=1",
        0,
        "6x2, 48x32+0+0",
    );
}

#[test]
fn an_image_is_not_wider_than_the_rest_of_the_row() {
    check("", 36, "4x2, 32x21+0+0");
    check("", 39, "1x1, 8x5+0+0");
    check("width=400%", 10, "30x10, 240x160+0+0");
    check("height=4000;preserveAspectRatio=0", 0, "40x14, 320x213+0+0");
    check(
        "width=1;height=4000;preserveAspectRatio=0",
        0,
        "1x255, 8x4080+0+0",
    );
    let enormous = ImageSize::new(1, 10_000);
    let file = ItermFile::parse(b"width=10000");
    assert_eq!(file.geometry(enormous, 0, SIZE).rows, 255);
}

#[test]
fn arguments_are_read() {
    let file = ItermFile::parse(b"name=YQ==;size=5;inline=1;doNotMoveCursor=1;x;=;");
    assert!(file.is_inline && !file.moves_cursor);
    assert!(!ItermFile::parse(b"name=YQ==").is_inline);
    assert!(!ItermFile::parse(b"inline=0").is_inline);
}

#[test]
fn a_file_in_parts_equals_the_whole_file() {
    let sent = include_bytes!("../../../../tests/images/ball.timg.iterm");
    let start = sent.iter().position(|byte| *byte == b':').expect("data") + 1;
    let end = sent.iter().position(|byte| *byte == 7).expect("the end");
    let mut whole = ItermTransfer::new(b"inline=1");
    whole.put(&sent[start..end]);
    let mut parts = ItermTransfer::new(b"inline=1");
    for part in sent[start..end].chunks(77) {
        parts.put(part);
    }
    let image = whole.finish().expect("a PNG");
    assert_eq!(image.size(), IMAGE);
    assert_eq!(parts.finish(), Some(image));
}

#[test]
fn downloads_and_unknown_files_are_no_images() {
    let png = include_bytes!("../../../../tests/images/ball.png");
    let base64 = {
        use ::base64::Engine;
        ::base64::engine::general_purpose::STANDARD.encode(png)
    };
    let transfer = |arguments: &[u8], data: &str| {
        let mut transfer = ItermTransfer::new(arguments);
        transfer.put(data.as_bytes());
        transfer.finish()
    };
    assert!(transfer(b"inline=1", &base64).is_some());
    assert!(transfer(b"", &base64).is_none());
    assert!(transfer(b"inline=1", "aGVsbG8=").is_none());
    assert!(transfer(b"inline=1", "!!").is_none());
}

#[test]
fn chafa_sends_tiff_files() {
    let sent = include_bytes!("../../../../tests/images/ball.chafa.iterm");
    let start = sent.iter().position(|byte| *byte == b':').expect("data");
    let end = sent.iter().position(|byte| *byte == 7).expect("the end");
    let arguments = sent[..start].strip_prefix(b"\x1b]1337;File=");
    let mut transfer = ItermTransfer::new(arguments.expect("a file"));
    let file = transfer.file;
    transfer.put(&sent[start + 1..end]);
    let image = transfer.finish().expect("a TIFF");
    assert_eq!(image.size(), ImageSize::new(64, 16));
    let geometry = file.geometry(image.size(), 0, SIZE);
    assert_eq!((geometry.cols, geometry.rows), (8, 2));
}

use super::*;
use crate::screen::image::ImageData;

/// Decodes an image and returns its rows, with a letter per colour: `.` for transparent pixels.
fn drawn(bytes: &str) -> Option<String> {
    let mut whole = SixelDecoder::new(0);
    whole.put(bytes.as_bytes());
    let image = whole.finish();
    let mut cut = SixelDecoder::new(0);
    for byte in bytes.bytes() {
        cut.put(&[byte]);
    }
    assert_eq!(cut.finish(), image, "{bytes:?} cut at every byte");
    let image = image?;
    let ImageData::Rgba(pixels) = image.data() else {
        panic!("not pixels");
    };
    let letter = |pixel: &[u8]| match pixel {
        [0, 0, 0, 0] => '.',
        [0, 0, 0, 255] => 'k',
        [255, 0, 0, 255] => 'r',
        [0, 255, 0, 255] => 'g',
        [0, 0, 255, 255] => 'b',
        [204, 33, 33, 255] => '2',
        [255, 255, 255, 255] => 'w',
        other => panic!("{other:?}"),
    };
    let width = image.size().width as usize;
    let lines = pixels.chunks(width * 4);
    let rows: Vec<String> = lines
        .map(|line| line.chunks(4).map(letter).collect())
        .collect();
    Some(rows.join(" "))
}

#[track_caller]
fn check(bytes: &str, rows: &str) {
    assert_eq!(drawn(bytes).as_deref(), Some(rows), "{bytes:?}");
}

#[test]
fn a_character_draws_six_pixels_with_the_lowest_bit_on_top() {
    check("#1;2;100;0;0@", "r");
    check("#1;2;100;0;0A", ". r");
    check("#1;2;100;0;0~", "r r r r r r");
    check("#1;2;100;0;0_@", ".r .. .. .. .. r.");
}

#[test]
fn lines_overprint_and_follow_each_other() {
    check("#1;2;100;0;0@@$#2;2;0;100;0?@", "rg");
    check("#1;2;100;0;0@-@", "r . . . . . r");
    check("#1;2;100;0;0@-\r\n$@", "r . . . . . r");
}

#[test]
fn a_character_repeats() {
    check("#1;2;100;0;0!3@", "rrr");
    check("#1;2;100;0;0!2?!0@", "..r");
    check("#1;2;100;0;0!2#1@@", "rrr");
}

#[test]
fn registers_are_set_in_percent_and_in_dec_hues() {
    check("#2@", "2");
    check("#7;2;0;0;100@#7;2;100;100;100@", "bw");
    check("#3;1;0;50;100@#3;1;120;50;100@#3;1;240;50;100@", "brg");
    check("#3;1;360;50;100@#3;1;480;50;100@", "br");
    check("#3;1;0;100;0@#3;1;0;0;100@", "wk");
    // Incomplete definitions only select; numbers wrap at the end.
    check("#2;2;100@#1026@#900@", "22k");
    check("#9;2;999;0;0@", "r");
}

#[test]
fn raster_attributes_announce_the_size() {
    check("\"1;1;3;2#1;2;100;0;0@", "r.. ...");
    check("\"1;1;1;1#1;2;100;0;0@@", "rr");
    check("\"1;1;2;1", "..");
    // After the first pixel they are ignored, and so are sizes that are too large.
    check("#1;2;100;0;0@\"1;1;3;2@", "rr");
    check("\"1;1;99999999;2#1;2;100;0;0@", "r");
}

#[test]
fn an_image_without_pixels_is_none() {
    for bytes in ["", "#1;2;0;0;0", "???", "-", "!9999999999999", "\"1;1;0;5"] {
        assert_eq!(drawn(bytes), None, "{bytes:?}");
    }
}

#[test]
fn the_second_parameter_leaves_the_background() {
    assert_eq!(SixelDecoder::new(1).background, SixelBackground::Unchanged);
    for filled in [0, 2, 5] {
        assert_eq!(
            SixelDecoder::new(filled).background,
            SixelBackground::Filled
        );
    }
}

#[test]
fn pixels_outside_the_largest_image_are_dropped() {
    let size = |bytes: &str| {
        let mut decoder = SixelDecoder::new(0);
        decoder.put(bytes.as_bytes());
        let image = decoder.finish().expect("it has pixels");
        (image.size().width, image.size().height)
    };
    assert_eq!(size("!4000000000~"), (10_000, 6));
    let tall = "~-".repeat(3000);
    assert_eq!(size(&tall), (1, 9996));
    // 10,000 columns leave room for 838 rows.
    assert_eq!(size(&"!10000~-".repeat(200)), (10_000, 834));
    // A narrow image may not become wide afterwards.
    let after = format!("{tall}!10000~");
    assert_eq!(size(&after), (1, 9996));
}

#[test]
fn real_images_are_decoded() {
    // `chafa -f sixels --size 8x4` of the picture in `tests/images/ball.png`.
    let bytes = include_bytes!("../../../../tests/images/ball.chafa.sixel");
    let mut decoder = SixelDecoder::new(1);
    let start = bytes.iter().position(|byte| *byte == b'q').expect("DCS q") + 1;
    let end = bytes.iter().rposition(|byte| *byte == 0x1b).expect("ST");
    decoder.put(&bytes[start..end]);
    let image = decoder.finish().expect("it has pixels");
    assert_eq!(image.size(), ImageSize::new(64, 12));
}

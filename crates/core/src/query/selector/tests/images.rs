//! Tests that images are found by their place, size and content.

use crate::query::selector::ImageSelector;
use crate::screen::image::{ImageRect, ImageSize};
use crate::{
    Baseline, Changes, ClearState, ImageContent, ImageKind, ImagePlacement, Position, Screen,
    Selector, Size,
};

/// An image of one colour, with its size in cells, at a cell of a screen of 20x6.
fn image(color: u8, kind: ImageKind, row: i32, col: i32, cols: u32, rows: u32) -> ImagePlacement {
    let size = ImageSize::new(cols * 8, rows * 16);
    let pixels = vec![color; size.pixels() as usize * 4];
    let content = ImageContent::rgba(size, pixels).expect("it fits");
    let mut placed = ImagePlacement {
        image: std::sync::Arc::new(content),
        kind,
        row,
        col,
        cols,
        rows,
        source: ImageRect::of(size),
        drawn: ImageRect::of(size),
        z: 0,
        visible: std::sync::Arc::default(),
    };
    placed.visible = std::sync::Arc::new([placed.area()]);
    placed
}

/// A sixel image of 6x2 cells at row 2, column 5; a kitty image of 1x1 at row 5, column 1; and one
/// of 3x3 that has scrolled out by a row.
fn screen() -> Screen {
    let mut screen = Screen::blank(Size { cols: 20, rows: 6 });
    screen.images = std::sync::Arc::new([
        image(1, ImageKind::Sixel, 1, 4, 6, 2),
        image(2, ImageKind::Kitty, 4, 0, 1, 1),
        image(3, ImageKind::Kitty, -1, 15, 3, 3),
    ]);
    screen
}

fn hash(index: usize) -> String {
    screen().images[index].image.hash().to_string()
}

/// Checks which images a selector in the syntax of tapes finds, by their place `row,col`.
#[track_caller]
fn check(syntax: &str, places: &[&str]) {
    let selector: Selector = syntax.parse().expect("a selector");
    let screen = screen();
    let found: Vec<String> = selector
        .matches(&screen)
        .iter()
        .map(|found| format!("{},{}", found.position().row, found.position().col))
        .collect();
    assert_eq!(found, places, "{syntax}");
    assert_eq!(
        selector.syntax().to_string().parse(),
        Ok(selector),
        "{syntax}"
    );
}

#[test]
fn images_are_found_in_reading_order() {
    check("image", &["0,15", "1,4", "4,0"]);
    check("image nth 1", &["1,4"]);
    check("image kitty", &["0,15", "4,0"]);
    check("image sixel or \"x\"", &["1,4"]);
}

#[test]
fn images_are_found_by_place_size_and_content() {
    check("image at 2,5", &["1,4"]);
    check("image at 1,16", &[]);
    check("image cells 6x2", &["1,4"]);
    check("image cells 3x3", &["0,15"]);
    check("image pixels 8x16", &["4,0"]);
    check(&format!("image hash {}", hash(0)), &["1,4"]);
    check(
        &format!(
            "image hash {}, at 2,5, cells 6x2, sixel, pixels 48x32",
            hash(0)
        ),
        &["1,4"],
    );
    check(&format!("image hash {}, at 2,6", hash(0)), &[]);
    check("image hash 0000000000000000", &[]);
}

#[test]
fn images_are_found_within_a_rectangle_that_contains_them() {
    check("image in rows 2-3", &["1,4"]);
    check("image in row 2", &[]);
    check("image in columns 6-20", &["0,15"]);
    check("image at 1,1 in 2,5 6x2", &["1,4"]);
    check("image below image sixel", &[]);
    check("image left of image kitty", &[]);
}

#[test]
fn an_image_is_clicked_in_its_middle() {
    let screen = screen();
    let found = Selector::image(ImageSelector::new().cells(6, 2))
        .resolve(&screen, crate::Ambiguity::Fail)
        .expect("there is one");
    assert_eq!(found.spans().len(), 2);
    assert_eq!(found.centre(), Position { row: 1, col: 9 });
    assert_eq!(found.image(), Some(&screen.images[0]));
}

#[test]
fn a_missing_image_is_reported_with_those_that_are_there() {
    let selector: Selector = "image cells 9x9".parse().expect("a selector");
    assert_eq!(selector.to_string(), "image of 9x9 cells");
    let misses = |screen: &Screen| {
        let misses = crate::Condition::from(&selector).near_misses(screen, &[]);
        misses.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        misses(&Screen::blank(Size { cols: 9, rows: 2 })),
        ["there are no images"]
    );
    assert_eq!(
        misses(&screen())[1],
        format!(
            "sixel image {} of 48x32 pixels, 6x2 cells at row 2, column 5",
            hash(0)
        )
    );
    let several = Selector::image(ImageSelector::new().kind(ImageKind::Kitty));
    let error = several
        .resolve(&screen(), crate::Ambiguity::Fail)
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("kitty image found 2 times: kitty image "),
        "{error}"
    );
}

#[test]
fn descriptions_name_every_requirement() {
    for (syntax, described) in [
        ("image", "image"),
        (
            "image kitty, hash 3fa4, at 2,5",
            "kitty image 3fa4 at row 2, column 5",
        ),
        (
            "image cells 6x2, pixels 48x32",
            "image of 6x2 cells and 48x32 pixels",
        ),
        ("image pixels 48x32", "image of 48x32 pixels"),
    ] {
        let selector: Selector = syntax.parse().expect("a selector");
        assert_eq!(selector.to_string(), described);
    }
}

#[test]
fn mistakes_in_requirements_are_explained() {
    for (syntax, message) in [
        (
            "image hash xyz",
            "`xyz` is not the hash of an image: expected 4 to 64 hexadecimal digits",
        ),
        ("image cells 6", "`6` is not a size"),
        ("image cells 70000x1", "`70000x1` is not a size"),
        (
            "image kitty, foo",
            "`foo` is not a requirement for an image",
        ),
        ("image foo", "`foo` is not part of a selector"),
        (
            "image at 0,1",
            "`0` is not a row or column (they count from 1)",
        ),
    ] {
        let error = syntax.parse::<Selector>().unwrap_err();
        assert_eq!(error.message, message, "{syntax}");
    }
}

#[test]
fn an_image_that_was_there_before_enter_is_old() {
    let before = screen();
    let selector = Selector::image(ImageSelector::new().kind(ImageKind::Sixel));
    let found = |now: &Screen, cleared| {
        let baseline = Baseline::new(before.clone());
        let changes: Changes<'_> = baseline.changes(now, cleared);
        selector.matches_in(&changes).len()
    };
    assert_eq!(found(&before, ClearState::NotCleared), 0);
    assert_eq!(found(&before, ClearState::Cleared), 1);
    let mut moved = before.clone();
    moved.images = std::sync::Arc::new([image(1, ImageKind::Sixel, 3, 4, 6, 2)]);
    assert_eq!(found(&moved, ClearState::NotCleared), 1);
    // It scrolled by one row together with the text.
    let mut scrolled = before.clone();
    scrolled.scrollback_rows += 1;
    scrolled.images = std::sync::Arc::new([image(1, ImageKind::Sixel, 0, 4, 6, 2)]);
    assert_eq!(found(&scrolled, ClearState::NotCleared), 0);
    let mut other = before.clone();
    other.images = std::sync::Arc::new([image(9, ImageKind::Sixel, 1, 4, 6, 2)]);
    assert_eq!(found(&other, ClearState::NotCleared), 1);
}

use super::*;
use crate::screen::image::ImageRect;

/// Ten by twenty pixels, two by two cells.
fn image(keys: &str) -> String {
    let data = "/".repeat(10 * 20 * 4);
    format!("a=T,i=1,f=24,s=10,v=20,{keys};{data}")
}

/// Checks the cells, source and drawn pixels of an image, and the movement of the cursor.
#[track_caller]
fn check(keys: &str, cells: &str, source: [u32; 4], drawn: [u32; 4], cursor: Option<(u32, u32)>) {
    let mut session = Session::default();
    let outcome = session.outcome(&image(keys)).expect("a command");
    assert_eq!(outcome.cursor, cursor, "{keys}");
    let images = session.images();
    let placed = images.first().expect("it is shown");
    assert_eq!(format!("{}x{}", placed.cols, placed.rows), cells, "{keys}");
    let rect = |rect: ImageRect| [rect.x, rect.y, rect.width, rect.height];
    assert_eq!(rect(placed.source), source, "{keys}");
    assert_eq!(rect(placed.drawn), drawn, "{keys}");
}

#[test]
fn an_image_takes_as_many_cells_as_its_pixels_need() {
    let whole = [0, 0, 10, 20];
    check("z=0", "2x2", whole, [0, 0, 10, 20], Some((2, 2)));
    check("X=6,Y=12", "2x2", whole, [6, 12, 10, 20], Some((2, 2)));
    check("X=7,Y=13", "3x3", whole, [7, 13, 10, 20], Some((3, 3)));
    // Offsets stay inside the first cell.
    check("X=99,Y=99", "3x3", whole, [7, 15, 10, 20], Some((3, 3)));
}

#[test]
fn a_part_of_the_image_can_be_placed() {
    check(
        "x=2,y=4,w=3,h=5",
        "1x1",
        [2, 4, 3, 5],
        [0, 0, 3, 5],
        Some((1, 1)),
    );
    check("x=2,y=4", "1x1", [2, 4, 8, 16], [0, 0, 8, 16], Some((1, 1)));
    check(
        "x=8,w=99",
        "1x2",
        [8, 0, 2, 20],
        [0, 0, 2, 20],
        Some((1, 2)),
    );
    check_shown(&[&image("x=10")], "");
}

#[test]
fn an_image_is_scaled_to_the_requested_cells() {
    let whole = [0, 0, 10, 20];
    check("c=4,r=3", "4x3", whole, [0, 0, 32, 48], Some((4, 3)));
    check("c=5", "5x5", whole, [0, 0, 40, 80], Some((5, 5)));
    check("r=4", "4x4", whole, [0, 0, 32, 64], Some((4, 4)));
    check("c=5,X=5", "5x5", whole, [5, 0, 35, 70], Some((5, 5)));
    check(
        "c=4294967295,r=1",
        "10000x1",
        whole,
        [0, 0, 80_000, 16],
        Some((10_000, 1)),
    );
}

#[test]
fn the_cursor_can_stay() {
    check("C=1", "2x2", [0, 0, 10, 20], [0, 0, 10, 20], None);
}

#[test]
fn images_are_clipped_at_the_screen() {
    let mut session = Session {
        cursor: Position { row: 9, col: 19 },
        ..Session::default()
    };
    session.outcome(&image("z=0"));
    assert_eq!(session.shown(), "2x2@9,19[9,19:1x1]");
}

#[test]
fn placements_are_replaced_by_their_id() {
    check_shown(
        &[
            &image("C=1"),
            "a=p,i=1,p=5,c=1,r=1",
            "a=p,i=1,p=5,c=3,r=1",
            "a=p,i=1,c=4,r=1",
        ],
        "2x2@2,3 3x1@2,3 4x1@2,3",
    );
    // A new image with the same id removes the placements of the old one.
    check_shown(&[&image("C=1"), "a=t,i=1,f=24,s=1,v=1;////"], "");
}

#[test]
fn images_are_drawn_in_the_order_of_z_and_id() {
    check_shown(
        &[
            "a=T,i=9,f=24,s=9,v=1;////////////////////////////////////",
            "a=T,i=5,f=24,s=1,v=1;////",
            "a=T,i=7,f=24,s=1,v=17,z=-1;////////////////////////////////////////////////////////////////////",
        ],
        "1x2@2,3z-1 1x1@2,3 2x1@2,3",
    );
}

#[test]
fn relative_placements_follow_their_parent() {
    let two = "a=t,i=2,f=24,s=1,v=1;////";
    let mut session = Session {
        cursor: Position { row: 5, col: 6 },
        ..Session::default()
    };
    for command in [&image("p=1"), two, "a=p,i=2,p=1,P=1,Q=1,H=-2,V=1"] {
        let outcome = session.outcome(command).expect("a command");
        assert_eq!(outcome.cursor.is_some(), command.starts_with("a=T"));
    }
    assert_eq!(session.shown(), "2x2@5,6 1x1@6,4");
    session
        .graphics
        .change(false, |screen| screen.scroll(3, 100));
    assert_eq!(session.shown(), "2x2@2,6 1x1@3,4");
    session.cursor = Position { row: 0, col: 10 };
    session.outcome("a=p,i=1,p=1");
    assert_eq!(session.shown(), "2x2@0,10 1x1@1,8");
    session.outcome("a=d,d=i,i=1");
    assert_eq!(session.shown(), "");
}

#[test]
fn scrolling_moves_and_removes_images() {
    let mut session = Session {
        cursor: Position { row: 2, col: 3 },
        ..Session::default()
    };
    session.outcome(&image("p=1"));
    let mut scroll = |rows, scrollback| {
        session
            .graphics
            .change(false, |screen| screen.scroll(rows, scrollback));
        session.shown()
    };
    assert_eq!(scroll(1, 100), "2x2@1,3");
    assert_eq!(scroll(2, 100), "2x2@-1,3[0,3:2x1]");
    assert_eq!(scroll(1, 100), "");
    // Back from the scrollback, such as when the screen becomes higher.
    assert_eq!(scroll(-4, 100), "2x2@2,3");
    assert_eq!(scroll(200, 100), "");
    assert_eq!(scroll(-200, 100), "");
}

#[test]
fn scrolling_within_margins_clips_images() {
    let mut session = Session::default();
    let mut at = |row| {
        session.cursor = Position { row, col: 0 };
        session.outcome(&image("C=1"));
    };
    // Above the margins, inside them, and across the lower one.
    at(0);
    session.outcome("a=d,d=a");
    let commands = [(1, 1), (3, 2), (6, 3)];
    for (row, id) in commands {
        session.cursor = Position { row, col: 0 };
        session.outcome(&format!("a=p,i=1,p={id},C=1"));
    }
    assert_eq!(session.shown(), "2x2@1,0 2x2@3,0 2x2@6,0");
    let mut scroll = |rows| {
        session
            .graphics
            .change(false, |screen| screen.scroll_part(3..7, rows));
        session.shown()
    };
    assert_eq!(scroll(-1), "2x2@1,0 2x2@4,0 2x2@6,0");
    assert_eq!(scroll(2), "2x2@1,0 2x2@2,0[3,0:2x1] 2x2@6,0");
    // The clipped row does not come back.
    assert_eq!(scroll(-2), "2x2@1,0 2x2@4,0[5,0:2x1] 2x2@6,0");
    assert_eq!(scroll(-2), "2x2@1,0 2x2@6,0");
}

#[test]
fn clearing_removes_what_is_on_the_screen() {
    let mut session = Session::default();
    session.outcome(&image("p=1"));
    session
        .graphics
        .change(false, |screen| screen.scroll(5, 100));
    session.outcome("a=p,i=1,p=2");
    session
        .graphics
        .change(false, |screen| screen.clear_visible(SIZE));
    assert_eq!(session.shown(), "");
    session
        .graphics
        .change(false, |screen| screen.scroll(-5, 100));
    assert_eq!(session.shown(), "2x2@0,0");
    session
        .graphics
        .change(false, |screen| screen.scroll(5, 100));
    session
        .graphics
        .change(false, KittyScreen::clear_scrollback);
    session
        .graphics
        .change(false, |screen| screen.scroll(-5, 100));
    assert_eq!(session.shown(), "");
    // The image itself is still there.
    assert_eq!(session.answer("a=p,i=1"), "i=1;OK");
    session.graphics.change(false, KittyScreen::clear);
    assert!(session.answer("a=p,i=1").contains("ENOENT"));
}

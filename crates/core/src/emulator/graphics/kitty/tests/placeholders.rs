use super::super::diacritics::mark;
use super::*;
use crate::screen::image::PLACEHOLDER;
use crate::screen::row::{LinkId, RowBuilder, Width};
use crate::screen::style::{Color, Rgb, Style};

/// An image of 3x2 cells for placeholders.
const IMAGE: &str = "a=T,U=1,i=42,p=7,c=3,r=2,f=24,s=1,v=1;////";

/// Builds a row of cells: each is the numbers of its marks, or `None` for a space.
fn row(style: Style, cells: &[Option<&[u32]>]) -> Arc<Row> {
    let mut builder = RowBuilder::new();
    let id = builder.style(&style);
    for cell in cells {
        let text: String = match cell {
            None => " ".to_owned(),
            Some(numbers) => {
                let marks = numbers.iter().map(|number| mark(*number).expect("a mark"));
                std::iter::once(PLACEHOLDER).chain(marks).collect()
            }
        };
        builder.push_cluster(&text, Width::Narrow, id, LinkId::NONE);
    }
    Arc::new(builder.finish())
}

fn style(fg: Color) -> Style {
    Style {
        fg,
        ..Style::default()
    }
}

#[track_caller]
fn check(rows: Vec<Arc<Row>>, shown: &str) {
    let mut session = Session::default();
    session.outcome(IMAGE);
    session.rows = rows;
    assert_eq!(session.shown(), shown);
}

const ID: Style = Style {
    fg: Color::Indexed(42),
    bg: Color::Default,
    underline: crate::Underline::None,
    underline_color: Color::Default,
    attributes: crate::Attributes::empty(),
};

#[test]
fn the_cells_of_an_image_are_one_placement() {
    check(
        vec![
            row(ID, &[Some(&[0, 0]), Some(&[0, 1]), Some(&[0, 2])]),
            row(ID, &[Some(&[1, 0]), Some(&[1, 1]), Some(&[1, 2])]),
        ],
        "3x2@0,0z-1",
    );
    check(vec![], "");
}

#[test]
fn missing_marks_follow_from_the_cell_to_the_left() {
    check(
        vec![
            row(ID, &[None, Some(&[0]), Some(&[]), Some(&[])]),
            row(ID, &[None, Some(&[1]), Some(&[]), Some(&[])]),
        ],
        "3x2@0,1z-1",
    );
    // Without any marks: the first row, from its first column.
    check(
        vec![row(ID, &[Some(&[]), Some(&[])])],
        "3x2@0,0[0,0:2x1]z-1",
    );
    check(
        vec![row(ID, &[Some(&[1, 1]), Some(&[1, 2])])],
        "3x2@-1,-1[0,0:2x1]z-1",
    );
    // A cell that does not continue begins again.
    check(
        vec![row(ID, &[Some(&[0, 0]), Some(&[0, 0])])],
        "3x2@0,0[0,0:1x1]z-1 3x2@0,1[0,1:1x1]z-1",
    );
}

#[test]
fn ids_are_colours_and_a_third_mark() {
    let id = (2 << 24 | 0x01_02_03).to_string();
    let mut session = Session::default();
    session.outcome(&format!("a=T,U=1,i={id},c=1,r=1,f=24,s=1,v=1;////"));
    let rgb = style(Color::Rgb(Rgb::hex(0x01_02_03)));
    session.rows = vec![row(rgb, &[Some(&[0, 0, 2])])];
    assert_eq!(session.shown(), "1x1@0,0z-1");
    session.rows = vec![row(rgb, &[Some(&[0, 0])])];
    assert_eq!(session.shown(), "");
    check(vec![row(style(Color::Default), &[Some(&[0, 0])])], "");
    check(vec![row(style(Color::Indexed(43)), &[Some(&[0, 0])])], "");
}

#[test]
fn the_underline_colour_selects_a_placement() {
    let underlined = |index| Style {
        underline_color: Color::Indexed(index),
        ..ID
    };
    check(
        vec![row(underlined(7), &[Some(&[0, 0])])],
        "3x2@0,0[0,0:1x1]z-1",
    );
    check(vec![row(underlined(8), &[Some(&[0, 0])])], "");
}

#[test]
fn cells_outside_the_image_show_nothing() {
    check(vec![row(ID, &[Some(&[2, 0]), Some(&[0, 3])])], "");
    check(
        vec![row(ID, &[Some(&[0, 2]), Some(&[0, 3]), Some(&[0, 4])])],
        "3x2@0,-2[0,0:1x1]z-1",
    );
}

#[test]
fn the_image_is_fitted_and_centred() {
    let mut session = Session::default();
    // One pixel is a square: 24x32 pixels have room for 24x24.
    session.outcome(IMAGE);
    session.rows = vec![row(ID, &[Some(&[0, 0])])];
    let drawn = session.images()[0].drawn;
    assert_eq!(
        (drawn.x, drawn.y, drawn.width, drawn.height),
        (0, 4, 24, 24)
    );
}

#[test]
fn placeholders_are_not_deleted_as_placements() {
    let mut session = Session::default();
    session.outcome(IMAGE);
    session.rows = vec![row(ID, &[Some(&[0, 0])])];
    for (command, left) in [
        ("a=d", 1),
        ("a=d,d=c", 1),
        ("a=d,d=p,x=1,y=1", 1),
        ("a=d,d=z,z=0", 1),
        ("a=d,d=i,i=42", 0),
    ] {
        session.outcome(command);
        assert_eq!(session.images().len(), left, "{command}");
    }
}

#[test]
fn a_placement_can_be_relative_to_placeholders() {
    let mut session = Session::default();
    session.outcome(IMAGE);
    session.outcome("a=t,i=2,f=24,s=1,v=1;////");
    session.outcome("a=p,i=2,P=42,H=1,V=2");
    assert_eq!(session.shown(), "");
    session.rows = vec![Arc::default(), row(ID, &[None, Some(&[0, 0])])];
    assert_eq!(session.shown(), "3x2@1,1[1,1:1x1]z-1 1x1@3,2");
}

use super::*;

/// Shows images 1 to 3 in one row, 3 also below with z 5, and image 4 for placeholders.
fn session() -> Session {
    let mut session = Session::default();
    for (id, row, col) in [(1, 0, 0), (2, 0, 2), (3, 0, 4)] {
        session.cursor = Position { row, col };
        let command = format!("a=T,i={id},p=1,C=1,f=24,s=1,v=1;{PIXEL}");
        session.outcome(&command);
    }
    session.cursor = Position { row: 5, col: 4 };
    session.outcome("a=p,i=3,p=2,z=5,C=1");
    session.outcome(&format!("a=T,I=44,U=1,f=24,s=1,v=1;{PIXEL}"));
    session.cursor = Position { row: 0, col: 2 };
    session
}

/// Deletes and checks which placements are left, and which images can still be placed.
#[track_caller]
fn check(command: &str, shown: &str, images: &str) {
    let mut session = session();
    assert_eq!(session.answer(command), "", "{command}");
    assert_eq!(session.shown(), shown, "{command}");
    let left = (1..=4).filter(|id| session.answer(&format!("a=p,i={id}")).ends_with("OK"));
    let left: Vec<String> = left.map(|id| id.to_string()).collect();
    assert_eq!(left.join(""), images, "{command}");
}

const ALL: &str = "1x1@0,0 1x1@0,2 1x1@0,4 1x1@5,4z5";

#[test]
fn all_placements_are_deleted_and_upper_case_frees_images() {
    check("a=d", "", "1234");
    check("a=d,d=a", "", "1234");
    check("a=d,d=A", "", "4");
}

#[test]
fn images_are_deleted_by_id_number_and_range() {
    check("a=d,d=i,i=3", "1x1@0,0 1x1@0,2", "1234");
    check("a=d,d=I,i=3", "1x1@0,0 1x1@0,2", "124");
    check("a=d,d=I,i=3,p=2", "1x1@0,0 1x1@0,2 1x1@0,4", "1234");
    check("a=d,d=I,i=9", ALL, "1234");
    check("a=d,d=N,I=44", ALL, "123");
    check("a=d,d=n,I=44", ALL, "1234");
    check("a=d,d=R,x=2,y=3", "1x1@0,0", "14");
    check("a=d,d=r,x=2,y=3", "1x1@0,0", "1234");
}

#[test]
fn placements_are_deleted_by_place_and_z() {
    check("a=d,d=c", "1x1@0,0 1x1@0,4 1x1@5,4z5", "1234");
    check("a=d,d=C", "1x1@0,0 1x1@0,4 1x1@5,4z5", "134");
    check("a=d,d=P,x=1,y=1", "1x1@0,2 1x1@0,4 1x1@5,4z5", "234");
    check("a=d,d=p,x=2,y=1", ALL, "1234");
    check("a=d,d=p", ALL, "1234");
    check("a=d,d=X,x=5", "1x1@0,0 1x1@0,2", "124");
    check("a=d,d=Y,y=1", "1x1@5,4z5", "34");
    check("a=d,d=Z,z=5", "1x1@0,0 1x1@0,2 1x1@0,4", "1234");
    check("a=d,d=q,x=5,y=6,z=0", ALL, "1234");
    check("a=d,d=q,x=5,y=6,z=5", "1x1@0,0 1x1@0,2 1x1@0,4", "1234");
}

#[test]
fn frames_have_nothing_to_delete() {
    check("a=d,d=F,i=1", ALL, "1234");
}

#[test]
fn images_without_a_name_go_with_their_placement() {
    let mut session = Session::default();
    session.outcome(&format!("a=T,f=24,s=1,v=1;{PIXEL}"));
    assert_eq!(session.shown(), "1x1@0,0");
    session.outcome("a=d");
    assert_eq!(session.graphics.screens[0].images.len(), 0);
}

use super::*;

const ONE: &str = "a=t,i=1,f=24,s=1,v=1;////";

#[test]
fn a_query_is_answered_and_stores_nothing() {
    check(&["i=31,s=1,v=1,a=q,t=d,f=24;AAAA"], "i=31;OK");
    check(
        &["i=31,s=1,v=1,a=q,t=d,f=24;AAAA", "a=p,i=31"],
        "i=31;ENOENT:Put command refers to non-existent image with id: 31 and number: 0",
    );
    check(&["s=1,v=1,a=q,f=24;AAAA"], "");
}

#[test]
fn commands_without_a_name_are_not_answered() {
    check(&["a=T,f=24,s=1,v=1;////"], "");
    check(&["a=T,f=24,s=0,v=1;////"], "");
    check(&["a=p"], "");
}

#[test]
fn an_image_is_named_by_id_or_number() {
    check(&[ONE], "i=1;OK");
    check(&[ONE, "a=p,i=1"], "i=1;OK");
    check(&[ONE, "a=p,i=1,p=7"], "i=1,p=7;OK");
    check(&["a=t,I=13,f=24,s=1,v=1;////"], "i=1,I=13;OK");
    check(&[ONE, "a=t,I=13,f=24,s=1,v=1;////"], "i=2,I=13;OK");
    check(
        &[ONE, "a=t,I=13,f=24,s=1,v=1;////", "a=p,I=13,p=2"],
        "i=2,I=13,p=2;OK",
    );
    check(
        &["a=p,I=5"],
        "I=5;ENOENT:Put command refers to non-existent image with id: 0 and number: 5",
    );
    let both = "EINVAL:Must not specify both image id and image number";
    check(
        &["a=t,i=1,I=2,f=24,s=1,v=1;////"],
        &format!("i=1,I=2;{both}"),
    );
}

#[test]
fn the_newest_image_of_a_number_is_meant() {
    let mut session = Session::default();
    session.answer("a=t,I=5,f=24,s=8,v=16,o=z;eNpjYBgFo2AUjIJRMApGwSgYBaNgFIyCUQAACIABgQ==");
    session.answer("a=t,I=5,f=24,s=1,v=1;////");
    assert_eq!(session.answer("a=p,I=5"), "i=1,I=5;OK");
}

#[test]
fn answers_can_be_suppressed() {
    let bad = "f=24,s=0,v=1;////";
    for (quiet, ok, error) in [(0, true, true), (1, false, true), (2, false, false)] {
        let mut session = Session::default();
        let sent = session.answer(&format!("a=t,i=1,q={quiet},f=24,s=1,v=1;////"));
        assert_eq!(!sent.is_empty(), ok, "{quiet}");
        let sent = session.answer(&format!("a=t,i=1,q={quiet},{bad}"));
        assert_eq!(!sent.is_empty(), error, "{quiet}");
    }
}

#[test]
fn keys_that_cannot_be_right_are_errors() {
    for (keys, error) in [
        ("f=24,s=0,v=1;////", "EINVAL:Zero width/height not allowed"),
        ("s=1;////", "EINVAL:Zero width/height not allowed"),
        ("f=7,s=1,v=1;////", "EINVAL:Unknown image format: 7"),
        (
            "f=24,s=1,v=1,o=y;////",
            "EINVAL:Unknown image compression: y",
        ),
        (
            "f=24,s=10001,v=1;////",
            "EINVAL:Image too large, width or height greater than 10000",
        ),
        (
            "f=24,s=10000,v=1000;////",
            "EFBIG:Image too large, more than 8388608 pixels",
        ),
        ("f=24,s=1,v=1;//", "ENODATA:Insufficient image data: 1 < 3"),
        ("f=24,s=1,v=1;////////", "EFBIG:Too much data"),
        ("f=100;////", "EBADPNG:Not a PNG file"),
        (
            "f=24,s=1,v=1,o=z;////",
            "EINVAL:Failed to inflate image data with error: invalid data",
        ),
        (
            "f=24,s=1,v=1,o=z;eNpjYGBgAAAABAAB",
            "EINVAL:Image data size post inflation does not match expected size",
        ),
    ] {
        check(&[&format!("a=t,i=1,{keys}")], &format!("i=1;{error}"));
    }
}

#[test]
fn files_and_shared_memory_are_refused_as_if_they_could_not_be_read() {
    for medium in ["f", "t", "s"] {
        let command = format!("a=q,i=1,t={medium},f=24,s=1,v=1;L3RtcC9h");
        check(&[&command], "i=1;EBADF:Failed to read image file");
    }
}

#[test]
fn malformed_commands_have_no_effect() {
    for keys in [
        "a=t,i=1,f=24,s=1,v=1,k=1;////",
        "a=Q,i=1;////",
        "a=tT,i=1;////",
        "i=x;////",
        "i=4294967296;////",
        "i=-1;////",
        "i;////",
        ",i=1;////",
        "i=1,;////",
        "a=t,i=1,f=24,s=1,v=1;??!?",
        "a=d,d=j",
    ] {
        check(&[keys], "malformed");
    }
    let long = format!("i={};////", "1".repeat(2000));
    check(&[&long], "malformed");
    check(
        &["a=t,i=1,f=24,s=1,v=1,z=-5,H=-1,V=2,N=1,S=3,O=0;////"],
        "i=1;OK",
    );
}

#[test]
fn relative_placements_need_a_parent_without_cycles() {
    let parent = "a=p,i=1,p=1";
    let two = "a=t,i=2,f=24,s=1,v=1;////";
    check(
        &[ONE, two, parent, "a=p,i=2,p=1,P=1,Q=1,H=2,V=-1"],
        "i=2,p=1;OK",
    );
    check(&[ONE, two, parent, "a=p,i=2,P=1"], "i=2;OK");
    check(
        &[ONE, "a=p,i=1,P=9"],
        "i=1;ENOPARENT:Put command refers to a parent image with id: 9 that does not exist",
    );
    check(
        &[ONE, two, "a=p,i=2,P=1"],
        "i=2;ENOPARENT:Put command refers to a parent image with id: 1 that has no placements",
    );
    check(
        &[
            ONE,
            two,
            parent,
            "a=p,i=2,p=1,P=1,Q=1",
            "a=p,i=1,p=1,P=2,Q=1",
        ],
        "i=1,p=1;ECYCLE:This parent reference creates a cycle",
    );
    check(
        &[ONE, "a=p,i=1,U=1,P=1"],
        "i=1;EINVAL:Put command creating a virtual placement cannot refer to a parent",
    );
    let mut chain = vec![ONE.to_owned(), parent.to_owned()];
    chain.extend((1..12).map(|p| format!("a=p,i=1,p={},P=1,Q={p}", p + 1)));
    let chain: Vec<&str> = chain.iter().map(String::as_str).collect();
    check(&chain[..10], "i=1,p=9;OK");
    check(
        &chain[..11],
        "i=1,p=10;ETOODEEP:Too many levels of parent references",
    );
}

#[test]
fn frames_of_animations_are_accepted_and_dropped() {
    check(&[ONE, "a=f,i=1,r=2,f=24,s=1,v=1;AAAA"], "i=1,r=2;OK");
    let missing = "ENOENT:Animation command refers to non-existent image";
    check(&["a=f,i=1,f=24,s=1,v=1;AAAA"], &format!("i=1;{missing}"));
    check(&["a=a,i=1,s=3"], &format!("i=1;{missing}"));
    check(&[ONE, "a=a,i=1,s=3"], "");
    check(&[ONE, "a=c,i=1,r=1,c=2"], "i=1;OK");
}

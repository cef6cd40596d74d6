//! Two tapes with nearly every command of a dialect: they run and write their files.

use crate::TapeProject;

#[track_caller]
fn check(tape: &str, files: &[&str]) {
    let project = TapeProject::new();
    project.write("more.tape", "Type 'echo more' Enter");
    let run = project.pass(tape);
    let warned = project.ready(tape, project.options());
    assert!(warned.warnings().is_empty(), "{}", warned.warnings());
    for name in files {
        assert!(project.path(name).exists(), "{name}");
    }
    assert!(run.steps > 30);
}

#[test]
fn the_vhs_tape_runs() {
    check(
        include_str!("../tapes/vhs.tape"),
        &[
            "demo.gif",
            "demo.mp4",
            "demo.webm",
            "frames/00000.png",
            "golden.ascii",
            "up.png",
            "end.png",
        ],
    );
}

#[test]
fn the_betamax_tape_runs() {
    check(
        include_str!("../tapes/betamax.tape"),
        &[
            "demo.gif",
            "demo.png",
            "demo.json",
            "demo.webp",
            "frames/00000.png",
            "now.png",
            "now.json",
        ],
    );
}

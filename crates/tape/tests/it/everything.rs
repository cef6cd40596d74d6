//! The two tapes with everything in them, which also says what they mean: they run, and what they name is there.

use crate::Studio;

#[track_caller]
fn check(tape: &str, files: &[&str]) {
    let studio = Studio::new();
    studio.write("more.tape", "Type 'echo more' Enter");
    let run = studio.pass(tape);
    let warned = studio.ready(tape, studio.options());
    assert!(warned.warnings().is_empty(), "{}", warned.warnings());
    for name in files {
        assert!(studio.path(name).exists(), "{name}");
    }
    assert!(run.steps > 30);
}

#[test]
fn a_tape_of_vhs_runs() {
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
fn a_tape_of_betamax_runs() {
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

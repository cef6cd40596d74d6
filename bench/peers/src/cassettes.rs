//! Writes and plays recordings with our library.

use screentest::core::Backend;
use screentest::recording::{Cassette, Moment, Player, RecordOptions};
use screentest::session::SessionOptions;
use screentest::{App, Session};

use crate::clock::monotonic;
use crate::driver::figure;
use crate::drivers::PATIENCE;

/// Records `cat` of a file as a cassette.
pub(crate) fn record(file: &str, target: &str) {
    let options = SessionOptions::default().record(RecordOptions::new(target));
    let session = Session::start(&App::new("cat").arg(file), options).expect("cat starts");
    session.wait_for_exit(PATIENCE).expect("cat ends");
    let published = session.finish_recording().expect("the session is recorded");
    published.expect("the cassette is published");
}

/// Derives every frame of a cassette from its bytes again.
pub(crate) fn replay(cassette: &str) {
    let start = monotonic();
    let cassette = Cassette::open(cassette).expect("the cassette is complete");
    let mut frames = 0;
    let derived = cassette.derive_frames(|_, screen| {
        frames += 1;
        std::hint::black_box(screen);
    });
    derived.expect("the frames are derived");
    assert!(frames > 0, "{:?} shows something", Backend::default());
    figure(monotonic() - start);
}

/// Reads the last screen of a cassette.
pub(crate) fn last(cassette: &str) {
    let start = monotonic();
    let cassette = Cassette::open(cassette).expect("the cassette is complete");
    let mut player = Player::new(&cassette).expect("this build recorded it");
    let screen = player.seek(&Moment::End).expect("something was shown");
    assert!(screen.contains("the-end-marker"));
    figure(monotonic() - start);
}

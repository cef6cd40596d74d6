//! tui-test (its Rust library): a screen, and waits that poll at intervals.

use std::sync::atomic::{AtomicUsize, Ordering};

use tui_test::{
    CellColor, OpenOptions, Operation, OperationResult, RecordingFormat, RunOptions, Session,
};

use super::PATIENCE;
use crate::driver::{Driver, Size, Sum};

/// Number of sessions so far: each needs a unique name.
static COUNT: AtomicUsize = AtomicUsize::new(0);

pub(crate) struct TuiTest {
    session: Session,
    size: Size,
}

impl TuiTest {
    fn execute(&self, operation: Operation) -> OperationResult {
        self.session.execute(operation).expect("it is done")
    }

    /// Begins a GIF recording with up to 100 frames per second.
    pub(crate) fn start_gif(&self, out: &str) {
        self.execute(Operation::StartRecording {
            path: out.to_owned(),
            format: Some(RecordingFormat::Gif),
            fps: Some(100),
            speed: None,
            idle_time_limit: None,
            zoom: None,
            background: None,
        });
    }

    /// Ends the recording. tui-test then draws the GIF and writes it.
    pub(crate) fn finish_gif(&self) {
        self.execute(Operation::StopRecording);
    }
}

fn patience() -> Option<u64> {
    Some(PATIENCE.as_millis() as u64)
}

impl Driver for TuiTest {
    fn start(program: &[&str], size: Size) -> Self {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let session = Session::new(format!("peer-{}-{count}", std::process::id()));
        let usual = OpenOptions::default();
        let options = RunOptions {
            backend: usual.backend,
            program: program[0].to_owned(),
            args: program[1..].iter().map(|&word| word.to_owned()).collect(),
            profile: usual.profile,
            cols: size.cols,
            rows: size.rows,
            cwd: usual.cwd,
            env: usual.env,
            wait_ready: usual.wait_ready,
            restart: usual.restart,
            timeouts: usual.timeouts,
            recording: usual.recording,
            style: usual.style,
        };
        session.run(options).expect("the program starts");
        TuiTest { session, size }
    }

    fn send(&mut self, text: &str) {
        let data = text.to_owned();
        self.execute(Operation::Write { data });
    }

    fn wait(&mut self, text: &str) {
        let locator = self.session.get_by_text(text).any();
        locator
            .wait_with_timeout(patience())
            .expect("the text appears");
    }

    fn matched(&mut self) -> String {
        match self.execute(Operation::Text { full: false }) {
            OperationResult::Text(text) => text,
            other => panic!("not a text: {other:?}"),
        }
    }

    fn finish(self) -> bool {
        let timeout_ms = patience();
        self.execute(Operation::WaitExit { timeout_ms });
        match self.execute(Operation::State) {
            OperationResult::State(state) => state.exited == Some(0),
            other => panic!("not a state: {other:?}"),
        }
    }

    fn styled(&mut self) -> Option<u64> {
        let (w, h) = (self.size.cols, self.size.rows);
        let OperationResult::Cells(cells) = self.execute(Operation::Cells { x: 0, y: 0, w, h })
        else {
            panic!("not cells");
        };
        let mut sum = Sum::default();
        for cell in cells {
            let character = cell.char.chars().next().unwrap_or(' ');
            let attributes = u64::from(cell.bold) << 32 | u64::from(cell.italic) << 33;
            sum.add(character, color(&cell.fg) ^ color(&cell.bg) ^ attributes);
        }
        sum.get()
    }
}

impl Drop for TuiTest {
    fn drop(&mut self) {
        let _ = self.session.close();
    }
}

fn color(color: &CellColor) -> u64 {
    match *color {
        CellColor::Rgb(r, g, b) => u64::from(r) << 16 | u64::from(g) << 8 | u64::from(b),
        CellColor::Default => 0,
        CellColor::Indexed(_) => 1,
    }
}

//! Detects whether a program waits for input, on Linux.
//!
//! A program waits if the terminal holds no unread input, no thread of the foreground's processes
//! runs, and one of them is blocked in a call that returns when the terminal has input. In a
//! terminal that is not in canonical mode, a short sleep counts as well, because a program may poll
//! for input between sleeps. No event reports this, so the caller checks repeatedly;
//! `session/ready.rs` decides how often. If the kernel does not report it, for example because
//! `/proc` is hidden, the result is [`Activity::Unknown`] and never a guess.
//!
//! Two things qualify "waits for input", and both are part of the result:
//!
//! - **Timers.** A program that waits with a timeout continues by itself when it expires. Textual
//!   and Ink mount a widget 15 to 35 ms after they were first seen waiting; editors wait 25 to 1000
//!   ms for the rest of a key after an Escape.
//! - **Relays.** tmux, ssh or script wait for the terminal and for a socket or another PTY at once;
//!   the program that will read the input is behind them. If it is a descendant on a terminal of
//!   its own (tmux, screen, script, expect), it is inspected as well.
//!
//! See also: `idle/call.rs` (the call that a thread is blocked in), `idle/switches.rs` (whether all
//! threads are blocked at the same time), `idle/process.rs` (`/proc`), `idle/sole_program.rs` (the
//! fast path for one process).

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use super::master::Master;
use super::{Activity, LineFlags, Relay, Waiting};
use call::BlockedCall;
use process::ProcessTree;
pub(super) use process::{Device, Process};
pub(super) use sole_program::SoleProgram;
use switches::SwitchCounts;

mod call;
mod process;
mod sole_program;
mod switches;

/// The longest sleep of a program that polls for input between sleeps, as games and spinners do. A
/// longer sleep counts as work.
const LONGEST_NAP: Duration = Duration::from_millis(100);

/// Whether a terminal holds input that its program has not read.
pub(super) enum TerminalInput {
    /// The terminal holds unread input.
    Unread,
    /// The terminal, which is this device, holds no unread input.
    None { terminal: Device },
}

/// Returns the activity of a terminal's foreground; `supervisor` is the parent of the program in
/// it.
pub(super) fn inspect(master: &Master, supervisor: u32, sole: Option<&SoleProgram>) -> Activity {
    activity(master, supervisor, sole).unwrap_or(Activity::Unknown)
}

fn activity(master: &Master, supervisor: u32, sole: Option<&SoleProgram>) -> Option<Activity> {
    // Checked before the processes: a process that reads input after this check is seen running.
    let terminal = match master.input_for_program()? {
        TerminalInput::Unread => return Some(Activity::Unread),
        TerminalInput::None { terminal } => terminal,
    };
    let group = master.foreground()?;
    let edits_lines = master.line()?.now.flags.contains(LineFlags::ICANON);
    let quick_result = sole.and_then(|sole| sole.activity(group, terminal, edits_lines));
    if quick_result.is_some() {
        return quick_result;
    }
    let Some(tree) = ProcessTree::below(supervisor)? else {
        // There are more processes or threads than are inspected.
        return None;
    };
    if !tree.processes.iter().any(|p| p.group == group) {
        // A job has ended, and its shell is about to take the terminal back; or `/proc` hides the
        // programs because they run as another user.
        return tree.has_ended(group).then_some(Activity::Busy);
    }
    let mut inspection = Inspection::new(terminal);
    for process in tree.processes.iter().filter(|p| p.group == group) {
        match inspection.process(process)? {
            BlockedState::No => return Some(Activity::Busy),
            BlockedState::Yes => {}
        }
    }
    if !inspection.reads {
        // GNU screen: its client sleeps, and its server reads the terminal. The server has no
        // controlling terminal, unlike a stopped job that is blocked in a read of the terminal.
        let server = |p: &&Process| p.group != group && p.terminal.is_none();
        for process in tree.processes.iter().filter(server) {
            let mut other = Inspection::new(terminal);
            if other.process(process)? == BlockedState::Yes && other.reads {
                inspection.join(other);
            }
        }
    }
    let nap = if inspection.reads {
        None
    } else {
        inspection.nap.filter(|nap| *nap <= LONGEST_NAP)
    };
    let mut text_at_once = edits_lines;
    // In a terminal in canonical mode, a program that sleeps counts as working.
    if !inspection.reads && (nap.is_none() || text_at_once) {
        return Some(Activity::Busy);
    }
    let mut relay = None;
    if inspection.relays {
        let Some(programs) = relayed_programs(&tree, group, &mut inspection)? else {
            return Some(Activity::Busy);
        };
        text_at_once |= programs.edits_lines;
        relay = Some(programs.relay);
    }
    if !inspection.switches.were_blocked_together() {
        return Some(Activity::Busy);
    }
    Some(Activity::Waiting(Waiting {
        timers: inspection.timers,
        nap,
        naps: inspection.naps,
        runs: inspection.switches.total(),
        state: inspection.state.finish(),
        relay,
        text_at_once,
    }))
}

/// Returns whether a program, or one in the terminal's foreground, is stopped. Stopped background
/// jobs do not count.
pub(super) fn is_stopped(master: &Master, supervisor: u32, program: u32) -> bool {
    let in_foreground = || {
        let group = master.foreground()?;
        let tree = ProcessTree::below(supervisor)??;
        let mut stopped = tree.processes.iter().filter(|p| p.state == 'T');
        Some(stopped.any(|p| p.group == group))
    };
    Process::find(program).is_some_and(|program| program.state == 'T')
        || in_foreground().unwrap_or(false)
}

/// Findings about the inspected processes.
struct Inspection {
    terminal: Device,
    /// A thread is blocked in a call that returns when the terminal has input.
    reads: bool,
    /// A process waits for this terminal, and also for a socket or for another terminal.
    relays: bool,
    /// Times after which threads continue by themselves.
    timers: Vec<Duration>,
    /// The longest time for which a thread sleeps.
    nap: Option<Duration>,
    /// How often sleeping threads have run, in total.
    naps: u64,
    /// Hash of how the threads wait.
    state: DefaultHasher,
    switches: SwitchCounts,
}

/// Whether a process is blocked as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BlockedState {
    Yes,
    /// One of its threads runs.
    No,
}

impl Inspection {
    fn new(terminal: Device) -> Inspection {
        Inspection {
            terminal,
            reads: false,
            relays: false,
            timers: Vec::new(),
            nap: None,
            naps: 0,
            state: DefaultHasher::new(),
            switches: SwitchCounts::default(),
        }
    }

    /// Inspects every thread of a process. Returns `None` if the kernel does not report enough.
    fn process(&mut self, process: &Process) -> Option<BlockedState> {
        let mut waits_elsewhere = false;
        let mut reads = false;
        for thread in process.threads() {
            let switches = self.switches.note(process.id, thread);
            let call = BlockedCall::of(process.id, thread);
            self.note(process.id, thread, &call);
            match call {
                BlockedCall::Read { file } => {
                    reads |= process.has_open(file, self.terminal);
                }
                BlockedCall::Wait(wait) => {
                    wait.timeout.hash(&mut self.state);
                    self.timers.extend(wait.timeout);
                    let files = wait.files(process.id)?;
                    reads |= files.iter().any(|f| process.has_open(*f, self.terminal));
                    waits_elsewhere |= process.leads_elsewhere(&files, self.terminal);
                }
                BlockedCall::Sleep(time) => {
                    self.timers.push(time);
                    self.nap = self.nap.max(Some(time));
                    self.naps += switches.unwrap_or_default();
                }
                BlockedCall::Other => {}
                BlockedCall::Running => return Some(BlockedState::No),
                BlockedCall::Unknown => return None,
            }
        }
        self.reads |= reads;
        self.relays |= reads && waits_elsewhere;
        Some(BlockedState::Yes)
    }

    /// Adds a call to the state. A plain read adds nothing, so that `SoleProgram` computes the same
    /// state.
    fn note(&mut self, process: u32, thread: u32, call: &BlockedCall) {
        if !matches!(call, BlockedCall::Read { .. }) {
            (process, thread, call.kind()).hash(&mut self.state);
        }
    }

    fn join(&mut self, other: Inspection) {
        self.reads |= other.reads;
        self.relays |= other.relays;
        self.timers.extend(other.timers);
        other.state.finish().hash(&mut self.state);
        self.switches.join(other.switches);
    }
}

/// The state of the programs behind a relay.
struct RelayedPrograms {
    relay: Relay,
    /// Whether all their terminals are in canonical mode.
    edits_lines: bool,
}

/// Inspects the programs that a relay hands input to: those on other terminals, and the servers in
/// between. They are inspected in the order in which input reaches them, so that none is seen
/// waiting while its input is still on the way from an earlier one. Returns `Some(None)` if a
/// server runs, if output is still on its way, or if all programs work and there is no server.
fn relayed_programs(
    tree: &ProcessTree,
    group: u32,
    inspection: &mut Inspection,
) -> Option<Option<RelayedPrograms>> {
    let mut programs = Vec::new();
    let mut has_server = false;
    for process in tree.processes.iter().filter(|p| p.group != group) {
        match process
            .terminal
            .filter(|device| *device != inspection.terminal)
        {
            Some(terminal) if process.in_foreground => programs.push((process, terminal)),
            // A background job of a shell behind the relay.
            Some(_) => {}
            None => {
                has_server = true;
                let mut server = Inspection::new(inspection.terminal);
                if server.process(process)? == BlockedState::No {
                    return Some(None);
                }
                inspection.timers.extend(server.timers);
                server.state.finish().hash(&mut inspection.state);
                inspection.switches.join(server.switches);
            }
        }
    }
    let mut devices: Vec<Device> = programs.iter().map(|(_, device)| *device).collect();
    devices.sort_unstable();
    devices.dedup();
    let mut edits_lines = !devices.is_empty();
    let mut waiting = 0;
    let mut is_starting = false;
    for device in &devices {
        let on_it = || {
            programs
                .iter()
                .filter(|(_, of)| of == device)
                .map(|(p, _)| *p)
        };
        let Some(terminal) = on_it().find_map(Process::open_terminal) else {
            continue;
        };
        edits_lines &= terminal.edits_lines();
        if terminal.has_unread_input() {
            is_starting |= on_it().any(Process::is_young);
            continue;
        }
        let mut inner = Inspection::new(*device);
        let mut blocked = true;
        for process in on_it() {
            blocked &= inner.process(process)? == BlockedState::Yes;
        }
        if blocked && inner.reads {
            waiting += 1;
            inspection.join(inner);
        } else {
            is_starting |= on_it().any(Process::is_young);
        }
    }
    // The relays may not have read what the programs wrote before they were seen waiting.
    let mut relays = tree
        .processes
        .iter()
        .filter(|p| p.group == group || p.terminal.is_none());
    if relays.any(Process::has_unread_output) {
        return Some(None);
    }
    let relay = match (waiting, devices.len()) {
        (_, 0) => Relay::Hidden,
        (0, _) if has_server => Relay::Busy,
        (0, _) => return Some(None),
        (waiting, all) if waiting == all => Relay::Waiting,
        _ if is_starting => Relay::Starting,
        _ => Relay::Working,
    };
    Some(Some(RelayedPrograms { relay, edits_lines }))
}

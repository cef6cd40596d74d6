//! Messages between the host and a supervisor: packets of three numbers.

/// The length of a packet.
pub(super) const LENGTH: usize = 12;

/// An order of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HostOrder {
    /// Signal the program's process group.
    Signal { number: i32 },
    /// End everything: ask all processes to exit, and kill them after this time.
    Close { grace_millis: i32 },
}

/// A report of a supervisor. The first is one of the first two variants, then the others follow in
/// this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SupervisorReport {
    /// The program runs.
    Started { program: u32 },
    /// The program could not be started. The host reads no more reports.
    Failed { step: StartStep, errno: i32 },
    /// The program exited with this `wait` status.
    Ended { status: i32 },
    /// No process of the program is left; no more reports follow.
    Finished,
}

/// Steps of starting a program that can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StartStep {
    /// Becoming a supervisor, and forking.
    Supervise = 1,
    /// Making the terminal the program's controlling terminal.
    Terminal = 2,
    /// Entering the directory.
    Enter = 3,
    /// Executing the file.
    Execute = 4,
}

impl HostOrder {
    pub(super) fn to_bytes(self) -> [u8; LENGTH] {
        match self {
            HostOrder::Signal { number } => join([1, number, 0]),
            HostOrder::Close { grace_millis } => join([2, grace_millis, 0]),
        }
    }

    pub(super) fn from_bytes(bytes: [u8; LENGTH]) -> Option<HostOrder> {
        match split(bytes) {
            [1, number, _] => Some(HostOrder::Signal { number }),
            [2, grace_millis, _] => Some(HostOrder::Close { grace_millis }),
            _ => None,
        }
    }
}

impl SupervisorReport {
    pub(super) fn to_bytes(self) -> [u8; LENGTH] {
        match self {
            SupervisorReport::Started { program } => join([1, program.cast_signed(), 0]),
            SupervisorReport::Failed { step, errno } => join([2, step as i32, errno]),
            SupervisorReport::Ended { status } => join([3, status, 0]),
            SupervisorReport::Finished => join([4, 0, 0]),
        }
    }

    pub(super) fn from_bytes(bytes: [u8; LENGTH]) -> Option<SupervisorReport> {
        Some(match split(bytes) {
            [1, program, _] => SupervisorReport::Started {
                program: program.cast_unsigned(),
            },
            [2, step, errno] => SupervisorReport::Failed {
                step: match step {
                    1 => StartStep::Supervise,
                    2 => StartStep::Terminal,
                    3 => StartStep::Enter,
                    4 => StartStep::Execute,
                    _ => return None,
                },
                errno,
            },
            [3, status, _] => SupervisorReport::Ended { status },
            [4, ..] => SupervisorReport::Finished,
            _ => return None,
        })
    }
}

fn join([a, b, c]: [i32; 3]) -> [u8; LENGTH] {
    let [a, b, c] = [a.to_ne_bytes(), b.to_ne_bytes(), c.to_ne_bytes()];
    [
        a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], c[0], c[1], c[2], c[3],
    ]
}

fn split([a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3]: [u8; LENGTH]) -> [i32; 3] {
    [
        i32::from_ne_bytes([a0, a1, a2, a3]),
        i32::from_ne_bytes([b0, b1, b2, b3]),
        i32::from_ne_bytes([c0, c1, c2, c3]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_arrives_as_it_was_sent() {
        for order in [
            HostOrder::Signal { number: 15 },
            HostOrder::Close { grace_millis: 100 },
        ] {
            assert_eq!(HostOrder::from_bytes(order.to_bytes()), Some(order));
        }
        let step = |step| SupervisorReport::Failed { step, errno: 2 };
        for report in [
            SupervisorReport::Started { program: 4711 },
            step(StartStep::Supervise),
            step(StartStep::Terminal),
            step(StartStep::Enter),
            step(StartStep::Execute),
            SupervisorReport::Ended { status: 0x80 | 11 },
            SupervisorReport::Finished,
        ] {
            assert_eq!(
                SupervisorReport::from_bytes(report.to_bytes()),
                Some(report)
            );
        }
    }
}

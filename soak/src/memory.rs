//! Checks that memory does not grow.

/// One entry per wave, taken when no session is running: bytes in use and resident KiB.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    in_use: Vec<u64>,
    occupied: Vec<u64>,
}

/// The medians of the second and of the last quarter of the waves. Caches fill in the first
/// quarter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quarters {
    pub(crate) second: u64,
    pub(crate) last: u64,
}

/// Allowed growth of the bytes in use: interned names, a table that doubled.
const IN_USE: u64 = 64 << 10;

impl Memory {
    pub(crate) fn record_wave(&mut self, in_use: u64, occupied: u64) {
        self.in_use.push(in_use);
        self.occupied.push(occupied);
    }

    pub(crate) fn in_use(&self) -> Option<Quarters> {
        Quarters::of(&self.in_use)
    }

    pub(crate) fn occupied(&self) -> Option<Quarters> {
        Quarters::of(&self.occupied)
    }

    /// Returns a description of the growth if it exceeds the limit. The resident size varies with
    /// the allocator's arenas, by up to a half.
    pub(crate) fn growth(&self) -> Option<String> {
        if let Some(Quarters { second, last }) = self.in_use()
            && last > second + IN_USE
        {
            return Some(format!("from {second} to {last} bytes in use"));
        }
        let Quarters { second, last } = self.occupied()?;
        (last > second + second / 2).then(|| format!("from {second} to {last} KiB resident"))
    }
}

impl Quarters {
    fn of(waves: &[u64]) -> Option<Quarters> {
        let quarter = waves.len() / 4;
        (quarter > 0).then(|| Quarters {
            second: median(&waves[quarter..2 * quarter]),
            last: median(&waves[waves.len() - quarter..]),
        })
    }
}

fn median(of: &[u64]) -> u64 {
    let mut sorted = of.to_vec();
    sorted.sort_unstable();
    sorted[sorted.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(waves: impl IntoIterator<Item = (u64, u64)>) -> Memory {
        let mut memory = Memory::default();
        for (in_use, occupied) in waves {
            memory.record_wave(in_use, occupied);
        }
        memory
    }

    #[test]
    fn growth_in_every_wave_is_reported() {
        let leak = of((0..40).map(|wave| (20_000 + 4_000 * wave, 100_000)));
        assert_eq!(leak.growth().unwrap(), "from 80000 to 160000 bytes in use");
        let cut_up = of((0..40).map(|wave| (20_000, 10_000 + 1_000 * wave)));
        assert_eq!(cut_up.growth().unwrap(), "from 25000 to 45000 KiB resident");
    }

    #[test]
    fn caches_and_fluctuations_are_not_growth() {
        let breathing = (0..40).map(|wave| {
            let filled = 1_000_000 * u64::from(wave > 5) + wave % 7 * 3_000;
            (filled, 20_000 + wave % 7 * 1_000)
        });
        assert_eq!(of(breathing).growth(), None);
        assert_eq!(of([]).growth(), None);
    }
}

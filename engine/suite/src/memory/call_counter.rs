//! Counts the memory use of one call.

use benchbook_contract::protocol::Counts;

/// The memory use of a call so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CallCounter {
    allocations: u64,
    bytes: u64,
    /// Bytes held beyond those at the start; negative if the call freed more than it allocated.
    held: i64,
    /// The maximum of `held`.
    peak: i64,
}

impl CallCounter {
    pub(crate) const NEW: Self = Self { allocations: 0, bytes: 0, held: 0, peak: 0 };

    /// Counts an allocation of `bytes`, or a reallocation that grows by `bytes`.
    pub(super) fn allocate(&mut self, bytes: i64) {
        self.allocations += 1;
        self.bytes += bytes as u64;
        self.held += bytes;
        self.peak = self.peak.max(self.held);
    }

    /// Counts a reallocation that shrinks by `bytes`.
    pub(super) fn shrink(&mut self, bytes: i64) {
        self.allocations += 1;
        self.held -= bytes;
    }

    /// Counts a deallocation of `bytes`.
    pub(super) fn release(&mut self, bytes: i64) {
        self.held -= bytes;
    }

    /// Adds the call to the counts of its batch.
    pub(crate) fn add_to(self, batch: &mut Counts) {
        batch.allocations += self.allocations;
        batch.bytes += self.bytes;
        batch.peak = batch.peak.max(self.peak as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts of a batch of one call.
    fn counts(call: impl Fn(&mut CallCounter)) -> (u64, u64, u64) {
        let mut counter = CallCounter::NEW;
        call(&mut counter);
        let mut counts = Counts::default();
        counter.add_to(&mut counts);
        (counts.allocations, counts.bytes, counts.peak)
    }

    #[test]
    fn bytes_are_allocated_and_grown_ones() {
        assert_eq!(counts(|_| {}), (0, 0, 0));
        let grow_and_shrink = |call: &mut CallCounter| {
            call.allocate(100);
            call.allocate(50);
            call.shrink(30);
        };
        assert_eq!(counts(grow_and_shrink), (3, 150, 150));
    }

    #[test]
    fn peak_counts_from_the_start_and_is_never_negative() {
        let in_turn = |call: &mut CallCounter| {
            for _ in 0..3 {
                call.allocate(100);
                call.release(100);
            }
        };
        assert_eq!(counts(in_turn), (3, 300, 100));
        let release_own_argument = |call: &mut CallCounter| {
            call.release(100);
            call.allocate(70);
        };
        assert_eq!(counts(release_own_argument), (1, 70, 0));
    }

    #[test]
    fn a_batch_has_sums_and_the_maximum_peak() {
        let mut batch = Counts::default();
        for bytes in [10, 30, 20] {
            let mut call = CallCounter::NEW;
            call.allocate(bytes);
            call.add_to(&mut batch);
        }
        assert_eq!(batch, Counts { allocations: 3, bytes: 60, peak: 30 });
    }
}

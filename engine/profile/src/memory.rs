//! What the allocator did, by the frames that asked for memory.

use std::collections::HashMap;

use benchbook_instrument::{AllocationEvent, AllocationOperation};

use crate::amounts::Amounts;

/// What each context of the allocator did, and what it held at the peak, by the addresses of the contexts. `events`: those of all counted calls.
///
/// A reallocation counts as in the suite: bytes are those by which memory grew, and a call begins without memory of its own.
pub(crate) fn amounts(events: &[AllocationEvent]) -> HashMap<u32, Amounts> {
    let mut amounts: HashMap<u32, Amounts> = HashMap::new();
    let mut held = Held::default();
    // The most bytes held, and the event after which they were.
    let mut peak = (0, None);
    for (index, event) in events.iter().enumerate() {
        if let (Some(growth), true) = (held.apply(event), is_allocation(event)) {
            let own = amounts.entry(event.context).or_default();
            let sizes = Some((event.size, event.size));
            *own += Amounts { allocations: 1, bytes: growth.max(0), sizes, ..Amounts::default() };
        }
        if held.bytes > peak.0 {
            peak = (held.bytes, Some(index));
        }
    }
    // The same again up to the peak: noting who holds what whenever there is a new one would take the square of the time.
    if let (_, Some(last)) = peak {
        let begins = |event: &AllocationEvent| event.operation == AllocationOperation::Call;
        let first = events[..last].iter().rposition(begins).unwrap_or(0);
        let mut held = Held::default();
        events[first..=last].iter().for_each(|event| _ = held.apply(event));
        for (context, bytes) in held.blocks.into_values() {
            amounts.entry(context).or_default().peak += i64::from(bytes);
        }
    }
    amounts
}

fn is_allocation(event: &AllocationEvent) -> bool {
    matches!(event.operation, AllocationOperation::Allocate | AllocationOperation::Reallocate)
}

/// The memory of the call in progress.
#[derive(Default)]
struct Held {
    /// By how many bytes it holds more than when it began.
    bytes: i64,
    /// The context and the size of each block that it has allocated, by addresses.
    blocks: HashMap<u32, (u32, u32)>,
}

impl Held {
    /// Returns by how much the call holds more; `None` for an allocation that was refused.
    fn apply(&mut self, event: &AllocationEvent) -> Option<i64> {
        let growth = match event.operation {
            AllocationOperation::Call => {
                *self = Self::default();
                return None;
            }
            AllocationOperation::Allocate if event.result != 0 => i64::from(event.size),
            AllocationOperation::Reallocate if event.result != 0 => i64::from(event.size) - i64::from(event.old_size),
            AllocationOperation::Allocate | AllocationOperation::Reallocate => return None,
            AllocationOperation::Release => -i64::from(event.size),
        };
        if event.operation != AllocationOperation::Allocate {
            let block = event.parameters.iter().find(|address| self.blocks.contains_key(address));
            block.and_then(|address| self.blocks.remove(address));
        }
        if is_allocation(event) {
            self.blocks.insert(event.result, (event.context, event.size));
        }
        self.bytes += growth;
        Some(growth)
    }
}

#[cfg(test)]
mod tests {
    use AllocationOperation::{Allocate, Call, Reallocate, Release};

    use super::*;

    /// An event in a context. `address`: that of the memory before; `result`: the one afterwards.
    fn event(
        operation: AllocationOperation,
        context: u32,
        sizes: [u32; 2],
        address: u32,
        result: u32,
    ) -> AllocationEvent {
        let [old_size, size] = sizes;
        AllocationEvent { operation, context, size, old_size, parameters: [8, address], result }
    }

    #[test]
    fn the_peak_is_that_of_one_call_and_belongs_to_the_holders_of_memory() {
        let events = [
            event(Call, 0, [0; 2], 0, 0),
            event(Allocate, 1, [0, 100], 0, 1_000),
            event(Call, 0, [0; 2], 0, 0),
            event(Allocate, 1, [0, 60], 0, 2_000),
            event(Reallocate, 2, [60, 80], 2_000, 3_000),
            event(Allocate, 1, [0, 30], 0, 2_000),
            event(Allocate, 1, [0, 1_000], 0, 0),
            event(Release, 3, [0, 30], 2_000, 0),
            event(Reallocate, 2, [80, 20], 3_000, 3_000),
        ];
        let amounts = amounts(&events);
        let first = Amounts { allocations: 3, bytes: 190, peak: 30, sizes: Some((30, 100)), ..Amounts::default() };
        let second = Amounts { allocations: 2, bytes: 20, peak: 80, sizes: Some((20, 80)), ..Amounts::default() };
        assert_eq!(amounts, HashMap::from([(1, first), (2, second)]));
    }

    #[test]
    fn memory_of_the_input_is_not_held_by_the_call() {
        let events = [
            event(Call, 0, [0; 2], 0, 0),
            event(Release, 3, [0, 500], 7_000, 0),
            event(Allocate, 1, [0, 100], 0, 1_000),
        ];
        assert_eq!(amounts(&events)[&1].peak, 0, "it holds less than before");
    }
}

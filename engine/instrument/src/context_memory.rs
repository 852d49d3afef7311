//! What the allocator did, by the contexts that asked for memory.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::allocations::{AllocationEvent, AllocationOperation};
use crate::contexts::Context;

/// What calls execute in each context, without the loop around them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextCounts {
    /// The number of counted calls.
    pub calls: u64,
    /// All contexts of the suite, those of the loop and of other work included; a caller comes before those that it called.
    pub contexts: Vec<Context>,
    /// How often each block of a context was executed, in the order of the contexts and of [`Context::blocks`]. Signed: those of the loop around the calls
    /// were subtracted.
    pub blocks: Vec<Vec<i64>>,
    /// How many bytes the bulk operators of a context have copied or filled, as [`Self::blocks`] and [`Context::copied`].
    pub copied: Vec<Vec<i64>>,
    /// What the allocator did in calls with the same inputs, by its own contexts.
    pub memory: Vec<ContextMemory>,
    /// The memory around the call that needs the most, of one round of calls.
    pub call_memory: Option<CallMemory>,
}

/// What the allocator did in a context, in all counted calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextMemory {
    /// The address of the context of the allocator's function: [`Context::address`](crate::Context::address).
    pub context: u32,
    /// Allocations and reallocations.
    pub allocations: u64,
    /// Bytes that were allocated; for reallocations, those by which memory grew.
    pub bytes: u64,
    /// Bytes held when the call with the most memory held the most.
    pub peak: u64,
    /// The sizes in bytes of the smallest and the largest allocation.
    pub sizes: (u32, u32),
}

/// The memory that the suite holds around a call, in bytes: that of its input and everything else included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CallMemory {
    /// When the call begins.
    pub initial: i64,
    /// When it has returned.
    pub current: i64,
    /// The most in between.
    pub peak: i64,
}

/// The memory around the call that needs the most. `events`: those of counted calls; `None` without any.
pub fn call_memory(events: &[AllocationEvent]) -> Option<CallMemory> {
    let mut calls: Vec<CallMemory> = Vec::new();
    let mut held = Held::default();
    for event in events {
        let is_change = held.apply(event).is_some();
        if event.operation == AllocationOperation::Call {
            let initial = event.size.into();
            calls.push(CallMemory { initial, current: initial, peak: initial });
        } else if let (true, Some(call)) = (is_change, calls.last_mut()) {
            call.current = call.initial + held.bytes;
            call.peak = call.peak.max(call.current);
        }
    }
    calls.into_iter().max_by_key(|call| call.peak)
}

/// The memory use of each context of the allocator, in the order of their addresses. `events`: those of all counted calls.
///
/// It is counted as in the suite: a reallocation counts, and a call begins without memory of its own. A call holds what it has allocated and not freed, so one that frees its
/// input may hold less than nothing.
pub fn memory_by_context(events: &[AllocationEvent]) -> Vec<ContextMemory> {
    let mut all: BTreeMap<u32, ContextMemory> = BTreeMap::new();
    let mut held = Held::default();
    // The most bytes held, and the event after which they were.
    let mut peak = (0, None);
    for (index, event) in events.iter().enumerate() {
        if let (Some(growth), true) = (held.apply(event), is_allocation(event)) {
            let (context, size) = (event.context, event.size);
            let none = ContextMemory { context, allocations: 0, bytes: 0, peak: 0, sizes: (size, size) };
            let own = all.entry(context).or_insert(none);
            own.allocations += 1;
            own.bytes += u64::try_from(growth).unwrap_or(0);
            own.sizes = (own.sizes.0.min(size), own.sizes.1.max(size));
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
            if let Some(own) = all.get_mut(&context) {
                own.peak += u64::from(bytes);
            }
        }
    }
    all.into_values().collect()
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
    blocks: BTreeMap<u32, (u32, u32)>,
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
        let block = event.parameters.iter().find(|address| self.blocks.contains_key(address)).copied();
        let known = block.filter(|_| event.operation != AllocationOperation::Allocate);
        let known = known.and_then(|address| self.blocks.remove(&address));
        if is_allocation(event) {
            // Of memory that was there before the call, it holds what was added.
            let is_earlier = event.operation == AllocationOperation::Reallocate && known.is_none();
            let size = if is_earlier { event.size.saturating_sub(event.old_size) } else { event.size };
            self.blocks.insert(event.result, (event.context, size));
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
        let first = ContextMemory { context: 1, allocations: 3, bytes: 190, peak: 30, sizes: (30, 100) };
        let second = ContextMemory { context: 2, allocations: 2, bytes: 20, peak: 80, sizes: (20, 80) };
        assert_eq!(memory_by_context(&events), [first, second]);
    }

    #[test]
    fn a_call_adds_to_what_was_held_before() {
        let events = [
            event(Call, 0, [0, 400], 0, 0),
            event(Allocate, 1, [0, 50], 0, 1_000),
            event(Call, 0, [0, 500], 0, 0),
            event(Allocate, 1, [0, 100], 0, 1_000),
            event(Release, 3, [0, 500], 7_000, 0),
            event(Allocate, 1, [0, 1_000], 0, 0),
        ];
        assert_eq!(call_memory(&events), Some(CallMemory { initial: 500, current: 100, peak: 600 }));
        assert_eq!(call_memory(&[]), None);
    }

    #[test]
    fn memory_of_the_input_is_not_held_by_the_call() {
        let events = [
            event(Call, 0, [0; 2], 0, 0),
            event(Release, 3, [0, 500], 7_000, 0),
            event(Allocate, 1, [0, 100], 0, 1_000),
        ];
        assert_eq!(memory_by_context(&events)[0].peak, 0, "it holds less than before");
    }

    #[test]
    fn of_memory_that_was_there_before_a_call_holds_what_it_added() {
        let events = [event(Call, 0, [0; 2], 0, 0), event(Reallocate, 1, [400, 800], 7_000, 8_000)];
        let memory = memory_by_context(&events);
        assert_eq!((memory[0].bytes, memory[0].peak), (400, 400));
    }
}

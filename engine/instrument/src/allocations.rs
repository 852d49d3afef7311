//! Reads what the suite's allocator did during counted calls, from the memory of a module that counts by context.

use crate::contexts::{ContextReading, DamagedContexts};

/// The offsets in an event. The address of the next one is at 0.
pub(crate) const OPERATION: u32 = 4;
pub(crate) const NODE: u32 = 8;
pub(crate) const SIZE: u32 = 12;
pub(crate) const OLD_SIZE: u32 = 16;
pub(crate) const PARAMETERS: [u32; 2] = [20, 24];
pub(crate) const RESULT: u32 = 28;

/// The bytes of an event: a multiple of 8, so that the counters after it are aligned.
pub(crate) const EVENT: i32 = 32;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllocationOperation {
    /// A call of the measured function began.
    Call,
    /// Memory was allocated.
    Allocate,
    /// Memory got another size, and maybe another address.
    Reallocate,
    /// Memory was freed.
    Release,
}

impl AllocationOperation {
    /// All of them, in the order of their numbers.
    const ALL: [Self; 4] = [Self::Call, Self::Allocate, Self::Reallocate, Self::Release];

    /// What a function with this name does: those of `benchbook-suite`, which are never inlined.
    #[cfg(feature = "instrument")]
    pub(crate) fn of_function(name: &str) -> Option<Self> {
        if name == "benchbook_suite::memory::begin_call" {
            return Some(Self::Call);
        }
        let allocator = name.strip_prefix("<benchbook_suite::entry::allocator::BoundedAllocator")?;
        match allocator.rsplit_once("GlobalAlloc>::")?.1 {
            "alloc" | "alloc_zeroed" => Some(Self::Allocate),
            "realloc" => Some(Self::Reallocate),
            "dealloc" => Some(Self::Release),
            _ => None,
        }
    }
}

/// An event, in the order of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllocationEvent {
    /// What happened.
    pub operation: AllocationOperation,
    /// The address of the context of the allocator's function: [`Context::address`](crate::Context::address).
    pub context: u32,
    /// The size in bytes: the new one of a reallocation. Of a call, what the suite holds when it begins.
    pub size: u32,
    /// Of a reallocation, the old size in bytes; otherwise without a meaning.
    pub old_size: u32,
    /// The first two parameters of the allocator's function. One of them is the address of the memory that was freed or got another size. Which one
    /// depends on the parameters that the compiler has removed.
    pub parameters: [u32; 2],
    /// The address of the memory that was allocated; 0 if it was refused.
    pub result: u32,
}

impl ContextReading {
    /// Reads what the suite's allocator did in counted calls, in the order of time.
    ///
    /// # Errors
    /// If the memory contains something else.
    pub fn allocations(&self) -> Result<Vec<AllocationEvent>, DamagedContexts> {
        let mut events = Vec::new();
        let [_, mut event, _] = self.globals;
        while event != 0 {
            // A damaged list may have no end.
            if events.len() > self.bytes.len() / EVENT as usize {
                return Err(DamagedContexts);
            }
            let field = |offset: u32| self.word(event.wrapping_add(offset));
            let operation = AllocationOperation::ALL.get(field(OPERATION)? as usize);
            events.push(AllocationEvent {
                operation: *operation.ok_or(DamagedContexts)?,
                context: field(NODE)?,
                size: field(SIZE)?,
                old_size: field(OLD_SIZE)?,
                parameters: [field(PARAMETERS[0])?, field(PARAMETERS[1])?],
                result: field(RESULT)?,
            });
            event = field(0)?;
        }
        Ok(events)
    }
}

#[cfg(all(test, feature = "instrument"))]
mod tests {
    use super::*;

    #[test]
    fn the_functions_of_the_allocator_are_known_by_their_names() {
        let of_allocator =
            "<benchbook_suite::entry::allocator::BoundedAllocator<A> as core::alloc::global::GlobalAlloc>::";
        for (name, operation) in [
            ("benchbook_suite::memory::begin_call", Some(AllocationOperation::Call)),
            (&format!("{of_allocator}alloc"), Some(AllocationOperation::Allocate)),
            (&format!("{of_allocator}alloc_zeroed"), Some(AllocationOperation::Allocate)),
            (&format!("{of_allocator}realloc"), Some(AllocationOperation::Reallocate)),
            (&format!("{of_allocator}dealloc"), Some(AllocationOperation::Release)),
            ("<std::alloc::System as core::alloc::global::GlobalAlloc>::alloc", None),
            ("benchbook_suite::memory::end_call", None),
        ] {
            assert_eq!(AllocationOperation::of_function(name), operation, "{name}");
        }
    }

    #[test]
    fn a_damaged_list_is_an_error() {
        let mut bytes = vec![0; 256];
        let read = |bytes: &[u8], event| {
            ContextReading { globals: [1_000, event, 1_256], bytes: bytes.to_vec() }.allocations()
        };
        bytes[8 + OPERATION as usize] = 1;
        assert_eq!(read(&bytes, 1_008).map(|events| events.len()), Ok(1));
        bytes[8..12].copy_from_slice(&1_008_u32.to_le_bytes());
        assert_eq!(read(&bytes, 1_008), Err(DamagedContexts), "without an end");
        assert_eq!(read(&bytes, 1_250), Err(DamagedContexts), "outside");
        assert_eq!(read(&bytes, 8), Err(DamagedContexts), "before");
        bytes[8 + OPERATION as usize] = 9;
        assert_eq!(read(&bytes, 1_008), Err(DamagedContexts), "of no operation");
    }
}

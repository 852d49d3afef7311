//! The globals and functions that counting by context adds to a module.

use wasm_encoder::{MemArg, MemArgTarget};

/// The globals of the instrumentation, in this order after those of the module.
#[derive(Clone, Copy)]
pub(super) enum Own {
    /// The address of the current node.
    Current,
    /// The address of the list of the call in progress.
    Slot,
    /// The address of the list of calls by the host; 0 before the first.
    Root,
    /// The next free address, and the end of the pages.
    Free,
    End,
    /// Whether a counted call is in progress.
    LogsAllocations,
    /// The addresses of the first and the last event of the allocator; 0 before the first.
    FirstEvent,
    LastEvent,
}

/// The number of these globals.
pub(super) const GLOBALS: usize = 8;

/// The first indices of what the instrumentation adds.
pub(super) struct OwnItems {
    pub globals: u32,
    pub functions: u32,
}

impl OwnItems {
    pub(super) fn global(&self, own: Own) -> u32 {
        self.globals + own as u32
    }

    /// A function of the instrumentation, by its number.
    pub(super) fn function(&self, number: u32) -> u32 {
        self.functions + number
    }

    /// The function that returns new memory.
    pub(super) fn allocate(&self) -> u32 {
        self.function(0)
    }
}

/// An offset from an address in the memory of the module, whose alignment is unknown.
pub(super) fn at(offset: u32) -> MemArg {
    MemArg { offset: offset.into(), align: 0, target: MemArgTarget::Memory(0), ordering: None }
}

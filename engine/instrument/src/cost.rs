//! What an operator costs, and what kind of work it does.

use std::iter::Sum;
use std::ops::{Add, Index, IndexMut, Mul};

use serde::{Deserialize, Serialize};

/// The kind of work that one unit of cost stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The unit that each call of a function costs, before its first operator.
    Entry,
    /// Computations, comparisons, conversions, constants, `select`, and access to locals, globals, references and sizes.
    Arithmetic,
    /// Reads from a memory or a table.
    Load,
    /// Writes to a memory or a table.
    Store,
    /// `if`, `br`, `br_if` and `br_table`. A `return` is free.
    Branch,
    /// Calls of a known function.
    DirectCall,
    /// Calls through a table.
    IndirectCall,
    /// Operators on ranges of memories, tables and segments, such as `memory.copy` and `memory.grow`.
    Bulk,
}

impl Class {
    /// All classes, in the order of their counts in [`Operators`].
    pub const ALL: [Self; 8] = [
        Self::Entry,
        Self::Arithmetic,
        Self::Load,
        Self::Store,
        Self::Branch,
        Self::DirectCall,
        Self::IndirectCall,
        Self::Bulk,
    ];
}

/// A bulk operator whose work grows with an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BulkKind {
    /// `memory.copy`, in bytes.
    MemoryCopy,
    /// `memory.fill`, in bytes.
    MemoryFill,
    /// `memory.init`, in bytes.
    MemoryInit,
    /// `memory.grow`, in pages of 64 KiB by which the memory has grown.
    MemoryGrow,
    /// `table.copy`, in elements.
    TableCopy,
    /// `table.fill`, in elements.
    TableFill,
    /// `table.init`, in elements.
    TableInit,
    /// `table.grow`, in elements by which the table has grown.
    TableGrow,
}

impl BulkKind {
    /// Whether its amount is in bytes.
    pub fn is_of_bytes(self) -> bool {
        matches!(self, Self::MemoryCopy | Self::MemoryFill | Self::MemoryInit)
    }
}

/// Numbers of operators by class: those in the code, or those that a run executed. Free operators are not counted, so
/// their sum is the cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Operators([u64; Class::ALL.len()]);

impl Operators {
    /// The cost in units: the sum over all classes.
    pub fn cost(&self) -> u64 {
        self.0.iter().sum()
    }
}

impl Index<Class> for Operators {
    type Output = u64;

    fn index(&self, class: Class) -> &u64 {
        &self.0[class as usize]
    }
}

impl IndexMut<Class> for Operators {
    fn index_mut(&mut self, class: Class) -> &mut u64 {
        &mut self.0[class as usize]
    }
}

impl Add for Operators {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|class| self.0[class] + other.0[class]))
    }
}

impl Mul<u64> for Operators {
    type Output = Self;

    fn mul(self, times: u64) -> Self {
        Self(self.0.map(|number| number * times))
    }
}

impl Sum for Operators {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Add::add)
    }
}

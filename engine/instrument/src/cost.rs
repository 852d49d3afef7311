//! What an operator costs, and what kind of work it does.

use std::iter::Sum;
use std::ops::{Add, Index, IndexMut, Mul};

use serde::{Deserialize, Serialize};
use wasmparser::Operator;

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

    /// The class of an operator that costs one unit, or `None` if the operator is free.
    ///
    /// The free ones are those of `default_operator_cost` in `crates/environ/src/tunables.rs` of wasmtime 48.0.
    pub(crate) fn of(operator: &Operator) -> Option<Self> {
        use Operator as O;
        let class = match operator {
            O::Nop | O::Drop | O::Block { .. } | O::Loop { .. } | O::Else | O::End | O::Return | O::Unreachable => {
                return None;
            }
            O::If { .. } | O::Br { .. } | O::BrIf { .. } | O::BrTable { .. } => Self::Branch,
            O::Call { .. } | O::ReturnCall { .. } => Self::DirectCall,
            O::CallIndirect { .. } | O::ReturnCallIndirect { .. } => Self::IndirectCall,
            O::I32Load { .. }
            | O::I64Load { .. }
            | O::F32Load { .. }
            | O::F64Load { .. }
            | O::I32Load8S { .. }
            | O::I32Load8U { .. }
            | O::I32Load16S { .. }
            | O::I32Load16U { .. }
            | O::I64Load8S { .. }
            | O::I64Load8U { .. }
            | O::I64Load16S { .. }
            | O::I64Load16U { .. }
            | O::I64Load32S { .. }
            | O::I64Load32U { .. }
            | O::V128Load { .. }
            | O::V128Load8x8S { .. }
            | O::V128Load8x8U { .. }
            | O::V128Load16x4S { .. }
            | O::V128Load16x4U { .. }
            | O::V128Load32x2S { .. }
            | O::V128Load32x2U { .. }
            | O::V128Load8Splat { .. }
            | O::V128Load16Splat { .. }
            | O::V128Load32Splat { .. }
            | O::V128Load64Splat { .. }
            | O::V128Load32Zero { .. }
            | O::V128Load64Zero { .. }
            | O::V128Load8Lane { .. }
            | O::V128Load16Lane { .. }
            | O::V128Load32Lane { .. }
            | O::V128Load64Lane { .. }
            | O::TableGet { .. } => Self::Load,
            O::I32Store { .. }
            | O::I64Store { .. }
            | O::F32Store { .. }
            | O::F64Store { .. }
            | O::I32Store8 { .. }
            | O::I32Store16 { .. }
            | O::I64Store8 { .. }
            | O::I64Store16 { .. }
            | O::I64Store32 { .. }
            | O::V128Store { .. }
            | O::V128Store8Lane { .. }
            | O::V128Store16Lane { .. }
            | O::V128Store32Lane { .. }
            | O::V128Store64Lane { .. }
            | O::TableSet { .. } => Self::Store,
            O::DataDrop { .. } | O::ElemDrop { .. } => Self::Bulk,
            operator if BulkKind::of(operator).is_some() => Self::Bulk,
            // Only operators on values remain: the validator has rejected those of unsupported features.
            _ => Self::Arithmetic,
        };
        Some(class)
    }
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
    pub(crate) fn of(operator: &Operator) -> Option<Self> {
        match operator {
            Operator::MemoryCopy { .. } => Some(Self::MemoryCopy),
            Operator::MemoryFill { .. } => Some(Self::MemoryFill),
            Operator::MemoryInit { .. } => Some(Self::MemoryInit),
            Operator::MemoryGrow { .. } => Some(Self::MemoryGrow),
            Operator::TableCopy { .. } => Some(Self::TableCopy),
            Operator::TableFill { .. } => Some(Self::TableFill),
            Operator::TableInit { .. } => Some(Self::TableInit),
            Operator::TableGrow { .. } => Some(Self::TableGrow),
            _ => None,
        }
    }

    /// Whether the operator can fail without a trap, and then does no work.
    pub(crate) fn may_fail(self) -> bool {
        matches!(self, Self::MemoryGrow | Self::TableGrow)
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

//! The class and the kind of each operator.

use wasmparser::Operator;

use crate::cost::{BulkKind, Class};

impl Class {
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

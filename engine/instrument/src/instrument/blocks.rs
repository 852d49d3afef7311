//! The basic blocks of a function: straight runs of operators, of which either all are executed or, if one traps, the
//! first few.

use wasmparser::{FunctionBody, Operator, Result};

use crate::cost::{BulkKind, Class};

/// A basic block with a cost. Blocks that only contain free operators are left out, and so is code that no branch reaches.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BasicBlock {
    /// The offset in the module of the operator before which the block is counted.
    pub start: u64,
    /// The operators that cost a unit.
    pub operators: Vec<CountedOperator>,
}

/// An operator that costs a unit, or the entry of a function.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CountedOperator {
    /// Its offset in the module.
    pub offset: u64,
    pub class: Class,
    pub detail: Detail,
}

/// What the map and the counters need to know about an operator besides its class.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Nothing.
    Plain,
    /// A call of the function with this index; `None` if a table decides.
    Call(Option<u32>),
    /// An operator whose amount of work is counted.
    Bulk(BulkKind),
}

/// Splits a valid function into its basic blocks, in the order of the code.
pub(crate) fn basic_blocks(body: &FunctionBody) -> Result<Vec<BasicBlock>> {
    let mut reader = body.get_operators_reader()?;
    let mut walk = Walk::new(body.range().start, reader.original_position());
    while !reader.eof() {
        let (operator, offset) = reader.read_with_offset()?;
        walk.operator(&operator, offset)?;
    }
    Ok(walk.blocks)
}

/// A structure of the code that is open at the current operator: the function itself, a `block`, a `loop` or an `if`.
struct Structure {
    kind: StructureKind,
    /// Whether its start can be reached.
    is_entered: bool,
    /// Whether a branch leads to its end, or the end of the first arm of an `if` with two.
    has_exit: bool,
}

#[derive(PartialEq, Eq)]
enum StructureKind {
    Block,
    Loop,
    /// An `if` without an `else` so far: its end is reached if the condition is false.
    If,
    Else,
}

struct Walk {
    blocks: Vec<BasicBlock>,
    /// Whether the last of the blocks goes on.
    is_open: bool,
    structures: Vec<Structure>,
    /// Whether control can reach the current operator, if each condition can be true and false.
    is_reachable: bool,
}

impl Walk {
    /// The first block always exists, for the entry of the function costs a unit.
    fn new(body: u64, first_operator: u64) -> Self {
        let entry = CountedOperator { offset: body, class: Class::Entry, detail: Detail::Plain };
        Self {
            blocks: vec![BasicBlock { start: first_operator, operators: vec![entry] }],
            is_open: true,
            structures: vec![Structure { kind: StructureKind::Block, is_entered: true, has_exit: false }],
            is_reachable: true,
        }
    }

    fn operator(&mut self, operator: &Operator, offset: u64) -> Result<()> {
        self.count(operator, offset);
        match operator {
            Operator::Block { .. } => self.open(StructureKind::Block),
            Operator::Loop { .. } => {
                self.is_open = false;
                self.open(StructureKind::Loop);
            }
            Operator::If { .. } => {
                self.is_open = false;
                self.open(StructureKind::If);
            }
            Operator::Else => self.begin_else(),
            Operator::End => self.end(),
            Operator::BrIf { relative_depth } => self.branch(*relative_depth),
            Operator::Br { relative_depth } => {
                self.branch(*relative_depth);
                self.is_reachable = false;
            }
            Operator::BrTable { targets } => {
                for depth in targets.targets() {
                    self.branch(depth?);
                }
                self.branch(targets.default());
                self.is_reachable = false;
            }
            Operator::Return
            | Operator::Unreachable
            | Operator::ReturnCall { .. }
            | Operator::ReturnCallIndirect { .. } => {
                self.is_open = false;
                self.is_reachable = false;
            }
            _ => {}
        }
        Ok(())
    }

    fn count(&mut self, operator: &Operator, offset: u64) {
        if !self.is_reachable {
            return;
        }
        let Some(class) = Class::of(operator) else { return };
        let detail = match operator {
            Operator::Call { function_index } | Operator::ReturnCall { function_index } => {
                Detail::Call(Some(*function_index))
            }
            Operator::CallIndirect { .. } | Operator::ReturnCallIndirect { .. } => Detail::Call(None),
            operator => BulkKind::of(operator).map_or(Detail::Plain, Detail::Bulk),
        };
        let counted = CountedOperator { offset, class, detail };
        match self.blocks.last_mut() {
            Some(block) if self.is_open => block.operators.push(counted),
            _ => self.blocks.push(BasicBlock { start: offset, operators: vec![counted] }),
        }
        self.is_open = true;
    }

    fn open(&mut self, kind: StructureKind) {
        self.structures.push(Structure { kind, is_entered: self.is_reachable, has_exit: false });
    }

    fn branch(&mut self, depth: u32) {
        self.is_open = false;
        let target = self.structures.len().checked_sub(1 + depth as usize);
        if let Some(target) = target.and_then(|target| self.structures.get_mut(target)) {
            // A branch to a loop leads to its start.
            target.has_exit |= self.is_reachable && target.kind != StructureKind::Loop;
        }
    }

    fn begin_else(&mut self) {
        self.is_open = false;
        if let Some(structure) = self.structures.last_mut() {
            structure.kind = StructureKind::Else;
            structure.has_exit |= self.is_reachable;
            self.is_reachable = structure.is_entered;
        }
    }

    fn end(&mut self) {
        if let Some(structure) = self.structures.pop() {
            let is_joined = structure.has_exit || (structure.kind == StructureKind::If && structure.is_entered);
            self.is_open &= !is_joined;
            self.is_reachable |= is_joined;
        }
    }
}

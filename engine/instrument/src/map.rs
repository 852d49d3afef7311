//! The code map: what each counter of an instrumented module counts, and where that is in the source.

use crate::cost::{BulkKind, Operators};

/// How many counters one exported function returns: the most results that engines allow, by the limits in the
/// [JavaScript interface of wasm](https://webassembly.github.io/spec/js-api/#limits).
const COUNTERS_PER_EXPORT: usize = 1_000;

/// The exported global with the address of the stack, of which hosts may subtract multiples of 16 before the first call: a function that counts
/// differently then depends on addresses. Absent if the module's names don't tell which global that is.
pub const STACK_POINTER: &str = "benchbook_stack_pointer";

/// What the counters of an instrumented module count, and where that is in the source.
///
/// Strings and frames are in tables, and everything else refers to them by index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodeMap {
    /// Names of functions, and paths of source files.
    pub strings: Vec<String>,
    /// The functions by their index in the module, imported ones first.
    pub functions: Vec<Function>,
    /// Each block has a counter, in this order: how often the block was executed.
    pub blocks: Vec<Block>,
    /// Each bulk operator has a counter, in this order and after those of the blocks: its amount, in the unit of its kind.
    pub bulk: Vec<BulkOperator>,
    /// The calls in the code, each executed as often as its block.
    pub calls: Vec<Call>,
    /// The places in the source. A caller comes before the frames inlined into it.
    pub frames: Vec<Frame>,
}

/// A function of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name, as an index into the strings: demangled, from the module's names; `function 7` for a function without a name.
    pub name: u32,
    /// Whether the module imports it: then it has no blocks.
    pub is_imported: bool,
}

/// A basic block: operators that are executed one after the other, without a branch between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The index of its function.
    pub function: u32,
    /// Its operators. Their sum is the cost of one execution.
    pub operators: Operators,
    /// The places of its operators, in the order of the code. The costs of the runs sum up to that of the block.
    pub runs: Vec<Run>,
}

/// Consecutive operators of a block that come from the same place in the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The place, as an index into the frames.
    pub frame: u32,
    /// The cost of these operators.
    pub cost: u32,
    /// How many of them load from a memory or a table.
    pub loads: u32,
    /// How many of them store to a memory or a table.
    pub stores: u32,
}

/// A bulk operator, such as a `memory.copy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BulkOperator {
    /// What it does, and the unit of its amount.
    pub kind: BulkKind,
    /// The index of its block.
    pub block: u32,
    /// Its place, as an index into the frames.
    pub frame: u32,
}

/// A call in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The index of the function that is called; `None` for an indirect call.
    pub callee: Option<u32>,
    /// The index of its block.
    pub block: u32,
    /// Its place, as an index into the frames.
    pub frame: u32,
}

/// A place in the source: a line of a function, and the frame that this function was inlined into, if it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The name of the function, demangled, as an index into the strings.
    pub function: u32,
    /// The file, as an index into the strings; `None` if the debug information names none.
    pub file: Option<u32>,
    /// The line in that file, from 1; `None` if the operators belong to no line in particular.
    pub line: Option<u32>,
    /// The place of the inlined call, as an index into the frames; `None` if the function was not inlined.
    pub caller: Option<u32>,
    /// Whether this line is compiled only for some targets, so that native code may execute something else.
    pub is_conditional: bool,
}

impl CodeMap {
    /// The number of counters.
    pub fn counters(&self) -> usize {
        self.blocks.len() + self.bulk.len()
    }

    /// The exported functions that return the counters, and how many each returns.
    pub fn exports(&self) -> impl Iterator<Item = (String, usize)> + use<> {
        exports(self.counters())
    }

    /// The index of the first block of each function, by the functions' indices; the number of blocks for a function without any.
    pub fn first_blocks(&self) -> Vec<usize> {
        let mut first = vec![self.blocks.len(); self.functions.len()];
        for (index, block) in self.blocks.iter().enumerate().rev() {
            if let Some(first) = first.get_mut(block.function as usize) {
                *first = index;
            }
        }
        first
    }

    /// The operators that a run executed, from all its counters.
    pub fn operators(&self, counters: &[u64]) -> Operators {
        self.blocks.iter().zip(counters).map(|(block, times)| block.operators * *times).sum()
    }

    /// The amount of all bulk operators of a kind, from all counters of a run.
    pub fn amount(&self, kind: BulkKind, counters: &[u64]) -> u64 {
        let amounts = counters.iter().skip(self.blocks.len());
        self.bulk.iter().zip(amounts).filter(|(bulk, _)| bulk.kind == kind).map(|(_, amount)| amount).sum()
    }

    /// The inlined functions at a frame, from the innermost one to the one that contains all the others.
    pub fn inline_stack(&self, frame: u32) -> impl Iterator<Item = &Frame> {
        let frame_at = |index: u32| self.frames.get(index as usize);
        std::iter::successors(frame_at(frame), move |frame| frame.caller.and_then(frame_at))
    }

    /// A string of the table, or nothing if the index is outside of it.
    pub fn string(&self, index: u32) -> &str {
        self.strings.get(index as usize).map_or("", String::as_str)
    }
}

pub(crate) fn exports(counters: usize) -> impl Iterator<Item = (String, usize)> {
    (0..counters.div_ceil(COUNTERS_PER_EXPORT)).map(move |index| {
        let results = (counters - index * COUNTERS_PER_EXPORT).min(COUNTERS_PER_EXPORT);
        (format!("benchbook_counters_{index}"), results)
    })
}

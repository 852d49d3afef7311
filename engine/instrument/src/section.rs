//! The code map in the module: a custom section.
//!
//! Its parts are columns of integers, most of them as differences to the row before, in the format of
//! [postcard](https://postcard.jamesmunns.com/wire-format). That compresses to about a third of what the rows as JSON do.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::cost::{BulkKind, Operators};
use crate::map::{Block, BulkOperator, Call, CodeMap, Frame, Function, Run};

/// The end of the name of a counting module, which is next to the module that is timed: `sorts.counted.wasm` next to `sorts.wasm`.
pub const COUNTING_MODULE: &str = "counted.wasm";

/// The name of the custom section that contains the code map of an instrumented module.
pub const CODE_MAP_SECTION: &str = "benchbook_code_map";

/// The name of the custom section that a counting module and the module that is timed share if they were made from the same one: 16 bytes.
pub const BUILD_SECTION: &str = "benchbook_build";

/// The name of the custom section of a counting module that contains a module of the same build, with the same map, which counts by context.
pub const CONTEXTS_SECTION: &str = "benchbook_contexts";

/// The version of the counters' exports and of the map's format. It increases with each change of either.
pub const FORMAT: u32 = 5;

/// The reason why a section is not a code map.
#[derive(Debug, Error)]
#[error("the map of the counting module is damaged, or from another version of Benchbook. Build the suite again")]
pub struct CodeMapError;

impl CodeMap {
    /// The contents of the custom section [`CODE_MAP_SECTION`].
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(&Columns::from(self)).expect("memory is the only thing that writing needs")
    }

    /// Reads the contents of the custom section [`CODE_MAP_SECTION`].
    ///
    /// # Errors
    /// If they are damaged, or from another version of this crate.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CodeMapError> {
        let columns: Columns = postcard::from_bytes(bytes).map_err(|_| CodeMapError)?;
        if columns.format != FORMAT {
            return Err(CodeMapError);
        }
        let map = Self::try_from(columns)?;
        if map.refers_only_to_itself() { Ok(map) } else { Err(CodeMapError) }
    }

    /// Whether all indices are within their tables.
    fn refers_only_to_itself(&self) -> bool {
        let is_in = |index: u32, length: usize| (index as usize) < length;
        let (strings, functions, blocks) = (self.strings.len(), self.functions.len(), self.blocks.len());
        let is_frame = |index: u32| is_in(index, self.frames.len());
        let is_string = |index: Option<u32>| index.is_none_or(|index| is_in(index, strings));
        self.functions.iter().all(|function| is_in(function.name, strings))
            && self
                .blocks
                .iter()
                .all(|block| is_in(block.function, functions) && block.runs.iter().all(|run| is_frame(run.frame)))
            && self.bulk.iter().all(|bulk| is_in(bulk.block, blocks) && is_frame(bulk.frame))
            && self.calls.iter().all(|call| {
                is_in(call.block, blocks)
                    && is_frame(call.frame)
                    && call.callee.is_none_or(|callee| is_in(callee, functions))
            })
            && self.frames.iter().all(|frame| is_string(Some(frame.function)) && is_string(frame.file))
    }
}

/// A code map, by columns.
#[derive(Serialize, Deserialize)]
struct Columns {
    format: u32,
    strings: Vec<String>,
    imported: u32,
    function_names: Differences,
    block_functions: Differences,
    block_operators: Vec<Operators>,
    /// The number of runs of each block.
    block_runs: Vec<u32>,
    run_frames: Differences,
    run_costs: Vec<u32>,
    run_loads: Vec<u32>,
    run_stores: Vec<u32>,
    bulk_kinds: Vec<BulkKind>,
    bulk_blocks: Differences,
    bulk_frames: Differences,
    callees: Vec<Option<u32>>,
    call_blocks: Differences,
    call_frames: Differences,
    frame_functions: Differences,
    frame_files: Differences,
    frame_lines: Differences,
    /// How many rows above the frame its caller is; 0 without one.
    frame_callers: Vec<u32>,
    /// The indices of the conditional frames.
    conditional_frames: Differences,
}

/// Each integer as its difference to the one before; the first one to 0.
#[derive(Serialize, Deserialize)]
struct Differences(Vec<i64>);

impl FromIterator<u32> for Differences {
    fn from_iter<I: IntoIterator<Item = u32>>(values: I) -> Self {
        let mut before = 0;
        let difference = |value: u32| i64::from(value) - std::mem::replace(&mut before, i64::from(value));
        Self(values.into_iter().map(difference).collect())
    }
}

impl Differences {
    fn values(&self) -> Result<Vec<u32>, CodeMapError> {
        let sum = |before: &mut i64, difference: &i64| {
            *before = before.wrapping_add(*difference);
            Some(u32::try_from(*before).map_err(|_| CodeMapError))
        };
        self.0.iter().scan(0, sum).collect()
    }

    /// The values of a column with absent ones, which [`or_zero`] has written.
    fn options(&self) -> Result<Vec<Option<u32>>, CodeMapError> {
        Ok(self.values()?.into_iter().map(|value| value.checked_sub(1)).collect())
    }
}

/// One more than the value; 0 without one.
fn or_zero(value: Option<u32>) -> u32 {
    value.map_or(0, |value| value + 1)
}

impl From<&CodeMap> for Columns {
    fn from(map: &CodeMap) -> Self {
        let CodeMap { strings, functions, blocks, bulk, calls, frames } = map;
        let runs = || blocks.iter().flat_map(|block| &block.runs);
        let caller = |(index, frame): (usize, &Frame)| frame.caller.map_or(0, |caller| index as u32 - caller);
        Self {
            format: FORMAT,
            strings: strings.clone(),
            imported: functions.iter().filter(|function| function.is_imported).count() as u32,
            function_names: functions.iter().map(|function| function.name).collect(),
            block_functions: blocks.iter().map(|block| block.function).collect(),
            block_operators: blocks.iter().map(|block| block.operators).collect(),
            block_runs: blocks.iter().map(|block| block.runs.len() as u32).collect(),
            run_frames: runs().map(|run| run.frame).collect(),
            run_costs: runs().map(|run| run.cost).collect(),
            run_loads: runs().map(|run| run.loads).collect(),
            run_stores: runs().map(|run| run.stores).collect(),
            bulk_kinds: bulk.iter().map(|bulk| bulk.kind).collect(),
            bulk_blocks: bulk.iter().map(|bulk| bulk.block).collect(),
            bulk_frames: bulk.iter().map(|bulk| bulk.frame).collect(),
            callees: calls.iter().map(|call| call.callee).collect(),
            call_blocks: calls.iter().map(|call| call.block).collect(),
            call_frames: calls.iter().map(|call| call.frame).collect(),
            frame_functions: frames.iter().map(|frame| frame.function).collect(),
            frame_files: frames.iter().map(|frame| or_zero(frame.file)).collect(),
            frame_lines: frames.iter().map(|frame| or_zero(frame.line)).collect(),
            frame_callers: frames.iter().enumerate().map(caller).collect(),
            conditional_frames: (0..).zip(frames).filter(|(_, frame)| frame.is_conditional).map(|(at, _)| at).collect(),
        }
    }
}

impl TryFrom<Columns> for CodeMap {
    type Error = CodeMapError;

    fn try_from(columns: Columns) -> Result<Self, CodeMapError> {
        let imported = columns.imported as usize;
        let names = columns.function_names.values()?.into_iter().enumerate();
        let accesses = joined(columns.run_loads, columns.run_stores)?;
        let mut runs = joined(joined(columns.run_frames.values()?, columns.run_costs)?, accesses)?
            .into_iter()
            .map(|((frame, cost), (loads, stores))| Run { frame, cost, loads, stores });
        let block = |((function, operators), count)| Block {
            function,
            operators,
            runs: runs.by_ref().take(count as usize).collect(),
        };
        let blocks = joined(columns.block_functions.values()?, columns.block_operators)?;
        let blocks: Vec<Block> = joined(blocks, columns.block_runs)?.into_iter().map(block).collect();
        let bulk = joined(columns.bulk_kinds, columns.bulk_blocks.values()?)?;
        let bulk = joined(bulk, columns.bulk_frames.values()?)?.into_iter();
        let calls = joined(columns.callees, columns.call_blocks.values()?)?;
        let calls = joined(calls, columns.call_frames.values()?)?.into_iter();
        let functions_and_files = joined(columns.frame_functions.values()?, columns.frame_files.options()?)?;
        let lines_and_callers = joined(columns.frame_lines.options()?, columns.frame_callers)?;
        let frames = joined(functions_and_files, lines_and_callers)?.into_iter().enumerate();
        let frame = |(index, ((function, file), (line, above))): (usize, ((u32, _), (_, u32)))| {
            let caller = (above > 0).then(|| (index as u32).checked_sub(above).ok_or(CodeMapError)).transpose()?;
            Ok(Frame { function, file, line, caller, is_conditional: false })
        };
        let mut frames = frames.map(frame).collect::<Result<Vec<_>, _>>()?;
        for index in columns.conditional_frames.values()? {
            frames.get_mut(index as usize).ok_or(CodeMapError)?.is_conditional = true;
        }
        Ok(Self {
            strings: columns.strings,
            functions: names.map(|(index, name)| Function { name, is_imported: index < imported }).collect(),
            blocks,
            bulk: bulk.map(|((kind, block), frame)| BulkOperator { kind, block, frame }).collect(),
            calls: calls.map(|((callee, block), frame)| Call { callee, block, frame }).collect(),
            frames,
        })
    }
}

/// Two columns as one; they must be equally long.
fn joined<A, B>(one: Vec<A>, other: Vec<B>) -> Result<Vec<(A, B)>, CodeMapError> {
    if one.len() == other.len() { Ok(one.into_iter().zip(other).collect()) } else { Err(CodeMapError) }
}

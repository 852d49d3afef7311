//! Reads what a module has counted by context.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::map::CodeMap;

/// The exported globals of a module that counts by context, each an `i32`: the address of the list of contexts, and that of the first allocation event; 0
/// before the first of each; and the end of both. What it has counted is from the first one up to the last one.
pub const CONTEXT_GLOBALS: [&str; 3] = ["benchbook_contexts", "benchbook_allocations", "benchbook_contexts_end"];

/// The offset of the counters of a node.
pub(crate) const BLOCKS: u32 = 8;

/// The nodes of a function, all of which have the same parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    /// The number of its blocks.
    blocks: u32,
    /// The number of its bulk operators on bytes.
    copied: u32,
    /// The calls in its code, by their indices in the map.
    calls: Vec<u32>,
}

impl Layout {
    /// Those of all functions, by their indices.
    pub(crate) fn of_all(map: &CodeMap) -> Vec<Self> {
        let mut layouts = vec![Self::default(); map.functions.len()];
        for block in &map.blocks {
            if let Some(layout) = layouts.get_mut(block.function as usize) {
                layout.blocks += 1;
            }
        }
        for bulk in map.bulk.iter().filter(|bulk| bulk.kind.is_of_bytes()) {
            let function = map.blocks.get(bulk.block as usize).map(|block| block.function as usize);
            if let Some(layout) = function.and_then(|function| layouts.get_mut(function)) {
                layout.copied += 1;
            }
        }
        for (call, index) in map.calls.iter().zip(0..) {
            let function = map.blocks.get(call.block as usize).map(|block| block.function as usize);
            if let Some(layout) = function.and_then(|function| layouts.get_mut(function)) {
                layout.calls.push(index);
            }
        }
        layouts
    }

    /// The offset of the counter of a bulk operator on bytes, by its number among those of the function.
    pub(crate) fn copied(&self, number: u32) -> u32 {
        BLOCKS + 8 * (self.blocks + number)
    }

    /// The offset of the list of a call, by its number in the function.
    pub(crate) fn list_of(&self, call: u32) -> u32 {
        self.copied(self.copied) + 4 * call
    }

    /// The bytes of a node: a multiple of 8, so that all counters are aligned.
    #[cfg(feature = "instrument")]
    pub(crate) fn size(&self) -> u32 {
        self.list_of(self.calls.len() as u32).next_multiple_of(8)
    }
}

/// A function, and the calls that led to it. Calls of a function within itself belong to its first call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context {
    /// The address of its node, which identifies it.
    pub address: u32,
    /// The index of its caller's context; `None` if the host has called it.
    pub parent: Option<usize>,
    /// The call that led to it, as an index into [`CodeMap::calls`]; `None` if the host has called it.
    pub call: Option<u32>,
    /// The function, as an index into [`CodeMap::functions`].
    pub function: u32,
    /// How often each of its blocks was executed in this context, in the order of the map.
    pub blocks: Vec<u64>,
    /// How many bytes each of its bulk operators on bytes has copied or filled in this context, in the order of the map.
    pub copied: Vec<u64>,
    /// The recursive calls that led back to it, as indices into [`CodeMap::calls`]. Its first block counts all calls together.
    pub recursive_calls: Vec<u32>,
}

/// The memory of a module does not contain the contexts of its map, since the module has written into them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the module has overwritten its own counters")]
pub struct DamagedContexts;

/// What a module that counts by context has counted so far, copied from its memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContextReading {
    /// The values of the globals [`CONTEXT_GLOBALS`].
    pub globals: [u32; 3],
    /// The memory from the first one up to the last one.
    pub bytes: Vec<u8>,
}

impl ContextReading {
    /// Reads all contexts in the order in which they were entered first: a caller comes before those that it called, and later readings only add
    /// contexts at the end. `map`: that of the module.
    ///
    /// # Errors
    /// If the memory contains something else.
    pub fn contexts(&self, map: &CodeMap) -> Result<Vec<Context>, DamagedContexts> {
        let layouts = Layout::of_all(map);
        // By the addresses of their nodes, which ascend; parents are not known by their indices yet.
        let mut nodes: BTreeMap<u32, (Option<u32>, Context)> = BTreeMap::new();
        let [list, ..] = self.globals;
        let mut lists = if list == 0 { Vec::new() } else { vec![(None, None, list)] };
        while let Some((parent, call, list)) = lists.pop() {
            let mut entry = self.word(list)?;
            // A damaged list may have no end.
            let mut remaining = map.functions.len();
            while entry != 0 {
                remaining = remaining.checked_sub(1).ok_or(DamagedContexts)?;
                let [function, next, node] = [0, 4, 8].map(|offset| self.word(entry.wrapping_add(offset)));
                let (function, node) = (function?, node?);
                entry = next?;
                // Callers were entered first.
                if parent.is_some_and(|parent| node <= parent) && !nodes.contains_key(&node) {
                    return Err(DamagedContexts);
                }
                if let Some((_, known)) = nodes.get_mut(&node) {
                    known.recursive_calls.extend(call);
                    continue;
                }
                let layout = layouts.get(function as usize).ok_or(DamagedContexts)?;
                let counter = |offset: u32| self.counter(node.wrapping_add(offset));
                let context = Context {
                    address: node,
                    parent: None,
                    call,
                    function,
                    blocks: (0..layout.blocks).map(|block| counter(BLOCKS + 8 * block)).collect::<Result<_, _>>()?,
                    copied: (0..layout.copied)
                        .map(|number| counter(layout.copied(number)))
                        .collect::<Result<_, _>>()?,
                    recursive_calls: Vec::new(),
                };
                nodes.insert(node, (parent, context));
                for (number, call) in layout.calls.iter().enumerate() {
                    lists.push((Some(node), Some(*call), node.wrapping_add(layout.list_of(number as u32))));
                }
            }
        }
        let index_of: BTreeMap<u32, usize> = nodes.keys().copied().zip(0..).collect();
        let context = |(parent, context): (Option<u32>, Context)| Context {
            parent: parent.and_then(|parent| index_of.get(&parent).copied()),
            ..context
        };
        Ok(nodes.into_values().map(context).collect())
    }

    fn counter(&self, address: u32) -> Result<u64, DamagedContexts> {
        Ok(u64::from_le_bytes(*self.at(address)?))
    }

    pub(crate) fn word(&self, address: u32) -> Result<u32, DamagedContexts> {
        Ok(u32::from_le_bytes(*self.at(address)?))
    }

    fn at<const N: usize>(&self, address: u32) -> Result<&[u8; N], DamagedContexts> {
        let offset = address.checked_sub(self.globals[0]).ok_or(DamagedContexts)?;
        self.bytes.get(offset as usize..).and_then(|rest| rest.first_chunk()).ok_or(DamagedContexts)
    }
}

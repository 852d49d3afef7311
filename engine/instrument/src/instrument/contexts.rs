//! Writes a module that counts its blocks by context: by the calls that led to a function.
//!
//! Each context has a node in the memory of the module, in pages that the module adds to it:
//!
//! | offset | |
//! | --- | --- |
//! | 0 | the index of the function, `i32` |
//! | 4 | the address of the node of its caller, `i32`; 0 for one that the host has called |
//! | 8 | a counter for each block of the function, `i64` |
//! | then | for each bulk operator on bytes of the function, how many bytes it has copied or filled, `i64` |
//! | then | for each call in the function, the address of the first entry of its list, `i32` |
//!
//! An entry has the index of the function that was called, the address of the next entry and that of the node, each `i32`. A call
//! in a chain of calls that has entered the same function before leads to the node of that function, so recursion adds no nodes.
//!
//! The caller stores where the list of the call is, and the function that is called looks itself up in it. After the call, the caller is the current
//! one again.

use wasm_encoder::{BlockType, ExportKind, Function, InstructionSink, ValType};

use super::allocations::{self, LOG_PARAMETERS, RETURNED, Role};
use super::blocks::Detail;
use super::own_items::{GLOBALS, Own, OwnItems, at};
use super::rewrite::{Additions, BodyAdditions, CountedFunction, ModuleFacts, NewFunction};
use crate::contexts::{BLOCKS, CONTEXT_GLOBALS, Layout};
use crate::map::CodeMap;

/// The bytes of an entry of a list.
const ENTRY: i32 = 16;

/// The pages that the module adds at once, at least: 16 MiB, more than most contexts need. It adds the first ones before the first call, so that the memory of
/// the suite's allocator begins after them and has no gaps.
const PAGES: i32 = 256;

/// Adds the nodes to a module with a memory. `exported`: the functions that the host can call.
pub(crate) fn additions(
    facts: &ModuleFacts,
    functions: &[CountedFunction],
    exported: &[u32],
    map: &CodeMap,
) -> Additions {
    let (layouts, roles) = (Layout::of_all(map), Role::of_all(map));
    let own = OwnItems { globals: facts.globals, functions: facts.functions };
    let first = facts.functions - functions.len() as u32;
    let bodies = functions.iter().zip(first..).map(|(function, index)| {
        own.body(function, index, &layouts[index as usize], &roles, exported.contains(&index))
    });
    let i32s = |count| vec![ValType::I32; count];
    let new = |parameters, results, code| NewFunction { parameters: i32s(parameters), results: i32s(results), code };
    Additions {
        globals: i32s(GLOBALS),
        functions: vec![
            new(1, 1, own.allocating()),
            new(2, 1, own.enter()),
            new(0, 0, own.begin()),
            new(LOG_PARAMETERS as usize, 0, allocations::log(&own)),
            new(1, 0, allocations::returned(&own)),
        ],
        exports: CONTEXT_GLOBALS
            .into_iter()
            .zip([Own::Root, Own::FirstEvent, Own::Free])
            .map(|(name, global)| (name.to_owned(), ExportKind::Global, own.global(global)))
            .collect(),
        bodies: bodies.collect(),
        copies: None,
    }
}

/// The numbers of functions of the instrumentation: one that enters a node, and one that begins a call by the host. The first one returns new memory.
const ENTER: u32 = 1;
const BEGIN: u32 = 2;

impl OwnItems {
    /// Makes a function enter its node, count its blocks there, and say which call it makes.
    fn body(
        &self,
        function: &CountedFunction,
        index: u32,
        layout: &Layout,
        roles: &[Option<Role>],
        is_exported: bool,
    ) -> BodyAdditions {
        let [enter, begin] = [ENTER, BEGIN].map(|number| self.function(number));
        let (node, result) = (function.locals, function.locals + 1);
        let mut body = BodyAdditions { locals: Some((2, ValType::I32)), ..BodyAdditions::default() };
        let mut code = InstructionSink::new(&mut body.start);
        if is_exported {
            code.call(begin);
        }
        code.i32_const(index as i32).i32_const(layout.size() as i32).call(enter).local_tee(node);
        code.global_set(self.global(Own::Current));
        if let Some(role) = roles[index as usize] {
            role.at_start(&mut code, self, function.i32_parameters, node);
        }
        let (mut calls, mut copied) = (0, 0);
        for (block, number) in function.blocks.iter().zip(0..) {
            count(InstructionSink::new(&mut body.around(block.start).before), node, number);
            for operator in &block.operators {
                let callee = match operator.detail {
                    Detail::Call(callee) => callee,
                    Detail::Bulk(kind) if kind.is_of_bytes() => {
                        let before = InstructionSink::new(&mut body.around(operator.offset).before);
                        add_length(before, node, layout.copied(copied), result);
                        copied += 1;
                        continue;
                    }
                    _ => continue,
                };
                let insertion = body.around(operator.offset);
                let mut before = InstructionSink::new(&mut insertion.before);
                before.local_get(node).i32_const(layout.list_of(calls) as i32).i32_add();
                before.global_set(self.global(Own::Slot));
                let mut after = InstructionSink::new(&mut insertion.after);
                after.local_get(node).global_set(self.global(Own::Current));
                let role = callee.and_then(|callee| roles[callee as usize]);
                if role.is_some_and(Role::returns_memory) {
                    after.local_tee(result).local_get(result).call(self.function(RETURNED));
                }
                calls += 1;
            }
        }
        body
    }

    /// Returns the address of as many zeros as its parameter says.
    fn allocating(&self) -> Function {
        let [free, end] = [Own::Free, Own::End].map(|own| self.global(own));
        let (size, pages, grown) = (0, 1, 2);
        let mut function = Function::new([(2, ValType::I32)]);
        let mut code = function.instructions();
        code.global_get(free).local_get(size).i32_add().global_get(end).i32_gt_u().if_(BlockType::Empty);
        code.local_get(size).i32_const(0xffff).i32_add().i32_const(16).i32_shr_u().local_tee(pages);
        code.i32_const(PAGES).local_get(pages).i32_const(PAGES).i32_gt_u().select().local_tee(pages);
        code.memory_grow(0).local_tee(grown).i32_const(-1).i32_eq().if_(BlockType::Empty).unreachable().end();
        code.local_get(grown).i32_const(16).i32_shl().global_set(free);
        code.local_get(grown).local_get(pages).i32_add().i32_const(16).i32_shl().global_set(end);
        code.end();
        code.global_get(free).global_get(free).local_get(size).i32_add().global_set(free).end();
        function
    }

    /// Returns the node of the function with the index in its first parameter, for the call in progress. The second one is the size of a node.
    fn enter(&self) -> Function {
        let [current, slot] = [Own::Current, Own::Slot].map(|own| self.global(own));
        let (allocate, begin) = (self.allocate(), self.function(BEGIN));
        let (index, size, entry, node) = (0, 1, 2, 3);
        let mut function = Function::new([(2, ValType::I32)]);
        let mut code = function.instructions();
        // The module's start function.
        code.global_get(slot).i32_eqz().if_(BlockType::Empty).call(begin).end();
        code.global_get(slot).i32_load(at(0)).local_set(entry);
        code.block(BlockType::Empty).loop_(BlockType::Empty);
        code.local_get(entry).i32_eqz().br_if(1);
        code.local_get(entry).i32_load(at(0)).local_get(index).i32_eq();
        code.if_(BlockType::Empty).local_get(entry).i32_load(at(8)).return_().end();
        code.local_get(entry).i32_load(at(4)).local_set(entry).br(0).end().end();
        code.global_get(current).local_set(node);
        code.block(BlockType::Empty).loop_(BlockType::Empty);
        code.local_get(node).i32_eqz().br_if(1);
        code.local_get(node).i32_load(at(0)).local_get(index).i32_eq().br_if(1);
        code.local_get(node).i32_load(at(4)).local_set(node).br(0).end().end();
        code.local_get(node).i32_eqz().if_(BlockType::Empty);
        code.local_get(size).call(allocate).local_tee(node).local_get(index).i32_store(at(0));
        code.local_get(node).global_get(current).i32_store(at(4)).end();
        code.i32_const(ENTRY).call(allocate).local_tee(entry).local_get(index).i32_store(at(0));
        code.local_get(entry).global_get(slot).i32_load(at(0)).i32_store(at(4));
        code.local_get(entry).local_get(node).i32_store(at(8));
        code.global_get(slot).local_get(entry).i32_store(at(0));
        code.local_get(node).end();
        function
    }

    /// Begins a call by the host.
    fn begin(&self) -> Function {
        let [current, slot, root] = [Own::Current, Own::Slot, Own::Root].map(|own| self.global(own));
        let allocate = self.allocate();
        let mut function = Function::new([]);
        let mut code = function.instructions();
        code.global_get(root).i32_eqz().if_(BlockType::Empty);
        code.i32_const(ENTRY).call(allocate).global_set(root).end();
        code.i32_const(0).global_set(current).global_get(root).global_set(slot).end();
        function
    }
}

/// Adds the length of a bulk operator, its last operand, to a counter at an offset of the node whose address is in a local. `scratch`: a local for the length.
fn add_length(mut code: InstructionSink<'_>, node: u32, offset: u32, scratch: u32) {
    code.local_tee(scratch).local_get(node).local_get(node).i64_load(at(offset));
    code.local_get(scratch).i64_extend_i32_u().i64_add().i64_store(at(offset));
}

/// Adds 1 to a counter of the node whose address is in a local.
fn count(mut code: InstructionSink<'_>, node: u32, block: u32) {
    let counter = at(BLOCKS + 8 * block);
    code.local_get(node).local_get(node).i64_load(counter).i64_const(1).i64_add().i64_store(counter);
}

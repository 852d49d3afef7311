//! Writes a module that counts its blocks by context: by the calls that led to a function.
//!
//! Each context has a node in the memory of the module, in pages that the module adds to it:
//!
//! | offset | |
//! | --- | --- |
//! | 0 | the index of the function, `i32` |
//! | 4 | the address of the node of its caller, `i32`; 0 for one that the host has called |
//! | 8 | a counter for each block of the function, `i64` |
//! | then | for each call in the function, the address of the first entry of its list, `i32` |
//!
//! An entry has the index of the function that was called, the address of the next entry and that of the node, each `i32`. A call
//! in a chain of calls that has entered the same function before leads to the node of that function, so recursion adds no nodes.
//!
//! The caller stores where the list of the call is, and the function that is called looks itself up in it. After the call, the caller is the current
//! one again.

use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, CustomSection, ExportKind, ExportSection, Function, FunctionSection,
    GlobalSection, GlobalType, InstructionSink, MemArg, MemArgTarget, Module, SectionId, TypeSection, ValType,
};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, ExportSectionReader, FunctionBody, FunctionSectionReader,
    GlobalSectionReader, Parser, TypeSectionReader,
};

use super::blocks::Detail;
use super::rewrite::{CountedFunction, ModuleFacts, is_kept};
use crate::contexts::{BLOCKS, CONTEXTS, Layout};
use crate::map::{CodeMap, STACK_POINTER};
use crate::section::CODE_MAP_SECTION;

/// The bytes of an entry of a list.
const ENTRY: i32 = 16;

/// The pages that the module adds at once, at least: 16 MiB, more than most contexts need. It adds the first ones before the first call, so that the memory of
/// the suite's allocator begins after them and has no gaps.
const PAGES: i32 = 256;

/// Writes a valid module with a memory again, counting by context, and with the map of its blocks. `exported`: the functions that the host can call.
pub(crate) fn rewrite(
    module: &[u8],
    facts: ModuleFacts,
    functions: &[CountedFunction],
    exported: &[u32],
    map: &CodeMap,
    build: &CustomSection<'_>,
) -> Result<Vec<u8>, Error> {
    let first = facts.functions - functions.len() as u32;
    let mut rewriter =
        Rewriter { layouts: Layout::of_all(map), exported, next: first, first, facts, functions, has: [false; 2] };
    let mut rewritten = Module::new();
    rewriter.parse_core_module(&mut rewritten, Parser::new(0), module)?;
    rewritten.section(&CustomSection { name: CODE_MAP_SECTION.into(), data: map.to_bytes().into() });
    rewritten.section(build);
    Ok(rewritten.finish())
}

struct Rewriter<'m> {
    facts: ModuleFacts,
    functions: &'m [CountedFunction],
    layouts: Vec<Layout>,
    exported: &'m [u32],
    /// The index of the first function that is not imported, and of the next one to write.
    first: u32,
    next: u32,
    /// Whether it has sections of globals and of exports.
    has: [bool; 2],
}

/// The globals of the instrumentation, in this order after those of the module.
#[derive(Clone, Copy)]
enum Own {
    /// The address of the current node.
    Current,
    /// The address of the list of the call in progress.
    Slot,
    /// The address of the list of calls by the host; 0 before the first.
    Root,
    /// The next free address, and the end of the pages.
    Free,
    End,
}

impl Rewriter<'_> {
    fn global(&self, own: Own) -> u32 {
        self.facts.globals + own as u32
    }

    /// The functions of the instrumentation: one that returns new memory, one that enters a node, and one that begins a call by the host.
    fn own_functions(&self) -> [u32; 3] {
        [0, 1, 2].map(|index| self.facts.functions + index)
    }

    fn add_globals(&mut self, globals: &mut GlobalSection) {
        for _ in [Own::Current, Own::Slot, Own::Root, Own::Free, Own::End] {
            let own = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
            globals.global(own, &ConstExpr::i32_const(0));
        }
        self.has[0] = true;
    }

    fn add_exports(&mut self, exports: &mut ExportSection) {
        exports.export(CONTEXTS, ExportKind::Global, self.global(Own::Root));
        if let Some(global) = self.facts.stack_pointer {
            exports.export(STACK_POINTER, ExportKind::Global, global);
        }
        self.has[1] = true;
    }

    /// Returns the address of as many zeros as its parameter says.
    fn allocate(&self) -> Function {
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
        let [allocate, _, begin] = self.own_functions();
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
        let [allocate, ..] = self.own_functions();
        let mut function = Function::new([]);
        let mut code = function.instructions();
        code.global_get(root).i32_eqz().if_(BlockType::Empty);
        code.i32_const(ENTRY).call(allocate).global_set(root).end();
        code.i32_const(0).global_set(current).global_get(root).global_set(slot).end();
        function
    }
}

fn at(offset: u32) -> MemArg {
    MemArg { offset: offset.into(), align: 0, target: MemArgTarget::Memory(0), ordering: None }
}

/// Adds 1 to a counter of the node whose address is in a local.
fn count(mut code: InstructionSink<'_>, node: u32, block: u32) {
    let counter = at(BLOCKS + 8 * block);
    code.local_get(node).local_get(node).i64_load(counter).i64_const(1).i64_add().i64_store(counter);
}

impl Reencode for Rewriter<'_> {
    type Error = Infallible;

    fn parse_type_section(&mut self, types: &mut TypeSection, section: TypeSectionReader<'_>) -> Result<(), Error> {
        wasm_encoder::reencode::utils::parse_type_section(self, types, section)?;
        types.ty().function([ValType::I32], [ValType::I32]);
        types.ty().function([ValType::I32; 2], [ValType::I32]);
        types.ty().function([], []);
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error> {
        wasm_encoder::reencode::utils::parse_function_section(self, functions, section)?;
        for r#type in self.facts.types..self.facts.types + 3 {
            functions.function(r#type);
        }
        Ok(())
    }

    fn parse_global_section(
        &mut self,
        globals: &mut GlobalSection,
        section: GlobalSectionReader<'_>,
    ) -> Result<(), Error> {
        wasm_encoder::reencode::utils::parse_global_section(self, globals, section)?;
        self.add_globals(globals);
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: ExportSectionReader<'_>,
    ) -> Result<(), Error> {
        wasm_encoder::reencode::utils::parse_export_section(self, exports, section)?;
        self.add_exports(exports);
        Ok(())
    }

    fn intersperse_section_hook(
        &mut self,
        module: &mut Module,
        _after: Option<SectionId>,
        before: Option<SectionId>,
    ) -> Result<(), Error> {
        use SectionId::{Code, DataCount, Element, Export, Start};
        if !self.has[0] && matches!(before, Some(Export | Start | Element | DataCount | Code)) {
            let mut globals = GlobalSection::new();
            self.add_globals(&mut globals);
            module.section(&globals);
        }
        if !self.has[1] && matches!(before, Some(Start | Element | DataCount | Code)) {
            let mut exports = ExportSection::new();
            self.add_exports(&mut exports);
            module.section(&exports);
        }
        Ok(())
    }

    fn parse_code_section(&mut self, code: &mut CodeSection, section: CodeSectionReader<'_>) -> Result<(), Error> {
        wasm_encoder::reencode::utils::parse_code_section(self, code, section)?;
        code.function(&self.allocate()).function(&self.enter()).function(&self.begin());
        Ok(())
    }

    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody<'_>) -> Result<(), Error> {
        let Some(CountedFunction { parameters, blocks }) = self.functions.get((self.next - self.first) as usize) else {
            return Ok(());
        };
        let layout = std::mem::take(&mut self.layouts[self.next as usize]);
        let [_, enter, begin] = self.own_functions();
        let mut locals = Vec::new();
        let mut node = *parameters;
        for group in body.get_locals_reader()? {
            let (count, r#type) = group?;
            node += count;
            locals.push((count, self.val_type(r#type)?));
        }
        locals.push((1, ValType::I32));
        let mut function = Function::new(locals);
        let mut prologue = function.instructions();
        if self.exported.contains(&self.next) {
            prologue.call(begin);
        }
        prologue.i32_const(self.next as i32).i32_const(layout.size() as i32).call(enter).local_tee(node);
        prologue.global_set(self.global(Own::Current));

        let is_call = |detail: &Detail| matches!(detail, Detail::Call(_));
        let operators = blocks.iter().flat_map(|block| &block.operators);
        let mut calls = operators.filter(|operator| is_call(&operator.detail)).zip(0..).peekable();
        let mut starts = blocks.iter().zip(0..).peekable();
        let mut reader = body.get_operators_reader()?;
        let bytes = reader.get_binary_reader();
        let first = reader.original_position();
        while !reader.eof() {
            let (_, offset) = reader.read_with_offset()?;
            if let Some((_, block)) = starts.next_if(|(block, _)| block.start == offset) {
                count(function.instructions(), node, block);
            }
            let call = calls.next_if(|(operator, _)| operator.offset == offset);
            if let Some((_, call)) = call {
                let mut code = function.instructions();
                code.local_get(node).i32_const(layout.list_of(call) as i32).i32_add();
                code.global_set(self.global(Own::Slot));
            }
            let operator = (offset - first) as usize..(reader.original_position() - first) as usize;
            function.raw(bytes.clone().read_bytes(operator.end)?[operator.start..].iter().copied());
            if call.is_some() {
                function.instructions().local_get(node).global_set(self.global(Own::Current));
            }
        }
        code.function(&function);
        self.next += 1;
        Ok(())
    }

    fn parse_custom_section(&mut self, module: &mut Module, section: CustomSectionReader<'_>) -> Result<(), Error> {
        if is_kept(section.name()) {
            module.section(&self.custom_section(section)?);
        }
        Ok(())
    }
}

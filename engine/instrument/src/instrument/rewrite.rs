//! Writes the instrumented module: the operators of the original, with counters between them.
//!
//! New types, functions, globals and exports come after those of the module, so that no index in its code changes.

use std::convert::Infallible;

use sha2::{Digest, Sha256};
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{
    CodeSection, ConstExpr, CustomSection, ExportKind, ExportSection, Function, FunctionSection, GlobalSection,
    GlobalType, Instruction, Module, RawSection, SectionId, TypeSection, ValType,
};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, ExportSectionReader, FunctionBody, FunctionSectionReader,
    GlobalSectionReader, Parser, Payload, TypeSectionReader,
};

use crate::cost::BulkKind;
use crate::instrument::blocks::{BasicBlock, Detail};
use crate::instrument::error::InstrumentError;
use crate::map::{CodeMap, STACK_POINTER, exports};
use crate::section::{BUILD_SECTION, CODE_MAP_SECTION};

/// What the new parts of a module follow and refer to.
pub(crate) struct ModuleFacts {
    pub types: u32,
    pub functions: u32,
    pub globals: u32,
    /// The global of the stack pointer, if it is known.
    pub stack_pointer: Option<u32>,
    pub has_memory: bool,
}

/// A function of the module, not counting imported ones.
pub(crate) struct CountedFunction {
    /// The number of its parameters, which are its first locals.
    pub parameters: u32,
    pub blocks: Vec<BasicBlock>,
}

/// Writes a valid module again, with a counter for each block and, after those, for each bulk operator, and with the map of the counters. `build`: a section to add.
pub(crate) fn rewrite(
    module: &[u8],
    facts: ModuleFacts,
    functions: &[CountedFunction],
    map: &CodeMap,
    build: &CustomSection<'_>,
) -> Result<Vec<u8>, Error> {
    let blocks = || functions.iter().flat_map(|function| &function.blocks);
    let is_bulk = |detail: &Detail| matches!(detail, Detail::Bulk(_));
    let bulk = blocks().flat_map(|block| &block.operators).filter(|operator| is_bulk(&operator.detail)).count();
    let mut rewriter = Rewriter {
        counters: blocks().count() + bulk,
        next_block: facts.globals,
        next_bulk: facts.globals + blocks().count() as u32,
        has_globals: false,
        has_exports: false,
        remaining: functions.iter(),
        facts,
    };
    let mut rewritten = Module::new();
    rewriter.parse_core_module(&mut rewritten, Parser::new(0), module)?;
    rewritten.section(&CustomSection { name: CODE_MAP_SECTION.into(), data: map.to_bytes().into() });
    rewritten.section(build);
    Ok(rewritten.finish())
}

/// Whether a custom section still describes the module when operators have been added, and says more than the map.
pub(crate) fn is_kept(name: &str) -> bool {
    let by_offset = [".debug_", "metadata.code.", "reloc."];
    !by_offset.iter().any(|prefix| name.starts_with(prefix))
        && !["external_debug_info", "sourceMappingURL", "linking", "name"].contains(&name)
}

struct Rewriter<'f> {
    facts: ModuleFacts,
    counters: usize,
    /// The globals of the next block's and of the next bulk operator's counter.
    next_block: u32,
    next_bulk: u32,
    has_globals: bool,
    has_exports: bool,
    remaining: std::slice::Iter<'f, CountedFunction>,
}

impl Rewriter<'_> {
    fn add_globals(&mut self, globals: &mut GlobalSection) {
        let counter = GlobalType { val_type: ValType::I64, mutable: true, shared: false };
        for _ in 0..self.counters {
            globals.global(counter, &ConstExpr::i64_const(0));
        }
        self.has_globals = true;
    }

    fn add_exports(&mut self, section: &mut ExportSection) {
        for ((name, _), function) in exports(self.counters).zip(self.facts.functions..) {
            section.export(&name, ExportKind::Func, function);
        }
        if let Some(global) = self.facts.stack_pointer {
            section.export(STACK_POINTER, ExportKind::Global, global);
        }
        self.has_exports = true;
    }
}

impl Reencode for Rewriter<'_> {
    type Error = Infallible;

    fn parse_type_section(&mut self, types: &mut TypeSection, section: TypeSectionReader<'_>) -> Result<(), Error> {
        wasm_encoder::reencode::utils::parse_type_section(self, types, section)?;
        for (_, results) in exports(self.counters) {
            types.ty().function([], vec![ValType::I64; results]);
        }
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error> {
        wasm_encoder::reencode::utils::parse_function_section(self, functions, section)?;
        for (_, r#type) in exports(self.counters).zip(self.facts.types..) {
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

    /// Adds the sections for globals and exports to a module that has none. Each module with counters has code.
    fn intersperse_section_hook(
        &mut self,
        module: &mut Module,
        _after: Option<SectionId>,
        before: Option<SectionId>,
    ) -> Result<(), Error> {
        use SectionId::{Code, DataCount, Element, Export, Start};
        if !self.has_globals && matches!(before, Some(Export | Start | Element | DataCount | Code)) {
            let mut globals = GlobalSection::new();
            self.add_globals(&mut globals);
            module.section(&globals);
        }
        if !self.has_exports && matches!(before, Some(Start | Element | DataCount | Code)) {
            let mut exports = ExportSection::new();
            self.add_exports(&mut exports);
            module.section(&exports);
        }
        Ok(())
    }

    fn parse_code_section(&mut self, code: &mut CodeSection, section: CodeSectionReader<'_>) -> Result<(), Error> {
        wasm_encoder::reencode::utils::parse_code_section(self, code, section)?;
        let mut first = self.facts.globals;
        for (_, results) in exports(self.counters) {
            let mut accessor = Function::new([]);
            for global in first..first + results as u32 {
                accessor.instruction(&Instruction::GlobalGet(global));
            }
            accessor.instruction(&Instruction::End);
            code.function(&accessor);
            first += results as u32;
        }
        Ok(())
    }

    /// Copies the operators as they are, with the updates of the counters between them.
    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody<'_>) -> Result<(), Error> {
        let Some(CountedFunction { parameters, blocks }) = self.remaining.next() else { return Ok(()) };
        let mut locals = Vec::new();
        let mut scratch = *parameters;
        for group in body.get_locals_reader()? {
            let (count, r#type) = group?;
            scratch += count;
            locals.push((count, self.val_type(r#type)?));
        }
        let mut bulk = blocks
            .iter()
            .flat_map(|block| &block.operators)
            .filter_map(|operator| match operator.detail {
                Detail::Bulk(kind) => Some((operator.offset, kind)),
                _ => None,
            })
            .peekable();
        let mut starts = blocks.iter().map(|block| block.start).peekable();
        if bulk.peek().is_some() {
            locals.push((2, ValType::I32));
        }
        let mut function = Function::new(locals);

        let mut reader = body.get_operators_reader()?;
        let bytes = reader.get_binary_reader();
        let first = reader.original_position();
        while !reader.eof() {
            let (_, offset) = reader.read_with_offset()?;
            if starts.next_if_eq(&offset).is_some() {
                count_block(&mut function, self.next_block);
                self.next_block += 1;
            }
            let amount = bulk.next_if(|(bulk, _)| *bulk == offset).map(|(_, kind)| {
                let amount = Amount { kind, counter: self.next_bulk, scratch };
                self.next_bulk += 1;
                amount
            });
            if let Some(amount) = &amount {
                amount.before(&mut function);
            }
            let operator = (offset - first) as usize..(reader.original_position() - first) as usize;
            function.raw(bytes.clone().read_bytes(operator.end)?[operator.start..].iter().copied());
            if let Some(amount) = &amount {
                amount.after(&mut function);
            }
        }
        code.function(&function);
        Ok(())
    }

    /// Custom sections are copied as they are, for they may be damaged without making a module invalid.
    fn parse_custom_section(&mut self, module: &mut Module, section: CustomSectionReader<'_>) -> Result<(), Error> {
        if is_kept(section.name()) {
            module.section(&self.custom_section(section)?);
        }
        Ok(())
    }
}

fn count_block(function: &mut Function, counter: u32) {
    function.instruction(&Instruction::GlobalGet(counter));
    function.instruction(&Instruction::I64Const(1));
    function.instruction(&Instruction::I64Add);
    function.instruction(&Instruction::GlobalSet(counter));
}

/// Counts the amount of a bulk operator, whose last operand is its length.
struct Amount {
    kind: BulkKind,
    counter: u32,
    /// The first of two locals of type `i32` that belong to the instrumentation.
    scratch: u32,
}

impl Amount {
    fn before(&self, function: &mut Function) {
        function.instruction(&Instruction::LocalTee(self.scratch));
        if !self.kind.may_fail() {
            function.instruction(&Instruction::GlobalGet(self.counter));
            function.instruction(&Instruction::LocalGet(self.scratch));
            self.add(function);
        }
    }

    /// An operator that failed has returned -1, and its amount is 0.
    fn after(&self, function: &mut Function) {
        if self.kind.may_fail() {
            let result = self.scratch + 1;
            function.instruction(&Instruction::LocalTee(result));
            function.instruction(&Instruction::GlobalGet(self.counter));
            function.instruction(&Instruction::I32Const(0));
            function.instruction(&Instruction::LocalGet(self.scratch));
            function.instruction(&Instruction::LocalGet(result));
            function.instruction(&Instruction::I32Const(-1));
            function.instruction(&Instruction::I32Eq);
            function.instruction(&Instruction::Select);
            self.add(function);
        }
    }

    fn add(&self, function: &mut Function) {
        function.instruction(&Instruction::I64ExtendI32U);
        function.instruction(&Instruction::I64Add);
        function.instruction(&Instruction::GlobalSet(self.counter));
    }
}

/// The module without debug information and names, but with the section [`BUILD_SECTION`]. Its code and everything else remain as they are.
///
/// # Errors
/// If it is not a module.
pub fn without_debug_information(module: &[u8]) -> Result<Vec<u8>, InstrumentError> {
    let mut plain = plain(module)?;
    let build = build_section(plain.as_slice());
    Ok(plain.section(&build).clone().finish())
}

/// The section [`BUILD_SECTION`] of what is made from a module.
pub(crate) fn build_of(module: &[u8]) -> wasmparser::Result<CustomSection<'static>> {
    Ok(build_section(plain(module)?.as_slice()))
}

/// The beginning of the hash: no two builds that somebody has at the same time share it.
fn build_section(plain: &[u8]) -> CustomSection<'static> {
    CustomSection { name: BUILD_SECTION.into(), data: Sha256::digest(plain)[..16].to_vec().into() }
}

fn plain(module: &[u8]) -> wasmparser::Result<Module> {
    let mut plain = Module::new();
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        match &payload {
            Payload::CustomSection(section) if section.name() == "name" || section.name().starts_with(".debug_") => {}
            payload => {
                if let Some((id, range)) = payload.as_section() {
                    plain.section(&RawSection { id, data: &module[range.start as usize..range.end as usize] });
                }
            }
        }
    }
    Ok(plain)
}

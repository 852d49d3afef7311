//! Writes a module again, with what an instrumentation adds to it.
//!
//! New types, functions, globals and exports come after those of the module, so that no index in its code changes.

use std::convert::Infallible;

use sha2::{Digest, Sha256};
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    CodeSection, ConstExpr, CustomSection, ElementSection, Elements, ExportKind, ExportSection, Function,
    FunctionSection, GlobalSection, GlobalType, Module, RawSection, SectionId, TableSection, TypeSection, ValType,
};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, Element, ElementItems, ElementKind, ElementSectionReader,
    ExportSectionReader, FunctionBody, FunctionSectionReader, GlobalSectionReader, Parser, Payload, TableSectionReader,
    TypeSectionReader,
};

use crate::instrument::blocks::BasicBlock;
use crate::instrument::error::InstrumentError;
use crate::map::STACK_POINTER;
use crate::section::BUILD_SECTION;

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
    /// The number of its locals, parameters included.
    pub locals: u32,
    /// The number of its parameters, if all are of type `i32`; else 0.
    pub i32_parameters: u32,
    pub blocks: Vec<BasicBlock>,
}

/// What an instrumentation adds to a module.
pub(crate) struct Additions {
    /// The types of new globals: mutable, 0 at first.
    pub globals: Vec<ValType>,
    pub functions: Vec<NewFunction>,
    /// The names of new exports, and what they export.
    pub exports: Vec<(String, ExportKind, u32)>,
    /// For each function of the module, not counting imported ones.
    pub bodies: Vec<BodyAdditions>,
    /// A second version of each of these functions.
    pub copies: Option<Copies>,
}

/// Second versions of all functions of a module. They come after all other functions, and a table after all others leads to them as the first table does to
/// the functions that they are versions of.
pub(crate) struct Copies {
    /// What the versions have in addition to the functions, which are in the same order.
    pub bodies: Vec<BodyAdditions>,
    /// The indices of the types of all functions of the module, imported ones first.
    pub types: Vec<u32>,
    /// How many of those are imported.
    pub imported: u32,
    /// The index of the first version.
    pub first: u32,
    /// The index of their table; `None` if the module has no table of its own.
    pub table: Option<u32>,
}

impl Copies {
    /// The second version of a function; `None` if it is imported.
    pub(crate) fn of(&self, function: u32) -> Option<u32> {
        function.checked_sub(self.imported).map(|number| self.first + number)
    }
}

/// A new function.
pub(crate) struct NewFunction {
    pub parameters: Vec<ValType>,
    pub results: Vec<ValType>,
    pub code: Function,
}

/// What an instrumentation adds to the code of a function.
#[derive(Default)]
pub(crate) struct BodyAdditions {
    /// How many locals of a type there are after those of the function.
    pub locals: Option<(u32, ValType)>,
    /// Encoded operators at its start.
    pub start: Vec<u8>,
    /// In the order of the code.
    pub insertions: Vec<Insertion>,
}

/// Encoded operators around an operator of the module.
#[derive(Default)]
pub(crate) struct Insertion {
    /// The offset of that operator in the module.
    pub offset: u64,
    pub before: Vec<u8>,
    pub after: Vec<u8>,
}

impl BodyAdditions {
    /// What is inserted around the operator at an offset, which is not before that of the last call.
    pub(crate) fn around(&mut self, offset: u64) -> &mut Insertion {
        if self.insertions.last().is_none_or(|last| last.offset != offset) {
            self.insertions.push(Insertion { offset, ..Insertion::default() });
        }
        self.insertions.last_mut().expect("there is one now")
    }
}

/// Writes a valid module again, with these additions and these sections at its end.
pub(crate) fn rewrite(
    module: &[u8],
    facts: &ModuleFacts,
    additions: &Additions,
    sections: &[CustomSection<'_>],
) -> Result<Vec<u8>, Error> {
    let remaining = additions.bodies.iter();
    let mut rewriter = Rewriter { facts, additions, remaining, has_globals: false, has_exports: false };
    let mut rewritten = Module::new();
    rewriter.parse_core_module(&mut rewritten, Parser::new(0), module)?;
    sections.iter().for_each(|section| _ = rewritten.section(section));
    Ok(rewritten.finish())
}

/// Whether a custom section still describes the module when operators have been added, and says more than the map.
fn is_kept(name: &str) -> bool {
    let by_offset = [".debug_", "metadata.code.", "reloc."];
    !by_offset.iter().any(|prefix| name.starts_with(prefix))
        && !["external_debug_info", "sourceMappingURL", "linking", "name"].contains(&name)
}

struct Rewriter<'a> {
    facts: &'a ModuleFacts,
    additions: &'a Additions,
    /// Those of the functions that are not written yet.
    remaining: std::slice::Iter<'a, BodyAdditions>,
    has_globals: bool,
    has_exports: bool,
}

impl Rewriter<'_> {
    fn add_globals(&mut self, globals: &mut GlobalSection) {
        for &val_type in &self.additions.globals {
            let zero = match val_type {
                ValType::I64 => ConstExpr::i64_const(0),
                ValType::F64 => ConstExpr::f64_const(0.0.into()),
                _ => ConstExpr::i32_const(0),
            };
            globals.global(GlobalType { val_type, mutable: true, shared: false }, &zero);
        }
        self.has_globals = true;
    }

    fn add_exports(&mut self, section: &mut ExportSection) {
        for (name, kind, index) in &self.additions.exports {
            section.export(name, *kind, *index);
        }
        if let Some(global) = self.facts.stack_pointer {
            section.export(STACK_POINTER, ExportKind::Global, global);
        }
        self.has_exports = true;
    }

    /// Copies the operators of a function as they are, with the additions between them.
    fn function(&mut self, body: &FunctionBody<'_>, additions: &BodyAdditions) -> Result<Function, Error> {
        let mut locals = Vec::new();
        for group in body.get_locals_reader()? {
            let (count, r#type) = group?;
            locals.push((count, self.val_type(r#type)?));
        }
        locals.extend(additions.locals);
        let mut function = Function::new(locals);
        function.raw(additions.start.iter().copied());
        let mut insertions = additions.insertions.iter().peekable();

        let mut reader = body.get_operators_reader()?;
        let bytes = reader.get_binary_reader();
        let first = reader.original_position();
        while !reader.eof() {
            let (_, offset) = reader.read_with_offset()?;
            let insertion = insertions.next_if(|insertion| insertion.offset == offset);
            function.raw(insertion.iter().flat_map(|insertion| &insertion.before).copied());
            let operator = (offset - first) as usize..(reader.original_position() - first) as usize;
            function.raw(bytes.clone().read_bytes(operator.end)?[operator.start..].iter().copied());
            function.raw(insertion.iter().flat_map(|insertion| &insertion.after).copied());
        }
        Ok(function)
    }
}

impl Reencode for Rewriter<'_> {
    type Error = Infallible;

    fn parse_type_section(&mut self, types: &mut TypeSection, section: TypeSectionReader<'_>) -> Result<(), Error> {
        utils::parse_type_section(self, types, section)?;
        for NewFunction { parameters, results, .. } in &self.additions.functions {
            types.ty().function(parameters.iter().copied(), results.iter().copied());
        }
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error> {
        utils::parse_function_section(self, functions, section)?;
        for (_, r#type) in self.additions.functions.iter().zip(self.facts.types..) {
            functions.function(r#type);
        }
        if let Some(copies) = &self.additions.copies {
            copies.types[copies.imported as usize..].iter().for_each(|r#type| _ = functions.function(*r#type));
        }
        Ok(())
    }

    fn parse_table_section(&mut self, tables: &mut TableSection, section: TableSectionReader<'_>) -> Result<(), Error> {
        utils::parse_table_section(self, tables, section.clone())?;
        if self.additions.copies.as_ref().is_some_and(|copies| copies.table.is_some())
            && let Some(first) = section.into_iter().next()
        {
            tables.table(self.table_type(first?.ty)?);
        }
        Ok(())
    }

    fn parse_element_section(
        &mut self,
        elements: &mut ElementSection,
        section: ElementSectionReader<'_>,
    ) -> Result<(), Error> {
        utils::parse_element_section(self, elements, section.clone())?;
        let Some(copies) = &self.additions.copies else { return Ok(()) };
        for element in section {
            let Element { kind, items, .. } = element?;
            if let (
                ElementKind::Active { table_index: None | Some(0), offset_expr },
                ElementItems::Functions(functions),
            ) = (kind, items)
                && copies.table.is_some()
            {
                let version =
                    |function: wasmparser::Result<u32>| function.map(|index| copies.of(index).unwrap_or(index));
                let functions = functions.into_iter().map(version).collect::<wasmparser::Result<Vec<u32>>>()?;
                elements.active(copies.table, &self.const_expr(offset_expr)?, Elements::Functions(functions.into()));
            }
        }
        Ok(())
    }

    fn parse_global_section(
        &mut self,
        globals: &mut GlobalSection,
        section: GlobalSectionReader<'_>,
    ) -> Result<(), Error> {
        utils::parse_global_section(self, globals, section)?;
        self.add_globals(globals);
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: ExportSectionReader<'_>,
    ) -> Result<(), Error> {
        utils::parse_export_section(self, exports, section)?;
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
        utils::parse_code_section(self, code, section.clone())?;
        self.additions.functions.iter().for_each(|function| _ = code.function(&function.code));
        if let Some(copies) = &self.additions.copies {
            for (body, additions) in section.into_iter().zip(&copies.bodies) {
                code.function(&self.function(&body?, additions)?);
            }
        }
        Ok(())
    }

    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody<'_>) -> Result<(), Error> {
        if let Some(additions) = self.remaining.next() {
            code.function(&self.function(&body, additions)?);
        }
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

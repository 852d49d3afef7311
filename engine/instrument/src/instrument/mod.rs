//! Rewrites a module so that it counts, and reads from its debug information what it counts.

mod allocations;
mod blocks;
mod classes;
mod conditional;
mod contexts;
mod counters;
mod error;
mod own_items;
mod paths;
mod ranges;
mod rewrite;
mod source;

use std::collections::HashMap;

use wasm_encoder::{CustomSection, Section};
use wasmparser::{ExternalKind, FunctionBody, KnownCustom, Name, Parser, Payload, ValType, Validator, WasmFeatures};

pub use error::InstrumentError;
pub use paths::{PathPrefix, source_path};
pub use ranges::range_module;
pub use rewrite::without_debug_information;

use crate::contexts::CONTEXT_GLOBALS;
use crate::cost::{Class, Operators};
use crate::map::{Block, BulkOperator, Call, CodeMap, Function, Run, STACK_POINTER};
use crate::section::{CODE_MAP_SECTION, CONTEXTS_SECTION};
use blocks::{Detail, basic_blocks};
use rewrite::{CountedFunction, ModuleFacts, build_of, rewrite};
use source::{DebugInformation, Tables};

/// What engines allow, by the [limits](https://webassembly.github.io/spec/js-api/#limits) of wasm's JavaScript interface.
const MAX_GLOBALS: usize = 1_000_000;

/// How to instrument a module.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folders to replace in the paths of source files, the first match only: at least the root of the workspace. Those of the
    /// standard library, of registries and of git dependencies are known.
    pub path_prefixes: Vec<PathPrefix>,
    /// Returns the text of a source file, by its path in the debug information, if it can be read: to detect which code is compiled only for some
    /// targets. Without it, none is.
    pub read_source: Option<fn(&str) -> Option<String>>,
}

/// A counting module, and the meaning of its counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instrumented {
    /// The module, without debug information and names. That of [`instrument`] has the map in the custom section
    /// [`CODE_MAP_SECTION`](crate::CODE_MAP_SECTION), and [`BUILD_SECTION`](crate::BUILD_SECTION) identifies the module that it was made from.
    pub module: Vec<u8>,
    /// What its counters count.
    pub map: CodeMap,
}

/// The parts of a module that counting needs.
#[derive(Default)]
struct Contents<'a> {
    bodies: Vec<FunctionBody<'a>>,
    /// The offset of the code section's contents.
    code_start: u64,
    custom_sections: HashMap<&'a str, &'a [u8]>,
    /// The functions that have names.
    names: HashMap<u32, &'a str>,
    /// The global with the name that linkers give to the stack pointer.
    stack_pointer: Option<u32>,
    exports: Vec<&'a str>,
    exported_functions: Vec<u32>,
}

/// Makes a module count what it executes.
///
/// The module may use wasm 2.0, tail calls and extended constant expressions. With debug information (`debug = 1` is
/// enough), the map has the lines of the source; otherwise it has only the functions' names.
///
/// # Errors
/// If the module is invalid, uses other features or has damaged debug information; if it already has an export with the name of
/// one of ours, or needs more counters than engines allow.
pub fn instrument(module: &[u8], options: &Options) -> Result<Instrumented, InstrumentError> {
    let analyzed = Analyzed::new(module, options)?;
    Ok(Instrumented { module: analyzed.counting_blocks(module)?, map: analyzed.map })
}

/// Makes a module count what it executes in each context: by the calls that led to a function. A [`ContextReading`](crate::ContextReading) is what it has
/// counted, and what the suite's allocator did in counted calls. Bulk operators count as one, and their amounts are not counted.
///
/// The module has no map of its own.
///
/// # Errors
/// As for [`instrument`], and if the module has no memory for its contexts.
pub fn instrument_contexts(module: &[u8], options: &Options) -> Result<Instrumented, InstrumentError> {
    let analyzed = Analyzed::new(module, options)?;
    Ok(Instrumented { module: analyzed.counting_contexts(module)?, map: analyzed.map })
}

/// Makes the counting module of a suite: that of [`instrument`], with that of [`instrument_contexts`] in the custom section
/// [`CONTEXTS_SECTION`](crate::CONTEXTS_SECTION). Both have the same map.
///
/// # Errors
/// As for both.
pub fn counting_module(module: &[u8], options: &Options) -> Result<Vec<u8>, InstrumentError> {
    let analyzed = Analyzed::new(module, options)?;
    let mut counting = analyzed.counting_blocks(module)?;
    let contexts = analyzed.counting_contexts(module)?;
    append_section(&mut counting, CONTEXTS_SECTION, &contexts);
    Ok(counting)
}

/// Appends a custom section to a module.
pub fn append_section(module: &mut Vec<u8>, name: &str, data: &[u8]) {
    CustomSection { name: name.into(), data: data.into() }.append_to(module);
}

/// What both ways of counting need to know about a module.
struct Analyzed<'a> {
    contents: Contents<'a>,
    facts: ModuleFacts,
    functions: Vec<CountedFunction>,
    map: CodeMap,
}

impl<'a> Analyzed<'a> {
    fn new(module: &'a [u8], options: &Options) -> Result<Self, InstrumentError> {
        let features = WasmFeatures::WASM2 | WasmFeatures::TAIL_CALL | WasmFeatures::EXTENDED_CONST;
        let types = Validator::new_with_features(features).validate_all(module)?;
        let types = types.as_ref();
        let contents = Contents::read(module)?;
        let globals = types.global_count();
        let is_pointer = |&global: &u32| {
            let of_type = |global| types.global_at(global);
            global < globals && of_type(global).mutable && of_type(global).content_type == ValType::I32
        };
        let facts = ModuleFacts {
            types: types.core_type_count_in_module(),
            functions: types.function_count(),
            globals,
            // A name may be wrong, and then means nothing.
            stack_pointer: contents.stack_pointer.filter(is_pointer),
            has_memory: types.memory_count() > 0,
        };
        let first = facts.functions - contents.bodies.len() as u32;
        let functions = contents.bodies.iter().zip(first..);
        let functions = functions.map(|(body, index)| {
            let parameters = types[types.core_function_at(index)].unwrap_func().params();
            let are_i32 = parameters.iter().all(|parameter| *parameter == ValType::I32);
            Ok(CountedFunction {
                locals: parameters.len() as u32 + local_count(body)?,
                i32_parameters: if are_i32 { parameters.len() as u32 } else { 0 },
                blocks: basic_blocks(body)?,
            })
        });
        let functions = functions.collect::<Result<Vec<_>, InstrumentError>>()?;

        let map = code_map(&contents, first, &functions, options)?;
        Ok(Self { contents, facts, functions, map })
    }

    fn counting_blocks(&self, module: &[u8]) -> Result<Vec<u8>, InstrumentError> {
        let Self { contents, facts, functions, map } = self;
        if map.counters() + facts.globals as usize > MAX_GLOBALS {
            return Err(InstrumentError::TooManyCounters(map.counters()));
        }
        contents.reject_exports(map.exports().map(|(name, _)| name).chain([STACK_POINTER.to_owned()]))?;
        let map_section = CustomSection { name: CODE_MAP_SECTION.into(), data: map.to_bytes().into() };
        let additions = counters::additions(facts, functions, map);
        Ok(rewrite(module, facts, &additions, &[map_section, build_of(module)?])?)
    }

    fn counting_contexts(&self, module: &[u8]) -> Result<Vec<u8>, InstrumentError> {
        let Self { contents, facts, functions, map } = self;
        if !facts.has_memory {
            return Err(InstrumentError::NoMemory);
        }
        contents.reject_exports(CONTEXT_GLOBALS.into_iter().chain([STACK_POINTER]).map(str::to_owned))?;
        let additions = contexts::additions(facts, functions, &contents.exported_functions, map);
        Ok(rewrite(module, facts, &additions, &[])?)
    }
}

impl<'a> Contents<'a> {
    fn read(module: &'a [u8]) -> wasmparser::Result<Self> {
        let mut contents = Self::default();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::CodeSectionStart { unchecked_range, .. } => contents.code_start = unchecked_range.start,
                Payload::CodeSectionEntry(body) => contents.bodies.push(body),
                Payload::ExportSection(exports) => {
                    for export in exports {
                        let export = export?;
                        contents.exports.push(export.name);
                        if export.kind == ExternalKind::Func {
                            contents.exported_functions.push(export.index);
                        }
                    }
                }
                Payload::CustomSection(section) => {
                    contents.custom_sections.insert(section.name(), section.data());
                    if let KnownCustom::Name(names) = section.as_known() {
                        // Damaged names are no reason not to count.
                        for name in names.into_iter().map_while(Result::ok) {
                            contents.add_names(name);
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(contents)
    }

    fn reject_exports(&self, names: impl IntoIterator<Item = String>) -> Result<(), InstrumentError> {
        let taken = names.into_iter().find(|name| self.exports.contains(&name.as_str()));
        taken.map_or(Ok(()), |name| Err(InstrumentError::ExportExists(name)))
    }

    fn add_names(&mut self, names: Name<'a>) {
        match names {
            Name::Function(functions) => {
                self.names
                    .extend(functions.into_iter().map_while(Result::ok).map(|naming| (naming.index, naming.name)));
            }
            Name::Global(globals) => {
                let mut globals = globals.into_iter().map_while(Result::ok);
                self.stack_pointer = globals.find(|naming| naming.name == "__stack_pointer").map(|naming| naming.index);
            }
            _ => {}
        }
    }
}

/// The number of a function's locals without its parameters.
fn local_count(body: &FunctionBody) -> wasmparser::Result<u32> {
    body.get_locals_reader()?.into_iter().map(|group| group.map(|(count, _)| count)).sum()
}

/// The map of a module whose first `imported` functions are imported.
fn code_map(
    contents: &Contents,
    imported: u32,
    functions: &[CountedFunction],
    options: &Options,
) -> Result<CodeMap, InstrumentError> {
    let debug = DebugInformation::open(&contents.custom_sections, contents.code_start)?;
    let mut tables = Tables::new(options);
    let mut map = CodeMap::default();
    for index in 0..imported + functions.len() as u32 {
        let name = match contents.names.get(&index) {
            Some(name) => tables.function_name(name),
            None => tables.function_name(&format!("function {index}")),
        };
        map.functions.push(Function { name, is_imported: index < imported });
    }
    for (function, index) in functions.iter().zip(imported..) {
        let name = map.functions[index as usize].name;
        for basic_block in &function.blocks {
            let block_index = map.blocks.len() as u32;
            let mut block = Block::new(index);
            for operator in &basic_block.operators {
                let frame = tables.frame(&debug, operator.offset, name)?;
                block.add(operator.class, frame);
                match operator.detail {
                    Detail::Plain => {}
                    Detail::Call(callee) => map.calls.push(Call { callee, block: block_index, frame }),
                    Detail::Bulk(kind) => map.bulk.push(BulkOperator { kind, block: block_index, frame }),
                }
            }
            map.blocks.push(block);
        }
    }
    (map.strings, map.frames) = tables.finish();
    Ok(map)
}

impl Block {
    fn new(function: u32) -> Self {
        Self { function, operators: Operators::default(), runs: Vec::new() }
    }

    /// Adds an operator, which costs one unit.
    fn add(&mut self, class: Class, frame: u32) {
        self.operators[class] += 1;
        if self.runs.last().is_none_or(|run| run.frame != frame) {
            self.runs.push(Run { frame, ..Run::default() });
        }
        let run = self.runs.last_mut().expect("there is one now");
        run.cost += 1;
        run.loads += u32::from(class == Class::Load);
        run.stores += u32::from(class == Class::Store);
    }
}

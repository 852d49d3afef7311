//! The functions of a wasm module, in the text format.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use rustc_demangle::demangle;
use wasmparser::{FunctionBody, KnownCustom, Name, Operator, Parser, Payload, TypeRef};
use wasmprinter::Config;

use super::lines::{PlaceTable, SourceFiles, SourceLines};
use super::program::Program;
use crate::listing::{CodeFormat, Flow, Instruction, Listing, Loop};

/// Why a module cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum UnreadableModule {
    /// It is damaged.
    #[error("the wasm module is damaged: {0}")]
    Damaged(#[from] wasmparser::BinaryReaderError),
    /// It cannot be printed.
    #[error("the wasm module cannot be printed: {0}")]
    Text(String),
}

/// A module with the names of its functions.
pub struct WasmModule<'m> {
    /// The functions, by their indices.
    functions: BTreeMap<u32, Function>,
    /// The indices of functions, by the offsets of their bodies.
    indices: HashMap<u64, u32>,
    /// The names of functions without hashes, by their indices.
    names: HashMap<u32, String>,
    /// Absent without debug information.
    lines: Option<SourceLines<'m>>,
    /// The offset from which addresses in the debug information count.
    code_start: u64,
}

/// A function of a module.
struct Function {
    /// The range of its body in the module.
    body: Range<u64>,
    /// Its lines in the text format, with their offsets in the module.
    lines: Vec<(u64, String)>,
    /// The indices of called functions, by the offsets of calls.
    calls: HashMap<u64, u32>,
}

impl<'m> WasmModule<'m> {
    /// Reads a module. `source`: how its lines in the source are found; `None` if they are not needed.
    ///
    /// # Errors
    /// If it is damaged, or cannot be printed.
    pub fn read(module: &'m [u8], source: Option<SourceFiles<'_>>) -> Result<Self, UnreadableModule> {
        let (mut imported, mut code_start) = (0, 0);
        let (mut functions, mut names, mut sections) = (Vec::new(), HashMap::new(), HashMap::new());
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::CodeSectionStart { unchecked_range, .. } => code_start = unchecked_range.start,
                Payload::CodeSectionEntry(body) => functions.push(Function::new(&body)?),
                Payload::CustomSection(section) => {
                    sections.insert(section.name(), section.data());
                    let KnownCustom::Name(subsections) = section.as_known() else { continue };
                    for subsection in subsections {
                        let Name::Function(functions) = subsection? else { continue };
                        for function in functions {
                            let function = function?;
                            names.insert(function.index, format!("{:#}", demangle(function.name)));
                        }
                    }
                }
                _ => {}
            }
        }
        add_lines(module, &mut functions)?;
        let functions: BTreeMap<u32, Function> = (imported..).zip(functions).collect();
        let indices = functions.iter().map(|(index, function)| (function.body.start, *index)).collect();
        let section = |name: &str| sections.get(name).copied();
        let lines = source.and_then(|source| SourceLines::new(section, source));
        Ok(Self { functions, indices, names, lines, code_start })
    }

    fn name(&self, index: u32) -> &str {
        self.names.get(&index).map_or("a function without a name", String::as_str)
    }
}

impl Function {
    fn new(body: &FunctionBody<'_>) -> Result<Self, UnreadableModule> {
        let mut calls = HashMap::new();
        for operator in body.get_operators_reader()?.into_iter_with_offsets() {
            if let (Operator::Call { function_index }, offset) = operator? {
                calls.insert(offset, function_index);
            }
        }
        Ok(Self { body: body.range(), lines: Vec::new(), calls })
    }
}

/// Adds the lines of the text format to the functions of a module, which are in the order of their bodies.
fn add_lines(module: &[u8], functions: &mut [Function]) -> Result<(), UnreadableModule> {
    let mut storage = String::new();
    let lines = Config::new().offsets_and_lines(module, &mut storage);
    let lines = lines.map_err(|error| UnreadableModule::Text(format!("{error:#}")))?;
    for (offset, line) in lines {
        let Some(offset) = offset else { continue };
        let next = functions.partition_point(|function| function.body.start <= offset);
        let function = next.checked_sub(1).and_then(|index| functions.get_mut(index));
        if let Some(function) = function.filter(|function| function.body.contains(&offset)) {
            function.lines.push((offset, line.trim_end().to_owned()));
        }
    }
    Ok(())
}

impl Program for WasmModule<'_> {
    fn functions(&self) -> impl Iterator<Item = (&str, u64)> {
        self.functions.iter().map(|(index, function)| (self.name(*index), function.body.start))
    }

    fn name_at(&self, address: u64) -> Option<&str> {
        self.indices.get(&address).map(|index| self.name(*index))
    }

    fn references(&self, address: u64) -> Vec<u64> {
        let function = self.indices.get(&address).and_then(|index| self.functions.get(index));
        let mut calls: Vec<(&u64, &u32)> = function.into_iter().flat_map(|function| &function.calls).collect();
        calls.sort_unstable();
        calls.into_iter().filter_map(|(_, index)| Some(self.functions.get(index)?.body.start)).collect()
    }

    fn listing(&self, address: u64) -> Option<Listing> {
        let index = *self.indices.get(&address)?;
        let Function { body, lines, calls } = self.functions.get(&index)?;
        let mut instructions: Vec<Instruction> = Vec::new();
        let mut blocks: Vec<Option<usize>> = Vec::new();
        let mut loops: Vec<Loop> = Vec::new();
        let mut places = PlaceTable::new(self.lines.as_ref());
        for (offset, line) in lines {
            // The printer indents the module, the function and its body.
            let text = line.strip_prefix("    ").unwrap_or(line);
            let word = text.split_whitespace().next().unwrap_or_default();
            match word {
                // Its header and its locals are no instructions.
                "" | ")" | "(func" | "(local" => continue,
                "end" | "else" => _ = blocks.pop(),
                _ => {}
            }
            match word {
                "loop" => {
                    let depth = blocks.iter().flatten().count() as u32 + 1;
                    blocks.push(Some(loops.len()));
                    loops.push(Loop { first: instructions.len(), last: instructions.len(), instructions: 0, depth });
                }
                "block" | "if" | "else" | "try_table" => blocks.push(None),
                _ => {}
            }
            for index in blocks.iter().flatten() {
                loops[*index].last = instructions.len();
                loops[*index].instructions += 1;
            }
            let called = calls.get(offset);
            let text = match called.zip(text.split_once("call ")) {
                // The printer writes names as identifiers.
                Some((index, (indentation, _))) => format!("{indentation}call {}", self.name(*index)),
                None => text.to_owned(),
            };
            instructions.push(Instruction {
                offset: offset - body.start,
                flow: if word.starts_with("call") { Flow::Call } else { Flow::Next },
                calls: called.map(|index| self.name(*index).to_owned()),
                callee: called.and_then(|index| Some(self.functions.get(index)?.body.start)),
                text,
                depth: blocks.iter().flatten().count() as u32,
                place: offset.checked_sub(self.code_start).and_then(|address| places.at(address)),
                ..Instruction::default()
            });
        }
        Some(Listing {
            function: self.name(index).to_owned(),
            format: CodeFormat::Wasm,
            bytes: body.end - body.start,
            instructions,
            loops,
            places: places.into_places(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_by_name_with_their_loops_and_calls() {
        let module = wat::parse_str(
            r#"(module (import "a" "b" (func $import))
              (func $other)
              (func $f (param i32) (loop (loop (br_if 1 (local.get 0))) call $other)))"#,
        );
        let module = module.unwrap();
        let module = WasmModule::read(&module, None).unwrap();
        let names: Vec<&str> = module.functions().map(|(name, _)| name).collect();
        assert_eq!(names, ["other", "f"]);
        let (_, start) = module.functions().last().unwrap();
        let listing = module.listing(start).unwrap();
        let lines: Vec<_> = listing.instructions.iter().map(|one| (one.text.as_str(), one.depth)).collect();
        let expected = [
            ("loop ;; label = @1", 1),
            ("  loop ;; label = @2", 2),
            ("    local.get 0", 2),
            ("    br_if 1 (;@1;)", 2),
            ("  end", 1),
            ("  call other", 1),
            ("end", 0),
        ];
        assert_eq!(lines, expected);
        assert_eq!((listing.calls(), listing.loops.len()), (1, 2));
        assert!(module.listing(0).is_none());
        assert!(WasmModule::read(b"\0asm", None).is_err());
    }
}

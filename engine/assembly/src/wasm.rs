//! The functions of a wasm module, in the text format.

use std::collections::{BTreeMap, HashMap};

use rustc_demangle::demangle;
use wasmparser::{FunctionBody, KnownCustom, Name, Operator, Parser, Payload, TypeRef};
use wasmprinter::Config;

use crate::lines::SourceLines;
use crate::listing::{CodeFormat, Instruction, Listing};
use crate::loops::Loop;

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
    module: &'m [u8],
    /// The bodies of functions in the module, by their indices.
    bodies: BTreeMap<u32, FunctionBody<'m>>,
    /// The names of functions without hashes, by their indices.
    names: HashMap<u32, String>,
    /// Absent without debug information.
    lines: Option<SourceLines<'m>>,
    /// The offset from which addresses in the debug information count.
    code_start: u64,
}

impl<'m> WasmModule<'m> {
    /// Reads a module. `workspace`: the folder to which files of the source are relative.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn read(module: &'m [u8], workspace: &str) -> Result<Self, UnreadableModule> {
        let (mut imported, mut code_start) = (0, 0);
        let (mut bodies, mut names, mut sections) = (Vec::new(), HashMap::new(), HashMap::new());
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::CodeSectionStart { unchecked_range, .. } => code_start = unchecked_range.start,
                Payload::CodeSectionEntry(body) => bodies.push(body),
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
        let bodies = (imported..).zip(bodies).collect();
        let lines = SourceLines::new(|name| sections.get(name).copied(), workspace);
        Ok(Self { module, bodies, names, lines, code_start })
    }

    /// The names of the functions, and the offsets of their bodies.
    pub fn functions(&self) -> impl Iterator<Item = (&str, u64)> {
        self.bodies.iter().map(|(index, body)| (self.name(*index), body.range().start))
    }

    fn name(&self, index: u32) -> &str {
        self.names.get(&index).map_or("a function without a name", String::as_str)
    }

    /// The indices of called functions by the offsets of calls.
    fn calls(body: &FunctionBody<'_>) -> Result<HashMap<u64, u32>, UnreadableModule> {
        let mut calls = HashMap::new();
        for operator in body.get_operators_reader()?.into_iter_with_offsets() {
            if let (Operator::Call { function_index }, offset) = operator? {
                calls.insert(offset, function_index);
            }
        }
        Ok(calls)
    }

    /// The text of the function whose body starts at an offset; `None` if there is none. `has_places`: whether to add the places in the source.
    ///
    /// # Errors
    /// If the module cannot be printed.
    pub fn listing(&self, start: u64, has_places: bool) -> Result<Option<Listing>, UnreadableModule> {
        let Some((index, body)) = self.bodies.iter().find(|(_, body)| body.range().start == start) else {
            return Ok(None);
        };
        let (calls, body) = (Self::calls(body)?, body.range());
        let mut storage = String::new();
        let lines = Config::new().offsets_and_lines(self.module, &mut storage);
        let lines = lines.map_err(|error| UnreadableModule::Text(format!("{error:#}")))?;
        let of_body = lines.filter_map(|(offset, line)| Some((offset.filter(|offset| body.contains(offset))?, line)));
        let mut instructions: Vec<Instruction> = Vec::new();
        let mut blocks: Vec<Option<usize>> = Vec::new();
        let mut loops: Vec<Loop> = Vec::new();
        for (offset, line) in of_body {
            // The printer indents the module, the function and its body.
            let text = line.trim_end().strip_prefix("    ").unwrap_or(line.trim_end());
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
            let called = calls.get(&offset);
            let text = match called.zip(text.split_once("call ")) {
                // The printer writes names as identifiers.
                Some((index, (indentation, _))) => format!("{indentation}call {}", self.name(*index)),
                None => text.to_owned(),
            };
            let places = self.lines.as_ref().filter(|_| has_places && offset >= self.code_start);
            instructions.push(Instruction {
                offset: offset - body.start,
                shape: without_indices(&text),
                is_call: word.starts_with("call"),
                calls: called.map(|index| self.name(*index).to_owned()),
                callee: called.and_then(|index| Some(self.bodies.get(index)?.range().start)),
                text,
                depth: blocks.iter().flatten().count() as u32,
                places: places.map(|lines| lines.places(offset - self.code_start)).unwrap_or_default(),
                ..Instruction::default()
            });
        }
        let bytes = body.end - body.start;
        Ok(Some(Listing {
            function: self.name(*index).to_owned(),
            format: CodeFormat::Wasm,
            bytes,
            instructions,
            loops,
        }))
    }
}

/// A line without its indentation and the index of a type, which depends on other functions.
fn without_indices(text: &str) -> String {
    let words = text.split_whitespace().map(|word| match word.strip_suffix(')') {
        Some(index) if index.parse::<u32>().is_ok() => "_)",
        _ => word,
    });
    words.collect::<Vec<_>>().join(" ")
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
        let module = WasmModule::read(&module, "").unwrap();
        let names: Vec<&str> = module.functions().map(|(name, _)| name).collect();
        assert_eq!(names, ["other", "f"]);
        let (_, start) = module.functions().last().unwrap();
        let listing = module.listing(start, true).unwrap().unwrap();
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
        assert!(module.listing(0, false).unwrap().is_none());
        assert!(WasmModule::read(b"\0asm", "").is_err());
    }

    #[test]
    fn the_indices_of_types_are_ignored() {
        assert_eq!(without_indices("  call_indirect (type 12)"), without_indices("call_indirect (type 3)"));
    }
}

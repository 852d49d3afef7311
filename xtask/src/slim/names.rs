//! The names by which wasm and its glue find each other.
//!
//! wasm-bindgen ends each with a hash, which no compression makes shorter: with some 200 of them, twice, 4 KB of the page
//! as it is sent.

use std::collections::BTreeMap;
use std::iter;

use anyhow::Result;
use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasm_encoder::{ExportSection, ImportSection, Module, RawSection};
use wasmparser::{Parser, Payload};

/// The names that end with a hash, and what takes their places. Names without one are known by them to others too.
pub(super) struct Names {
    short: BTreeMap<String, String>,
}

impl Names {
    /// Counts the names in the order of the glue, which depends on nothing that the hash in the files' names leaves out:
    /// a script from a browser's cache fits a module that was built later.
    pub(super) fn of(glue: &str) -> Self {
        let mut short = BTreeMap::new();
        for (_, word) in words(glue).filter(|(_, word)| has_hash(word)) {
            // wasm-bindgen writes no names with this sign.
            let next = format!("${}", short.len());
            short.entry(word.to_owned()).or_insert(next);
        }
        Self { short }
    }

    pub(super) fn in_glue(&self, glue: &str) -> String {
        words(glue).flat_map(|(between, word)| [between, self.short(word)]).collect()
    }

    /// The module with the short names in its imports and exports; all else is copied as it is.
    ///
    /// # Errors
    /// Where it is no wasm module.
    pub(super) fn in_module(&self, wasm: &[u8]) -> Result<Vec<u8>> {
        let mut module = Module::new();
        for payload in Parser::new(0).parse_all(wasm) {
            match payload? {
                Payload::ImportSection(section) => {
                    let mut imports = ImportSection::new();
                    for import in section.into_imports() {
                        let import = import?;
                        let kind = RoundtripReencoder.entity_type(import.ty)?;
                        imports.import(import.module, self.short(import.name), kind);
                    }
                    module.section(&imports);
                }
                Payload::ExportSection(section) => {
                    let mut exports = ExportSection::new();
                    for export in section {
                        let export = export?;
                        let kind = RoundtripReencoder.export_kind(export.kind)?;
                        exports.export(self.short(export.name), kind, export.index);
                    }
                    module.section(&exports);
                }
                other => {
                    if let Some((id, range)) = other.as_section() {
                        module.section(&RawSection { id, data: &wasm[range.start as usize..range.end as usize] });
                    }
                }
            }
        }
        Ok(module.finish())
    }

    fn short<'a>(&'a self, name: &'a str) -> &'a str {
        self.short.get(name).map_or(name, String::as_str)
    }
}

fn has_hash(name: &str) -> bool {
    let hash = name.len().checked_sub(16).and_then(|start| name.get(start..));
    hash.is_some_and(|hash| hash.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

/// A script cut into words, each with what stands before it; the last may be empty.
fn words(script: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut rest = script;
    iter::from_fn(move || {
        let (between, from) = rest.split_at(rest.find(is_part).unwrap_or(rest.len()));
        let (word, after) = from.split_at(from.find(|letter| !is_part(letter)).unwrap_or(from.len()));
        let more = !rest.is_empty();
        rest = after;
        more.then_some((between, word))
    })
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{EntityType, ExportKind, FunctionSection, TypeSection};

    use super::*;

    fn module() -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        let mut imports = ImportSection::new();
        imports.import("./glue.js", "__wbg_body_5f971cbc6950ca4f", EntityType::Function(0));
        imports.import("./glue.js", "__wbindgen_plain", EntityType::Function(0));
        let mut functions = FunctionSection::new();
        functions.function(0);
        let mut exports = ExportSection::new();
        exports.export("invoke__hff1658841e4c8507", ExportKind::Func, 0);
        exports.export("memory_less", ExportKind::Func, 1);
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&exports);
        module.finish()
    }

    #[test]
    fn names_with_a_hash_are_short_on_both_sides() {
        let glue = "({ __wbg_body_5f971cbc6950ca4f: () => wasm.invoke__hff1658841e4c8507(__wbindgen_plain) })";
        let names = Names::of(glue);
        assert_eq!(names.in_glue(glue), "({ $0: () => wasm.$1(__wbindgen_plain) })");
        let module = names.in_module(&module()).unwrap();
        let has = |name: &str| module.windows(name.len()).any(|part| part == name.as_bytes());
        assert!(has("$0") && has("$1") && has("__wbindgen_plain") && has("memory_less"));
        assert!(!has("5f971cbc6950ca4f") && !has("ff1658841e4c8507"));
    }
}

//! The places of operators in the source, by the module's debug information, and the tables of strings and frames.

use std::collections::HashMap;
use std::hash::Hash;

use addr2line::Context;
use gimli::{Dwarf, EndianSlice, LittleEndian, SectionId};
use rustc_demangle::demangle;

use crate::instrument::Options;
use crate::instrument::conditional::ConditionalCode;
use crate::instrument::paths::{PathPrefix, source_path};
use crate::map::Frame;

type Section<'a> = EndianSlice<'a, LittleEndian>;

/// The debug information of a module.
pub(crate) struct DebugInformation<'a> {
    /// `None` if the module has none.
    context: Option<Context<Section<'a>>>,
    /// The offset in the module of the code section's contents, from which addresses in the debug information count: see
    /// [DWARF for WebAssembly](https://yurydelendik.github.io/webassembly-dwarf/).
    code_start: u64,
}

impl<'a> DebugInformation<'a> {
    /// Opens the sections of a module, by their names.
    pub fn open(sections: &HashMap<&'a str, &'a [u8]>, code_start: u64) -> gimli::Result<Self> {
        let section = |id: SectionId| {
            gimli::Result::Ok(EndianSlice::new(sections.get(id.name()).copied().unwrap_or_default(), LittleEndian))
        };
        let is_present = sections.contains_key(SectionId::DebugInfo.name());
        let context = if is_present { Some(Context::from_dwarf(Dwarf::load(section)?)?) } else { None };
        Ok(Self { context, code_start })
    }
}

/// The tables of a map while it is made.
#[derive(Default)]
pub(crate) struct Tables<'o> {
    strings: Interner<String>,
    frames: Interner<Frame>,
    /// The indices of strings, by what the module contains instead: mangled names, and paths of the machine that compiled it.
    names: HashMap<String, u32>,
    files: HashMap<String, u32>,
    prefixes: &'o [PathPrefix],
    conditional: ConditionalCode,
}

impl<'o> Tables<'o> {
    pub fn new(options: &'o Options) -> Self {
        let conditional = ConditionalCode::new(options.read_source);
        Self { prefixes: &options.path_prefixes, conditional, ..Self::default() }
    }

    /// The index of a function's name, demangled and without its hash.
    pub fn function_name(&mut self, mangled: &str) -> u32 {
        if let Some(index) = self.names.get(mangled) {
            return *index;
        }
        let index = self.strings.index(format!("{:#}", demangle(mangled)));
        self.names.insert(mangled.to_owned(), index);
        index
    }

    fn file(&mut self, path: &str) -> u32 {
        if let Some(index) = self.files.get(path) {
            return *index;
        }
        let index = self.strings.index(source_path(path, self.prefixes));
        self.files.insert(path.to_owned(), index);
        index
    }

    /// The index of the frame of an operator, from its offset in the module. Without debug information about it, that is the
    /// function with this name, without a line.
    pub fn frame(&mut self, debug: &DebugInformation, offset: u64, function: u32) -> gimli::Result<u32> {
        let mut stack = Vec::new();
        if let Some(context) = &debug.context {
            let mut frames = context.find_frames(offset - debug.code_start).skip_all_loads()?;
            while let Some(frame) = frames.next()? {
                let name = frame.function.as_ref().map(addr2line::FunctionName::raw_name).transpose()?;
                let name = name.map_or(function, |name| self.function_name(&name));
                let path = frame.location.as_ref().and_then(|location| location.file);
                let line = frame.location.as_ref().and_then(|location| location.line).filter(|line| *line > 0);
                let is_conditional = path.zip(line).is_some_and(|(path, line)| self.conditional.contains(path, line));
                let file = path.map(|path| self.file(path));
                stack.push(Frame { function: name, file, line, caller: None, is_conditional });
            }
        }
        if stack.is_empty() {
            stack.push(Frame { function, file: None, line: None, caller: None, is_conditional: false });
        }
        let mut caller = None;
        let mut innermost = 0;
        for frame in stack.into_iter().rev() {
            innermost = self.frames.index(Frame { caller, ..frame });
            caller = Some(innermost);
        }
        Ok(innermost)
    }

    /// The finished tables of strings and of frames.
    pub fn finish(self) -> (Vec<String>, Vec<Frame>) {
        (self.strings.values, self.frames.values)
    }
}

/// Values in the order in which they were first seen, each once.
struct Interner<T> {
    values: Vec<T>,
    indices: HashMap<T, u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { values: Vec::new(), indices: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Interner<T> {
    fn index(&mut self, value: T) -> u32 {
        if let Some(index) = self.indices.get(&value) {
            return *index;
        }
        // A wasm module has fewer than 2³² bytes, so that no table is longer.
        let index = self.values.len() as u32;
        self.values.push(value.clone());
        self.indices.insert(value, index);
        index
    }
}

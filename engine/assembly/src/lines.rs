//! The places of instructions in the source, from debug information.

use std::fmt;

use addr2line::{Context, FunctionName};
use benchbook_instrument::{PathPrefix, source_path};
use gimli::{Dwarf, EndianSlice, LittleEndian, SectionId};
use object::{Object, ObjectSection};
use rustc_demangle::demangle;
use serde::Serialize;

/// A line of the source, in a function that may have been inlined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The function, demangled and without its hash.
    pub function: String,
    /// The file: relative to the workspace, or to the crate.
    pub file: String,
    /// The line, from 1 on; 0 if it is unknown.
    pub line: u32,
    /// The file as the compiler wrote it.
    #[serde(skip)]
    pub path: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.file),
            line => write!(f, "{}:{line}", self.file),
        }
    }
}

/// The debug information of an executable or of a module.
pub struct SourceLines<'d> {
    context: Context<EndianSlice<'d, LittleEndian>>,
    workspace: [PathPrefix; 1],
}

impl<'d> SourceLines<'d> {
    /// Reads the debug information of an executable; `None` if it has none, or if it is damaged. `workspace`: the folder to which files are relative.
    pub fn of_executable(program: &'d [u8], workspace: &str) -> Option<Self> {
        let file = object::File::parse(program).ok()?;
        Self::new(|name| file.section_by_name(name)?.data().ok(), workspace)
    }

    /// As [`Self::of_executable`], from sections by their names.
    pub(crate) fn new(section: impl Fn(&str) -> Option<&'d [u8]>, workspace: &str) -> Option<Self> {
        section(SectionId::DebugInfo.name())?;
        let load =
            |id: SectionId| gimli::Result::Ok(EndianSlice::new(section(id.name()).unwrap_or_default(), LittleEndian));
        let context = Context::from_dwarf(Dwarf::load(load).ok()?).ok()?;
        let workspace = [PathPrefix { folder: workspace.to_owned(), replacement: String::new() }];
        Some(Self { context, workspace })
    }

    /// The place of the instruction at an address, followed by the places that its function was inlined into; empty if it is unknown.
    pub(crate) fn places(&self, address: u64) -> Vec<Place> {
        let mut places = Vec::new();
        let Ok(mut frames) = self.context.find_frames(address).skip_all_loads() else { return places };
        while let Ok(Some(frame)) = frames.next() {
            let name = frame.function.as_ref().and_then(|function| FunctionName::raw_name(function).ok());
            let path = frame.location.as_ref().and_then(|location| location.file).unwrap_or_default();
            places.push(Place {
                function: name.map(|name| format!("{:#}", demangle(&name))).unwrap_or_default(),
                file: source_path(path, &self.workspace),
                line: frame.location.as_ref().and_then(|location| location.line).unwrap_or_default(),
                path: path.to_owned(),
            });
        }
        places
    }
}

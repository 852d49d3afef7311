//! The places of instructions in the source, from debug information.

use std::cell::RefCell;
use std::collections::HashMap;

use addr2line::{Context, FunctionName};
use benchbook_instrument::{PathPrefix, source_path};
use gimli::{Dwarf, EndianSlice, LittleEndian, SectionId};
use object::{Object, ObjectSection};
use rustc_demangle::demangle;

use crate::listing::Place;

/// How the lines of the source are found.
#[derive(Clone, Copy, Debug)]
pub struct SourceFiles<'f> {
    /// The folder to which files are relative.
    pub workspace: &'f str,
    /// Returns the text of a file, by the path that the compiler wrote; `None` if it cannot be read.
    pub read: fn(&str) -> Option<String>,
}

/// The debug information of an executable or of a module.
pub struct SourceLines<'d> {
    context: Context<EndianSlice<'d, LittleEndian>>,
    workspace: [PathPrefix; 1],
    read_source: fn(&str) -> Option<String>,
    sources: RefCell<HashMap<String, Option<String>>>,
}

impl<'d> SourceLines<'d> {
    /// Reads the debug information of an executable; `None` if it has none, or if it is damaged.
    pub fn of_executable(program: &'d [u8], files: SourceFiles<'_>) -> Option<Self> {
        let file = object::File::parse(program).ok()?;
        Self::new(|name| file.section_by_name(name)?.data().ok(), files)
    }

    /// As [`Self::of_executable`], from sections by their names.
    pub(crate) fn new(section: impl Fn(&str) -> Option<&'d [u8]>, files: SourceFiles<'_>) -> Option<Self> {
        section(SectionId::DebugInfo.name())?;
        let load =
            |id: SectionId| gimli::Result::Ok(EndianSlice::new(section(id.name()).unwrap_or_default(), LittleEndian));
        let context = Context::from_dwarf(Dwarf::load(load).ok()?).ok()?;
        let workspace = [PathPrefix { folder: files.workspace.to_owned(), replacement: String::new() }];
        Some(Self { context, workspace, read_source: files.read, sources: RefCell::default() })
    }

    /// The place of the instruction at an address, followed by the places that its function was inlined into; empty if it is unknown.
    fn places(&self, address: u64) -> Vec<Place> {
        let mut places = Vec::new();
        let Ok(mut frames) = self.context.find_frames(address).skip_all_loads() else { return places };
        while let Ok(Some(frame)) = frames.next() {
            let name = frame.function.as_ref().and_then(|function| FunctionName::raw_name(function).ok());
            let path = frame.location.as_ref().and_then(|location| location.file).unwrap_or_default();
            let line = frame.location.as_ref().and_then(|location| location.line).unwrap_or_default();
            places.push(Place {
                function: name.map(|name| format!("{:#}", demangle(&name))).unwrap_or_default(),
                file: source_path(path, &self.workspace),
                line,
                source: self.source(path, line),
                inlined_into: None,
            });
        }
        places
    }

    /// The text of a line.
    fn source(&self, path: &str, line: u32) -> Option<String> {
        let mut sources = self.sources.borrow_mut();
        let text = sources.entry(path.to_owned()).or_insert_with(|| (self.read_source)(path)).as_deref()?;
        Some(text.lines().nth((line as usize).checked_sub(1)?)?.trim().to_owned())
    }
}

/// The places of a listing, each of them once.
pub(crate) struct PlaceTable<'l, 'd> {
    lines: Option<&'l SourceLines<'d>>,
    places: Vec<Place>,
    indices: HashMap<Place, usize>,
}

impl<'l, 'd> PlaceTable<'l, 'd> {
    pub fn new(lines: Option<&'l SourceLines<'d>>) -> Self {
        Self { lines, places: Vec::new(), indices: HashMap::new() }
    }

    /// The index of the place of the instruction at an address; `None` if it is unknown.
    pub fn at(&mut self, address: u64) -> Option<usize> {
        let places = self.lines?.places(address);
        places.into_iter().rev().fold(None, |inlined_into, place| {
            let place = Place { inlined_into, ..place };
            let next = self.places.len();
            Some(*self.indices.entry(place).or_insert_with_key(|place| {
                self.places.push(place.clone());
                next
            }))
        })
    }

    pub fn into_places(self) -> Vec<Place> {
        self.places
    }
}

//! The functions of a build: their compiled code and their source.

use std::collections::{BTreeSet, HashMap};

use benchbook_instrument::CodeMap;
use benchbook_profile::{Frame, Place, is_library, package};

use crate::source::{FunctionKind, SourceFile, SourceFunction, SourceLine, changed_lines};

/// The compiled instructions of a function, wherever it was inlined: the line, from that of the first one; how many there are; how many load, and how many
/// store.
type CompiledBody = BTreeSet<(u32, u32, u32, u32)>;

/// The functions of a build: what the compiler made of them and, where it is known, their source.
#[derive(Clone, Debug, Default)]
pub struct BuildCode {
    bodies: HashMap<String, CompiledBody>,
    files: HashMap<String, SourceFile>,
}

/// What differs between the functions of two builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Edit {
    /// Nothing that is known.
    None,
    /// The compiler has made other instructions of the same source, for example since a constant or a type has changed.
    Compiled,
    /// The source; the instructions, if the source is not known.
    Source,
}

impl BuildCode {
    /// The code of the functions of a build, by the map of its counting module. `read`: returns the source file at a path as in [`Place::file`], if it is known.
    pub fn new(map: &CodeMap, read: impl Fn(&str) -> Option<SourceFile>) -> Self {
        let place = |frame: u32| {
            let frame = map.frames.get(frame as usize)?;
            Some((map.string(frame.function), frame.line?))
        };
        let mut first: HashMap<&str, u32> = HashMap::new();
        let runs = || map.blocks.iter().flat_map(|block| &block.runs);
        for (name, line) in runs().filter_map(|run| place(run.frame)) {
            first.entry(name).and_modify(|first| *first = line.min(*first)).or_insert(line);
        }
        let mut bodies: HashMap<String, CompiledBody> = HashMap::new();
        for run in runs() {
            let Some((name, line)) = place(run.frame) else { continue };
            let body = bodies.entry(name.to_owned()).or_default();
            body.insert((line - first[name], run.cost, run.loads, run.stores));
        }
        let paths: BTreeSet<u32> = map.frames.iter().filter_map(|frame| frame.file).collect();
        let paths = paths.into_iter().map(|path| map.string(path));
        Self { bodies, files: paths.filter_map(|path| Some((path.to_owned(), read(path)?))).collect() }
    }

    /// The file at a path, if it is known.
    pub(crate) fn file(&self, path: &str) -> Option<&SourceFile> {
        self.files.get(path)
    }

    /// The text of a line, without spaces around it, if it is known.
    pub(crate) fn line(&self, place: &Place) -> Option<&str> {
        self.file(&place.file)?.line(place.line).map(str::trim)
    }

    fn source(&self, frame: &Frame) -> Option<&SourceFunction> {
        self.with_file(frame).map(|(_, function)| function)
    }

    /// The source of a function, and the file with it.
    fn with_file(&self, frame: &Frame) -> Option<(&SourceFile, &SourceFunction)> {
        let place = frame.place.as_ref()?;
        let file = self.file(&place.file)?;
        Some((file, file.function(place.line, FunctionKind::of(&frame.name))?))
    }

    /// What differs between the sources of a function; empty if it is the same or not known.
    pub(crate) fn changed_lines([before, after]: [&Self; 2], frames: [&Frame; 2]) -> Vec<SourceLine> {
        let [one, other] = [before.with_file(frames[0]), after.with_file(frames[1])];
        let (Some((file_before, one)), Some((file_after, other))) = (one, other) else { return Vec::new() };
        changed_lines([file_before, file_after], [one, other])
    }

    /// Whether two functions have the same body, whatever they are called.
    pub(crate) fn have_same_body([before, after]: [&Self; 2], frames: [&Frame; 2]) -> bool {
        match (before.source(frames[0]), after.source(frames[1])) {
            (Some(one), Some(other)) => one.tokens == other.tokens,
            _ => before.bodies.get(&frames[0].name).is_some_and(|body| after.bodies.get(&frames[1].name) == Some(body)),
        }
    }

    /// What differs between the same function in two builds.
    pub(crate) fn edit([before, after]: [&Self; 2], frames: [&Frame; 2]) -> Edit {
        let bodies = [(before, frames[0]), (after, frames[1])].map(|(code, frame)| code.bodies.get(&frame.name));
        let is_compiled_differently = bodies[0] != bodies[1];
        match (before.source(frames[0]), after.source(frames[1])) {
            // One of several functions that the compiler has merged.
            _ if frames[0].name != frames[1].name && !is_compiled_differently => Edit::None,
            (Some(one), Some(other)) if one.tokens != other.tokens => Edit::Source,
            (Some(_), Some(_)) if is_compiled_differently => Edit::Compiled,
            (Some(_), Some(_)) => Edit::None,
            _ if package(frames[0]) != package(frames[1]) => Edit::Source,
            // Of the same version.
            _ if is_library(frames[1]) || package(frames[1]).contains(' ') => Edit::None,
            _ if is_compiled_differently => Edit::Source,
            _ => Edit::None,
        }
    }
}

//! Which functions a profile shows: without the code around the calls, and without the standard library unless somebody wants it.

use crate::amounts::Amounts;
use crate::frame::Frame;
use crate::names::{crate_of, is_function, is_harness, is_library};

/// The frame of the function with this path, made of those that the host has called. What the code around the calls executes, and what the library executes between
/// that code and the function, belongs to it: an optimised call cannot be told apart from its loop.
///
/// `calls`: how many calls were counted at each point.
pub(crate) fn root(path: &str, calls: &[u64], frames: Vec<Frame>) -> Frame {
    let mut root = Frame { name: path.to_owned(), own: vec![Amounts::default(); calls.len()], ..Frame::default() };
    // The host calls only the harness.
    frames.into_iter().for_each(|frame| add_parts(&mut root, frame));
    rename(&mut root.children, path);
    // An inlined function has no call counter. One that calls itself has more calls.
    for (own, calls) in root.own.iter_mut().zip(calls) {
        own.calls = own.calls.max(i64::try_from(*calls).unwrap_or(i64::MAX));
    }
    root.sort();
    root
}

/// Gives the frames of a function that calls itself the name of the root.
fn rename(frames: &mut [Frame], path: &str) {
    for frame in frames {
        if is_function(&frame.name, path) {
            path.clone_into(&mut frame.name);
        }
        rename(&mut frame.children, path);
    }
}

/// The crate of the function with this path, or of the first frame below the harness, such as the closure of a bench.
pub(crate) fn crate_name<'f>(path: &str, frames: &'f [Frame]) -> Option<&'f str> {
    let named = frames.iter().find_map(|frame| first(frame, &|frame| is_function(&frame.name, path)));
    let is_part = |frame: &Frame| !is_harness(frame) && !is_library(frame) && !crate_of(&frame.name).is_empty();
    let below = || frames.iter().flat_map(|frame| &frame.children).find_map(|frame| first(frame, &is_part));
    named.or_else(below).map(|frame| crate_of(&frame.name))
}

/// The first frame like that in the order of the tree.
fn first<'f>(frame: &'f Frame, is_wanted: &impl Fn(&Frame) -> bool) -> Option<&'f Frame> {
    if is_wanted(frame) { Some(frame) } else { frame.children.iter().find_map(|child| first(child, is_wanted)) }
}

fn add_below(root: &mut Frame, frame: Frame) {
    if is_function(&frame.name, &root.name) {
        root.join(frame);
    } else if is_harness(&frame) || is_library(&frame) {
        add_parts(root, frame);
    } else {
        root.add(frame);
    }
}

/// Adds a frame that is not shown.
fn add_parts(root: &mut Frame, frame: Frame) {
    let own = frame.own.into_iter().map(|own| Amounts { calls: 0, ..own }).collect();
    root.join(Frame { own, ..Frame::default() });
    frame.children.into_iter().for_each(|child| add_below(root, child));
}

/// Which functions of a profile to show. Others are part of their callers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionFilter {
    /// Only functions whose path contains one of these strings, with all that they call; all if there is none.
    pub only: Vec<String>,
    /// No functions whose path contains one of these strings.
    pub exclude: Vec<String>,
    /// Which functions of the standard library are frames of their own.
    pub library: LibraryFrames,
}

/// Which functions of the standard library are frames of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LibraryFrames {
    /// None.
    #[default]
    Folded,
    /// Those that other code calls.
    Outermost,
    /// All.
    All,
}

impl FunctionFilter {
    /// The frames to show. With [`Self::only`], those are below a root that has only its calls.
    pub fn apply(&self, root: Frame) -> Frame {
        let is_excluded = |frame: &Frame| self.exclude.iter().any(|part| frame.name.contains(part.as_str()));
        let is_in_library = |caller: &Frame, frame: &Frame| match self.library {
            LibraryFrames::Folded => is_library(frame),
            LibraryFrames::Outermost => is_library(frame) && is_library(caller),
            LibraryFrames::All => false,
        };
        let is_folded =
            |caller: &Frame, frame: &Frame| is_harness(frame) || is_in_library(caller, frame) || is_excluded(frame);
        let root = root.folded(&is_folded);
        if self.only.is_empty() || self.is_only(&root) {
            return root;
        }
        let own = root.own.iter().map(|own| Amounts { calls: own.calls, ..Amounts::default() }).collect();
        let mut shown = Frame { own, children: Vec::new(), ..root.clone() };
        self.collect(root, &mut shown);
        shown.sort();
        shown
    }

    /// The first string that no function's path contains.
    pub fn without_match<'s>(&'s self, root: &Frame) -> Option<&'s str> {
        let matches = |part: &&String| first(root, &|frame| frame.name.contains(part.as_str())).is_none();
        self.only.iter().chain(&self.exclude).find(matches).map(String::as_str)
    }

    fn is_only(&self, frame: &Frame) -> bool {
        self.only.iter().any(|part| frame.name.contains(part.as_str()))
    }

    fn collect(&self, frame: Frame, shown: &mut Frame) {
        if self.is_only(&frame) {
            shown.add(frame);
        } else {
            frame.children.into_iter().for_each(|child| self.collect(child, shown));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(name: &str, instructions: i64, children: Vec<Frame>) -> Frame {
        let own = vec![Amounts { instructions, calls: 1, ..Amounts::default() }];
        Frame { name: name.to_owned(), own, children, ..Frame::default() }
    }

    /// The instructions of all frames, by their paths.
    fn shown(frame: &Frame) -> Vec<(String, i64)> {
        let below = frame.children.iter().flat_map(shown);
        let below = below.map(|(path, own)| (format!("{} {path}", frame.name), own));
        [(frame.name.clone(), frame.own[0].instructions)].into_iter().chain(below).collect()
    }

    fn owned(frames: &[(&str, i64)]) -> Vec<(String, i64)> {
        frames.iter().map(|(path, own)| ((*path).to_owned(), *own)).collect()
    }

    fn profile() -> Frame {
        let merge = frame("demo::merge", 30, vec![frame("core::ptr::copy", 5, Vec::new())]);
        let sort = frame("demo::sort", 20, vec![merge, frame("demo::insert", 7, Vec::new())]);
        let time =
            frame("demo::_::BINDINGS::sort__keys::time", 2, vec![frame("core::ops::FnOnce::call_once", 1, vec![sort])]);
        root("sort", &[16], vec![frame("benchbook_handle", -1, vec![time])])
    }

    #[test]
    fn the_root_is_the_measured_function_and_nothing_is_lost() {
        let root = profile();
        assert_eq!(
            shown(&root),
            owned(&[
                ("sort", 22),
                ("sort demo::merge", 30),
                ("sort demo::merge core::ptr::copy", 5),
                ("sort demo::insert", 7)
            ])
        );
        assert_eq!(root.own[0].calls, 16);
    }

    #[test]
    fn a_function_that_calls_itself_has_one_name() {
        let inner = Frame {
            own: vec![Amounts { instructions: 30, calls: 40, ..Amounts::default() }],
            ..frame("demo::fib", 0, Vec::new())
        };
        let outer = frame("demo::fib", 5, vec![inner]);
        let time = frame("demo::_::BINDINGS::fib__numbers::time", 2, vec![outer]);
        let root = root("fib", &[16], vec![frame("benchbook_handle", 0, vec![time])]);
        assert_eq!(shown(&root), owned(&[("fib", 7), ("fib fib", 30)]));
    }

    #[test]
    fn the_crate_is_that_of_the_function_or_of_the_bench() {
        let closure = frame("own_bench::run::{{closure}}", 1, vec![frame("demo::sort", 1, Vec::new())]);
        let time = frame("benchbook_suite::time", 1, vec![closure]);
        let frames = [frame("benchbook_handle", 1, vec![time])];
        assert_eq!([crate_name("sort", &frames), crate_name("run/7", &frames)], [Some("demo"), Some("own_bench")]);
        assert_eq!(crate_name("sort", &[]), None);
    }

    #[test]
    fn functions_can_be_chosen() {
        let filter = |only: &[&str], exclude: &[&str], library| {
            let owned = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect();
            FunctionFilter { only: owned(only), exclude: owned(exclude), library }
        };
        let of = |filter: FunctionFilter| shown(&filter.apply(profile()));
        assert_eq!(
            of(filter(&[], &[], LibraryFrames::Folded)),
            owned(&[("sort", 22), ("sort demo::merge", 35), ("sort demo::insert", 7)])
        );
        assert_eq!(
            of(filter(&[], &["merge"], LibraryFrames::Folded)),
            owned(&[("sort", 57), ("sort demo::insert", 7)])
        );
        let whole = filter(&["sort", "merge"], &[], LibraryFrames::All);
        assert_eq!((whole.without_match(&profile()), shown(&whole.apply(profile())).len()), (None, 4));
        assert_eq!(filter(&["merge"], &["quick"], LibraryFrames::All).without_match(&profile()), Some("quick"));
        assert_eq!(
            of(filter(&["merge"], &[], LibraryFrames::All)),
            owned(&[("sort", 0), ("sort demo::merge", 30), ("sort demo::merge core::ptr::copy", 5)])
        );
    }
}

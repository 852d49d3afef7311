//! The frames of a profile.

/// A function in a chain of calls, with what it executed there. Instructions and calls are totals of all counted calls of the measured function;
/// signed, since those of the loop around it were subtracted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Its name: demangled, without its hash.
    pub name: String,
    /// Its first line that was compiled; absent without debug information.
    pub place: Option<Place>,
    /// How often it was called, recursive calls included; absent if it was inlined.
    pub calls: Option<i64>,
    /// The instructions of its own.
    pub own: i64,
    /// The functions that it called or that were inlined into it, those with the most instructions first.
    pub children: Vec<Frame>,
}

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The path as the code map has it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

impl Frame {
    /// Its instructions with those of all functions below it.
    pub fn total(&self) -> i64 {
        self.own + self.children.iter().map(Self::total).sum::<i64>()
    }

    /// The topmost frames of other functions than these. What is left out above them is the harness, whose instructions are not part of a call.
    pub fn below(self, is_left_out: &impl Fn(&str) -> bool) -> Vec<Self> {
        match is_left_out(&self.name) {
            true => self.children.into_iter().flat_map(|child| child.below(is_left_out)).collect(),
            false => vec![self],
        }
    }

    /// Adds functions such as those of the standard library to their callers. Functions that they called remain, as callees of the same callers.
    #[must_use]
    pub fn folded(self, is_folded: &impl Fn(&str) -> bool) -> Self {
        let mut folded = Self { children: Vec::new(), ..self };
        for child in self.children {
            let child = child.folded(is_folded);
            if is_folded(&child.name) {
                folded.own += child.own;
                child.children.into_iter().for_each(|below| folded.add(below));
            } else {
                folded.add(child);
            }
        }
        folded.children.sort_by_key(|child| std::cmp::Reverse(child.total()));
        folded
    }

    /// Adds a callee. Two frames of the same function become one.
    fn add(&mut self, callee: Self) {
        match self.children.iter_mut().find(|child| child.name == callee.name) {
            Some(same) => {
                same.own += callee.own;
                same.calls = same.calls.into_iter().chain(callee.calls).reduce(|one, other| one + other);
                same.place = same.place.take().into_iter().chain(callee.place).min();
                callee.children.into_iter().for_each(|below| same.add(below));
            }
            None => self.children.push(callee),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(name: &str, own: i64, children: Vec<Frame>) -> Frame {
        Frame { name: name.to_owned(), calls: Some(1), own, children, ..Frame::default() }
    }

    #[test]
    fn the_harness_is_cut_and_the_library_belongs_to_its_callers() {
        let of_library = || frame("core::sort", 5, vec![frame("demo::less", 7, Vec::new())]);
        let of_demo = frame("demo::sort", 1, vec![frame("demo::less", 10, Vec::new()), of_library(), of_library()]);
        let root = frame("benchbook_suite::time", 100, vec![of_demo, frame("benchbook_suite::now", 3, Vec::new())]);
        let is_harness = |name: &str| name.starts_with("benchbook_suite::");
        let [sort] = root.below(&is_harness).try_into().unwrap();
        assert_eq!(sort.total(), 35);
        let folded = sort.folded(&|name| name.starts_with("core::"));
        let less = Frame { calls: Some(3), ..frame("demo::less", 24, Vec::new()) };
        assert_eq!(folded, frame("demo::sort", 11, vec![less]));
    }
}

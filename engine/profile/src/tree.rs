//! Makes the frames from contexts.

use std::collections::{BTreeMap, HashMap};

use benchbook_instrument::{CodeMap, ContextCounts};

use crate::amounts::Amounts;
use crate::frame::{Frame, Place};

/// A frame whose functions are indices into the strings of the map.
#[derive(Default)]
struct Node {
    name: u32,
    place: Option<Line>,
    /// The line of the caller; absent if the calls of all lines are together.
    call_site: Option<Line>,
    is_inlined: bool,
    /// By points.
    own: Vec<Amounts>,
    /// By the names of their functions and the lines that call them.
    children: BTreeMap<(u32, Option<Line>), usize>,
}

/// A file and a line.
type Line = (u32, u32);

/// The nodes of a tree. The first one is above all functions.
struct Tree<'m> {
    map: &'m CodeMap,
    points: usize,
    calls: Calls,
    nodes: Vec<Node>,
}

/// Which calls of a function by the same caller have a frame of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Calls {
    /// All have one frame.
    Together,
    /// Those of each line.
    ByLine,
}

/// The frames of the functions that the host has called, over all points.
pub(crate) fn frames<'c>(
    map: &CodeMap,
    points: impl ExactSizeIterator<Item = &'c ContextCounts>,
    calls: Calls,
) -> Vec<Frame> {
    let mut tree = Tree { map, points: points.len(), calls, nodes: vec![Node::default()] };
    for (point, counts) in points.enumerate() {
        tree.add(point, counts);
    }
    tree.frame(0).children
}

impl Tree<'_> {
    fn add(&mut self, point: usize, counts: &ContextCounts) {
        let map = self.map;
        let first_blocks = map.first_blocks();
        let memory: HashMap<u32, Amounts> = counts.memory.iter().map(|own| (own.context, Amounts::from(own))).collect();
        let mut of_contexts = Vec::new();
        let mut bulk: HashMap<u32, Vec<u32>> = HashMap::new();
        for operator in map.bulk.iter().filter(|operator| operator.kind.is_of_bytes()) {
            bulk.entry(map.blocks[operator.block as usize].function).or_default().push(operator.frame);
        }
        for ((context, times), copied) in counts.contexts.iter().zip(&counts.blocks).zip(&counts.copied) {
            let function = context.function as usize;
            let (caller, line) = match (context.parent, context.call.and_then(|call| map.calls.get(call as usize))) {
                (Some(parent), Some(call)) => {
                    let line = map.frames.get(call.frame as usize).and_then(line);
                    (self.inlined(of_contexts[parent], call.frame), line)
                }
                _ => (0, None),
            };
            let own = self.child(caller, map.functions[function].name, line);
            of_contexts.push(own);
            let calls = times.first().copied().unwrap_or_default();
            let called = Amounts { calls, ..memory.get(&context.address).copied().unwrap_or_default() };
            *self.amounts(own, point) += called;
            let frames = bulk.get(&context.function).into_iter().flatten();
            for (frame, bytes) in frames.zip(copied).filter(|(_, bytes)| **bytes != 0) {
                let innermost = self.inlined(own, *frame);
                *self.amounts(innermost, point) += Amounts { copied: *bytes, ..Amounts::default() };
            }
            for (block, times) in
                map.blocks[first_blocks[function]..].iter().zip(times).filter(|(_, times)| **times != 0)
            {
                for run in &block.runs {
                    let innermost = self.inlined(own, run.frame);
                    *self.amounts(innermost, point) += Amounts {
                        instructions: times * i64::from(run.cost),
                        loads: times * i64::from(run.loads),
                        stores: times * i64::from(run.stores),
                        ..Amounts::default()
                    };
                }
            }
        }
    }

    fn amounts(&mut self, node: usize, point: usize) -> &mut Amounts {
        let own = &mut self.nodes[node].own;
        own.resize(self.points, Amounts::default());
        &mut own[point]
    }

    /// The node of a function that is called at a line of its parent.
    fn child(&mut self, parent: usize, name: u32, line: Option<Line>) -> usize {
        let next = self.nodes.len();
        let call_site = line.filter(|_| self.calls == Calls::ByLine);
        let child = *self.nodes[parent].children.entry((name, call_site)).or_insert(next);
        if child == next {
            self.nodes.push(Node { name, call_site, ..Node::default() });
        }
        child
    }

    /// The node of the innermost function at a place in the code of a function, whose own node is `function`.
    fn inlined(&mut self, function: usize, frame: u32) -> usize {
        let map = self.map;
        let stack: Vec<_> = map.inline_stack(frame).collect();
        let (mut node, mut call_site) = (function, None);
        // The outermost one is the function itself.
        for (depth, frame) in stack.into_iter().rev().enumerate() {
            if depth > 0 {
                node = self.child(node, frame.function, call_site);
                self.nodes[node].is_inlined = true;
            }
            call_site = line(frame);
            let place = &mut self.nodes[node].place;
            *place = place.iter().copied().chain(call_site).min();
        }
        node
    }

    /// Without functions that executed nothing, and were not called.
    fn frame(&self, node: usize) -> Frame {
        let Node { name, place, call_site, is_inlined, own, children } = &self.nodes[node];
        let shown =
            |line: &Option<Line>| line.map(|(file, line)| Place { file: self.map.string(file).to_owned(), line });
        let children = children.values().map(|child| self.frame(*child));
        let is_executed = |frame: &Frame| frame.own.iter().any(|own| *own != Amounts::default());
        let mut own = own.clone();
        own.resize(self.points, Amounts::default());
        let mut frame = Frame {
            name: self.map.string(*name).to_owned(),
            place: shown(place),
            call_site: shown(call_site),
            is_inlined: *is_inlined,
            own,
            children: children.filter(|frame| is_executed(frame) || !frame.children.is_empty()).collect(),
        };
        frame.sort();
        frame
    }
}

fn line(frame: &benchbook_instrument::Frame) -> Option<Line> {
    frame.file.zip(frame.line)
}

#[cfg(test)]
mod tests {
    use benchbook_instrument::{Block, Call, Class, Context, ContextMemory, Function, Operators, Run};

    use super::*;

    const RUN: u32 = 0;
    const LEAF: u32 = 1;
    const INLINED: u32 = 2;
    const FILE: u32 = 3;

    /// `run` calls `leaf` itself and from a function that was inlined into it. Half of the instructions load.
    fn map() -> CodeMap {
        let frame = |function, line, caller| benchbook_instrument::Frame {
            function,
            file: Some(FILE),
            line: Some(line),
            caller,
            is_conditional: false,
        };
        let block = |function, runs: &[(u32, u32)]| {
            let mut operators = Operators::default();
            operators[Class::Load] = runs.iter().map(|(_, cost)| u64::from(*cost)).sum();
            let run = |&(frame, cost)| Run { frame, cost, loads: cost / 2, stores: 0 };
            Block { function, operators, runs: runs.iter().map(run).collect() }
        };
        CodeMap {
            strings: ["demo::run", "demo::leaf", "demo::inlined", "src/lib.rs"].map(str::to_owned).to_vec(),
            functions: [RUN, LEAF].map(|name| Function { name, is_imported: false }).to_vec(),
            blocks: vec![block(RUN, &[(0, 3), (1, 2)]), block(RUN, &[(1, 10)]), block(LEAF, &[(2, 4)])],
            calls: [0, 1].map(|frame| Call { callee: Some(LEAF), block: 0, frame }).to_vec(),
            frames: vec![frame(RUN, 12, None), frame(INLINED, 30, Some(0)), frame(LEAF, 40, None)],
            ..CodeMap::default()
        }
    }

    #[test]
    fn inlined_functions_are_frames_and_all_instructions_add_up() {
        let context = |address, parent, call, function| Context {
            address,
            parent,
            call,
            function,
            blocks: Vec::new(),
            copied: Vec::new(),
            recursive_calls: Vec::new(),
        };
        let contexts =
            [context(8, None, None, RUN), context(16, Some(0), Some(0), LEAF), context(24, Some(0), Some(1), LEAF)];
        let memory = ContextMemory { context: 24, allocations: 1, bytes: 100, peak: 100, sizes: (100, 100) };
        // Only the second leaf copies.
        let copied = vec![vec![], vec![0], vec![70]];
        let counts = |blocks, memory| ContextCounts {
            calls: 1,
            contexts: contexts.to_vec(),
            blocks,
            copied: copied.clone(),
            memory,
            call_memory: None,
        };
        let first = vec![vec![2, 5], vec![2], vec![3]];
        let second = vec![vec![1, 0], vec![0], vec![0]];
        let points = [counts(first, vec![memory]), counts(second, vec![])];
        let amounts =
            |instructions, calls| Amounts { instructions, calls, loads: instructions / 2, ..Amounts::default() };
        let frame = |name: &str, line, own: [Amounts; 2], children| Frame {
            name: name.to_owned(),
            place: Some(Place { file: "src/lib.rs".to_owned(), line }),
            call_site: None,
            is_inlined: name == "demo::inlined",
            own: own.to_vec(),
            children,
        };
        let allocated = Amounts { allocations: 1, bytes: 100, peak: 100, sizes: Some((100, 100)), ..amounts(12, 3) };
        let inlined = frame(
            "demo::inlined",
            30,
            [amounts(2 * 2 + 5 * 10, 0), amounts(2, 0)],
            vec![frame("demo::leaf", 40, [allocated, Amounts::default()], Vec::new())],
        );
        let leaf = frame("demo::leaf", 40, [amounts(8, 2), Amounts::default()], Vec::new());
        let own = [Amounts { loads: 2, ..amounts(6, 2) }, Amounts { loads: 1, ..amounts(3, 1) }];
        let run = frame("demo::run", 12, own, vec![inlined, leaf]);
        assert_eq!(frames(&map(), points.iter(), Calls::Together), std::slice::from_ref(&run));
        assert_eq!(run.total(0).instructions, 6 + 54 + 12 + 8);
    }
}

//! Makes the frames from contexts.

use std::collections::BTreeMap;

use benchbook_instrument::{CodeMap, Context};

use crate::frame::{Frame, Place};

/// A frame whose functions are indices into the strings of the map.
#[derive(Default)]
struct Node {
    name: u32,
    /// The file and the line.
    place: Option<(u32, u32)>,
    calls: Option<i64>,
    own: i64,
    /// By the names of their functions.
    children: BTreeMap<u32, usize>,
}

/// The nodes of a tree. The first one is above all functions.
struct Tree<'m> {
    map: &'m CodeMap,
    nodes: Vec<Node>,
}

/// The frames of the functions that the host has called. `contexts`: a caller comes before those that it called. `blocks`: how often each block of a context was
/// executed, in the order of [`Context::blocks`].
pub fn frames(map: &CodeMap, contexts: &[Context], blocks: &[Vec<i64>]) -> Vec<Frame> {
    let mut tree = Tree { map, nodes: vec![Node::default()] };
    let first_blocks = map.first_blocks();
    let mut of_contexts = Vec::new();
    for (context, times) in contexts.iter().zip(blocks) {
        let function = context.function as usize;
        let caller = match (context.parent, context.call.and_then(|call| map.calls.get(call as usize))) {
            (Some(parent), Some(call)) => tree.inlined(of_contexts[parent], call.frame),
            _ => 0,
        };
        let own = tree.child(caller, map.functions[function].name);
        of_contexts.push(own);
        *tree.nodes[own].calls.get_or_insert_default() += times.first().copied().unwrap_or_default();
        for (block, times) in map.blocks[first_blocks[function]..].iter().zip(times).filter(|(_, times)| **times != 0) {
            for run in &block.runs {
                let innermost = tree.inlined(own, run.frame);
                tree.nodes[innermost].own += times * i64::from(run.cost);
            }
        }
    }
    tree.frame(0).children
}

impl Tree<'_> {
    fn child(&mut self, parent: usize, name: u32) -> usize {
        let next = self.nodes.len();
        let child = *self.nodes[parent].children.entry(name).or_insert(next);
        if child == next {
            self.nodes.push(Node { name, ..Node::default() });
        }
        child
    }

    /// The node of the innermost function at a place in the code of a function, whose own node is `function`.
    fn inlined(&mut self, function: usize, frame: u32) -> usize {
        let map = self.map;
        let stack: Vec<_> = map.inline_stack(frame).collect();
        let mut node = function;
        // The outermost one is the function itself.
        for (depth, frame) in stack.into_iter().rev().enumerate() {
            if depth > 0 {
                node = self.child(node, frame.function);
            }
            let place = &mut self.nodes[node].place;
            *place = place.iter().copied().chain(frame.file.zip(frame.line)).min();
        }
        node
    }

    /// Without functions that executed nothing, and were not called.
    fn frame(&self, node: usize) -> Frame {
        let Node { name, place, calls, own, children } = &self.nodes[node];
        let children = children.values().map(|child| self.frame(*child));
        let is_executed = |frame: &Frame| frame.own != 0 || frame.calls.is_some_and(|calls| calls != 0);
        let mut children: Vec<Frame> =
            children.filter(|frame| is_executed(frame) || !frame.children.is_empty()).collect();
        children.sort_by_key(|child| std::cmp::Reverse(child.total()));
        let place = place.map(|(file, line)| Place { file: self.map.string(file).to_owned(), line });
        Frame { name: self.map.string(*name).to_owned(), place, calls: *calls, own: *own, children }
    }
}

#[cfg(test)]
mod tests {
    use benchbook_instrument::{Block, Call, Class, Function, Operators, Run};

    use super::*;

    const RUN: u32 = 0;
    const LEAF: u32 = 1;
    const INLINED: u32 = 2;
    const FILE: u32 = 3;

    /// `run` calls `leaf` itself and from a function that was inlined into it.
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
            Block { function, operators, runs: runs.iter().map(|&(frame, cost)| Run { frame, cost }).collect() }
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
        let context = |parent, call, function| Context {
            parent,
            call,
            function,
            blocks: Vec::new(),
            recursive_calls: Vec::new(),
        };
        let contexts = [context(None, None, RUN), context(Some(0), Some(0), LEAF), context(Some(0), Some(1), LEAF)];
        let blocks = [vec![2, 5], vec![2], vec![3]];
        let place = |line| Some(Place { file: "src/lib.rs".to_owned(), line });
        let leaf = |calls, own| Frame {
            name: "demo::leaf".to_owned(),
            place: place(40),
            calls: Some(calls),
            own,
            children: Vec::new(),
        };
        let inlined = Frame {
            name: "demo::inlined".to_owned(),
            place: place(30),
            calls: None,
            own: 2 * 2 + 5 * 10,
            children: vec![leaf(3, 12)],
        };
        let run = Frame {
            name: "demo::run".to_owned(),
            place: place(12),
            calls: Some(2),
            own: 6,
            children: vec![inlined, leaf(2, 8)],
        };
        assert_eq!(frames(&map(), &contexts, &blocks), std::slice::from_ref(&run));
        assert_eq!(run.total(), 6 + 54 + 12 + 8);
    }
}

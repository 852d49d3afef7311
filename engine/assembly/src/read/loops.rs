//! The loops of a function.
//!
//! A loop is a natural loop: the instructions that lead back to its first instruction, without passing that one, where each way from the
//! start of the function to them passes the first instruction. Aho, Lam, Sethi and Ullman, *Compilers* (2nd edition), section 9.6.6. Ways back
//! to the same instruction belong to one loop. The first instruction may be in the middle of the code: compilers put the test of a loop at its end, and jump there
//! first. A jump through a table may lead to each instruction that nothing else leads to.

use std::collections::{BTreeMap, BTreeSet};

use crate::listing::{Flow, Loop};

/// What may be executed after an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exit {
    /// The index of the instruction that it may jump to.
    pub jump: Option<usize>,
    /// What may follow it.
    pub flow: Flow,
}

/// The loops of a function by their first instructions, and how many of them contain each instruction.
pub(crate) fn loops(exits: &[Exit]) -> (Vec<Loop>, Vec<u32>) {
    let successors = successors(exits);
    let mut predecessors = vec![Vec::new(); exits.len()];
    for (from, to) in successors.iter().enumerate().flat_map(|(from, all)| all.iter().map(move |to| (from, *to))) {
        predecessors[to].push(from);
    }
    let mut bodies: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    // A loop is entered and returned to, so two ways lead to its first instruction, unless a table does.
    let may_return = |(from, to): &(usize, usize)| to <= from || predecessors[*to].len() > 1;
    let edges = successors.iter().enumerate().flat_map(|(from, all)| all.iter().map(move |to| (from, *to)));
    for (from, to) in edges.filter(may_return) {
        // A loop is entered at its first instruction only, and that leads to all others: what nothing is known to lead to may be a target of a jump through a table.
        let is_entered_there = to == 0 || !reached(&successors, 0, to).contains(&from);
        if is_entered_there && reached(&successors, to, exits.len()).contains(&from) {
            let body = reached(&predecessors, from, to);
            bodies.entry(to).or_insert_with(|| BTreeSet::from([to])).extend(body);
        }
    }
    let depth_at = |index: usize| bodies.values().filter(|body| body.contains(&index)).count() as u32;
    let found = bodies.iter().map(|(first, body)| Loop {
        first: *first,
        last: body.last().copied().unwrap_or(*first),
        instructions: body.len(),
        depth: depth_at(*first),
    });
    (found.collect(), (0..exits.len()).map(depth_at).collect())
}

/// The indices that may follow each instruction.
fn successors(exits: &[Exit]) -> Vec<Vec<usize>> {
    let jumped: BTreeSet<usize> = exits.iter().filter_map(|exit| exit.jump).collect();
    let is_orphan = |index: &usize| !exits[index - 1].flow.continues() && !jumped.contains(index);
    let orphans: Vec<usize> = (1..exits.len()).filter(is_orphan).collect();
    let of = |(index, one): (usize, &Exit)| {
        let next = (one.flow.continues() && index + 1 < exits.len()).then_some(index + 1);
        let through_table = orphans.iter().filter(|_| one.flow == Flow::IndirectJump).copied();
        next.into_iter().chain(one.jump).chain(through_table).collect()
    };
    exits.iter().enumerate().map(of).collect()
}

/// What is reached from a start along edges, the start included, without passing one index.
fn reached(edges: &[Vec<usize>], start: usize, without: usize) -> BTreeSet<usize> {
    let (mut seen, mut pending) = (BTreeSet::new(), vec![start]);
    while let Some(index) = pending.pop() {
        if index != without && seen.insert(index) {
            pending.extend(&edges[index]);
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first and last instruction and the depth of each loop. Each letter is an instruction: `.` continues, `r` returns, a digit jumps there if a
    /// condition holds, and `A` to `F` jump to 0 to 5 in any case.
    fn found(code: &str) -> Vec<(usize, usize, u32)> {
        let exit = |letter: char| Exit {
            jump: letter.to_digit(10).or("ABCDEF".find(letter).map(|to| to as u32)).map(|to| to as usize),
            flow: match letter {
                'r' => Flow::Return,
                't' => Flow::IndirectJump,
                'A'..='F' => Flow::Jump,
                '.' => Flow::Next,
                _ => Flow::Branch,
            },
        };
        let exits: Vec<Exit> = code.chars().map(exit).collect();
        loops(&exits).0.iter().map(|one| (one.first, one.last, one.depth)).collect()
    }

    #[test]
    fn loops_are_jumps_back_to_where_they_were_entered() {
        for (code, expected) in [
            ("..r", vec![]),
            (".1.r", vec![(1, 1, 1)]),
            ("..1.r", vec![(1, 2, 1)]),
            ("0r", vec![(0, 0, 1)]),
            // One in another one.
            ("..2.1r", vec![(1, 4, 1), (2, 2, 2)]),
            // Two jumps back to the same instruction.
            ("..11r", vec![(1, 3, 1)]),
            // Code after the return that leads back is no loop, and it may belong to one.
            (".4.r2r", vec![]),
            // A loop that is entered in its middle has no first instruction.
            ("2..1r", vec![]),
            // The test is at the end, and comes first.
            ("C..1r", vec![(2, 3, 1)]),
            // The same around another loop, which is before the first instruction.
            ("E..2.1r", vec![(2, 3, 2), (4, 5, 1)]),
            // A jump through a table leads to what nothing else leads to.
            ("t.1r", vec![(1, 2, 1)]),
        ] {
            assert_eq!(found(code), expected, "{code}");
        }
    }
}

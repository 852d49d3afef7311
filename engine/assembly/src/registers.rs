//! Which registers of two functions hold the same values.
//!
//! A forward analysis of the paired instructions: at the start, each register of one function corresponds to that of the other one. An instruction
//! that writes a register makes it correspond to the register that the paired instruction writes. Where several ways join, what they disagree on
//! corresponds to nothing. A pair has the same effect if the registers that it reads correspond.
//!
//! Functions follow the calling convention of the psABI for x86-64 (figure 3.4): a function may save the registers that belong to its caller in any
//! order, since it restores them.

use std::collections::{BTreeMap, BTreeSet};

use crate::listing::{Flow, Instruction, Listing, RegisterUse};
use crate::steps::Step;

/// The registers that pass arguments.
const ARGUMENTS: [&str; 14] =
    ["rdi", "rsi", "rdx", "rcx", "r8", "r9", "zmm0", "zmm1", "zmm2", "zmm3", "zmm4", "zmm5", "zmm6", "zmm7"];
/// The registers that pass results.
const RESULTS: [&str; 4] = ["rax", "rdx", "zmm0", "zmm1"];
/// The registers that belong to the caller.
const SAVED: [&str; 6] = ["rbx", "rbp", "r12", "r13", "r14", "r15"];
/// The other registers that a called function may change; it may also change all vector registers.
const SCRATCH: [&str; 3] = ["rax", "r10", "r11"];

/// For each step: whether its instructions are paired and have the same effect.
pub(crate) fn equal_steps(listings: [&Listing; 2], steps: &[Step]) -> Vec<bool> {
    let mut before: Vec<Option<Correspondence>> = vec![None; steps.len()];
    let mut pending = vec![(0, Correspondence::default())];
    let targets = [0, 1].map(|side| {
        let targets = targets(steps, side, listings[side].instructions.len());
        let of_jump = |jump: Option<usize>| jump.and_then(|to| targets.get(to).copied());
        listings[side].jumps().into_iter().map(of_jump).collect::<Vec<Option<usize>>>()
    });
    let effect = |state: &mut Correspondence, step: &Step| match step.pair() {
        Some(pair) => {
            let jumps = [0, 1].map(|side| targets[side][pair[side]]);
            let instructions = [0, 1].map(|side| &listings[side].instructions[pair[side]]);
            let is_same = state.pass(instructions, jumps[0].is_none());
            is_same && jumps[0] == jumps[1]
        }
        None => {
            for (listing, index) in listings.iter().zip(step.indices()) {
                let Some(index) = index else { continue };
                state.pass_alone(&listing.instructions[index]);
            }
            false
        }
    };
    while let Some((index, state)) = pending.pop() {
        let Some(known) = before.get_mut(index) else { continue };
        let joined = known.as_ref().map_or_else(|| state.clone(), |known| known.joined(&state));
        if known.as_ref() == Some(&joined) {
            continue;
        }
        *known = Some(joined.clone());
        let mut after = joined;
        effect(&mut after, &steps[index]);
        let side = usize::from(steps[index].indices()[0].is_none());
        let Some(position) = steps[index].indices()[side] else { continue };
        pending.extend(targets[side][position].map(|target| (target, after.clone())));
        if listings[side].instructions[position].flow.continues() {
            pending.push((index + 1, after));
        }
    }
    let with_state = steps.iter().zip(before);
    with_state.map(|(step, before)| effect(&mut before.unwrap_or_default(), step)).collect()
}

/// For each instruction of a side, the index of the first step from it on that has instructions of both sides.
fn targets(steps: &[Step], side: usize, count: usize) -> Vec<usize> {
    let mut targets = vec![steps.len(); count];
    let mut pair = steps.len();
    for (index, step) in steps.iter().enumerate().rev() {
        if step.pair().is_some() {
            pair = index;
        }
        if let Some(target) = step.indices()[side].and_then(|instruction| targets.get_mut(instruction)) {
            *target = pair;
        }
    }
    targets
}

/// The registers of two functions that hold the same values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Correspondence {
    /// For each register of the first function that of the second, or none. A register that is absent corresponds to that of the same name.
    other: BTreeMap<String, Option<String>>,
    /// The registers of each function that were written.
    written: [BTreeSet<String>; 2],
}

impl Correspondence {
    fn of<'s>(&'s self, register: &'s str) -> Option<&'s str> {
        self.other.get(register).map_or(Some(register), |other| other.as_deref())
    }

    fn is_same(&self, register: &str) -> bool {
        self.of(register) == Some(register)
    }

    fn define(&mut self, one: &str, other: &str) {
        let earlier: Vec<String> = self
            .other
            .iter()
            .filter(|(_, known)| known.as_deref() == Some(other))
            .map(|(one, _)| one.clone())
            .collect();
        let itself = (self.of(other) == Some(other)).then(|| other.to_owned());
        self.other.extend(earlier.into_iter().chain(itself).map(|earlier| (earlier, None)));
        self.other.insert(one.to_owned(), Some(other.to_owned()));
        self.written[0].insert(one.to_owned());
        self.written[1].insert(other.to_owned());
    }

    fn joined(&self, other: &Self) -> Self {
        let registers = self.other.keys().chain(other.other.keys());
        let same = |register: &str| self.of(register).filter(|one| other.of(register) == Some(*one)).map(str::to_owned);
        let written = [0, 1].map(|side| &self.written[side] | &other.written[side]);
        Self { other: registers.map(|register| (register.clone(), same(register))).collect(), written }
    }

    /// Passes a pair of instructions with the same shape. Returns whether what it reads corresponds. `leaves`: whether it jumps to another function.
    fn pass(&mut self, pair: [&Instruction; 2], leaves: bool) -> bool {
        let uses = used(pair);
        let is_push = pair[0].text.starts_with("push ");
        let is_of_caller =
            |side: usize, register: &str| SAVED.contains(&register) && !self.written[side].contains(register);
        let corresponds = |used: &Used<'_>| {
            let [one, other] = used.registers;
            self.of(one) == Some(other) || is_push && is_of_caller(0, one) && is_of_caller(1, other)
        };
        let is_same = uses.iter().all(|used| !used.is_read || corresponds(used))
            && match pair[0].flow {
                Flow::Call => ARGUMENTS.iter().all(|register| self.is_same(register)),
                Flow::Jump | Flow::Branch if leaves => ARGUMENTS.iter().all(|register| self.is_same(register)),
                Flow::Return => RESULTS.iter().all(|register| self.is_same(register)),
                // What follows is unknown.
                Flow::IndirectJump => self.other.keys().all(|register| self.is_same(register)),
                _ => true,
            };
        for used in &uses {
            // What differs is reported once.
            if used.is_written || used.is_read && !is_same {
                self.define(used.registers[0], used.registers[1]);
            }
        }
        if pair[0].flow == Flow::Call {
            self.call();
        }
        is_same
    }

    /// A called function leaves the same values in both.
    fn call(&mut self) {
        let vectors: Vec<String> = self.other.keys().filter(|register| register.starts_with("zmm")).cloned().collect();
        let vectors = vectors.iter().map(String::as_str);
        for register in ARGUMENTS.into_iter().chain(SCRATCH).chain(vectors) {
            self.define(register, register);
        }
    }

    /// Passes an instruction that only one of the functions has: the other one has written the same registers in another way.
    fn pass_alone(&mut self, instruction: &Instruction) {
        for used in instruction.registers.iter().filter(|used| used.is_written) {
            self.define(&used.register, &used.register);
        }
    }
}

/// A register that each of two instructions uses at the same place.
struct Used<'i> {
    registers: [&'i str; 2],
    is_read: bool,
    is_written: bool,
}

/// The registers of operands in their order, then those that the instructions imply.
fn used<'i>(pair: [&'i Instruction; 2]) -> Vec<Used<'i>> {
    let of = |used: &RegisterUse, registers| Used { registers, is_read: used.is_read, is_written: used.is_written };
    let [explicit, other] = pair.map(|one| one.registers.iter().filter(|used| !used.is_implied));
    let explicit = explicit.zip(other).map(|(one, other)| of(one, [&one.register, &other.register]));
    let implied = pair.into_iter().flat_map(|one| one.registers.iter().filter(|used| used.is_implied));
    explicit.chain(implied.map(|used| of(used, [&used.register; 2]))).collect()
}

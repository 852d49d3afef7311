//! Which registers of two functions hold the same values.
//!
//! A forward analysis of the paired instructions: at the start, each register of one function corresponds to that of the other one. An instruction
//! that writes a register makes it correspond to the register that the paired instruction writes. Where several ways join, what they disagree on
//! corresponds to nothing. A pair has the same effect if the registers that it reads correspond.
//!
//! Functions follow the calling convention of the psABI for x86-64 (figure 3.4): a function may save the registers that belong to its caller in any
//! order, since it restores them.

use std::collections::{BTreeMap, BTreeSet};

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register,
};

use Register::{
    R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDI, RDX, RSI, XMM0, XMM1, XMM2, XMM3, XMM4, XMM5, XMM6,
    XMM7,
};

use crate::listing::Listing;
use crate::steps::Step;

/// The registers that pass arguments.
const ARGUMENTS: [Register; 14] = [RDI, RSI, RDX, RCX, R8, R9, XMM0, XMM1, XMM2, XMM3, XMM4, XMM5, XMM6, XMM7];
/// The registers that pass results.
const RESULTS: [Register; 4] = [RAX, RDX, XMM0, XMM1];
/// The registers that belong to the caller.
const SAVED: [Register; 6] = [RBX, RBP, R12, R13, R14, R15];
/// The other registers that a called function may change; so may it all vector registers.
const SCRATCH: [Register; 3] = [RAX, R10, R11];

/// Writing fewer bytes of a register than this keeps the others.
const WHOLE_BYTES: usize = 4;

/// For each step: whether its instructions are paired and have the same effect.
pub(crate) fn equal_steps(listings: [&Listing; 2], steps: &[Step]) -> Vec<bool> {
    let mut before: Vec<Option<Correspondence>> = vec![None; steps.len()];
    let mut pending = vec![(0, Correspondence::default())];
    let targets = [0, 1].map(|side| targets(steps, side, listings[side].instructions.len()));
    let mut factory = InstructionInfoFactory::new();
    let mut effect = |state: &mut Correspondence, step: &Step| match step.pair() {
        Some(pair) => {
            let decoded = [decode(listings[0], pair[0]), decode(listings[1], pair[1])];
            let jumps = [0, 1].map(|side| {
                let jump = listings[side].instructions[pair[side]].jump;
                jump.and_then(|to| targets[side].get(to).copied())
            });
            let is_same = state.pass(&mut factory, &decoded, jumps[0].is_none());
            is_same && jumps[0] == jumps[1]
        }
        None => {
            for (listing, index) in listings.iter().zip(step.indices()) {
                let Some(index) = index else { continue };
                state.pass_alone(&mut factory, &decode(listing, index));
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
        if let Some(target) = listings[side].instructions[position].jump.and_then(|to| targets[side].get(to).copied()) {
            pending.push((target, after.clone()));
        }
        let flow = decode(listings[side], position).flow_control();
        if !matches!(flow, FlowControl::UnconditionalBranch | FlowControl::IndirectBranch | FlowControl::Return) {
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

fn decode(listing: &Listing, index: usize) -> Instruction {
    let code = &listing.instructions[index].code;
    Decoder::with_ip(64, code, 0, DecoderOptions::NONE).decode()
}

/// The registers of two functions that hold the same values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Correspondence {
    /// For each register of the first function that of the second, or none. A register that is absent corresponds to that of the same name.
    other: BTreeMap<Register, Option<Register>>,
    /// The registers of each function that were written.
    written: [BTreeSet<Register>; 2],
}

impl Correspondence {
    fn of(&self, register: Register) -> Option<Register> {
        self.other.get(&register).copied().unwrap_or(Some(register))
    }

    fn is_same(&self, register: Register) -> bool {
        self.of(register.full_register()) == Some(register.full_register())
    }

    fn define(&mut self, one: Register, other: Register) {
        let earlier: Vec<Register> =
            self.other.keys().copied().chain([other]).filter(|earlier| self.of(*earlier) == Some(other)).collect();
        self.other.extend(earlier.into_iter().map(|earlier| (earlier, None)));
        self.other.insert(one, Some(other));
        self.written[0].insert(one);
        self.written[1].insert(other);
    }

    fn joined(&self, other: &Self) -> Self {
        let registers = self.other.keys().chain(other.other.keys());
        let same = |register: &Register| self.of(*register).filter(|one| other.of(*register) == Some(*one));
        let written = [0, 1].map(|side| &self.written[side] | &other.written[side]);
        Self { other: registers.map(|register| (*register, same(register))).collect(), written }
    }

    /// Passes a pair of instructions with the same shape. Returns whether what it reads corresponds. `leaves`: whether it jumps to another function.
    fn pass(&mut self, factory: &mut InstructionInfoFactory, pair: &[Instruction; 2], leaves: bool) -> bool {
        let uses = used(factory, pair);
        let is_saved = |used: &Used| {
            let is_of_caller = |(register, written): (&Register, &BTreeSet<Register>)| {
                SAVED.contains(register) && !written.contains(register)
            };
            pair[0].mnemonic() == Mnemonic::Push && used.registers.iter().zip(&self.written).all(is_of_caller)
        };
        let corresponds = |used: &Used| self.of(used.registers[0]) == Some(used.registers[1]) || is_saved(used);
        let passed: &[Register] = match pair[0].flow_control() {
            FlowControl::Call | FlowControl::IndirectCall => &ARGUMENTS,
            FlowControl::UnconditionalBranch | FlowControl::ConditionalBranch if leaves => &ARGUMENTS,
            FlowControl::Return => &RESULTS,
            // What follows is unknown.
            FlowControl::IndirectBranch => &self.other.keys().copied().collect::<Vec<_>>(),
            _ => &[],
        };
        let is_same = uses.iter().all(|used| !used.is_read || corresponds(used))
            && passed.iter().all(|register| self.is_same(*register));
        for used in &uses {
            // What differs is reported once.
            if used.is_written || used.is_read && !is_same {
                self.define(used.registers[0], used.registers[1]);
            }
        }
        if matches!(pair[0].flow_control(), FlowControl::Call | FlowControl::IndirectCall) {
            self.call();
        }
        is_same
    }

    /// A called function leaves the same values in both.
    fn call(&mut self) {
        let vectors: Vec<Register> =
            self.other.keys().copied().filter(|register| register.is_vector_register()).collect();
        for register in ARGUMENTS.iter().chain(&SCRATCH).copied().chain(vectors) {
            self.define(register.full_register(), register.full_register());
        }
    }

    /// Passes an instruction that only one of the functions has: the other one has written the same registers in another way.
    fn pass_alone(&mut self, factory: &mut InstructionInfoFactory, instruction: &Instruction) {
        for Used { registers: [register, _], is_written, .. } in used(factory, &[*instruction; 2]) {
            if is_written {
                self.define(register, register);
            }
        }
    }
}

/// A register that each of two instructions uses at the same place.
struct Used {
    registers: [Register; 2],
    is_read: bool,
    is_written: bool,
}

/// The registers of operands in their order, then those that the instructions imply.
fn used(factory: &mut InstructionInfoFactory, pair: &[Instruction; 2]) -> Vec<Used> {
    let mut uses = Vec::new();
    let full = |pair: [Register; 2]| pair.map(Register::full_register);
    let mut add = |registers: [Register; 2], access: OpAccess| {
        if registers[0] != Register::None {
            let is_partial = registers[0].is_gpr() && registers[0].size() < WHOLE_BYTES;
            let is_written =
                !matches!(access, OpAccess::Read | OpAccess::CondRead | OpAccess::None | OpAccess::NoMemAccess);
            let is_read = access != OpAccess::Write && access != OpAccess::None || is_written && is_partial;
            uses.push(Used { registers: full(registers), is_read, is_written });
        }
    };
    let [one, other] = pair;
    let info = factory.info(one).clone();
    for operand in 0..one.op_count().min(other.op_count()) {
        match one.op_kind(operand) {
            OpKind::Register => {
                add([one.op_register(operand), other.op_register(operand)], info.op_access(operand));
            }
            OpKind::Memory => {
                add([one.memory_base(), other.memory_base()], OpAccess::Read);
                add([one.memory_index(), other.memory_index()], OpAccess::Read);
            }
            _ => {}
        }
    }
    add([one.op_mask(), other.op_mask()], OpAccess::Read);
    for (side, instruction) in pair.iter().enumerate() {
        for used in factory.info(instruction).used_registers() {
            let register = used.register().full_register();
            let is_explicit = uses.iter().any(|used| used.registers[side] == register);
            if !is_explicit {
                let access = used.access();
                let is_written = matches!(
                    access,
                    OpAccess::Write | OpAccess::ReadWrite | OpAccess::CondWrite | OpAccess::ReadCondWrite
                );
                uses.push(Used { registers: [register, register], is_read: access != OpAccess::Write, is_written });
            }
        }
    }
    uses
}

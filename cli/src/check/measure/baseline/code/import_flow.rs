//! Which registers contain addresses of imported functions, at each instruction of a function.
//!
//! A compiler often loads such an address once and calls it several times. The analysis follows the control flow: a register contains an
//! imported address if it does on every path to the instruction.

use std::collections::{BTreeMap, BTreeSet};

use iced_x86::{Code, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register};

/// The registers that a call leaves unchanged, by the System V ABI for x86-64.
const PRESERVED: [Register; 7] =
    [Register::RBX, Register::RBP, Register::RSP, Register::R12, Register::R13, Register::R14, Register::R15];

/// Registers with imported addresses.
type Registers = BTreeSet<Register>;

/// The instructions of a function, whose import registers are known before each of them.
pub(super) struct ImportFlow {
    before: BTreeMap<u64, Registers>,
}

impl ImportFlow {
    /// Analyses a function. `is_import`: whether an instruction reads an address that the dynamic linker has written.
    pub(super) fn of(function: &[Instruction], is_import: impl Fn(&Instruction) -> bool) -> Self {
        let mut flow = Self { before: BTreeMap::new() };
        // The targets of a jump through a table are unknown here. A jump through a constant address leaves the function.
        let leads_anywhere = |instruction: &&Instruction| {
            instruction.flow_control() == FlowControl::IndirectBranch && !is_import(instruction)
        };
        if function.iter().find(leads_anywhere).is_some() {
            return flow;
        }
        let by_address: BTreeMap<u64, &Instruction> =
            function.iter().map(|instruction| (instruction.ip(), instruction)).collect();
        let mut info = InstructionInfoFactory::new();
        // Without a known predecessor: the start, and code that is executed during a panic.
        for start in function {
            // Unreachable instructions that do nothing align loops.
            if flow.before.contains_key(&start.ip()) || start.mnemonic() == Mnemonic::Nop {
                continue;
            }
            let mut pending = vec![(start.ip(), Registers::new())];
            while let Some((address, registers)) = pending.pop() {
                let Some(instruction) = by_address.get(&address) else { continue };
                let joined = match flow.before.get(&address) {
                    Some(known) => known.intersection(&registers).copied().collect(),
                    None => registers,
                };
                if flow.before.insert(address, joined.clone()).as_ref() == Some(&joined) {
                    continue;
                }
                let after = after(instruction, joined, &is_import, &mut info);
                pending.extend(successors(instruction).into_iter().flatten().map(|next| (next, after.clone())));
            }
        }
        flow
    }

    /// Whether a register contains an imported address before an instruction.
    pub(super) fn is_import(&self, instruction: &Instruction, register: Register) -> bool {
        self.before.get(&instruction.ip()).is_some_and(|registers| registers.contains(&register))
    }
}

/// The registers with imported addresses after an instruction.
fn after(
    instruction: &Instruction,
    mut registers: Registers,
    is_import: impl Fn(&Instruction) -> bool,
    info: &mut InstructionInfoFactory,
) -> Registers {
    if matches!(instruction.flow_control(), FlowControl::Call | FlowControl::IndirectCall) {
        registers.retain(|register| PRESERVED.contains(register));
    }
    for used in info.info(instruction).used_registers() {
        let is_read =
            matches!(used.access(), OpAccess::Read | OpAccess::CondRead | OpAccess::None | OpAccess::NoMemAccess);
        if !is_read {
            registers.remove(&used.register().full_register());
        }
    }
    if instruction.code() == Code::Mov_r64_rm64 && is_import(instruction) {
        registers.insert(instruction.op0_register());
    }
    registers
}

/// The addresses of the instructions that may follow.
fn successors(instruction: &Instruction) -> [Option<u64>; 2] {
    let target = (instruction.op0_kind() == OpKind::NearBranch64).then(|| instruction.near_branch_target());
    match instruction.flow_control() {
        FlowControl::UnconditionalBranch => [None, target],
        FlowControl::ConditionalBranch => [Some(instruction.next_ip()), target],
        FlowControl::Return | FlowControl::IndirectBranch | FlowControl::Exception => [None, None],
        _ => [Some(instruction.next_ip()), None],
    }
}

#[cfg(test)]
mod tests {
    use iced_x86::{Decoder, DecoderOptions};

    use super::*;

    /// The calls through registers in some code, and whether each is one of an imported function. Every address relative to the instruction
    /// pointer counts as imported.
    fn calls(code: &[u8]) -> Vec<bool> {
        let function: Vec<Instruction> = Decoder::with_ip(64, code, 0x1000, DecoderOptions::NONE).iter().collect();
        let flow = ImportFlow::of(&function, Instruction::is_ip_rel_memory_operand);
        let calls = function.iter().filter(|instruction| instruction.flow_control() == FlowControl::IndirectCall);
        calls.map(|call| flow.is_import(call, call.op0_register())).collect()
    }

    #[test]
    fn loaded_addresses_are_followed_on_all_paths() {
        const LOAD_R14: [u8; 7] = [0x4c, 0x8b, 0x35, 0x10, 0, 0, 0];
        const LOAD_RAX: [u8; 7] = [0x48, 0x8b, 0x05, 0x10, 0, 0, 0];
        const CALL_R14: [u8; 3] = [0x41, 0xff, 0xd6];
        const CALL_RAX: [u8; 2] = [0xff, 0xd0];
        const MOVE_RDI_TO_R14: [u8; 3] = [0x49, 0x89, 0xfe];
        const JUMP_IF_ZERO_OVER_7: [u8; 2] = [0x74, 7];
        assert_eq!(calls(&[&LOAD_R14[..], &CALL_R14, &CALL_R14].concat()), [true, true]);
        assert_eq!(calls(&[&LOAD_RAX[..], &CALL_RAX, &CALL_RAX].concat()), [true, false], "a call changes RAX");
        assert_eq!(calls(&[&LOAD_R14[..], &MOVE_RDI_TO_R14, &CALL_R14].concat()), [false]);
        let on_one_path = [&MOVE_RDI_TO_R14[..], &JUMP_IF_ZERO_OVER_7, &LOAD_R14, &CALL_R14].concat();
        assert_eq!(calls(&on_one_path), [false]);
        let on_both = [&LOAD_R14[..], &JUMP_IF_ZERO_OVER_7, &LOAD_R14, &CALL_R14].concat();
        assert_eq!(calls(&on_both), [true]);
        const JUMP_OVER_NOP: [u8; 3] = [0xeb, 1, 0x90];
        assert_eq!(calls(&[&LOAD_R14[..], &JUMP_OVER_NOP, &CALL_R14].concat()), [true]);
    }
}

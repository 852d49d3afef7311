//! The machine code of an executable.

use std::collections::{BTreeMap, BTreeSet};

use iced_x86::{Decoder, DecoderOptions, FlowControl, InstructionInfoFactory, OpAccess, OpKind, Register};

use super::executable::Executable;
use super::lines::{PlaceTable, SourceLines};
use super::loops::{Exit, loops};
use super::program::Program;
use super::text::{JumpTarget, TextFormatter};
use crate::listing::{CodeFormat, Flow, Instruction, Listing, RegisterUse};

/// Writing fewer bytes of a register than this keeps the others.
const WHOLE_BYTES: usize = 4;

/// The functions of an executable, with their places in the source if the lines are known.
#[derive(Clone, Copy)]
pub struct MachineCode<'e, 'd> {
    executable: &'e Executable,
    lines: Option<&'e SourceLines<'d>>,
}

impl Executable {
    /// Its functions. `lines`: those of the same file, if they are needed.
    pub fn program<'e, 'd>(&'e self, lines: Option<&'e SourceLines<'d>>) -> MachineCode<'e, 'd> {
        MachineCode { executable: self, lines }
    }
}

impl Program for MachineCode<'_, '_> {
    fn functions(&self) -> impl Iterator<Item = (&str, u64)> {
        self.executable.functions().map(|function| (function.name.as_str(), function.address))
    }

    fn name_at(&self, address: u64) -> Option<&str> {
        self.executable.functions_at(address).last().map(|function| function.name.as_str())
    }

    fn references(&self, address: u64) -> Vec<u64> {
        let executable = self.executable;
        let function = executable.functions_at(address).last();
        let code = function.and_then(|function| executable.code(function)).unwrap_or_default();
        let mut targets = Vec::new();
        for instruction in Decoder::with_ip(64, code, address, DecoderOptions::NONE).iter() {
            if instruction.is_ip_rel_memory_operand() {
                let address = instruction.ip_rel_memory_address();
                // Also through a pointer in data.
                targets.extend([Some(address), executable.pointer_at(address)].into_iter().flatten());
            } else if instruction.op0_kind() == OpKind::NearBranch64 {
                targets.push(instruction.near_branch_target());
            }
        }
        targets
    }

    fn listing(&self, address: u64) -> Option<Listing> {
        let function = self.executable.functions_at(address).last()?;
        let (executable, start) = (self.executable, address);
        let code = executable.code(function)?;
        let decoded: Vec<_> = Decoder::with_ip(64, code, start, DecoderOptions::NONE).iter().collect();
        let index: BTreeMap<u64, usize> = decoded.iter().enumerate().map(|(index, one)| (one.ip(), index)).collect();
        let target =
            |one: &iced_x86::Instruction| (one.op0_kind() == OpKind::NearBranch64).then(|| one.near_branch_target());
        let targets: BTreeSet<usize> = decoded.iter().filter_map(|one| index.get(&target(one)?).copied()).collect();
        let labels: BTreeMap<usize, u32> = targets.iter().copied().zip(1..).collect();
        let exits = decoded.iter().map(|one| {
            let flow = flow(one.flow_control());
            Exit { jump: target(one).and_then(|to| index.get(&to).copied()).filter(|_| flow != Flow::Call), flow }
        });
        let exits: Vec<Exit> = exits.collect();
        let (loops, depths) = loops(&exits);
        let mut places = PlaceTable::new(self.lines);
        let mut formatter = TextFormatter::new(executable);
        let mut factory = InstructionInfoFactory::new();
        let instructions = decoded.iter().zip(&exits).enumerate().map(|(position, (one, exit))| {
            let leads_to = target(one).map(|to| match index.get(&to).and_then(|position| labels.get(position)) {
                Some(label) => JumpTarget::Label(*label),
                None => {
                    JumpTarget::Function(executable.called_at(to).unwrap_or("a function without a name").to_owned())
                }
            });
            let called = match &leads_to {
                Some(JumpTarget::Function(name)) => Some(name.clone()),
                Some(JumpTarget::Label(1)) if target(one) == Some(start) => Some(function.name.clone()),
                _ => None,
            };
            let text = formatter.format(one, leads_to);
            let offset = one.ip() - start;
            let is_indirect = matches!(one.flow_control(), FlowControl::IndirectCall | FlowControl::IndirectBranch);
            let callee = match is_indirect {
                true => executable.pointer_at(one.ip_rel_memory_address()).filter(|_| one.is_ip_rel_memory_operand()),
                false => target(one).filter(|_| called.is_some()),
            };
            let through_pointer = text.comment.clone().filter(|_| is_indirect);
            Instruction {
                offset,
                label: labels.get(&position).copied(),
                text: text.text,
                comment: text.comment,
                calls: called.or(through_pointer),
                callee,
                flow: exit.flow,
                depth: depths[position],
                place: places.at(one.ip()),
                registers: registers(&mut factory, one),
            }
        });
        let instructions = instructions.collect();
        Some(Listing {
            function: function.name.clone(),
            format: CodeFormat::X86,
            bytes: code.len() as u64,
            instructions,
            loops,
            places: places.into_places(),
        })
    }
}

fn flow(flow: FlowControl) -> Flow {
    match flow {
        FlowControl::Call | FlowControl::IndirectCall => Flow::Call,
        FlowControl::UnconditionalBranch => Flow::Jump,
        FlowControl::ConditionalBranch | FlowControl::XbeginXabortXend => Flow::Branch,
        FlowControl::IndirectBranch => Flow::IndirectJump,
        FlowControl::Return => Flow::Return,
        FlowControl::Exception => Flow::Stop,
        FlowControl::Next | FlowControl::Interrupt => Flow::Next,
    }
}

/// The registers of operands in their order, then those that the instruction implies.
fn registers(factory: &mut InstructionInfoFactory, instruction: &iced_x86::Instruction) -> Vec<RegisterUse> {
    let mut uses: Vec<RegisterUse> = Vec::new();
    let info = factory.info(instruction);
    let mut add = |register: Register, access: OpAccess| {
        if register != Register::None {
            let is_partial = register.is_gpr() && register.size() < WHOLE_BYTES;
            let is_written =
                !matches!(access, OpAccess::Read | OpAccess::CondRead | OpAccess::None | OpAccess::NoMemAccess);
            let is_read = access != OpAccess::Write && access != OpAccess::None || is_written && is_partial;
            uses.push(RegisterUse { register: full_name(register), is_read, is_written, is_implied: false });
        }
    };
    for operand in 0..instruction.op_count() {
        match instruction.op_kind(operand) {
            OpKind::Register => add(instruction.op_register(operand), info.op_access(operand)),
            OpKind::Memory => {
                add(instruction.memory_base(), OpAccess::Read);
                add(instruction.memory_index(), OpAccess::Read);
            }
            _ => {}
        }
    }
    add(instruction.op_mask(), OpAccess::Read);
    for used in info.used_registers() {
        let (register, access) = (full_name(used.register()), used.access());
        if uses.iter().all(|used| used.register != register) {
            let is_written =
                matches!(access, OpAccess::Write | OpAccess::ReadWrite | OpAccess::CondWrite | OpAccess::ReadCondWrite);
            uses.push(RegisterUse { register, is_read: access != OpAccess::Write, is_written, is_implied: true });
        }
    }
    uses
}

/// The name of the register that contains a register.
fn full_name(register: Register) -> String {
    format!("{:?}", register.full_register()).to_lowercase()
}

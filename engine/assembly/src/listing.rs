//! The code of a function.

use std::collections::{BTreeMap, BTreeSet};

use iced_x86::{Decoder, DecoderOptions, FlowControl, OpKind};
use serde::Serialize;

use crate::executable::{Executable, FunctionSymbol};
use crate::lines::{Place, SourceLines};
use crate::loops::{Flow, Loop, loops};
use crate::text::{JumpTarget, TextFormatter};

/// The code of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listing {
    /// The name of the function, demangled and without its hash.
    pub function: String,
    /// What its instructions are for.
    pub format: CodeFormat,
    /// The bytes of its code.
    pub bytes: u64,
    /// In the order of the code.
    pub instructions: Vec<Instruction>,
    /// Its loops, by their first instructions.
    pub loops: Vec<Loop>,
}

/// What instructions are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum CodeFormat {
    /// A processor.
    #[serde(rename = "x86-64")]
    X86,
    /// A browser: lines of the text format.
    #[serde(rename = "wasm")]
    Wasm,
}

/// An instruction, or a line of the text format.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Instruction {
    /// The bytes from the start of the function.
    pub offset: u64,
    /// The number of the label before it; absent if no jump leads to it.
    pub label: Option<u32>,
    /// The instruction without addresses.
    pub text: String,
    /// The function whose address it uses, or the value of the constant that it reads.
    pub comment: Option<String>,
    /// The function that it calls; absent if it calls none, or through a register.
    pub calls: Option<String>,
    /// Whether it calls a function.
    pub is_call: bool,
    /// The number of loops that contain it.
    pub depth: u32,
    /// Its place in the source, followed by the places that this was inlined into; empty if it is unknown.
    pub places: Vec<Place>,
    /// The text with the size of each register instead of its name.
    #[serde(skip)]
    pub shape: String,
    /// Its bytes; empty for wasm.
    #[serde(skip)]
    pub code: Vec<u8>,
    /// The address of that function in the executable, or the offset of its body in the module.
    #[serde(skip)]
    pub callee: Option<u64>,
    /// The index of the instruction that it jumps to.
    #[serde(skip)]
    pub jump: Option<usize>,
}

impl Listing {
    /// The code of a function of an executable; `None` if the file does not contain it. `lines`: those of the same file.
    pub fn of(executable: &Executable, function: &FunctionSymbol, lines: Option<&SourceLines<'_>>) -> Option<Self> {
        let code = executable.code(function)?;
        let start = function.address;
        let decoded: Vec<_> = Decoder::with_ip(64, code, start, DecoderOptions::NONE).iter().collect();
        let index: BTreeMap<u64, usize> = decoded.iter().enumerate().map(|(index, one)| (one.ip(), index)).collect();
        let target =
            |one: &iced_x86::Instruction| (one.op0_kind() == OpKind::NearBranch64).then(|| one.near_branch_target());
        let targets: BTreeSet<usize> = decoded.iter().filter_map(|one| index.get(&target(one)?).copied()).collect();
        let labels: BTreeMap<usize, u32> = targets.iter().copied().zip(1..).collect();
        let flow = decoded.iter().map(|one| Flow {
            jump: target(one).and_then(|to| index.get(&to).copied()).filter(|_| !is_call(one)),
            continues: !matches!(
                one.flow_control(),
                FlowControl::UnconditionalBranch | FlowControl::IndirectBranch | FlowControl::Return
            ) && one.flow_control() != FlowControl::Exception,
            is_indirect: one.flow_control() == FlowControl::IndirectBranch,
        });
        let flow: Vec<Flow> = flow.collect();
        let (loops, depths) = loops(&flow);
        let mut formatter = TextFormatter::new(executable);
        let instructions = decoded.iter().zip(&flow).enumerate().map(|(position, (one, flow))| {
            let leads_to = target(one).map(|to| match index.get(&to).and_then(|position| labels.get(position)) {
                Some(label) => JumpTarget::Label(*label),
                None => JumpTarget::Function(name_of(executable, to)),
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
            let bytes = code.get(offset as usize..).and_then(|rest| rest.get(..one.len())).unwrap_or_default();
            Instruction {
                offset,
                label: labels.get(&position).copied(),
                text: text.text,
                shape: text.shape,
                comment: text.comment,
                calls: called.or(through_pointer),
                callee,
                is_call: is_call(one),
                depth: depths[position],
                places: lines.map(|lines| lines.places(one.ip())).unwrap_or_default(),
                code: bytes.to_vec(),
                jump: flow.jump,
            }
        });
        let instructions = instructions.collect();
        Some(Self {
            function: function.name.clone(),
            format: CodeFormat::X86,
            bytes: code.len() as u64,
            instructions,
            loops,
        })
    }

    /// Adds the places of another listing, if that has the same instructions, apart from addresses. Returns whether it has.
    pub fn add_places(&mut self, other: &Self) -> bool {
        let text = |listing: &Self| -> Vec<_> {
            listing.instructions.iter().map(|one| (one.text.clone(), one.comment.clone(), one.offset)).collect()
        };
        let is_same = text(self) == text(other);
        if is_same {
            for (own, other) in self.instructions.iter_mut().zip(&other.instructions) {
                own.places.clone_from(&other.places);
            }
        }
        is_same
    }

    /// The number of calls.
    pub fn calls(&self) -> usize {
        self.instructions.iter().filter(|one| one.is_call).count()
    }

    /// The functions that were inlined into this one, by their first instructions; empty without places.
    pub fn inlined(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for place in self.instructions.iter().flat_map(|one| one.places.iter().rev().skip(1)) {
            if !place.function.is_empty() && !names.contains(&place.function.as_str()) {
                names.push(&place.function);
            }
        }
        names
    }
}

fn is_call(instruction: &iced_x86::Instruction) -> bool {
    matches!(instruction.flow_control(), FlowControl::Call | FlowControl::IndirectCall)
}

/// The name of what a call or jump leads to.
fn name_of(executable: &Executable, address: u64) -> String {
    executable.called_at(address).unwrap_or("a function without a name").to_owned()
}

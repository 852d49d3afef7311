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
            let through_pointer = text.comment.clone().filter(|_| is_indirect);
            let bytes = code.get(offset as usize..).and_then(|rest| rest.get(..one.len())).unwrap_or_default();
            Instruction {
                offset,
                label: labels.get(&position).copied(),
                text: text.text,
                shape: text.shape,
                comment: text.comment,
                calls: called.or(through_pointer),
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
}

fn is_call(instruction: &iced_x86::Instruction) -> bool {
    matches!(instruction.flow_control(), FlowControl::Call | FlowControl::IndirectCall)
}

/// The name of what a call or jump leads to.
fn name_of(executable: &Executable, address: u64) -> String {
    executable.called_at(address).unwrap_or("a function without a name").to_owned()
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    use std::fs;
    use std::hint::black_box;

    use proptest::prelude::*;

    use super::*;

    static POINTER: fn(u32) -> u32 = through_a_pointer;

    #[inline(never)]
    fn outer(value: u32) -> u32 {
        let pointer = *black_box(&POINTER);
        pointer(directly(value))
    }

    #[inline(never)]
    fn directly(value: u32) -> u32 {
        black_box(value)
    }

    #[inline(never)]
    fn through_a_pointer(value: u32) -> u32 {
        black_box(value)
    }

    /// This test program itself.
    fn own() -> Vec<u8> {
        fs::read("/proc/self/exe").expect("Linux has it")
    }

    #[test]
    fn calls_have_the_names_of_functions() {
        let executable = Executable::read(&own()).unwrap();
        let is_outer = |symbol: &&FunctionSymbol| symbol.name.ends_with("listing::tests::outer");
        let listing = Listing::of(&executable, executable.functions().find(is_outer).unwrap(), None).unwrap();
        let called: Vec<&str> = listing.instructions.iter().filter_map(|one| one.calls.as_deref()).collect();
        assert!(outer(1) == 1 && called.iter().any(|name| name.ends_with("tests::directly")), "{listing:?}");
    }

    #[test]
    fn functions_of_libraries_have_names() {
        let executable = Executable::read(&own()).unwrap();
        let mut listings = executable.functions().filter_map(|symbol| Listing::of(&executable, symbol, None));
        let calls = |one: &Instruction| one.calls.as_deref() == Some("memcpy");
        assert!(listings.any(|listing| listing.instructions.iter().any(calls)));
    }

    #[test]
    fn other_files_are_rejected() {
        let error = |bytes: &[u8]| Executable::read(bytes).unwrap_err().to_string();
        assert!(error(b"\xcf\xfa\xed\xfe").starts_with("the executable is no ELF file"));
        let mut arm = own();
        // The machine: 183 is AArch64.
        arm[18..20].copy_from_slice(&183_u16.to_le_bytes());
        assert_eq!(error(&arm), "the executable is for Aarch64, not for x86-64");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]

        #[test]
        fn damaged_files_never_panic(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..200),
            in_headers in prop::collection::vec((0..1024_usize, any::<u8>()), 0..3),
            end in any::<prop::sample::Index>(),
        ) {
            let mut program = own();
            for (index, byte) in changes {
                let index = index.index(program.len());
                program[index] = byte;
            }
            for (index, byte) in in_headers {
                program[index] = byte;
            }
            if end.index(4) == 0 {
                program.truncate(end.index(program.len()));
            }
            let lines = SourceLines::of_executable(&program, "");
            let Ok(executable) = Executable::read(&program) else { return Ok(()) };
            for symbol in executable.functions().step_by(500) {
                let _ = Listing::of(&executable, symbol, lines.as_ref());
            }
        }
    }
}

//! The text of an instruction: Intel's syntax, as compilers print it, without addresses.

use iced_x86::{
    Formatter, FormatterOutput, FormatterTextKind, Instruction, IntelFormatter, MemorySize, MemorySizeOptions,
    Mnemonic, NumberKind, OpKind,
};

use super::executable::Executable;

/// The target of a call or jump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JumpTarget {
    /// To the label with this number in the same function.
    Label(u32),
    /// To another function.
    Function(String),
}

/// The text of an instruction.
#[derive(Debug, Default)]
pub(crate) struct InstructionText {
    pub text: String,
    /// The function or the value of a constant that its operand in memory refers to.
    pub comment: Option<String>,
    target: Option<JumpTarget>,
    /// What the operand in memory refers to, if its distance from the instruction is in the code.
    data: &'static str,
}

/// Formats instructions.
pub(crate) struct TextFormatter<'e> {
    formatter: IntelFormatter,
    executable: &'e Executable,
}

impl<'e> TextFormatter<'e> {
    pub fn new(executable: &'e Executable) -> Self {
        let mut formatter = IntelFormatter::new();
        let options = formatter.options_mut();
        options.set_hex_prefix("0x");
        options.set_hex_suffix("");
        options.set_uppercase_hex(false);
        options.set_space_after_operand_separator(true);
        options.set_space_between_memory_add_operators(true);
        options.set_memory_size_options(MemorySizeOptions::Always);
        options.set_show_branch_size(false);
        Self { formatter, executable }
    }

    /// The text of an instruction. `target`: where it leads, if it is a call or jump to a known address.
    pub fn format(&mut self, instruction: &Instruction, target: Option<JumpTarget>) -> InstructionText {
        let (data, comment) = self.reference(instruction);
        let mut output = InstructionText { target, data, comment, ..InstructionText::default() };
        self.formatter.format(instruction, &mut output);
        output
    }

    /// What an operand refers to by its distance from the instruction, in a word and with a comment.
    fn reference(&self, instruction: &Instruction) -> (&'static str, Option<String>) {
        if !instruction.is_ip_rel_memory_operand() {
            return ("", None);
        }
        let address = instruction.ip_rel_memory_address();
        if let Some(name) = self.executable.pointed_at(address) {
            return ("pointer", Some(name.to_owned()));
        }
        if let Some(name) = self.executable.called_at(address) {
            return ("function", Some(name.to_owned()));
        }
        let size = instruction.memory_size();
        let is_read = instruction.mnemonic() != Mnemonic::Lea && size.size() > 0;
        let value = is_read.then(|| self.executable.constant(address, size.size() as u64)).flatten();
        ("data", value.map(|bytes| constant(bytes, size)))
    }
}

/// The value of a constant.
fn constant(bytes: &[u8], size: MemorySize) -> String {
    if let (MemorySize::Float64, Ok(bytes)) = (size, bytes.try_into()) {
        return format!("{:?}", f64::from_le_bytes(bytes));
    }
    if let (MemorySize::Float32, Ok(bytes)) = (size, bytes.try_into()) {
        return format!("{:?}", f32::from_le_bytes(bytes));
    }
    let digits: String = bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect();
    let digits = digits.trim_start_matches('0');
    format!("0x{}", if digits.is_empty() { "0" } else { digits })
}

impl FormatterOutput for InstructionText {
    fn write(&mut self, text: &str, _: FormatterTextKind) {
        self.text += text;
    }

    fn write_number(
        &mut self,
        instruction: &Instruction,
        _: u32,
        operand: Option<u32>,
        text: &str,
        _: u64,
        _: NumberKind,
        _: FormatterTextKind,
    ) {
        let kind = operand.and_then(|operand| instruction.try_op_kind(operand).ok());
        match (kind, &self.target) {
            (Some(OpKind::NearBranch64), Some(JumpTarget::Label(number))) => self.text += &format!(".L{number}"),
            (Some(OpKind::NearBranch64), Some(JumpTarget::Function(name))) => self.text += name,
            (Some(OpKind::Memory), _) if !self.data.is_empty() => self.text += &format!("rip + {}", self.data),
            _ => self.text += text,
        }
    }
}

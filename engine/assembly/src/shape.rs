//! What is written in an instruction apart from the choice of registers, the numbers of labels and the indices of types.

use crate::listing::{CodeFormat, Instruction};

/// What instructions have in common that differ only in registers, labels, or indices of types.
pub(crate) fn shape(format: CodeFormat, instruction: &Instruction) -> String {
    let text = &instruction.text;
    match (format, &instruction.calls) {
        (CodeFormat::Wasm, _) => without_indices(text),
        // Names are no registers.
        (CodeFormat::X86, Some(name)) if text.ends_with(name) => text.clone(),
        (CodeFormat::X86, _) => {
            let text = text.rsplit_once(" .L").map_or(text.as_str(), |(jump, _)| jump);
            without_registers(text) + instruction.comment.as_deref().unwrap_or_default()
        }
    }
}

/// A line of the text format without its indentation and the index of a type, which depends on other functions.
fn without_indices(text: &str) -> String {
    let words = text.split_whitespace().map(|word| match word.strip_suffix(')') {
        Some(index) if index.parse::<u32>().is_ok() => "_)",
        _ => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The text with a sign for each kind of register instead of its name.
fn without_registers(text: &str) -> String {
    let mut shape = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_alphanumeric()) {
        let (before, word) = rest.split_at(start);
        let end = word.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(word.len());
        shape += before;
        shape += kind(&word[..end]).unwrap_or(&word[..end]);
        rest = &word[end..];
    }
    shape + rest
}

/// A sign for the registers that are exchangeable with this one: those of the same kind and size; `None` if none is.
fn kind(word: &str) -> Option<&'static str> {
    for (prefix, kind) in [("xmm", "%xmm"), ("ymm", "%ymm"), ("zmm", "%zmm")] {
        if word.strip_prefix(prefix).is_some_and(|number| number.parse::<u8>().is_ok()) {
            return Some(kind);
        }
    }
    if let Some(numbered) = word.strip_prefix('r') {
        let end = numbered.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(numbered.len());
        let (number, size) = numbered.split_at(end);
        if number.parse::<u8>().is_ok_and(|number| (8..16).contains(&number)) {
            return match size {
                "" => Some("%8"),
                "d" => Some("%4"),
                "w" => Some("%2"),
                "b" | "l" => Some("%1"),
                _ => None,
            };
        }
    }
    match word {
        "rax" | "rbx" | "rcx" | "rdx" | "rsi" | "rdi" | "rbp" | "rsp" => Some("%8"),
        "eax" | "ebx" | "ecx" | "edx" | "esi" | "edi" | "ebp" | "esp" => Some("%4"),
        "ax" | "bx" | "cx" | "dx" | "si" | "di" | "bp" | "sp" => Some("%2"),
        "al" | "bl" | "cl" | "dl" | "sil" | "dil" | "bpl" | "spl" => Some("%1"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn native(text: &str, calls: Option<&str>) -> String {
        let instruction =
            Instruction { text: text.to_owned(), calls: calls.map(str::to_owned), ..Instruction::default() };
        shape(CodeFormat::X86, &instruction)
    }

    #[test]
    fn registers_of_one_size_have_the_same_shape() {
        assert_eq!(native("mov rax, qword ptr [rsi + r9*8]", None), native("mov r12, qword ptr [rdi + rcx*8]", None));
        assert_eq!(native("vpaddd ymm1, ymm2, [rax]", None), native("vpaddd ymm15, ymm0, [rdi]", None));
        assert_eq!(native("mov r8b, sil", None), native("mov al, r15b", None));
        for [one, other] in
            [["mov eax, 1", "mov rax, 1"], ["xor xmm0, xmm0", "xor ymm0, ymm0"], ["mov ah, 1", "mov bh, 1"]]
        {
            assert_ne!(native(one, None), native(other, None));
        }
    }

    #[test]
    fn names_and_numbers_are_no_registers() {
        assert_ne!(native("call demo::al", Some("demo::al")), native("call demo::bl", Some("demo::bl")));
        assert_ne!(native("mov eax, 0xa", None), native("mov eax, 0xb", None));
        assert_eq!(native("jne .L1", None), native("jne .L2", None));
    }

    #[test]
    fn the_indices_of_types_are_ignored() {
        assert_eq!(without_indices("  call_indirect (type 12)"), without_indices("call_indirect (type 3)"));
    }
}

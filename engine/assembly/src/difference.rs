//! The difference of two functions.

use similar::{ChangeTag, TextDiff};

use crate::listing::{CodeFormat, Listing};
use crate::registers::equal_steps;
use crate::steps::{Step, candidates};

/// The lines around a difference, as in other tools.
const CONTEXT: usize = 3;

/// Functions with more instructions are not compared: the time for that grows with the square of their number.
pub(crate) const MAX_COMPARED: usize = 10_000;

/// What follows an instruction that is written in the same way, but reads registers with other values.
const OTHER_VALUES: &str = "  ; same text, but these registers hold other values";

/// The difference of two functions. What counts as the same is in the documentation of the crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The instructions that only the first function has, and those that only the second one has.
    pub only_in: [usize; 2],
    /// A unified difference; empty if both are the same.
    pub unified: String,
}

impl Difference {
    /// Compares two functions. `names`: their names in the difference. `None` if one of them has more than 10 000 instructions.
    pub fn new(listings: [&Listing; 2], names: [&str; 2]) -> Option<Self> {
        if listings.iter().any(|listing| listing.instructions.len() > MAX_COMPARED) {
            return None;
        }
        let is_native = listings.iter().all(|listing| listing.format == CodeFormat::X86);
        let compared = candidates(listings).map(|steps| {
            let is_equal = match is_native {
                true => equal_steps(listings, &steps),
                false => steps.iter().map(|step| step.pair().is_some()).collect(),
            };
            (steps, is_equal)
        });
        // The pairs that leave the fewest differences.
        let differences = |(steps, is_equal): &(Vec<Step>, Vec<bool>)| -> usize {
            let lines = |step: &Step| step.indices().iter().flatten().count();
            steps.iter().zip(is_equal).filter(|(_, is_equal)| !**is_equal).map(|(step, _)| lines(step)).sum()
        };
        let [by_shape, by_text] = compared;
        let (steps, is_equal) = if differences(&by_shape) < differences(&by_text) { by_shape } else { by_text };
        let mut texts = [String::new(), String::new()];
        for (step, is_equal) in steps.iter().zip(is_equal) {
            let lines = [0, 1].map(|side| step.indices()[side].map(|index| line(listings[side], index)));
            let lines = match lines {
                // Registers and labels of the first one, so that both are equal.
                [Some(one), Some(_)] if is_equal => [Some(one.clone()), Some(one)],
                [Some(one), Some(other)] if one == other => [Some(one), Some(other + OTHER_VALUES)],
                lines => lines,
            };
            for (text, line) in texts.iter_mut().zip(lines) {
                text.extend(line.map(|line| line + "\n"));
            }
        }
        let difference = TextDiff::from_lines(&texts[0], &texts[1]);
        let count = |tag| difference.iter_all_changes().filter(|change| change.tag() == tag).count();
        let only_in = [count(ChangeTag::Delete), count(ChangeTag::Insert)];
        let unified = difference.unified_diff().context_radius(CONTEXT).header(names[0], names[1]).to_string();
        Some(Self { only_in, unified })
    }

    /// Whether both functions have the same code.
    pub fn is_empty(&self) -> bool {
        self.only_in == [0, 0]
    }
}

/// An instruction with the label before it.
fn line(listing: &Listing, index: usize) -> String {
    let instruction = &listing.instructions[index];
    let label = instruction.label.map(|label| format!(".L{label}:")).unwrap_or_default();
    let comment = instruction.comment.as_deref().map(|comment| format!("  ; {comment}")).unwrap_or_default();
    format!("{label:6} {}{comment}", instruction.text)
}

#[cfg(test)]
#[cfg(feature = "read")]
mod tests {
    use super::*;
    use crate::{Executable, Program};

    /// The code of the first of these functions, from an address on. What is compared has been stored.
    fn listing(start: u64, functions: &[(&str, &[u8])]) -> Listing {
        let executable = Executable::of_functions(start, functions);
        let listing = executable.program(None).listing(start).unwrap();
        serde_json::from_str(&serde_json::to_string(&listing).unwrap()).unwrap()
    }

    fn difference(one: &[u8], other: &[u8]) -> Difference {
        compare(&listing(0x1000, &[("f", one)]), &listing(0x2000, &[("g", other)]))
    }

    fn compare(one: &Listing, other: &Listing) -> Difference {
        Difference::new([one, other], ["f", "g"]).unwrap()
    }

    // mov R, [rdi]; add R, [rsi]; mov rax, R; ret
    const WITH_RCX: &[u8] = &[0x48, 0x8b, 0x0f, 0x48, 0x03, 0x0e, 0x48, 0x89, 0xc8, 0xc3];
    const WITH_R8: &[u8] = &[0x4c, 0x8b, 0x07, 0x4c, 0x03, 0x06, 0x4c, 0x89, 0xc0, 0xc3];

    #[test]
    fn equal_code_at_other_addresses_has_no_difference() {
        // call callee; jne to itself; ret. The second one is longer, since padding precedes the callee.
        let call = |distance: u8| [0xe8, distance, 0, 0, 0, 0x75, 0xfe, 0xc3];
        let one = listing(0x1000, &[("f", &call(3)), ("callee", &[0xc3])]);
        let other = listing(0x5000, &[("f", &call(5)), ("", &[0x90, 0x90]), ("callee", &[0xc3])]);
        let text: Vec<&str> = other.instructions.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(text, ["call callee", "jne .L1", "ret"]);
        assert_eq!(compare(&one, &one).unified, "");
        let one = listing(0x1000, &[("f", &call(3)), ("callee", &[0xc3])]);
        assert_eq!(one.instructions[0].text, "call callee");
        assert!(compare(&one, &other).is_empty());
        let elsewhere = listing(0x1000, &[("f", &call(3)), ("other", &[0xc3])]);
        assert_eq!(compare(&one, &elsewhere).only_in, [1, 1]);
    }

    #[test]
    fn long_functions_are_not_compared() {
        let mut long = listing(0x1000, &[("f", &[0x90])]);
        long.instructions = vec![long.instructions[0].clone(); MAX_COMPARED];
        assert!(compare(&long, &long).is_empty());
        long.instructions.push(long.instructions[0].clone());
        assert_eq!(Difference::new([&long, &long], ["f", "g"]), None);
    }

    #[test]
    fn nothing_follows_what_ends_the_program() {
        // test edi, edi; je to `mov rax`; mov R, [rsi]; ud2; mov rax, R; ret: another R reaches only the end of the program.
        let one = [&[0x85, 0xff, 0x74, 5], &[0x4c, 0x8b, 0x06][..], &[0x0f, 0x0b], &[0x4c, 0x89, 0xc0, 0xc3]].concat();
        let other =
            [&[0x85, 0xff, 0x74, 5], &[0x48, 0x8b, 0x0e][..], &[0x0f, 0x0b], &[0x4c, 0x89, 0xc0, 0xc3]].concat();
        assert!(difference(&one, &other).is_empty(), "{}", difference(&one, &other).unified);
    }

    #[test]
    fn consistently_renamed_registers_are_equal() {
        assert!(difference(WITH_RCX, WITH_R8).is_empty());
        // push A; push B; mov A, rdi; mov B, rsi; mov rax, A; pop B; pop A; ret: saved registers, in another order.
        let one = [0x53, 0x41, 0x56, 0x48, 0x89, 0xfb, 0x49, 0x89, 0xf6, 0x48, 0x89, 0xd8, 0x41, 0x5e, 0x5b, 0xc3];
        let other = [0x41, 0x56, 0x53, 0x49, 0x89, 0xfe, 0x48, 0x89, 0xf3, 0x4c, 0x89, 0xf0, 0x5b, 0x41, 0x5e, 0xc3];
        assert!(difference(&one, &other).is_empty(), "{}", difference(&one, &other).unified);
    }

    #[test]
    fn inconsistently_renamed_registers_differ() {
        // mov rax, rcx at the end.
        let mixed = [&WITH_R8[..6], &[0x48, 0x89, 0xc8, 0xc3]].concat();
        let found = difference(WITH_R8, &mixed);
        assert_eq!(found.only_in, [1, 1]);
        assert!(found.unified.contains("-       mov rax, r8\n+       mov rax, rcx\n"), "{}", found.unified);
        // mov A, [rdi]; mov B, [rsi]; sub rax, rcx; ret: rax and rcx exchanged.
        let one = [0x48, 0x8b, 0x07, 0x48, 0x8b, 0x0e, 0x48, 0x29, 0xc8, 0xc3];
        let other = [0x48, 0x8b, 0x0f, 0x48, 0x8b, 0x06, 0x48, 0x29, 0xc8, 0xc3];
        let found = difference(&one, &other);
        assert!(
            found.unified.contains("+       sub rax, rcx  ; same text, but these registers hold other values"),
            "{}",
            found.unified
        );
        // mov R, [rdi]; mul rcx; ret: the register that `mul` implies.
        assert_eq!(
            difference(&[0x48, 0x8b, 0x07, 0x48, 0xf7, 0xe1, 0xc3], &[0x4c, 0x8b, 0x07, 0x48, 0xf7, 0xe1, 0xc3])
                .only_in,
            [1, 1]
        );
    }

    #[test]
    fn a_register_that_differs_on_one_way_differs_where_the_ways_join() {
        // mov R, [rdi]; je to the end; mov R, [rsi]; mov rax, R; ret: R of the second function changes on the way that doesn't jump.
        let one = [&WITH_R8[..3], &[0x74, 3], &[0x4c, 0x8b, 0x06], &[0x4c, 0x89, 0xc0, 0xc3]].concat();
        let other = [&WITH_R8[..3], &[0x74, 3], &[0x48, 0x8b, 0x0e], &[0x48, 0x89, 0xc8, 0xc3]].concat();
        assert!(difference(&one, &one).is_empty());
        assert_eq!(difference(&one, &other).only_in, [1, 1]);
    }

    #[test]
    fn instructions_with_the_same_registers_are_paired_if_others_changed() {
        // xor ecx, ecx; xor eax, eax; ret, and mov eax, 1; xor ecx, ecx; ret.
        let found = difference(&[0x31, 0xc9, 0x31, 0xc0, 0xc3], &[0xb8, 1, 0, 0, 0, 0x31, 0xc9, 0xc3]);
        let expected = "+       mov eax, 1\n        xor ecx, ecx\n-       xor eax, eax\n        ret\n";
        assert!(found.unified.ends_with(expected), "{}", found.unified);
    }

    #[test]
    fn other_instructions_are_counted() {
        // An additional instruction, and another constant.
        let found = difference(&[0xb8, 1, 0, 0, 0, 0xc3], &[0x90, 0xb8, 2, 0, 0, 0, 0xc3]);
        assert_eq!(found.only_in, [1, 2]);
        let expected =
            "--- f\n+++ g\n@@ -1,2 +1,3 @@\n-       mov eax, 1\n+       nop\n+       mov eax, 2\n        ret\n";
        assert_eq!(found.unified, expected);
    }
}

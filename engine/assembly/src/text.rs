//! Listings and their differences in sentences and as text.

use crate::difference::{Difference, MAX_COMPARED};
use crate::listing::{CodeFormat, Instruction, Listing, Place};
use crate::names::is_timed_loop;

/// What the code consists of: "`sort`: 412 instructions (1 860 bytes), 3 loops, 5 calls".
/// `path`: that of the function. `count` writes a number with separators.
pub fn answer(path: &str, listing: &Listing, count: fn(u64) -> String) -> String {
    let holder =
        if is_timed_loop(&listing.function) { "its timed loop".to_owned() } else { format!("`{}`", listing.function) };
    let where_it_is =
        if listing.is_around(path) { format!(" was inlined into {holder}, which has") } else { ":".to_owned() };
    let noun = if listing.format == CodeFormat::Wasm { "lines of wasm" } else { "instructions" };
    format!(
        "`{path}`{where_it_is} {} {noun} ({} bytes), {}, {}",
        count(listing.instructions.len() as u64),
        count(listing.bytes),
        number_of(listing.loops.len(), "loop", count),
        number_of(listing.calls(), "call", count),
    )
}

/// How much of two functions differs.
pub fn difference_answer(difference: Option<&Difference>, names: [&str; 2], count: fn(u64) -> String) -> String {
    let [other, function] = names;
    let Some(difference) = difference else {
        let most = count(MAX_COMPARED as u64);
        return format!("`{function}` and `{other}` are not compared: one of them has more than {most} instructions");
    };
    let [removed, added] = difference.only_in;
    if difference.is_empty() {
        return format!(
            "`{function}` and `{other}` have the same code, apart from addresses and the choice of registers"
        );
    }
    format!(
        "{} differ: {} only in `{other}`, {} only in `{function}`",
        number_of(removed + added, "instruction", count),
        count(removed as u64),
        count(added as u64)
    )
}

/// A number of things: `3 loops`.
pub fn number_of(number: usize, noun: &str, count: fn(u64) -> String) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(number as u64))
}

/// A row of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListingRow<'l> {
    /// The line of the source that the next instructions are from.
    Source {
        /// The place.
        place: &'l Place,
        /// The place in the function, if it was inlined there.
        function: Option<&'l Place>,
    },
    /// An instruction.
    Instruction(&'l Instruction),
    /// This number of instructions of the code around the function is left out.
    LeftOut(usize),
}

impl Listing {
    /// The rows of the function with this path. `shows_around`: whether the code around an inlined function is shown.
    pub fn rows(&self, path: &str, shows_around: bool) -> Vec<ListingRow<'_>> {
        let (mut rows, mut last, own) = (Vec::new(), None, self.places_in(path));
        for (instruction, belongs) in self.instructions.iter().zip(self.belong_to(path)) {
            if !belongs && !shows_around {
                match rows.last_mut() {
                    Some(ListingRow::LeftOut(number)) => *number += 1,
                    _ => rows.push(ListingRow::LeftOut(1)),
                }
                continue;
            }
            if instruction.place != last {
                last = instruction.place;
                if let Some((place, function)) = last.map(|index| (&self.places[index], own[index])) {
                    let function = function.filter(|own| *own != place);
                    rows.push(ListingRow::Source { place, function });
                }
            }
            rows.push(ListingRow::Instruction(instruction));
        }
        rows
    }
}

/// A line for each row, with a bar for each loop around an instruction. `path`: that of the function. `count`: as for [`answer`].
pub fn listing_text(path: &str, listing: &Listing, count: fn(u64) -> String) -> String {
    let depth = listing.instructions.iter().map(|one| one.depth).max().unwrap_or_default() as usize;
    let line = |row: ListingRow<'_>| match row {
        ListingRow::Source { place, function } => format!("        {}\n", source_line(place, function)),
        ListingRow::LeftOut(number) => format!("        {}\n", left_out(number, count)),
        ListingRow::Instruction(instruction) => {
            let label = instruction.label.map(|label| format!(".L{label}:")).unwrap_or_default();
            let bars = "│".repeat(instruction.depth as usize) + &" ".repeat(depth - instruction.depth as usize);
            let comment = instruction.comment.as_deref().map(|comment| format!("  ; {comment}")).unwrap_or_default();
            let line = format!("{:5x} {label:6} {bars} {}{comment}", instruction.offset, instruction.text);
            format!("{}\n", line.trim_end())
        }
    };
    listing.rows(path, false).into_iter().map(line).collect()
}

/// What replaces instructions that belong to the code around the function.
pub fn left_out(instructions: usize, count: fn(u64) -> String) -> String {
    format!("… {} of surrounding code", number_of(instructions, "instruction", count))
}

/// A place with its line. `function`: the place in the function that it was inlined into, whose line is shown if that of the other file is unknown.
pub fn source_line(place: &Place, function: Option<&Place>) -> String {
    let line = place.source.as_ref().or_else(|| function?.source.as_ref());
    let line = line.map(|line| format!("  {line}")).unwrap_or_default();
    let function = function.map(|function| format!(" ← {function}")).unwrap_or_default();
    format!("{place}{function}{line}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(number: u64) -> String {
        number.to_string()
    }

    fn place(function: &str, line: u32, inlined_into: Option<usize>) -> Place {
        let source = (line == 3).then(|| "let mut sum = 0;".to_owned());
        Place { function: function.to_owned(), file: "src/sum.rs".to_owned(), line, source, inlined_into }
    }

    #[test]
    fn a_listing_has_lines_labels_and_loops() {
        let instruction = |offset, text: &str, place: usize| Instruction {
            offset,
            text: text.to_owned(),
            place: Some(place),
            ..Instruction::default()
        };
        let add = Instruction {
            label: Some(1),
            depth: 1,
            comment: Some("0x10".to_owned()),
            ..instruction(2, "add rax, [rip + data]", 2)
        };
        let instructions = vec![
            instruction(0, "xor eax, eax", 0),
            add,
            Instruction { depth: 1, ..instruction(9, "jne .L1", 1) },
            instruction(11, "ret", 1),
        ];
        let places = vec![place("demo::sum", 3, None), place("demo::sum", 4, None), place("demo::add", 9, Some(1))];
        let (function, format, bytes, loops) = ("demo::sum".to_owned(), CodeFormat::X86, 12, Vec::new());
        let mut code = Listing { function, format, bytes, instructions, loops, places };
        let expected = "        src/sum.rs:3  let mut sum = 0;
    0          xor eax, eax
        src/sum.rs:9 ← src/sum.rs:4
    2 .L1:   │ add rax, [rip + data]  ; 0x10
        src/sum.rs:4
    9        │ jne .L1
    b          ret
";
        assert_eq!(listing_text("sum", &code, plain), expected);
        assert_eq!(answer("sum", &code, plain), "`sum`: 4 instructions (12 bytes), 0 loops, 0 calls");
        assert!(
            answer("add", &code, plain).starts_with("`add` was inlined into `demo::sum`, which has 4 instructions")
        );
        code.function = "<demo::_::BINDINGS::add__numbers as benchbook_suite::Bound>::time".to_owned();
        assert!(
            answer("add", &code, plain).starts_with("`add` was inlined into its timed loop, which has 4 instructions")
        );
        let expected = "        … 1 instruction of surrounding code
        src/sum.rs:9
    2 .L1:   │ add rax, [rip + data]  ; 0x10
        … 2 instructions of surrounding code
";
        assert_eq!(listing_text("add", &code, plain), expected);
    }

    #[test]
    fn a_difference_says_how_much_differs() {
        let answer =
            |only_in| difference_answer(Some(&Difference { only_in, unified: String::new() }), ["old", "new"], plain);
        assert_eq!(
            answer([0, 0]),
            "`new` and `old` have the same code, apart from addresses and the choice of registers"
        );
        assert_eq!(answer([1, 2]), "3 instructions differ: 1 only in `old`, 2 only in `new`");
    }
}

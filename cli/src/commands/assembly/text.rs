//! Machine code as text for a terminal.

use std::collections::HashMap;
use std::fs;

use benchbook_assembly::{CodeFormat, Difference, Place};
use benchbook_host::units::count;

use super::code::FunctionCode;
use crate::project::timed_loop::is_named;

/// What the code consists of: "`sort`: 412 instructions (1 860 bytes), 3 loops, 5 calls".
pub(super) fn answer(code: &FunctionCode) -> String {
    let FunctionCode { path, listing, is_inlined } = code;
    let where_it_is = if *is_inlined { " was inlined into its timed loop, which has" } else { ":" };
    let noun = if listing.format == CodeFormat::Wasm { "lines of wasm" } else { "instructions" };
    let mut text = format!(
        "`{path}`{where_it_is} {} {noun} ({} bytes), {}, {}",
        count(listing.instructions.len() as u64),
        count(listing.bytes),
        number_of(listing.loops.len(), "loop"),
        number_of(listing.calls(), "call"),
    );
    let inlined = inlined(code);
    if !inlined.is_empty() {
        text += &format!("; inlined into it: {}", listed(&inlined));
    }
    text
}

/// The functions that were inlined into the function, by their first instructions.
fn inlined(code: &FunctionCode) -> Vec<&str> {
    let mut names = Vec::new();
    for places in code.listing.instructions.iter().map(|one| &one.places) {
        let own = places.iter().position(|place| is_named(&place.function, &code.path)).unwrap_or(0);
        for place in places[..own].iter().rev() {
            if !names.contains(&place.function.as_str()) {
                names.push(&place.function);
            }
        }
    }
    names
}

/// How much of two functions differs.
pub(super) fn difference_answer(difference: &Difference, [other, function]: [&str; 2]) -> String {
    let [removed, added] = difference.only_in;
    if difference.is_empty() {
        return format!(
            "`{function}` and `{other}` have the same code, apart from addresses and the choice of registers"
        );
    }
    format!(
        "{} differ: {} only in `{other}`, {} only in `{function}`",
        number_of(removed + added, "instruction"),
        count(removed as u64),
        count(added as u64)
    )
}

fn number_of(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(number as u64))
}

/// At most this many names.
const MAX_NAMES: usize = 6;

fn listed(names: &[&str]) -> String {
    let mut listed: Vec<String> = names.iter().take(MAX_NAMES).map(|name| format!("`{name}`")).collect();
    if names.len() > MAX_NAMES {
        listed.push(format!("and {} more", names.len() - MAX_NAMES));
    }
    listed.join(", ")
}

/// A line for each instruction, with a bar for each loop around it, and the line of the source above it if that is another one. With places, instructions of the
/// timed loop around the function are left out.
pub(super) fn listing(code: &FunctionCode) -> String {
    let FunctionCode { path, listing, is_inlined } = code;
    let mut source = SourceFiles::default();
    let mut text = String::new();
    let mut last: &[Place] = &[];
    let mut left_out = 0;
    let depth = listing.instructions.iter().map(|one| one.depth).max().unwrap_or_default() as usize;
    let has_places = listing.instructions.iter().any(|one| !one.places.is_empty());
    for instruction in &listing.instructions {
        let is_own = || instruction.places.iter().any(|place| is_named(&place.function, path));
        if *is_inlined && has_places && !is_own() {
            left_out += 1;
            continue;
        }
        text += &left_out_line(std::mem::take(&mut left_out));
        if instruction.places != last {
            last = &instruction.places;
            if let Some(place) = last.first() {
                let own = last.iter().skip(1).find(|place| is_named(&place.function, path));
                text += &format!("        {}\n", source.line(place, own));
            }
        }
        let label = instruction.label.map(|label| format!(".L{label}:")).unwrap_or_default();
        let bars = "│".repeat(instruction.depth as usize) + &" ".repeat(depth - instruction.depth as usize);
        let comment = instruction.comment.as_deref().map(|comment| format!("  ; {comment}")).unwrap_or_default();
        let line = format!("{:5x} {label:6} {bars} {}{comment}", instruction.offset, instruction.text);
        text += line.trim_end();
        text.push('\n');
    }
    text + &left_out_line(left_out)
}

fn left_out_line(instructions: usize) -> String {
    match instructions {
        0 => String::new(),
        number => format!("        … {} of the timed loop\n", number_of(number, "instruction")),
    }
}

/// The files of the source that can be read.
#[derive(Default)]
struct SourceFiles(HashMap<String, Option<String>>);

impl SourceFiles {
    /// A place with its line. `function`: the place in the function that it was inlined into, whose line is shown instead if the other file cannot be read.
    fn line(&mut self, place: &Place, function: Option<&Place>) -> String {
        let line = self.text(place).or_else(|| self.text(function?)).map(|line| format!("  {line}"));
        let function = function.map(|function| format!(" ← {function}")).unwrap_or_default();
        format!("{place}{function}{}", line.unwrap_or_default())
    }

    fn text(&mut self, place: &Place) -> Option<String> {
        let read = || fs::read_to_string(&place.path).ok();
        let text = self.0.entry(place.path.clone()).or_insert_with(read).as_deref()?;
        Some(text.lines().nth((place.line as usize).checked_sub(1)?)?.trim().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use benchbook_assembly::{Instruction, Listing};

    use super::*;

    fn place(function: &str, line: u32) -> Place {
        Place { function: function.to_owned(), file: "src/sum.rs".to_owned(), line, path: String::new() }
    }

    #[test]
    fn a_listing_has_lines_labels_and_loops() {
        let instruction = |offset, text: &str, places: Vec<Place>| Instruction {
            offset,
            text: text.to_owned(),
            places,
            ..Instruction::default()
        };
        let add = Instruction {
            label: Some(1),
            depth: 1,
            comment: Some("0x10".to_owned()),
            ..instruction(2, "add rax, [rip + data]", vec![place("demo::add", 9), place("demo::sum", 4)])
        };
        let instructions = vec![
            instruction(0, "xor eax, eax", vec![place("demo::sum", 3)]),
            add,
            Instruction { depth: 1, ..instruction(9, "jne .L1", vec![place("demo::sum", 4)]) },
            instruction(11, "ret", vec![place("demo::sum", 4)]),
        ];
        let (function, format, bytes, loops) = ("demo::sum".to_owned(), CodeFormat::X86, 12, Vec::new());
        let code = FunctionCode {
            path: "sum".to_owned(),
            listing: Listing { function, format, bytes, instructions, loops },
            is_inlined: false,
        };
        let expected = "        src/sum.rs:3
    0          xor eax, eax
        src/sum.rs:9 ← src/sum.rs:4
    2 .L1:   │ add rax, [rip + data]  ; 0x10
        src/sum.rs:4
    9        │ jne .L1
    b          ret
";
        assert_eq!(listing(&code), expected);
        assert_eq!(answer(&code), "`sum`: 4 instructions (12 bytes), 0 loops, 0 calls; inlined into it: `demo::add`");
        let inlined = FunctionCode { is_inlined: true, path: "add".to_owned(), ..code };
        assert!(answer(&inlined).starts_with("`add` was inlined into its timed loop, which has 4 instructions"));
        let expected = "        … 1 instruction of the timed loop
        src/sum.rs:9
    2 .L1:   │ add rax, [rip + data]  ; 0x10
        … 2 instructions of the timed loop
";
        assert_eq!(listing(&inlined), expected);
    }

    #[test]
    fn a_difference_says_how_much_differs() {
        let answer = |only_in| difference_answer(&Difference { only_in, unified: String::new() }, ["old", "new"]);
        assert_eq!(
            answer([0, 0]),
            "`new` and `old` have the same code, apart from addresses and the choice of registers"
        );
        assert_eq!(answer([1, 2]), "3 instructions differ: 1 only in `old`, 2 only in `new`");
    }
}

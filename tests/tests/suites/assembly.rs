//! Listings of machine code, compared with what objdump prints.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use benchbook_assembly::names::is_named;
use benchbook_assembly::{Executable, Instruction, LISTINGS_SECTION, Listing, ListingTable, Program};
use benchbook_instrument::COUNTING_MODULE;
use benchbook_tests::suites::{demo, native};
use benchbook_tests::wasm::{WasmModule, custom_section};
use regex::Regex;

/// The functions that are compared, at least.
const FUNCTIONS: usize = 20;

/// An instruction as objdump prints it.
struct Printed {
    code: Vec<u8>,
    text: String,
}

#[test]
fn listings_equal_those_of_objdump_instruction_by_instruction() {
    let program = native("demo").unwrap();
    let printed = objdump(&program);
    let executable = Executable::read(&std::fs::read(&program).unwrap()).unwrap();
    let of_demo = executable.functions().filter(|function| function.name.contains("demo::") && function.size > 0);
    let (mut functions, mut instructions, mut different) = (0, 0, Vec::new());
    for function in of_demo {
        let listing = executable.program(None).listing(function.address).unwrap();
        let end = function.address + function.size;
        assert_eq!(listing.instructions.len(), printed.range(function.address..end).count(), "{}", function.name);
        let code = executable.code(function).unwrap();
        let ends = listing.instructions.iter().skip(1).map(|next| next.offset).chain([function.size]);
        for (instruction, end) in listing.instructions.iter().zip(ends) {
            let bytes = &code[instruction.offset as usize..end as usize];
            let expected = &printed[&(function.address + instruction.offset)];
            let own = with_addresses(&executable, function.address, &listing, instruction);
            if bytes != expected.code || normalised(&own) != normalised(&expected.text) {
                different.push(format!("{}: `{own}`, but objdump: `{}`", function.name, expected.text));
            }
        }
        functions += 1;
        instructions += listing.instructions.len();
    }
    assert!(
        functions >= FUNCTIONS && instructions > 50 * FUNCTIONS,
        "{functions} functions, {instructions} instructions"
    );
    assert!(different.is_empty(), "{} instructions differ:\n{}", different.len(), different.join("\n"));
}

#[test]
fn the_counting_module_contains_the_code_of_each_function() {
    let builds = demo().unwrap();
    let counting = std::fs::read(builds.module.with_extension(COUNTING_MODULE)).unwrap();
    let section = custom_section(&counting, LISTINGS_SECTION).expect("the counting module has listings");
    let table: ListingTable = serde_json::from_slice(&section).unwrap();
    let suite = WasmModule::new(&builds.wasm().unwrap()).unwrap().describe().unwrap();
    let (mut own, mut inlined) = (0, 0);
    for function in &suite.functions {
        for generator in &function.generators {
            // A closure of a bench has no code of its own.
            let Some(listing) = table.find(&function.path, generator) else { continue };
            assert!(listing.is_valid(), "{}", function.path);
            let has_places = listing.places.iter().any(|place| is_named(&place.function, &function.path));
            // Of a single operation, the compiler may have attributed the only line to its caller.
            assert!(
                has_places || function.path == "numbers::is_even",
                "{} is not in {}",
                function.path,
                listing.function
            );
            let has_source = |place: &benchbook_assembly::Place| place.source.is_some();
            assert!(listing.places.iter().any(has_source), "{} has no source", function.path);
            if listing.is_around(&function.path) { inlined += 1 } else { own += 1 }
        }
    }
    assert!(own > 10 && inlined > 10, "{own} functions with code of their own, and {inlined} that were inlined");
}

/// All instructions of an executable by their addresses.
fn objdump(program: &Path) -> BTreeMap<u64, Printed> {
    let mut objdump = Command::new("objdump");
    let output = objdump.args(["--disassemble", "-M", "intel", "--insn-width=16"]).arg(program).output();
    let output = output.expect("this test needs objdump. Install the package binutils");
    let text = String::from_utf8(output.stdout).unwrap();
    let line = |line: &str| {
        let (address, rest) = line.trim_start().split_once(":\t")?;
        let (code, text) = rest.split_once('\t').unwrap_or((rest, ""));
        let code = code.split_whitespace().map(|byte| u8::from_str_radix(byte, 16)).collect::<Result<_, _>>().ok()?;
        Some((u64::from_str_radix(address, 16).ok()?, Printed { code, text: text.to_owned() }))
    };
    text.lines().filter_map(line).collect()
}

/// The text with addresses instead of labels and of the names of functions.
fn with_addresses(executable: &Executable, start: u64, listing: &Listing, instruction: &Instruction) -> String {
    let text = &instruction.text;
    let Some((jump, target)) = text.split_once(' ').filter(|(word, _)| word.starts_with('j') || *word == "call") else {
        return text.clone();
    };
    let label = target.strip_prefix(".L").and_then(|number| number.parse().ok());
    let of_label = |number: u32| listing.instructions.iter().find(|one| one.label == Some(number));
    let has_name = |address: &u64| executable.called_at(*address) == Some(target);
    let address = match label {
        Some(number) => of_label(number).map(|one| start + one.offset),
        None => instruction.callee.filter(has_name),
    };
    address.map_or_else(|| text.clone(), |address| format!("{jump} {address:x}"))
}

/// A text without what only the spelling of programs differs in.
fn normalised(text: &str) -> String {
    static SPELLINGS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
        let spellings = [
            // Instructions without an effect, which have many prefixes.
            (r"^.*\bnop\b.*$|^xchg\s+ax,\s*ax$", "nop"),
            // The move of an immediate operand of 8 bytes.
            (r"^movabs\b", "mov"),
            // Distances from the instruction: their bytes are compared.
            (r"\[rip ?[+-][^\]]*\]", "[rip]"),
            (r"\s+", ""),
            (r"\*1\b", ""),
            (r"\+0x0\]", "]"),
        ];
        spellings.map(|(spelling, same)| (Regex::new(spelling).unwrap(), same)).to_vec()
    });
    static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"0x([0-9a-f]+)").unwrap());
    let mut text = text.split(['#', '<']).next().unwrap_or_default().trim().to_lowercase();
    // A product whose first factor is also the place of the result.
    if let Some((result, rest)) = text.strip_prefix("imul ").and_then(|operands| operands.trim().split_once(',')) {
        let rest = rest.strip_prefix(&format!("{result},")).unwrap_or(rest);
        text = format!("imul {result},{rest}");
    }
    for (spelling, same) in &*SPELLINGS {
        text = spelling.replace_all(&text, *same).into_owned();
    }
    let decimal = |found: &regex::Captures<'_>| u64::from_str_radix(&found[1], 16).unwrap().to_string();
    NUMBER.replace_all(&text, decimal).into_owned()
}

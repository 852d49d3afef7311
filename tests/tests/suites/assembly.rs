//! Machine code of a real suite, compared with that of another disassembler.

use std::collections::BTreeMap;
use std::process::Command;

use benchbook_assembly::{Executable, FunctionSymbol, Listing};
use benchbook_tests::suites::demo;
use regex::Regex;

/// An instruction without what both disassemblers write differently: addresses, and the names of functions.
fn normalized(text: &str) -> String {
    let text = text.split(['#', ';', '<']).next().unwrap_or_default().to_lowercase();
    // Padding of any length, which objdump also writes as an exchange.
    if text.contains("nop") || text.replace(' ', "").contains("xchgax,ax") {
        return "nop".to_owned();
    }
    let text = text.replace("movabs", "mov");
    let (mnemonic, operands) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    if mnemonic.starts_with('j') || mnemonic == "call" {
        // An indirect one has an operand in memory or a register.
        return format!("{mnemonic} {}", if operands.contains('[') { "[]" } else { "" });
    }
    let mut operands = operands.replace(' ', "");
    for (pattern, replacement) in
        [(r"\[rip[^\]]*\]", "[rip]"), (r"\b0x([0-9])\b", "$1"), (r"\*1\b", ""), (r"\+0\]", "]"), (r"[a-z]+ptr", "")]
    {
        operands = Regex::new(pattern).unwrap().replace_all(&operands, replacement).into_owned();
    }
    format!("{mnemonic} {operands}")
}

/// What objdump prints of a function: instructions by their offsets.
fn of_objdump(program: &str, function: &FunctionSymbol) -> BTreeMap<u64, String> {
    let mut objdump = Command::new("objdump");
    objdump.args(["-d", "-M", "intel", "--no-show-raw-insn"]);
    objdump.arg(format!("--start-address={:#x}", function.address));
    objdump.arg(format!("--stop-address={:#x}", function.address + function.size)).arg(program);
    let output = objdump.output().expect("objdump is part of binutils, as is the linker");
    let text = String::from_utf8(output.stdout).unwrap();
    let instruction = |line: &str| {
        let (address, text) = line.trim().split_once(":\t")?;
        Some((u64::from_str_radix(address, 16).ok()? - function.address, text.to_owned()))
    };
    text.lines().filter_map(instruction).collect()
}

#[test]
fn instructions_are_those_of_objdump() {
    let program = demo().unwrap().program;
    let executable = Executable::read(&std::fs::read(&program).unwrap()).unwrap();
    let is_of_suite =
        |function: &&FunctionSymbol| function.name.contains("BINDINGS::") && function.name.ends_with("::time");
    let functions: Vec<&FunctionSymbol> = executable.functions().filter(is_of_suite).collect();
    // All over the suite.
    let chosen: Vec<_> = functions.iter().step_by((functions.len() / 20).max(1)).take(20).collect();
    assert_eq!(chosen.len(), 20);
    let mut compared = 0;
    for function in chosen {
        let listing = Listing::of(&executable, function, None).unwrap();
        let expected = of_objdump(program.to_str().unwrap(), function);
        let ours: BTreeMap<u64, &str> =
            listing.instructions.iter().map(|one| (one.offset, one.text.as_str())).collect();
        assert_eq!(ours.len(), expected.len(), "{}", function.name);
        for (offset, text) in ours {
            let objdump = &expected[&offset];
            assert_eq!(normalized(text), normalized(objdump), "{} at {offset:#x}: {text} and {objdump}", function.name);
            compared += 1;
        }
    }
    assert!(compared > 2_000, "{compared}");
}

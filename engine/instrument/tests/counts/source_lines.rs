//! Lines of source: a crate is compiled with debug information, instrumented and executed.

use std::fs;
use std::path::Path;
use std::process::Command;

use benchbook_instrument::{CODE_MAP_SECTION, Class, CodeMap, Frame, Instrumented, Options, PathPrefix, instrument};
use tempfile::TempDir;
use wasmi::Val;

use crate::execution::Running;

/// Two inlined functions, and a vector, which needs the standard library. Line numbers are looked up by the comments.
const SOURCE: &str = r#"
use std::hint::black_box;

#[inline(always)]
fn cube(x: u32) -> u32 {
    x * x * x // the product
}

#[inline(always)]
fn sum_of_cubes(values: &[u32]) -> u32 {
    let mut sum = 0;
    for value in values {
        sum += cube(black_box(*value)); // the call
    }
    sum
}

#[unsafe(no_mangle)]
pub extern "C" fn run(n: u32) -> u32 {
    let values: Vec<u32> = (1..=n).collect();
    sum_of_cubes(black_box(&values)) // the outermost call
}
"#;

/// Compiles the source with debug information in this folder, without optimising across functions of the standard library.
fn compile(folder: &Path) -> Vec<u8> {
    fs::create_dir(folder.join("src")).unwrap();
    fs::write(folder.join("src/lib.rs"), SOURCE).unwrap();
    let output = Command::new("rustc")
        // The toolchain of this workspace.
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .arg(folder.join("src/lib.rs"))
        .args(["--crate-name=shop", "--crate-type=cdylib", "--edition=2024", "--target=wasm32-unknown-unknown"])
        .args(["-Copt-level=3", "-Cdebuginfo=1", "-Cpanic=abort", "-o"])
        .arg(folder.join("shop.wasm"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read(folder.join("shop.wasm")).unwrap()
}

/// The line with a comment.
fn line(comment: &str) -> Option<u32> {
    let comment = format!("// {comment}");
    let index = SOURCE.lines().position(|line| line.ends_with(&comment)).expect("the source has the comment");
    Some(index as u32 + 1)
}

/// The inline stack at a frame, as functions with their files and lines, innermost first.
fn stack(map: &CodeMap, frame: u32) -> Vec<(&str, &str, Option<u32>)> {
    let frames = map.inline_stack(frame);
    frames
        .map(|frame| (map.string(frame.function), frame.file.map_or("", |file| map.string(file)), frame.line))
        .collect()
}

#[test]
fn operators_have_the_lines_and_inlined_functions_of_their_source() {
    let folder = TempDir::new().unwrap();
    let module = compile(folder.path());
    let workspace = PathPrefix { folder: folder.path().to_str().unwrap().to_owned(), replacement: "shop".to_owned() };
    let options = Options { path_prefixes: vec![workspace], ..Options::default() };
    let Instrumented { module: counted, map } = instrument(&module, &options).unwrap();
    assert!(counted.len() > 1_000 && !counted.windows(6).any(|bytes| bytes == b".debug"));

    let sections = wasmi::Module::new(&wasmi::Engine::default(), &counted).unwrap();
    let section = sections.custom_sections().find(|section| section.name() == CODE_MAP_SECTION).unwrap();
    assert_eq!(CodeMap::from_bytes(section.data()).unwrap(), map);

    let mut running = Running::start(&counted).unwrap();
    let before = running.counters(&map);
    assert_eq!(running.call("run", &[Val::I32(10)]).unwrap()[0].i32(), Some(3_025));
    let after = running.counters(&map);
    let counters: Vec<u64> = after.iter().zip(before).map(|(after, before)| after - before).collect();

    // Two multiplications for each value, with its loads.
    let product = [
        ("shop::cube", "shop/src/lib.rs", line("the product")),
        ("shop::sum_of_cubes", "shop/src/lib.rs", line("the call")),
        ("run", "shop/src/lib.rs", line("the outermost call")),
    ];
    let runs =
        map.blocks.iter().zip(&counters).flat_map(|(block, times)| block.runs.iter().map(move |run| (run, times)));
    let cost: u64 =
        runs.filter(|(run, _)| stack(&map, run.frame) == product).map(|(run, times)| u64::from(run.cost) * times).sum();
    assert!((20..=60).contains(&cost), "{cost} operators for ten cubes");

    // All operators have a place, also those of the standard library; some belong to no line in particular.
    let cost_with = |has: fn(&Frame) -> bool| {
        let runs = map.blocks.iter().flat_map(|block| &block.runs);
        runs.filter(|run| has(&map.frames[run.frame as usize])).map(|run| run.cost).sum::<u32>()
    };
    let (cost, with_file) = (cost_with(|_| true), cost_with(|frame| frame.file.is_some()));
    assert!(with_file * 100 > cost * 95, "{with_file} of {cost} operators have a file");
    let with_line = cost_with(|frame| frame.line.is_some());
    assert!(with_line * 100 > cost * 75, "{with_line} of {cost} operators have a line");
    for block in &map.blocks {
        assert_eq!(block.operators.cost(), block.runs.iter().map(|run| u64::from(run.cost)).sum::<u64>());
    }
    assert!(map.operators(&counters)[Class::Entry] >= 2, "at least `run` and the allocator are entered");

    let files: Vec<&str> = map.frames.iter().filter_map(|frame| frame.file).map(|file| map.string(file)).collect();
    for start in ["shop/src/lib.rs", "alloc/src/", "core/src/", "std/src/"] {
        assert!(files.iter().any(|file| file.starts_with(start)), "no file of {start}");
    }
    let folder_name = folder.path().file_name().unwrap().to_str().unwrap();
    for string in &map.strings {
        let is_absolute = string.starts_with('/') || string.contains(":\\") || string.contains("/home/");
        assert!(!is_absolute && !string.contains(folder_name) && !string.contains(".rustup"), "{string}");
    }
    for file in files {
        assert!(!file.contains("..") && !file.contains("rustc") && file.contains("src/"), "{file}");
    }
}

//! `cargo benchbook` in the folders of three crates from crates.io, which cargo downloads: one without the standard library, one with
//! generics, and one whose dependency compiles C. The documentation of one of them has a cell.

use std::fs;

use anyhow::{Context, Result, ensure};
use benchbook_tests::browser::quiet_turn;
use benchbook_tests::documentation::{ReadersBrowser, measure_cell};
use benchbook_tests::own_crate::{OwnCrate, library};
use benchbook_tests::packages::run;
use benchbook_tests::registry::sources;

/// The crates, with a function in place of that in the outline that `init` writes.
const CRATES: [(&str, &str); 3] = [
    (
        "libm",
        "/// Adds up cube roots.
#[measured(generators(random_u64_numbers), documents = libm::cbrt)]
fn add_roots(numbers: &[u64]) -> f64 {
    numbers.iter().map(|number| libm::cbrt(*number as f64)).sum()
}
",
    ),
    (
        "indexmap",
        "/// Counts different keys.
#[measured(types(std::hash::RandomState, Fixed), generators(random_u64_numbers))]
fn count_keys<S: std::hash::BuildHasher + Default + 'static>(numbers: &[u64]) -> usize {
    numbers.iter().copied().collect::<indexmap::IndexSet<u64, S>>().len()
}

type Fixed = std::hash::BuildHasherDefault<std::hash::DefaultHasher>;
",
    ),
    (
        "zstd",
        "/// Compresses the numbers.
#[measured(generators(random_u64_numbers))]
fn compress(numbers: &[u64]) -> usize {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| (number % 16).to_le_bytes()).collect();
    zstd::bulk::compress(&bytes, 1).expect(\"it fits into memory\").len()
}
",
    ),
];

/// The page of the item that the function of the first crate documents.
const DOCUMENTED: &str = "libm/fn.cbrt.html";

/// Copies a crate from crates.io, and adds a suite with a function in place of that in the outline.
fn init(own: &OwnCrate, name: &str, function: &str) -> Result<()> {
    own.copy(&sources(name, None)?, name)?;
    let library = library()?;
    let manifest = format!("{name}/Cargo.toml");
    let library = library.to_str().context("a path in Unicode")?;
    tool(own, &["init", "--manifest-path", &manifest, "--benchbook-path", library])?;
    own.lock(&format!("{name}/benchbook/Cargo.lock"))?;
    let main = format!("{name}/benchbook/src/main.rs");
    let source = fs::read_to_string(own.path().join(&main))?;
    // The outline, with this function.
    let code: String = source.lines().map(|line| line.strip_prefix("// ").unwrap_or(line).to_owned() + "\n").collect();
    let (start, rest) = code.split_once("No function is measured yet").context("there is an outline")?;
    let (_, end) = rest.split_once("/// Random numbers.").context("there is a generator")?;
    own.write(&main, &format!("{start}{function}\n/// Random numbers.{end}"))
}

fn tool(own: &OwnCrate, arguments: &[&str]) -> Result<String> {
    let output = own.command(arguments)?.output()?;
    ensure!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}

#[tokio::test]
#[ignore = "nightly: compiles crates from a registry"]
async fn three_crates_from_a_registry_are_measured_and_one_is_documented() -> Result<()> {
    let _turn = quiet_turn().await;
    let own = OwnCrate::empty()?;
    for (name, function) in CRATES {
        init(&own, name, function)?;
        let manifest = format!("{name}/Cargo.toml");
        let list = tool(&own, &["list", "--manifest-path", &manifest])?;
        let documentation = function.lines().next().unwrap_or_default().trim_start_matches("/// ");
        assert!(list.contains(documentation), "{list}");
        let measure = ["measure", "--manifest-path", &manifest, "--set", "size=100,1k", "--precision", "20%"];
        let measured = tool(&own, &[&measure[..], &["--time", "50ms"]].concat())?;
        assert!(measured.contains("Length of the slice") && measured.contains("1 000"), "{measured}");

        let mut served = own.serve_with(&["--no-watch", "--manifest-path", &manifest], |tool| {
            // Also if clang is installed.
            tool.env("CC_wasm32_unknown_unknown", "/nonexistent/clang");
        })?;
        if name == "zstd" {
            served.until_all_printed([
                "`zstd-benchbook` does not compile for wasm: its dependency `zstd-sys` fails.",
                "failed to find tool \"/nonexistent/clang\"",
                "Built zstd-benchbook for the runner only: 1 function, 1 generator.",
            ])?;
        } else {
            served.until_printed(&format!("Built {name}-benchbook for the runner and for browsers: "))?;
        }
    }
    document(&own, CRATES[0].0).await
}

/// Builds the documentation of a crate, and measures the cell of [`DOCUMENTED`] in Chromium. Cargo may use the network: our workspace has no
/// use for the crate's own dev-dependencies, which cargo resolves although it does not compile them.
async fn document(own: &OwnCrate, name: &str) -> Result<()> {
    let mut doc = own.command(&["doc", "--manifest-path", &format!("{name}/Cargo.toml"), "--", "--no-deps"])?;
    run(doc.env("CARGO_NET_OFFLINE", "false"))?;
    let docs = own.output().with_file_name("doc");
    measure_cell(ReadersBrowser::chromium().await?, &docs, DOCUMENTED).await
}

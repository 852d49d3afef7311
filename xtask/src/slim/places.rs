//! Where in its sources the page's code panics.
//!
//! Each place that may panic has a file, a line and a column in the module's data: 500 of them and the names of 150 files
//! are 4 KB of the page as it is sent. A panic of the page is told nowhere, so nobody reads them.

use std::ops::Range;

use anyhow::{Context, Result};
use wasmparser::{DataKind, Operator, Parser, Payload};

/// File, its length, line and column, as the compiler lays them out: four numbers of four bytes.
const PLACE: usize = 16;

/// The longest path of a file.
const LONGEST: usize = 300;

/// The module with places that say nothing, as long as it was: they point at a file without a name.
///
/// # Errors
/// Where it is no wasm module.
pub(super) fn without_places(wasm: &[u8]) -> Result<Vec<u8>> {
    let segments = segments(wasm)?;
    let at = |address: usize, length: usize| {
        let segment = segments.iter().find(|segment| address >= segment.address)?;
        let start = segment.bytes.start + address - segment.address;
        (start + length <= segment.bytes.end).then_some(start..start + length)
    };
    let mut slim = wasm.to_vec();
    for segment in &segments {
        let first = segment.address.next_multiple_of(4) - segment.address;
        for place in (segment.bytes.start + first..segment.bytes.end).step_by(4) {
            let Some(numbers) = wasm.get(place..place + PLACE).filter(|_| place + PLACE <= segment.bytes.end) else {
                break;
            };
            let number =
                |index: usize| u32::from_le_bytes(numbers[4 * index..][..4].try_into().unwrap_or_default()) as usize;
            let (file, length) = (number(0), number(1));
            if length > LONGEST || number(2) == 0 || number(3) == 0 {
                continue;
            }
            if let Some(name) = at(file, length).filter(|name| is_source(&wasm[name.clone()])) {
                slim[name].fill(0);
                slim[place + 4..place + PLACE].fill(0);
            }
        }
    }
    Ok(slim)
}

fn is_source(name: &[u8]) -> bool {
    name.ends_with(b".rs") && name.iter().all(u8::is_ascii_graphic)
}

/// A stretch of the data: where it is in memory, and in the module.
struct Segment {
    address: usize,
    bytes: Range<usize>,
}

/// Those with a known address, the last first.
fn segments(wasm: &[u8]) -> Result<Vec<Segment>> {
    let mut segments = Vec::new();
    for payload in Parser::new(0).parse_all(wasm) {
        let Payload::DataSection(section) = payload? else { continue };
        for data in section {
            let data = data?;
            if let DataKind::Active { offset_expr, .. } = &data.kind
                && let Operator::I32Const { value } = offset_expr.get_operators_reader().read()?
            {
                let end = usize::try_from(data.range.end)?;
                let bytes = end - data.data.len()..end;
                segments.push(Segment { address: usize::try_from(value).context("an address below 0")?, bytes });
            }
        }
    }
    segments.reverse();
    Ok(segments)
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{ConstExpr, DataSection, MemorySection, MemoryType, Module};

    use super::*;

    fn module(data: &[u8]) -> Vec<u8> {
        let mut memories = MemorySection::new();
        memories.memory(MemoryType { minimum: 1, maximum: None, memory64: false, shared: false, page_size_log2: None });
        let mut section = DataSection::new();
        section.active(0, &ConstExpr::i32_const(1_024), data.iter().copied());
        let mut module = Module::new();
        module.section(&memories).section(&section);
        module.finish()
    }

    fn place(numbers: [u32; 4]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    #[test]
    fn files_and_lines_of_panics_go_and_all_else_stays() {
        let names = b"app/src/main.rsa text.rs.";
        let padded = [&names[..], b"\0\0\0"].concat();
        let of_file = place([1_024, 15, 12, 5]);
        // Another text with other numbers behind it, and a name without a line.
        let others = [place([1_039, 6, 12, 5]), place([1_024, 15, 0, 0])].concat();
        let slim = without_places(&module(&[padded.clone(), of_file, others.clone()].concat())).unwrap();
        let blank = [&[0; 15][..], &padded[15..]].concat();
        assert_eq!(slim, module(&[blank, place([1_024, 0, 0, 0]), others].concat()));
    }
}

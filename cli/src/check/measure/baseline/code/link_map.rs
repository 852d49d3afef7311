//! The link map that LLVM's linker writes with `-Map`: where each section of the object files lies in the executable.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// The beginnings of the names of sections that are not loaded into memory, so that their addresses in the map have no meaning, and of those of thread-local
/// variables, which are copied for each thread.
const NOT_LOADED: [&str; 8] = [".rela", ".debug", ".comment", ".symtab", ".strtab", ".shstrtab", ".tdata", ".tbss"];

/// A section of an object file in an executable: a function or a constant, since rustc gives each a section of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InputSection {
    /// The address of its first byte.
    pub(super) start: u64,
    /// The length in bytes.
    pub(super) size: u64,
    /// Its name, such as `.text._ZN4core…`.
    pub(super) name: String,
    /// Whether the linker has made it from sections of several object files.
    pub(super) is_merged: bool,
}

/// All input sections, by their addresses.
#[derive(Clone, Debug, Default)]
pub(super) struct LinkMap(Vec<InputSection>);

impl LinkMap {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(path).with_context(|| format!("failed to read the link map {}", path.display()))?;
        Ok(Self::parse(&text))
    }

    /// Reads the lines `VMA LMA Size Align FILE:(SECTION)`, whose numbers are hexadecimal.
    fn parse(text: &str) -> Self {
        let mut sections: Vec<InputSection> = text.lines().filter_map(input_section).collect();
        sections.sort_by_key(|section| section.start);
        Self(sections)
    }

    /// The section that contains an address.
    pub(super) fn at(&self, address: u64) -> Option<&InputSection> {
        let after = self.0.partition_point(|section| section.start <= address);
        let section = self.0.get(after.checked_sub(1)?)?;
        (address - section.start < section.size).then_some(section)
    }
}

fn input_section(line: &str) -> Option<InputSection> {
    let mut rest = line;
    let mut numbers = [0_u64; 4];
    for number in &mut numbers {
        let (field, after) = rest.trim_start().split_once(' ')?;
        *number = u64::from_str_radix(field, 16).ok()?;
        rest = after;
    }
    let [start, _, size, _] = numbers;
    let (file, name) = rest.trim().strip_suffix(')')?.rsplit_once(":(")?;
    let (name, is_merged) = (name.to_owned(), file == "<internal>");
    let is_loaded = !NOT_LOADED.iter().any(|prefix| name.starts_with(prefix));
    (size > 0 && is_loaded).then_some(InputSection { start, size, name, is_merged })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "\
             VMA              LMA     Size Align Out     In      Symbol
            a0c0             a0c0     5470    16 .rodata
            a0c0             a0c0       20     4         /deps/liblay.rlib(lay.rcgu.o):(.rodata.cst16)
           2a6b0            2a6b0       27    16         /deps/b.rcgu.o:(.text.main)
           2a6b0            2a6b0       27     1                 main
           2a6e0            2a6e0        0     1         <internal>:(.empty)
           2a6b0            2a6b0       30     8         /deps/b.rcgu.o:(.rela.text.main)
";

    #[test]
    fn sections_are_found_by_address() {
        let map = LinkMap::parse(MAP);
        assert_eq!(map.0.len(), 2, "{map:?}");
        let main = InputSection { start: 0x2a6b0, size: 0x27, name: ".text.main".to_owned(), is_merged: false };
        assert_eq!(map.at(0x2a6b0), Some(&main));
        assert_eq!(map.at(0x2a6d6), Some(&main));
        assert_eq!(map.at(0x2a6d7), None);
        assert_eq!(map.at(0xa0bf), None);
    }
}

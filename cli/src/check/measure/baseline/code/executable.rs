//! The parts of an executable that a comparison of native code requires.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use benchbook_assembly::{Executable, reached};
use object::{Object, ObjectKind, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SectionKind, elf};

use super::link_map::{InputSection, LinkMap};

/// An executable that was linked with its relocations and a link map.
#[derive(Debug)]
pub(super) struct LinkedProgram {
    pub(super) map: LinkMap,
    executable: Executable,
    sections: Vec<MappedSection>,
    /// The relocations of data.
    pub(super) relocations: BTreeMap<u64, DataRelocation>,
    /// The initial values of thread-local variables, and their address.
    thread_data: (u64, Vec<u8>),
}

/// A section of the executable, as it is mapped into memory.
#[derive(Debug)]
struct MappedSection {
    start: u64,
    size: u64,
    /// Empty if it is all zeros.
    data: Vec<u8>,
    is_code: bool,
}

/// A relocation in constants or variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DataRelocation {
    /// The address of a function or of data, of 8 bytes.
    Address(u64),
    /// A difference of addresses, of 4 bytes: an entry of a jump table.
    Difference,
    /// Another one.
    Other,
}

impl LinkedProgram {
    /// Reads an executable and its link map.
    ///
    /// # Errors
    /// If it is no ELF file for x86-64, or if it cannot be read.
    pub(super) fn read(program: &Path, map: &Path) -> Result<Self> {
        let reading = || format!("failed to read {}", program.display());
        let bytes = fs::read(program).with_context(reading)?;
        let executable = Executable::read(&bytes).with_context(reading)?;
        let file = object::read::elf::ElfFile64::<object::Endianness>::parse(&*bytes).with_context(reading)?;
        ensure!(file.kind() == ObjectKind::Dynamic, "code that depends on its address is not compared");
        let mut sections = Vec::new();
        let mut thread_data = (0, Vec::new());
        let mut relocations = BTreeMap::new();
        for section in file.sections().filter(|section| section.address() > 0) {
            let is_code = section.kind() == SectionKind::Text;
            if section.kind() == SectionKind::Tls {
                thread_data = (section.address(), section.data().with_context(reading)?.to_vec());
            }
            // Those of uninitialised thread-local variables have addresses of other sections.
            if matches!(section.kind(), SectionKind::Tls | SectionKind::UninitializedTls) {
                continue;
            }
            sections.push(MappedSection {
                start: section.address(),
                size: section.size(),
                data: section.data().with_context(reading)?.to_vec(),
                is_code,
            });
            if !is_code {
                for (address, relocation) in section.relocations() {
                    let symbol = match relocation.target() {
                        RelocationTarget::Symbol(index) => {
                            file.symbol_by_index(index).map_or(0, |symbol| symbol.address())
                        }
                        _ => 0,
                    };
                    let RelocationFlags::Elf { r_type } = relocation.flags() else { continue };
                    let found = match r_type {
                        elf::R_X86_64_64 => DataRelocation::Address(symbol.wrapping_add_signed(relocation.addend())),
                        elf::R_X86_64_PC32 => DataRelocation::Difference,
                        _ => DataRelocation::Other,
                    };
                    relocations.insert(address, found);
                }
            }
        }
        for (address, relocation) in file.dynamic_relocations().into_iter().flatten() {
            if !matches!(relocation.target(), RelocationTarget::Symbol(_)) {
                // The address of a function or of data, relative to the start of the executable.
                let target = executable.pointer_at(address).map_or(DataRelocation::Other, DataRelocation::Address);
                relocations.entry(address).or_insert(target);
            }
        }
        Ok(Self { map: LinkMap::read(map)?, executable, sections, relocations, thread_data })
    }

    /// The demangled names of the functions without hashes, and their addresses; several functions may have the same name.
    pub(super) fn functions(&self) -> impl Iterator<Item = (&str, u64)> {
        self.executable.functions().map(|function| (function.name.as_str(), function.address))
    }

    /// The addresses of the functions that one reaches, itself included.
    pub(super) fn reached(&self, start: u64) -> Vec<u64> {
        reached(&self.executable.program(None), [start]).into_iter().collect()
    }

    /// The name of the function that begins at an address.
    pub(super) fn name_at(&self, address: u64) -> Option<&str> {
        self.executable.functions_at(address).last().map(|function| function.name.as_str())
    }

    /// Whether a section of the map is a function of this executable. If the map is that of another one, it is not.
    pub(super) fn is_function(&self, section: &InputSection) -> bool {
        let functions = self.executable.functions_at(section.start);
        functions.iter().any(|function| section.name.ends_with(function.symbol.as_str()))
    }

    /// The symbol of another library whose address the dynamic linker writes at an address.
    pub(super) fn import_at(&self, address: u64) -> Option<&str> {
        self.executable.import_at(address)
    }

    /// The initial values of thread-local variables; `None` if they contain addresses.
    pub(super) fn thread_data(&self) -> Option<&[u8]> {
        let (start, bytes) = &self.thread_data;
        let all = *start..start + bytes.len() as u64;
        let mut imports = all.clone().filter_map(|address| self.import_at(address));
        let has_address = self.relocations.range(all).next().is_some() || imports.next().is_some();
        (!has_address).then_some(bytes)
    }

    /// Whether an address lies in code.
    pub(super) fn is_code(&self, address: u64) -> bool {
        self.section_at(address).is_some_and(|section| section.is_code)
    }

    /// Bytes as they are before relocation; `None` outside all sections.
    pub(super) fn bytes(&self, start: u64, length: u64) -> Option<Vec<u8>> {
        let section = self.section_at(start).filter(|section| start + length <= section.start + section.size)?;
        let offset = (start - section.start) as usize;
        Some(match section.data.is_empty() {
            true => vec![0; length as usize],
            false => section.data[offset..offset + length as usize].to_vec(),
        })
    }

    fn section_at(&self, address: u64) -> Option<&MappedSection> {
        self.sections.iter().find(|section| address >= section.start && address - section.start < section.size)
    }
}

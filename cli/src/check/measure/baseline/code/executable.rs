//! The parts of an executable that a comparison of native code requires.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use object::{
    Architecture, Object, ObjectKind, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SectionKind,
    SymbolKind, elf,
};
use rustc_demangle::demangle;

use super::link_map::{InputSection, LinkMap};

/// An executable that was linked with its relocations and a link map.
#[derive(Debug)]
pub(super) struct LinkedProgram {
    pub(super) map: LinkMap,
    sections: Vec<MappedSection>,
    /// The functions by their demangled names without hashes; several functions may have the same name.
    functions: BTreeMap<String, Vec<u64>>,
    /// The names of the functions by their addresses.
    names: BTreeMap<u64, String>,
    /// The symbols of the functions by their addresses.
    symbols: BTreeMap<u64, BTreeSet<String>>,
    /// The relocations of data.
    pub(super) relocations: BTreeMap<u64, DataRelocation>,
    /// The initial values of thread-local variables, and their address.
    thread_data: (u64, Vec<u8>),
    /// What the dynamic linker writes at an address: the address of a symbol of another library.
    imports: BTreeMap<u64, String>,
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
        let file = object::read::elf::ElfFile64::<object::Endianness>::parse(&*bytes).with_context(reading)?;
        ensure!(file.architecture() == Architecture::X86_64, "native code of this architecture is not compared");
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
        let mut imports = BTreeMap::new();
        let dynamic = file.dynamic_symbol_table();
        for (address, relocation) in file.dynamic_relocations().into_iter().flatten() {
            let RelocationTarget::Symbol(index) = relocation.target() else {
                // The address of a function or of data, relative to the start of the executable.
                let is_address = matches!(relocation.flags(), RelocationFlags::Elf { r_type: elf::R_X86_64_RELATIVE });
                let target = match is_address {
                    true => DataRelocation::Address(relocation.addend().cast_unsigned()),
                    false => DataRelocation::Other,
                };
                relocations.entry(address).or_insert(target);
                continue;
            };
            let symbol =
                dynamic.as_ref().and_then(|table| object::ObjectSymbolTable::symbol_by_index(table, index).ok());
            let name = symbol.and_then(|symbol| symbol.name().ok().map(str::to_owned)).unwrap_or_default();
            imports.insert(address, name);
        }
        let mut functions: BTreeMap<String, Vec<u64>> = BTreeMap::new();
        let mut names = BTreeMap::new();
        let mut symbols: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
        for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.address() > 0) {
            let name = format!("{:#}", demangle(symbol.name().unwrap_or_default()));
            functions.entry(name.clone()).or_default().push(symbol.address());
            names.insert(symbol.address(), name);
            symbols.entry(symbol.address()).or_default().insert(symbol.name().unwrap_or_default().to_owned());
        }
        Ok(Self { map: LinkMap::read(map)?, sections, functions, names, symbols, relocations, thread_data, imports })
    }

    /// The demangled names of the functions without hashes, and their addresses; several functions may have the same name.
    pub(super) fn functions(&self) -> impl Iterator<Item = (&str, u64)> {
        self.functions.iter().flat_map(|(name, addresses)| addresses.iter().map(|address| (name.as_str(), *address)))
    }

    /// The name of the function that begins at an address.
    pub(super) fn name_at(&self, address: u64) -> Option<&str> {
        self.names.get(&address).map(String::as_str)
    }

    /// Whether a section of the map is a function of this executable. If the map is that of another one, it is not.
    pub(super) fn is_function(&self, section: &InputSection) -> bool {
        let symbols = self.symbols.get(&section.start).into_iter().flatten();
        symbols.into_iter().any(|symbol| section.name.ends_with(symbol.as_str()))
    }

    /// The symbol of another library whose address the dynamic linker writes at an address.
    pub(super) fn import_at(&self, address: u64) -> Option<&str> {
        self.imports.get(&address).map(String::as_str)
    }

    /// The initial values of thread-local variables; `None` if they contain addresses.
    pub(super) fn thread_data(&self) -> Option<&[u8]> {
        let (start, bytes) = &self.thread_data;
        let all = *start..start + bytes.len() as u64;
        let has_address =
            self.relocations.range(all.clone()).next().is_some() || self.imports.range(all).next().is_some();
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

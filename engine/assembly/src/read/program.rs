//! Which code of a program is that of a measured function.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use crate::listing::Listing;
use crate::names::{is_named, is_named_in, is_never_reached, timed_loop};
use crate::table::{LISTINGS_FORMAT, ListedFunction, ListingTable};

/// The most functions that are searched for what a function was inlined into.
const MAX_SEARCHED: usize = 100;

/// The functions of an executable or of a module. The address of a function of a module is the offset of its body.
pub trait Program {
    /// The names of the functions, demangled and without hashes, and their addresses.
    fn functions(&self) -> impl Iterator<Item = (&str, u64)>;

    /// The name of the function at an address. If several have the same code, the last one.
    fn name_at(&self, address: u64) -> Option<&str>;

    /// The addresses of functions that a function calls or refers to, among others.
    fn references(&self, address: u64) -> Vec<u64>;

    /// The code of the function at an address.
    fn listing(&self, address: u64) -> Option<Listing>;
}

/// The code that is measured for a function with a generator: its own, or that into which it was inlined. `None` if the function has neither a timed loop nor a
/// symbol, as the closures of other harnesses.
pub fn measured_code(program: &impl Program, function: &str, generator: &str) -> Option<Listing> {
    let Some(timed_loop) = timed_loop(program.functions(), function, generator) else {
        return only_symbol(program, function).and_then(|address| program.listing(address));
    };
    let reached = reached(program, [timed_loop]);
    let container = program.name_at(timed_loop).unwrap_or_default();
    let is_own = |address: &&u64| program.name_at(**address).is_some_and(|name| is_named_in(container, name, function));
    if let Some(own) = reached.iter().find(is_own) {
        return program.listing(*own);
    }
    // Only places tell what it was inlined into.
    let mut listings = reached.iter().take(MAX_SEARCHED).filter_map(|address| program.listing(*address));
    let loop_itself = listings.next()?;
    let contains =
        |listing: &Listing| listing.places.iter().any(|place| is_named_in(container, &place.function, function));
    match contains(&loop_itself) || loop_itself.places.is_empty() {
        true => Some(loop_itself),
        false => Some(listings.find(contains).unwrap_or(loop_itself)),
    }
}

/// The names and addresses of the functions that the code of a function reaches, those that it calls itself first.
pub fn called<'p>(program: &'p impl Program, listing: &Listing) -> Vec<(&'p str, u64)> {
    let direct = listing.instructions.iter().filter_map(|one| one.callee);
    let direct = direct.filter(|callee| is_relevant(program, *callee));
    let reached = reached(program, direct).into_iter();
    reached.filter_map(|address| Some((program.name_at(address)?, address))).collect()
}

/// The code of all functions with their generators that have any.
pub fn measured_functions<'f>(
    program: &impl Program,
    functions: impl IntoIterator<Item = (&'f str, &'f str)>,
) -> ListingTable {
    let program = &CachedProgram { program, references: RefCell::default() };
    let mut table = ListingTable { format: LISTINGS_FORMAT, functions: Vec::new(), listings: Vec::new() };
    for (function, generator) in functions {
        let Some(listing) = measured_code(program, function, generator) else { continue };
        let known = table.listings.iter().position(|known| *known == listing);
        let listing = known.unwrap_or_else(|| {
            table.listings.push(listing);
            table.listings.len() - 1
        });
        let (function, generator) = (function.to_owned(), generator.to_owned());
        table.functions.push(ListedFunction { function, generator, listing });
    }
    table
}

/// A program that decodes each function once to find its references: measured functions reach many of the same.
struct CachedProgram<'p, P> {
    program: &'p P,
    references: RefCell<HashMap<u64, Vec<u64>>>,
}

impl<P: Program> Program for CachedProgram<'_, P> {
    fn functions(&self) -> impl Iterator<Item = (&str, u64)> {
        self.program.functions()
    }

    fn name_at(&self, address: u64) -> Option<&str> {
        self.program.name_at(address)
    }

    fn references(&self, address: u64) -> Vec<u64> {
        let mut known = self.references.borrow_mut();
        known.entry(address).or_insert_with(|| self.program.references(address)).clone()
    }

    fn listing(&self, address: u64) -> Option<Listing> {
        self.program.listing(address)
    }
}

/// The address of the function itself; `None` if several symbols have its name, such as those of the instances of a generic function.
fn only_symbol(program: &impl Program, function: &str) -> Option<u64> {
    let mut found = program.functions().filter(|(symbol, _)| is_named(symbol, function));
    let (_, address) = found.next()?;
    found.all(|(_, other)| other == address).then_some(address)
}

/// The addresses of functions that are reached from some, these first, then by the number of calls that lead there.
pub fn reached(program: &impl Program, starts: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let (mut reached, mut seen, mut next) = (Vec::new(), BTreeSet::new(), 0);
    reached.extend(starts.into_iter().filter(|start| seen.insert(*start)));
    while let Some(address) = reached.get(next).copied() {
        next += 1;
        for callee in program.references(address) {
            if is_relevant(program, callee) && seen.insert(callee) {
                reached.push(callee);
            }
        }
    }
    reached
}

/// Whether there is a function at an address that the timed calls may reach.
fn is_relevant(program: &impl Program, address: u64) -> bool {
    program.name_at(address).is_some_and(|name| !is_never_reached(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::WasmModule;

    const LOOP: &str = "<demo::_::BINDINGS::f__inputs as benchbook_suite::Bound>::time";

    /// The name of the function whose code is measured. `functions`: names, and the names of those that they call.
    fn measured(functions: &[(&str, &[&str])]) -> Option<String> {
        let index = |name: &str| functions.iter().position(|(known, _)| *known == name).unwrap();
        let body = |called: &&str| format!("call {}", index(called));
        let function = |(name, calls): &(&str, &[&str])| {
            format!("(func (@name {name:?}) {})", calls.iter().map(body).collect::<Vec<_>>().join(" "))
        };
        let module = format!("(module {})", functions.iter().map(function).collect::<String>());
        let module = wat::parse_str(module).unwrap();
        let module = WasmModule::read(&module, None).unwrap();
        measured_code(&module, "f", "inputs").map(|listing| listing.function)
    }

    #[test]
    fn the_code_that_the_timed_loop_reaches_is_measured() {
        // Directly, or through another function, or not at all: the loop has a copy.
        assert_eq!(measured(&[(LOOP, &["demo::f"]), ("demo::f", &[])]).as_deref(), Some("demo::f"));
        assert_eq!(
            measured(&[(LOOP, &["other"]), ("other", &["demo::f"]), ("demo::f", &[])]).as_deref(),
            Some("demo::f")
        );
        assert_eq!(measured(&[(LOOP, &[]), ("demo::f", &[])]).as_deref(), Some(LOOP));
        // The instance that is called.
        let instances = [(LOOP, &["demo::f::<u32>"][..]), ("demo::f::<u8>", &[]), ("demo::f::<u32>", &[])];
        assert_eq!(measured(&instances).as_deref(), Some("demo::f::<u32>"));
        // One of another crate is another function.
        assert_eq!(measured(&[(LOOP, &["other::f"]), ("other::f", &[])]).as_deref(), Some(LOOP));
        // What panics doesn't count.
        let panics =
            [(LOOP, &["core::panicking::panic"][..]), ("core::panicking::panic", &["demo::f"]), ("demo::f", &[])];
        assert_eq!(measured(&panics).as_deref(), Some(LOOP));
    }

    #[test]
    fn without_a_timed_loop_the_only_symbol_counts() {
        assert_eq!(measured(&[("demo::f", &[])]).as_deref(), Some("demo::f"));
        assert_eq!(measured(&[("demo::f::<u8>", &[]), ("demo::f::<u32>", &[])]), None);
        assert_eq!(measured(&[("demo::other::g", &[])]), None);
    }
}

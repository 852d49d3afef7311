//! Writes a module that times ranges of the calls that its functions execute.
//!
//! Each function has a second version, in which calls are numbered while it is executed. Only the calls on the way to a range lead to second versions: all
//! others are executed as they were compiled. The measured function may be inlined into the code around it; so its calls are those whose inline stack contains it,
//! and they are numbered where they are.
//!
//! The suite reads its clock before and after a batch. While a range is timed, what it reads is the time that was spent in the range so far; so the time
//! of the batch is that of the range. Each reading begins a new batch, whose calls are numbered from 0.

use std::collections::{BTreeSet, HashMap};

use wasm_encoder::{BlockType, CustomSection, ExportKind, Function, InstructionSink, ValType};
use wasmparser::{ElementItems, ElementKind, Operator, Parser, Payload, TypeRef};

use super::own_items::at;
use super::rewrite::{Additions, BodyAdditions, Copies, NewFunction, build_of, rewrite};
use super::{Analyzed, Detail, InstrumentError, Options};
use crate::map::CodeMap;
use crate::ranges::{
    EXECUTED_GLOBALS, MAX_ENTERED, MAX_EXECUTED, RANGES_SECTION, RangeFunction, RangeMap, enter_global,
};
use crate::section::FORMAT;

/// The import with the clock of suites.
const CLOCK: [&str; 2] = ["benchbook", "now"];

/// The pages for the list of executed calls.
const LIST_PAGES: i32 = (MAX_EXECUTED as i32 * 8) >> 16;

/// The own globals of type `i32`, in this order after those of the module. Then come those of [`MAX_ENTERED`], and two of type `f64`.
#[derive(Clone, Copy)]
enum Own {
    /// 0 to time batches, 1 to time a range, 2 to list calls.
    Mode,
    /// How many calls to enter.
    Depth,
    /// The first call of the range, and the one after its last.
    Start,
    End,
    /// How many calls were listed.
    Executed,
    /// The address of the list; 0 before the first.
    List,
    /// How many calls have been entered.
    Layer,
    /// How many calls of the current layer have been executed.
    Count,
    /// Whether a call of the measured function is in progress: that it calls itself does not number calls again.
    IsInside,
}

/// The number of those.
const GLOBALS: u32 = 9;

/// The numbers of own functions.
#[derive(Clone, Copy)]
enum OwnFunction {
    /// Numbers a call, and returns what to do. Its parameters are the fields of a `ListedCall`.
    Begin,
    /// The same for calls of the measured function.
    BeginOuter,
    /// Ends a call. Its parameter is what was returned at its beginning.
    End,
    EndOuter,
    /// What the suite reads instead of its parameter, which is the time.
    Read,
}

const FUNCTIONS: u32 = 5;

/// What is returned at the beginning of a call: its function is not numbered, it is, or it is entered.
const IGNORED: i32 = 0;
const NUMBERED: i32 = 1;
const ENTERED: i32 = 2;

/// Makes a module that times ranges of calls, of the module of a suite. `is_measured`: whether this is the name of the measured function.
///
/// The module has its [`RangeMap`] in the custom section [`RANGES_SECTION`].
///
/// # Errors
/// As for [`instrument`](super::instrument), and if the module has no memory or clock.
pub fn range_module(
    module: &[u8],
    options: &Options,
    is_measured: &dyn Fn(&str) -> bool,
) -> Result<Vec<u8>, InstrumentError> {
    let analyzed = Analyzed::new(module, options)?;
    if !analyzed.facts.has_memory {
        return Err(InstrumentError::NoMemory);
    }
    let links = Links::read(module)?;
    let clock = links.clock.ok_or(InstrumentError::NoClock)?;
    let exports = exports(analyzed.facts.globals);
    analyzed.contents.reject_exports(exports.iter().map(|(name, ..)| name.clone()))?;
    let calls = calls(&analyzed, clock, is_measured)?;
    let map = range_map(&analyzed, &links, &calls, is_measured);
    let ranges = Ranges { globals: analyzed.facts.globals, functions: analyzed.facts.functions, clock };
    let copies = Copies {
        bodies: Vec::new(),
        imported: analyzed.facts.functions - analyzed.contents.bodies.len() as u32,
        types: links.types,
        first: analyzed.facts.functions + FUNCTIONS,
        table: links.tables.checked_sub(1).map(|_| links.tables),
    };
    let bodies = ranges.bodies(&analyzed, &calls, &copies, Version::First);
    let copied = ranges.bodies(&analyzed, &calls, &copies, Version::Second);
    let additions = Additions {
        globals: [vec![ValType::I32; GLOBALS as usize + MAX_ENTERED], vec![ValType::F64; 2]].concat(),
        functions: ranges.own_functions(),
        exports,
        bodies,
        copies: Some(Copies { bodies: copied, ..copies }),
    };
    let section = CustomSection { name: RANGES_SECTION.into(), data: map.to_bytes().into() };
    Ok(rewrite(module, &analyzed.facts, &additions, &[section, build_of(module)?])?)
}

/// The exported globals.
fn exports(first: u32) -> Vec<(String, ExportKind, u32)> {
    let named = [("mode", Own::Mode), ("depth", Own::Depth), ("start", Own::Start), ("end", Own::End)];
    let named = named.map(|(name, own)| (format!("benchbook_range_{name}"), own as u32));
    let [executed, list] = EXECUTED_GLOBALS.map(str::to_owned);
    let entered = (0..MAX_ENTERED).map(|layer| (enter_global(layer), GLOBALS + layer as u32));
    let all = named.into_iter().chain([(executed, Own::Executed as u32), (list, Own::List as u32)]).chain(entered);
    all.map(|(name, own)| (name, ExportKind::Global, first + own)).collect()
}

/// How the functions of a module are linked.
#[derive(Default)]
struct Links {
    /// The indices of the types of all functions.
    types: Vec<u32>,
    /// The imported clock.
    clock: Option<u32>,
    /// The number of tables; 0 if one is imported.
    tables: u32,
    /// The functions in the first table.
    table: Vec<Option<u32>>,
}

impl Links {
    fn read(module: &[u8]) -> wasmparser::Result<Self> {
        let mut links = Self::default();
        let mut has_imported_table = false;
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        let import = import?;
                        match import.ty {
                            TypeRef::Func(r#type) => {
                                if [import.module, import.name] == CLOCK {
                                    links.clock = Some(links.types.len() as u32);
                                }
                                links.types.push(r#type);
                            }
                            TypeRef::Table(_) => has_imported_table = true,
                            _ => {}
                        }
                    }
                }
                Payload::FunctionSection(functions) => {
                    for r#type in functions {
                        links.types.push(r#type?);
                    }
                }
                Payload::TableSection(tables) if !has_imported_table => links.tables = tables.count(),
                Payload::ElementSection(elements) => {
                    for element in elements {
                        let element = element?;
                        if let (
                            ElementKind::Active { table_index: None | Some(0), offset_expr },
                            ElementItems::Functions(functions),
                        ) = (element.kind, element.items)
                            && let Operator::I32Const { value } = offset_expr.get_operators_reader().read()?
                        {
                            for (slot, function) in (value as usize..).zip(functions) {
                                links.table.resize(links.table.len().max(slot + 1), None);
                                links.table[slot] = Some(function?);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(links)
    }
}

/// A call in the code.
struct CallSite {
    /// The offset of its operator in the module.
    offset: u64,
    target: Target,
    /// Whether it is one of the measured function.
    is_measured: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    Function(u32),
    /// A function of this type, in a table.
    Table {
        r#type: u32,
        table: u32,
    },
    Clock,
}

/// The calls of all functions that can be reached, in the order of the code.
fn calls(
    analyzed: &Analyzed<'_>,
    clock: u32,
    is_measured: &dyn Fn(&str) -> bool,
) -> Result<Vec<Vec<CallSite>>, InstrumentError> {
    let Analyzed { contents, functions, map, .. } = analyzed;
    let measured = measured_frames(map, is_measured);
    let mut frames = map.calls.iter().map(|call| call.frame);
    contents
        .bodies
        .iter()
        .zip(functions)
        .map(|(body, function)| {
            let operators = function.blocks.iter().flat_map(|block| &block.operators);
            let counted: HashMap<u64, u32> = operators
                .filter(|operator| matches!(operator.detail, Detail::Call(_)))
                .map(|operator| (operator.offset, frames.next().expect("each call has a frame")))
                .collect();
            let mut calls = Vec::new();
            let mut reader = body.get_operators_reader()?;
            while !reader.eof() {
                let (operator, offset) = reader.read_with_offset()?;
                let target = match operator {
                    Operator::Call { function_index } if function_index == clock => Target::Clock,
                    Operator::Call { function_index } => Target::Function(function_index),
                    Operator::CallIndirect { type_index, table_index } => {
                        Target::Table { r#type: type_index, table: table_index }
                    }
                    _ => continue,
                };
                if let Some(frame) = counted.get(&offset) {
                    calls.push(CallSite { offset, target, is_measured: measured[*frame as usize] });
                }
            }
            Ok(calls)
        })
        .collect()
}

/// For each frame, whether it is in the measured function.
fn measured_frames(map: &CodeMap, is_measured: &dyn Fn(&str) -> bool) -> Vec<bool> {
    let names: Vec<bool> = map.strings.iter().map(|name| is_measured(name)).collect();
    let is_in = |frame: u32| map.inline_stack(frame).any(|frame| names[frame.function as usize]);
    (0..map.frames.len() as u32).map(is_in).collect()
}

fn range_map(
    analyzed: &Analyzed<'_>,
    links: &Links,
    calls: &[Vec<CallSite>],
    is_measured: &dyn Fn(&str) -> bool,
) -> RangeMap {
    let map = &analyzed.map;
    let imported = map.functions.len() - analyzed.contents.bodies.len();
    let mut parts: Vec<BTreeSet<&str>> = vec![BTreeSet::new(); map.functions.len()];
    let mut measured = BTreeSet::new();
    for block in &map.blocks {
        for run in &block.runs {
            let stack: Vec<&str> = map.inline_stack(run.frame).map(|frame| map.string(frame.function)).collect();
            let inside = stack.iter().rposition(|name| is_measured(name));
            measured.extend(stack[..inside.map_or(0, |last| last + 1)].iter().copied());
            parts[block.function as usize].extend(stack);
        }
    }
    let owned = |names: BTreeSet<&str>| names.into_iter().map(str::to_owned).collect();
    let function = |(index, parts): (usize, BTreeSet<&str>)| RangeFunction {
        name: map.string(map.functions[index].name).to_owned(),
        is_imported: index < imported,
        parts: owned(parts),
    };
    let called = |call: &CallSite| match call.target {
        Target::Function(function) => Some(function),
        Target::Clock => links.clock,
        Target::Table { .. } => None,
    };
    RangeMap {
        functions: parts.into_iter().enumerate().map(function).collect(),
        sites: calls.iter().flatten().map(called).collect(),
        table: links.table.clone(),
        measured: owned(measured),
        format: FORMAT,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    /// As compiled, apart from the calls of the measured function.
    First,
    /// All calls are numbered.
    Second,
}

/// The first indices of what the instrumentation adds.
struct Ranges {
    globals: u32,
    functions: u32,
    clock: u32,
}

impl Ranges {
    fn global(&self, own: Own) -> u32 {
        self.globals + own as u32
    }

    fn enter(&self, layer: usize) -> u32 {
        self.globals + GLOBALS + layer as u32
    }

    /// The globals with when the range began, and with the time that was spent in ranges.
    fn began(&self) -> u32 {
        self.globals + GLOBALS + MAX_ENTERED as u32
    }

    fn spent(&self) -> u32 {
        self.began() + 1
    }

    fn function(&self, own: OwnFunction) -> u32 {
        self.functions + own as u32
    }

    /// The additions to all functions, in one of their versions.
    fn bodies(
        &self,
        analyzed: &Analyzed<'_>,
        calls: &[Vec<CallSite>],
        copies: &Copies,
        version: Version,
    ) -> Vec<BodyAdditions> {
        let mut site = 0;
        let bodies = analyzed.functions.iter().zip(calls).map(|(function, calls)| {
            let locals = [function.locals, function.locals + 1];
            let mut body = BodyAdditions { locals: Some((2, ValType::I32)), ..BodyAdditions::default() };
            for call in calls {
                if version == Version::Second || call.is_measured {
                    self.number(&mut body, call, site, copies, locals, version);
                }
                if call.target == Target::Clock {
                    InstructionSink::new(&mut body.around(call.offset).after).call(self.function(OwnFunction::Read));
                }
                site += 1;
            }
            body
        });
        bodies.collect()
    }

    /// Numbers a call, and makes it enter the second version of its function if its turn has come.
    fn number(
        &self,
        body: &mut BodyAdditions,
        call: &CallSite,
        site: i32,
        copies: &Copies,
        [state, slot]: [u32; 2],
        version: Version,
    ) {
        let [begin, end] = match version {
            Version::First => [OwnFunction::BeginOuter, OwnFunction::EndOuter],
            Version::Second => [OwnFunction::Begin, OwnFunction::End],
        };
        let insertion = body.around(call.offset);
        let mut before = InstructionSink::new(&mut insertion.before);
        let is_in_table = matches!(call.target, Target::Table { .. });
        if is_in_table {
            before.local_set(slot).i32_const(site).local_get(slot);
        } else {
            before.i32_const(site).i32_const(-1);
        }
        before.call(self.function(begin)).local_set(state);
        let mut can_enter = true;
        let mut is_entered = |r#type: u32| {
            before.local_get(state).i32_const(ENTERED).i32_eq().if_(BlockType::FunctionType(r#type));
        };
        match (call.target, copies.table) {
            (Target::Function(function), _) if let Some(version) = copies.of(function) => {
                is_entered(copies.types[function as usize]);
                before.call(version).else_();
            }
            (Target::Table { r#type, table: 0 }, Some(table)) => {
                is_entered(r#type);
                before.local_get(slot).call_indirect(table, r#type).else_();
            }
            _ => can_enter = false,
        }
        if is_in_table {
            before.local_get(slot);
        }
        let mut after = InstructionSink::new(&mut insertion.after);
        if can_enter {
            after.end();
        }
        after.local_get(state).call(self.function(end));
    }

    fn own_functions(&self) -> Vec<NewFunction> {
        use ValType::{F64, I32};
        let new = |parameters: &[ValType], results: &[ValType], code| NewFunction {
            parameters: parameters.to_vec(),
            results: results.to_vec(),
            code,
        };
        vec![
            new(&[I32, I32], &[I32], self.begin()),
            new(&[I32, I32], &[I32], self.begin_outer()),
            new(&[I32], &[], self.end()),
            new(&[I32], &[], self.end_outer()),
            new(&[F64], &[F64], self.read()),
        ]
    }

    fn begin(&self) -> Function {
        let [mode, depth, start, layer, count] =
            [Own::Mode, Own::Depth, Own::Start, Own::Layer, Own::Count].map(|own| self.global(own));
        let [executed, list] = [Own::Executed, Own::List].map(|own| self.global(own));
        let (site, slot, number, entry) = (0, 1, 2, 3);
        let mut function = Function::new([(2, ValType::I32)]);
        let mut code = function.instructions();
        code.global_get(count).local_tee(number).i32_const(1).i32_add().global_set(count);
        code.global_get(layer).global_get(depth).i32_eq().if_(BlockType::Empty);
        code.global_get(mode).i32_const(2).i32_eq().if_(BlockType::Empty);
        code.global_get(list).i32_eqz().if_(BlockType::Empty);
        code.i32_const(LIST_PAGES).memory_grow(0).local_tee(entry).i32_const(-1).i32_eq();
        code.if_(BlockType::Empty).unreachable().end();
        code.local_get(entry).i32_const(16).i32_shl().global_set(list).end();
        code.global_get(count).global_set(executed);
        code.local_get(number).i32_const(MAX_EXECUTED as i32).i32_lt_u().if_(BlockType::Empty);
        code.global_get(list).local_get(number).i32_const(3).i32_shl().i32_add().local_tee(entry);
        code.local_get(site).i32_store(at(0)).local_get(entry).local_get(slot).i32_store(at(4)).end();
        code.else_();
        code.local_get(number).global_get(start).i32_eq().if_(BlockType::Empty);
        code.call(self.clock).global_set(self.began()).end();
        code.end().i32_const(NUMBERED).return_().end();
        // The number of the call to enter in this layer.
        code.global_get(self.enter(0));
        for entered in 1..MAX_ENTERED {
            code.global_get(self.enter(entered)).global_get(layer).i32_const(entered as i32).i32_ne().select();
        }
        code.local_get(number).i32_eq().if_(BlockType::Empty);
        code.global_get(layer).i32_const(1).i32_add().global_set(layer).i32_const(0).global_set(count);
        code.i32_const(ENTERED).return_().end();
        code.i32_const(NUMBERED).end();
        function
    }

    fn begin_outer(&self) -> Function {
        let inside = self.global(Own::IsInside);
        let mut function = Function::new([]);
        let mut code = function.instructions();
        code.global_get(self.global(Own::Mode)).i32_eqz().global_get(inside).i32_or();
        code.if_(BlockType::Empty).i32_const(IGNORED).return_().end();
        code.i32_const(1).global_set(inside);
        code.local_get(0).local_get(1).call(self.function(OwnFunction::Begin)).end();
        function
    }

    fn end(&self) -> Function {
        let [mode, depth, end, layer, count] =
            [Own::Mode, Own::Depth, Own::End, Own::Layer, Own::Count].map(|own| self.global(own));
        let state = 0;
        let mut function = Function::new([]);
        let mut code = function.instructions();
        code.local_get(state).i32_const(ENTERED).i32_eq().if_(BlockType::Empty);
        // No later call of this layer is of interest.
        code.global_get(layer)
            .i32_const(1)
            .i32_sub()
            .global_set(layer)
            .i32_const(1 << 30)
            .global_set(count)
            .return_()
            .end();
        code.global_get(mode).i32_const(1).i32_eq().global_get(layer).global_get(depth).i32_eq().i32_and();
        code.global_get(count).global_get(end).i32_eq().i32_and().if_(BlockType::Empty);
        code.global_get(self.spent()).call(self.clock).global_get(self.began()).f64_sub().f64_add();
        code.global_set(self.spent()).end().end();
        function
    }

    fn end_outer(&self) -> Function {
        let mut function = Function::new([]);
        let mut code = function.instructions();
        code.local_get(0).i32_eqz().if_(BlockType::Empty).return_().end();
        code.i32_const(0).global_set(self.global(Own::IsInside));
        code.local_get(0).call(self.function(OwnFunction::End)).end();
        function
    }

    fn read(&self) -> Function {
        let mode = self.global(Own::Mode);
        let mut function = Function::new([]);
        let mut code = function.instructions();
        for own in [Own::Count, Own::Layer, Own::IsInside] {
            code.i32_const(0).global_set(self.global(own));
        }
        code.global_get(self.spent()).local_get(0).global_get(mode).i32_const(1).i32_eq().select().end();
        function
    }
}

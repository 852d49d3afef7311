//! Random modules: instrumented ones compute the same, and count what a simpler instrumentation counts. `cargo xtask bench counts random` executes
//! 100 000 in wasmtime.

use benchbook_instrument::{InstrumentError, Instrumented, Options, instrument, instrument_contexts};
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    CodeSection, ConstExpr, ExportKind, ExportSection, GlobalSection, GlobalType, Instruction, ValType,
};
use wasmi::Val;
use wasmparser::{
    ExportSectionReader, FunctionBody, GlobalSectionReader, Operator, Parser, Payload, Validator, WasmFeatures,
};

use crate::execution::Running;
use crate::random_module::random_module;

const MODULES: u64 = 500;

/// What a call computed: its outcome, and the globals and memories after it.
#[derive(Debug, PartialEq)]
struct Behaviour {
    outcome: Result<Vec<String>, String>,
    globals: Vec<String>,
    memories: Vec<Vec<u8>>,
}

/// Calls each function that a random module exports, in an instance of its own. Also returns the cost of each call, from the
/// total cost before and after it. If instantiating the module traps, there are no calls.
fn behaviour(module: &[u8], total_cost: impl Fn(&mut Running) -> u64) -> Vec<(Behaviour, u64)> {
    let mut calls = Vec::new();
    while let Ok(mut running) = Running::start(module) {
        let exports: Vec<_> =
            running.exports().into_iter().filter(|(name, _)| !name.starts_with("benchbook_")).collect();
        let mut functions = exports.iter().filter_map(|(name, export)| Some((name, export.into_func()?)));
        let Some((name, function)) = functions.nth(calls.len()) else { break };
        let parameters = function.ty(&running.store);
        let arguments: Vec<Val> = parameters.params().iter().map(|ty| Val::default(*ty)).collect();
        let before = total_cost(&mut running);
        let outcome = running.call(name, &arguments).map(|results| results.iter().map(text).collect());
        let cost = total_cost(&mut running) - before;
        let globals = exports.iter().filter_map(|(_, export)| export.into_global());
        let globals = globals.map(|global| text(&global.get(&running.store))).collect();
        let memories = exports.iter().filter_map(|(_, export)| export.into_memory());
        let memories = memories.map(|memory| memory.data(&running.store).to_vec()).collect();
        calls.push((Behaviour { outcome, globals, memories }, cost));
    }
    calls
}

/// A value without the identity of a function, which differs between instances.
fn text(value: &Val) -> String {
    match value {
        Val::FuncRef(function) => format!("function, null: {}", function.is_null()),
        value => format!("{value:?}"),
    }
}

/// Adds the cost of each operator to one global just before it is executed: as simple as counting gets.
#[derive(Default)]
struct OperatorByOperator {
    counter: u32,
}

const COST: &str = "benchbook_cost";

impl OperatorByOperator {
    fn instrument(module: &[u8]) -> Vec<u8> {
        let mut rewritten = wasm_encoder::Module::new();
        Self::default().parse_core_module(&mut rewritten, Parser::new(0), module).expect("the module is valid");
        rewritten.finish()
    }

    /// The cost so far.
    fn cost(running: &mut Running) -> u64 {
        let mut exports = running.exports().into_iter();
        let counter = exports.find_map(|(name, export)| export.into_global().filter(|_| name == COST));
        let cost = counter.expect("the cost is exported").get(&running.store).i64();
        cost.expect("the cost is an integer") as u64
    }

    fn add_unit(&self, function: &mut wasm_encoder::Function) {
        function.instruction(&Instruction::GlobalGet(self.counter));
        function.instruction(&Instruction::I64Const(1));
        function.instruction(&Instruction::I64Add);
        function.instruction(&Instruction::GlobalSet(self.counter));
    }
}

impl Reencode for OperatorByOperator {
    type Error = std::convert::Infallible;

    fn parse_global_section(
        &mut self,
        globals: &mut GlobalSection,
        section: GlobalSectionReader<'_>,
    ) -> Result<(), Error> {
        self.counter = section.count();
        utils::parse_global_section(self, globals, section)?;
        globals.global(GlobalType { val_type: ValType::I64, mutable: true, shared: false }, &ConstExpr::i64_const(0));
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: ExportSectionReader<'_>,
    ) -> Result<(), Error> {
        utils::parse_export_section(self, exports, section)?;
        exports.export(COST, ExportKind::Global, self.counter);
        Ok(())
    }

    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody<'_>) -> Result<(), Error> {
        let mut function = self.new_function_with_parsed_locals(&body)?;
        self.add_unit(&mut function);
        for operator in body.get_operators_reader()? {
            let operator = operator?;
            let is_free = matches!(
                operator,
                Operator::Nop
                    | Operator::Drop
                    | Operator::Block { .. }
                    | Operator::Loop { .. }
                    | Operator::Else
                    | Operator::End
                    | Operator::Return
                    | Operator::Unreachable
            );
            if !is_free {
                self.add_unit(&mut function);
            }
            function.instruction(&self.instruction(operator)?);
        }
        code.function(&function);
        Ok(())
    }
}

/// Instruments a random module, and checks that it is still valid.
fn instrument_random(seed: u64, module: &[u8]) -> Instrumented {
    let instrumented = instrument(module, &Options::default());
    let instrumented = instrumented.unwrap_or_else(|error| panic!("module {seed} can be counted: {error}"));
    let features =
        WasmFeatures::WASM2 | WasmFeatures::TAIL_CALL | WasmFeatures::EXTENDED_CONST | WasmFeatures::EXTENDED_CONST;
    let valid = Validator::new_with_features(features).validate_all(&instrumented.module);
    valid.unwrap_or_else(|error| panic!("the instrumented module {seed} is valid: {error}"));
    instrumented
}

#[test]
fn random_modules_compute_the_same_and_count_each_operator() {
    let (mut exact, mut trapped, mut operators, mut with_contexts) = (0, 0, 0, 0);
    for seed in 0..MODULES {
        let module = random_module(seed);
        let Instrumented { module: counted, map } = instrument_random(seed, &module);
        let bodies = Parser::new(0).parse_all(&module).filter(|part| matches!(part, Ok(Payload::CodeSectionEntry(_))));
        assert!(map.counters() >= bodies.count(), "module {seed}: each function has a block");
        // It has more memory, which some of these modules notice.
        match instrument_contexts(&module, &Options::default()) {
            Ok(by_context) => {
                let validated = Validator::new_with_features(
                    WasmFeatures::WASM2 | WasmFeatures::TAIL_CALL | WasmFeatures::EXTENDED_CONST,
                )
                .validate_all(&by_context.module);
                assert!(validated.is_ok(), "module {seed}, counting by context: {:?}", validated.err());
                with_contexts += 1;
            }
            Err(error) => assert!(matches!(error, InstrumentError::NoMemory), "module {seed}: {error}"),
        }
        let original = behaviour(&module, |_| 0);
        let counted = behaviour(&counted, |running| map.operators(&running.counters(&map)).cost());
        let simple = behaviour(&OperatorByOperator::instrument(&module), OperatorByOperator::cost);
        assert_eq!([original.len(), original.len()], [counted.len(), simple.len()], "module {seed}");
        for (((expected, _), (counted, cost)), (simple, simple_cost)) in original.into_iter().zip(counted).zip(simple) {
            assert!(expected == counted, "module {seed} computes something else when it is counted");
            assert_eq!(expected.outcome, simple.outcome, "module {seed}");
            if expected.outcome.is_ok() {
                assert_eq!(cost, simple_cost, "module {seed}");
                exact += 1;
                operators += cost;
            } else {
                // The rest of the block that trapped.
                assert!(cost >= simple_cost, "module {seed}: {cost}, not at least {simple_cost}");
                trapped += 1;
            }
        }
    }
    println!("{exact} calls with {operators} operators, and {trapped} calls that trapped");
    assert!(
        exact >= 300 && operators >= 10_000 && trapped >= 100 && with_contexts >= 100,
        "the modules no longer test much"
    );
}

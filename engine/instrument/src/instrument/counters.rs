//! Counts in globals: one for each block, and one for each bulk operator.

use wasm_encoder::{ExportKind, Function, InstructionSink, ValType};

use super::blocks::Detail;
use super::rewrite::{Additions, BodyAdditions, CountedFunction, ModuleFacts, NewFunction};
use crate::cost::BulkKind;
use crate::map::{CodeMap, exports};

/// Adds a counter for each block and, after those, for each bulk operator.
pub(crate) fn additions(facts: &ModuleFacts, functions: &[CountedFunction], map: &CodeMap) -> Additions {
    let mut next_block = facts.globals;
    let mut next_bulk = facts.globals + map.blocks.len() as u32;
    let bodies = functions.iter().map(|function| {
        let mut body = BodyAdditions::default();
        for block in &function.blocks {
            count_block(&mut body.around(block.start).before, next_block);
            next_block += 1;
            for operator in &block.operators {
                let Detail::Bulk(kind) = operator.detail else { continue };
                let amount = Amount { kind, counter: next_bulk, scratch: function.locals };
                next_bulk += 1;
                let insertion = body.around(operator.offset);
                amount.before(&mut insertion.before);
                amount.after(&mut insertion.after);
                body.locals = Some((2, ValType::I32));
            }
        }
        body
    });
    let bodies = bodies.collect();
    let mut first = facts.globals;
    let accessor = |results: usize| {
        let mut code = Function::new([]);
        for global in first..first + results as u32 {
            code.instructions().global_get(global);
        }
        code.instructions().end();
        first += results as u32;
        NewFunction { parameters: Vec::new(), results: vec![ValType::I64; results], code }
    };
    let names = exports(map.counters()).zip(facts.functions..);
    Additions {
        globals: vec![ValType::I64; map.counters()],
        functions: exports(map.counters()).map(|(_, results)| results).map(accessor).collect(),
        exports: names.map(|((name, _), function)| (name, ExportKind::Func, function)).collect(),
        bodies,
        copies: None,
    }
}

fn count_block(code: &mut Vec<u8>, counter: u32) {
    InstructionSink::new(code).global_get(counter).i64_const(1).i64_add().global_set(counter);
}

/// Counts the amount of a bulk operator, whose last operand is its length.
struct Amount {
    kind: BulkKind,
    counter: u32,
    /// The first of two locals of type `i32` that belong to the instrumentation.
    scratch: u32,
}

impl Amount {
    fn before(&self, code: &mut Vec<u8>) {
        let mut code = InstructionSink::new(code);
        code.local_tee(self.scratch);
        if !self.kind.may_fail() {
            code.global_get(self.counter).local_get(self.scratch);
            self.add(code);
        }
    }

    /// An operator that failed has returned -1, and its amount is 0.
    fn after(&self, code: &mut Vec<u8>) {
        if self.kind.may_fail() {
            let result = self.scratch + 1;
            let mut code = InstructionSink::new(code);
            code.local_tee(result).global_get(self.counter).i32_const(0).local_get(self.scratch);
            code.local_get(result).i32_const(-1).i32_eq().select();
            self.add(code);
        }
    }

    fn add(&self, mut code: InstructionSink<'_>) {
        code.i64_extend_i32_u().i64_add().global_set(self.counter);
    }
}

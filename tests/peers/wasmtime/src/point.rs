//! Compares both counts at one point.

use anyhow::{Result, ensure};
use benchbook_contract::protocol::Open;
use benchbook_count::{Clock, CountSession, StepOutcome};
use benchbook_instrument::CodeMap;
use serde_json::{Value, json};

use crate::counted::Counted;
use crate::instance::SuiteModule;

/// Counts the calls of the only function of `open`, with the same messages for both modules. Returns the totals, the differences, and the messages.
pub fn compare(plain: &SuiteModule, counting: &SuiteModule, map: &CodeMap, open: &Open) -> Result<Value> {
    let (mut plain, mut counting) = (plain.start()?, counting.start()?);
    let mut session = CountSession::new(map, open.clone());
    let before = (plain.executed()?, counting.executed()?);
    let (mut steps, mut differences) = (Vec::new(), Vec::new());
    // By how much the fuel of each counted batch differs from its count, and the fuel.
    let mut batches: Vec<(i64, u64)> = Vec::new();
    while let Some(step) = session.step() {
        let (fuel, counted) = (plain.handle(&step)?, counting.handle(&step)?);
        let of_clock = match step.clock {
            Clock::Marked => None,
            Clock::Still(readings) => Some(readings),
        };
        steps.push(json!({"message": step.message, "readings": fuel.readings, "batch": of_clock}));
        if let (StepOutcome::Replied(one, fuel_at), StepOutcome::Replied(other, counted_at)) =
            (&fuel.outcome, &counted.outcome)
        {
            ensure!(one == other, "the replies differ: {one:?} and {other:?}");
            if let ([start, end], [counted_start, counted_end]) = (&fuel_at[..], &counted_at[..]) {
                let counted = Counted::between(map, counted_start, counted_end);
                let consumed = end[0] - start[0];
                batches.push((consumed as i64 - counted.fuel() as i64, consumed));
            }
        }
        session.observe(counted.outcome);
    }
    let (calls, failure) = match session.instructions() {
        Ok(counted) => (Some(counted), None),
        Err(failure) => (None, Some(failure.to_string())),
    };
    let after = (plain.executed()?, counting.executed()?);
    let (fuel, total) = (after.0[0] - before.0[0], Counted::between(map, &before.1, &after.1));
    // A trap ends a block early.
    if failure.is_none() && fuel != total.fuel() {
        differences.push(format!("all messages: {fuel} of fuel, {} counted", total.fuel()));
    }
    // A block is counted when it begins, so what follows a reading of the clock in its block has been counted before it. That is
    // the same for each batch of a target.
    if let [one, more, empty_one, empty_more] = batches[..] {
        if one.0 != more.0 || empty_one.0 != empty_more.0 {
            differences.push(format!("batches: {batches:?}"));
        }
        let of_calls = (more.1 as i64 - one.1 as i64) - (empty_more.1 as i64 - empty_one.1 as i64);
        if let Some(counted) = calls
            && counted.total() + counted.bulk_bytes != of_calls
        {
            differences.push(format!("calls: {of_calls} of fuel, {counted:?}"));
        }
    }
    Ok(json!({
        "messages": steps.len(),
        "batches": batches.len(),
        "instructions": total.instructions,
        "amounts": total.amounts,
        "differences": differences,
        "calls": calls.map(|calls| json!({"number": calls.calls, "instructions": calls.total(), "bytes": calls.bulk_bytes})),
        "failure": failure,
        "steps": steps,
    }))
}

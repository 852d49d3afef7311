//! What functions of the demo suite execute, counted in an interpreter: other engines have to count the same.

use std::fs;

use anyhow::{Context, Result, anyhow};
use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::Range;
use benchbook_count::Interpreter;
use benchbook_host::request::Plan;
use benchbook_host::response::WasmCounts;
use benchbook_instrument::COUNTING_MODULE;

use crate::notebook::Notebook;
use crate::wasm::WasmModule;
use crate::{requests, suites};

/// Asserts that the table has the counts of these functions, which accept the same generator, with this range of its axis.
pub async fn assert_counts(notebook: &Notebook, functions: &[&str], range: Range) -> Result<()> {
    let builds = suites::demo()?;
    let interpreter = Interpreter::new(&fs::read(builds.module.with_extension(COUNTING_MODULE))?)?;
    let suite = WasmModule::new(&builds.wasm()?)?.describe()?;
    let first = suite.function(functions[0]).context("it is listed")?;
    let generator = suite.generator(&first.generators[0]).context("it is listed")?;
    let request = requests::request(&suite, functions, generator, range);
    let plan = Plan::new(&suite, request).map_err(|problems| anyhow!("{problems:?}"))?;
    let rows = notebook.copied_rows().await?;
    assert!(rows.len() >= 2 * functions.len(), "{rows:?}");
    for row in &rows {
        let x = AxisValue::Number(row[plan.axis_name()].parse()?);
        let shown = &row["Wasm instructions per call"];
        match interpreter.count(&plan.open(1, vec![row["function"].clone()], &x)) {
            WasmCounts::Counted(counted) => {
                assert_eq!(shown.parse::<f64>()?, counted.per_call(), "{row:?}");
                let loads: f64 = row["Wasm loads per call"].parse()?;
                assert_eq!(loads, counted.load as f64 / counted.calls as f64, "{row:?}");
            }
            WasmCounts::Varying { .. } => assert_eq!(shown, "", "{row:?}"),
            other => panic!("{other:?}"),
        }
    }
    Ok(())
}

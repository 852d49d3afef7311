//! The figures as a table: a row a point and function.

use std::rc::Rc;

use benchbook_host::analyze::compare::RatioStatistic;
use benchbook_host::analyze::interval::Interval;
use benchbook_host::comparison::RatioAt;
use benchbook_host::response::Measured;
use benchbook_host::units::{TimeUnit, number, plus_minus};
use yew::prelude::*;

use super::copy::CopyButton;
use super::verdict;
use crate::state::compare::Shown;
use crate::state::curve::Reading;
use crate::state::versus::Versus;

#[derive(PartialEq, Properties)]
pub(crate) struct TableProps {
    /// All that is shown; not empty.
    pub(crate) shown: Vec<Shown>,
    /// Those that were measured together.
    pub(crate) versus: Rc<Vec<Versus>>,
}

#[component]
pub(crate) fn Table(props: &TableProps) -> Html {
    let TableProps { shown, versus } = props;
    let (unit, several) = (unit_for(shown), shown.len() > 1);
    let heading = shown.first().map(|first| first.trace.setup.axis_heading()).unwrap_or_default();
    let text = {
        let (shown, versus) = (shown.clone(), Rc::clone(versus));
        Callback::from(move |()| as_text(&shown, &versus))
    };
    html! {
        <>
            <div class="scroll" tabindex="0" role="region" aria-label="Figures">
                <table data-test="table">
                    <thead>
                        <tr>
                            <th scope="col">{ heading }</th>
                            if several {
                                <th scope="col" class="text">{ "function" }</th>
                            }
                            if !versus.is_empty() {
                                <th scope="col">{ format!("× {}", shown[0].trace.function.name()) }</th>
                            }
                            { for FIGURES.map(|name| html! { <th scope="col">{ format!("{name} [{}]", unit.symbol()) }</th> }) }
                            <th scope="col">{ "precision" }</th>
                            <th scope="col">{ "samples" }</th>
                            <th scope="col">{ "priority" }</th>
                        </tr>
                    </thead>
                    <tbody>{ for rows(shown).into_iter().map(|(ordinal, reading)| row(shown, ordinal, reading, versus, unit)) }</tbody>
                </table>
            </div>
            if rows(shown).iter().any(|(_, reading)| reading.measured().is_some_and(|measured| !measured.summary.steady)) {
                <p class="hints">{ "~ never settled while warming up." }</p>
            }
            <CopyButton {text} test="copy-table" label="Copy the table" />
        </>
    }
}

/// The times of a row.
const FIGURES: [&str; 5] = ["mean", "sd", "q1", "median", "q3"];

fn times(measured: &Measured) -> [Option<f64>; 5] {
    let summary = &measured.summary;
    [Some(summary.mean), Some(summary.sd), summary.q1, summary.median, summary.q3]
}

/// All points by rising axis value, so that those of one value stand below each other; each with its place in `shown`.
fn rows<'s>(shown: &'s [Shown]) -> Vec<(usize, &'s Reading)> {
    let readings = |shown: &'s Shown| shown.trace.curve.readings().iter();
    let mut values: Vec<f64> = shown.iter().flat_map(readings).map(|reading| reading.x).collect();
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    let at = |x: f64| {
        let all = shown.iter().enumerate();
        all.filter_map(move |(ordinal, shown)| Some((ordinal, readings(shown).find(|reading| reading.x == x)?)))
    };
    values.into_iter().flat_map(at).collect()
}

/// The ratio of a row, where it has one or it is withheld.
fn ratio_at(versus: &[Versus], ordinal: usize, x: f64) -> Option<&RatioAt> {
    versus.iter().find(|one| one.ordinal == ordinal)?.at(x)
}

/// A unit in which the middle of the column reads well: the ends may lie far from each other.
fn unit_for(shown: &[Shown]) -> TimeUnit {
    let means = rows(shown).into_iter().filter_map(|(_, reading)| Some(reading.measured()?.summary.mean));
    let positive: Vec<f64> = means.filter(|mean| *mean > 0.0).map(f64::ln).collect();
    let middle = positive.iter().sum::<f64>() / positive.len().max(1) as f64;
    TimeUnit::for_largest(middle.exp())
}

fn row(all: &[Shown], ordinal: usize, reading: &Reading, versus: &[Versus], unit: TimeUnit) -> Html {
    let shown = &all[ordinal];
    let trace = &shown.trace;
    let at = ratio_at(versus, ordinal, reading.x);
    let ratio = at.and_then(|at| Some((at.ratio?, at.interval?, at.of?)));
    let withheld = at.and_then(|at| at.withheld).map(verdict::withheld);
    let (measured, failure) = (reading.measured(), reading.failure());
    let attribute = |of: usize| measured.and_then(|measured| times(measured)[of]).map(|value| value.to_string());
    let reason = failure.map(|(_, failure)| failure.reason.clone());
    html! {
        <tr data-path={trace.function.path.clone()} data-x={reading.x.to_string()} data-priority={reading.priority().number().to_string()}
            data-machine={trace.setup.face()} data-failed={reason.clone().filter(|_| measured.is_none())}
            data-unpaired={shown.unpaired.then_some("true")}
            data-mean={attribute(0)} data-sd={attribute(1)} data-q1={attribute(2)} data-median={attribute(3)} data-q3={attribute(4)}
            data-ratio={ratio.map(|(ratio, ..)| ratio.to_string())} data-ratio-low={ratio.map(|(_, interval, _)| interval.low.to_string())}
            data-ratio-high={ratio.map(|(_, interval, _)| interval.high.to_string())} data-ratio-of={ratio.map(|(.., of)| verdict::of_name(of))}
            data-withheld={withheld.map(|(name, _)| name)}>
            <th scope="row">{ number(reading.x) }</th>
            if all.len() > 1 {
                <td class="text">{ &shown.label }{ if shown.unpaired { " (unpaired)" } else { "" } }</td>
            }
            if !versus.is_empty() {
                <td title={withheld.map(|(_, why)| why)}>{ told_ratio(ratio, withheld.is_some(), versus.iter().any(|one| one.baseline == ordinal)) }</td>
            }
            if let Some(measured) = measured {
                { figures(measured, unit) }
            } else {
                <td class="reason" colspan="7">{ reason.clone() }</td>
            }
            <td>
                { reading.priority().number() }
                if let (Some(_), Some((priority, _))) = (measured, failure) {
                    <span class="reason" title={reason}>{ format!(" ({} failed)", priority.number()) }</span>
                }
            </td>
        </tr>
    }
}

fn told_ratio(ratio: Option<(f64, Interval, RatioStatistic)>, is_withheld: bool, is_baseline: bool) -> String {
    match ratio {
        Some((ratio, interval, _)) => {
            let (ratio, interval) = verdict::ratio(ratio, interval);
            format!("{ratio} {interval}")
        }
        None if is_baseline => "1".to_owned(),
        None if is_withheld => "withheld".to_owned(),
        None => String::new(),
    }
}

fn figures(measured: &Measured, unit: TimeUnit) -> Html {
    let summary = &measured.summary;
    let times = match measured.upper_bound() {
        // A figure that cannot be told from none would be read as one.
        Some(bound) => html! {
            <>
                <td title="The interval of the mean holds 0: all that can be said is that a call takes less.">
                    { format!("< {}", unit.digits(bound)) }
                </td>
                { for times(measured).into_iter().skip(1).map(|_| html! { <td>{ "–" }</td> }) }
            </>
        },
        None => html! {
            { for times(measured).map(|time| html! {
                <td>{ time.map_or_else(|| "withheld".to_owned(), |time| unit.digits(time)) }</td>
            }) }
        },
    };
    html! {
        <>
            { times }
            <td>{ summary.relative_half_width.map(plus_minus).unwrap_or_default() }</td>
            <td>
                { summary.n }
                if !summary.steady {
                    <span title="It never settled while warming up">{ " ~" }</span>
                }
            </td>
        </>
    }
}

/// The figures parted by tabs, for a spreadsheet: full numbers in nanoseconds, as scripts get them.
fn as_text(all: &[Shown], versus: &[Versus]) -> String {
    let mut head = vec!["function".to_owned(), "paired".to_owned()];
    head.push(all.first().map(|first| first.trace.setup.axis.clone()).unwrap_or_default());
    head.extend(FIGURES.map(|name| format!("{name} [ns]")));
    head.extend(
        [
            "under [ns]",
            "half-width",
            "samples",
            "calls a sample",
            "settled",
            "priority",
            "machine",
            "measured with",
            "failed",
            "ratio",
            "ratio from",
            "ratio to",
            "ratio of",
        ]
        .map(str::to_owned),
    );
    let rows = rows(all).into_iter().map(|(ordinal, reading)| {
        let shown = &all[ordinal];
        let trace = &shown.trace;
        let measured = reading.measured();
        let optional = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let mut cells = vec![
            trace.function.path.clone(),
            if shown.unpaired { "no" } else { "yes" }.to_owned(),
            reading.x.to_string(),
        ];
        // Where no figure is told on the page, none is told here.
        let told = measured.filter(|measured| measured.upper_bound().is_none());
        cells.extend((0..FIGURES.len()).map(|of| optional(told.and_then(|measured| times(measured)[of]))));
        cells.push(optional(measured.and_then(Measured::upper_bound)));
        cells.push(optional(measured.and_then(|measured| measured.summary.relative_half_width)));
        cells.push(measured.map(|measured| measured.summary.n.to_string()).unwrap_or_default());
        cells.push(measured.map(|measured| measured.calls().to_string()).unwrap_or_default());
        cells.push(measured.map(|measured| measured.summary.steady.to_string()).unwrap_or_default());
        cells.push(reading.priority().number().to_string());
        cells.push(trace.setup.machine.name.clone());
        cells.push(trace.setup.told());
        cells.push(reading.failure().map(|(_, failure)| failure.reason.clone()).unwrap_or_default());
        let at = ratio_at(versus, ordinal, reading.x);
        let interval = at.and_then(|at| at.interval);
        let ends = [at.and_then(|at| at.ratio), interval.map(|ends| ends.low), interval.map(|ends| ends.high)];
        cells.extend(ends.map(optional));
        cells.push(at.and_then(|at| at.of).map(verdict::of_name).unwrap_or_default().to_owned());
        cells
    });
    // Texts and reasons may hold anything; a tab or a line's end would break the table.
    let line =
        |cells: Vec<String>| cells.iter().map(|cell| cell.replace(['\t', '\n'], " ")).collect::<Vec<_>>().join("\t");
    std::iter::once(head).chain(rows).map(|cells| line(cells) + "\n").collect()
}

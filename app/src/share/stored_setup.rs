//! The settings of a cell as links and as notebooks write them.

use std::collections::BTreeMap;

use benchbook_chart::{View, Window};
use benchbook_host::metric;
use benchbook_host::units::Nanos;
use benchbook_notebook::setup::{CellSetup, WrittenArgument};
use benchbook_notebook::view::CellView;

use super::link::{Link, scale, scale_name};
use super::link_arguments::LinkArguments;
use crate::settings::measuring_options::{MeasuringOptions, RunOn};
use crate::settings::presentation::{Margin, Presentation, Tab};

impl Link {
    /// A link with the settings of a cell.
    pub(crate) fn of_setup(setup: &CellSetup) -> Self {
        let mut functions = setup.functions.iter().cloned();
        let mut arguments = LinkArguments::default();
        for (name, written) in &setup.arguments {
            match written {
                WrittenArgument::Single(text) => arguments.set(name, text.clone()),
                WrittenArgument::List(values) => {
                    values.iter().for_each(|value| arguments.add_value(name, value.clone()));
                }
            }
        }
        Self {
            suite: setup.suite.clone(),
            function: functions.next().unwrap_or_default(),
            generator: setup.generator.clone(),
            with: functions.collect(),
            arguments,
            measuring_options: MeasuringOptions {
                precision: setup.precision.clone(),
                time: setup.time.clone(),
                first_calls: setup.first_calls,
                run_on: RunOn::from_name(&setup.run_on).unwrap_or_default(),
            },
            presentation: presentation(&setup.view),
            ..Self::default()
        }
    }

    /// The settings that it contains.
    pub(crate) fn setup(&self) -> CellSetup {
        let single = self.arguments.single.iter().cloned().map(|(name, text)| (name, WrittenArgument::Single(text)));
        let mut arguments: BTreeMap<String, WrittenArgument> = single.collect();
        for (name, values) in self.arguments.lists() {
            arguments.insert(name.clone(), WrittenArgument::List(values));
        }
        let MeasuringOptions { precision, time, first_calls, run_on } = self.measuring_options.clone();
        CellSetup {
            suite: self.suite.clone(),
            functions: std::iter::once(&self.function).chain(&self.with).cloned().collect(),
            generator: self.generator.clone(),
            arguments,
            precision,
            time,
            first_calls,
            run_on: run_on.name().unwrap_or_default().to_owned(),
            view: view(&self.presentation),
        }
    }
}

/// A presentation as a notebook stores it.
fn view(presentation: &Presentation) -> CellView {
    let Presentation {
        tab,
        metric,
        is_relative,
        zoom,
        x_scale,
        y_scale,
        show_mean,
        hide_median,
        show_samples,
        hidden_machines,
        margin,
        limit,
        ranked_at,
        point,
    } = presentation.clone();
    CellView {
        tab: (tab != Tab::default()).then(|| tab.name().to_owned()),
        metric: metric.map(|metric| metric.name.to_owned()),
        relative: is_relative.then_some(true),
        zoom: zoom.map(|View { x, y }| [x.low, x.high, y.low, y.high]),
        x: x_scale.map(|scale| scale_name(scale).to_owned()),
        y: y_scale.map(|scale| scale_name(scale).to_owned()),
        mean: show_mean,
        median: hide_median.then_some(false),
        samples: show_samples.then_some(true),
        hidden_machines,
        margin: (margin != Margin::default()).then(|| margin.name()),
        limit_ns: limit.map(|Nanos(limit)| limit),
        ranked_at,
        point,
    }
}

/// The presentation that a notebook stores. Unknown names are ignored: they may come from a newer version.
fn presentation(view: &CellView) -> Presentation {
    let zoom = view.zoom.filter(|edges| edges.iter().all(|edge| edge.is_finite()));
    let zoom = zoom.filter(|[x_low, x_high, y_low, y_high]| x_low < x_high && y_low < y_high);
    Presentation {
        tab: view.tab.as_deref().and_then(Tab::from_name).unwrap_or_default(),
        metric: view.metric.as_deref().and_then(metric::metric).filter(|metric| **metric != metric::TIME),
        is_relative: view.relative.unwrap_or(false),
        zoom: zoom.map(|[x_low, x_high, y_low, y_high]| View {
            x: Window { low: x_low, high: x_high },
            y: Window { low: y_low, high: y_high },
        }),
        x_scale: view.x.as_deref().and_then(scale),
        y_scale: view.y.as_deref().and_then(scale),
        show_mean: view.mean,
        hide_median: view.median == Some(false),
        show_samples: view.samples == Some(true),
        hidden_machines: view.hidden_machines.clone(),
        margin: view.margin.as_deref().and_then(Margin::from_name).unwrap_or_default(),
        limit: view.limit_ns.filter(|limit| limit.is_finite() && *limit > 0.0).map(Nanos),
        ranked_at: view.ranked_at.clone(),
        point: view.point.clone(),
    }
}

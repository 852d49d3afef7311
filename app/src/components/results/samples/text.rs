//! The samples as text.

use benchbook_host::response::{MeasuredPoint, Run, Sample};
use yew::prelude::*;

use super::point::PointSamples;
use crate::components::widgets::copy::CopyButton;

#[derive(PartialEq, Properties)]
pub(super) struct TextProps {
    pub(super) point: PointSamples,
}

#[component]
pub(super) fn TextView(props: &TextProps) -> Html {
    let text = use_memo(props.point.clone(), |point| lines(&point.measured));
    let copied = {
        let text = text.to_string();
        Callback::from(move |()| text.clone())
    };
    html! {
        <>
            <p>{ "One sample per line, in nanoseconds per call. w: warm-up, excluded from the statistics. p: interrupted." }</p>
            <textarea readonly=true rows="12" aria-label="Raw samples" data-test="raw-samples" value={text.to_string()} />
            <CopyButton text={copied} test="copy-samples" label="Copy samples" />
        </>
    }
}

/// The significant digits of a sample, more than any clock has.
const DIGITS: i32 = 6;

fn lines(measured: &MeasuredPoint) -> String {
    let line = |(run, sample): (&Run, &Sample)| {
        let time = run.time_of(sample);
        let decimals = DIGITS - 1 - time.abs().max(1e-3).log10().floor() as i32;
        let decimals = decimals.clamp(0, 9) as usize;
        let flag = match sample {
            Sample { warm_up: true, .. } => " w",
            Sample { interrupted: true, .. } => " p",
            _ => "",
        };
        format!("{time:.decimals$}{flag}\n")
    };
    measured.samples().map(line).collect()
}

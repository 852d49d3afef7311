//! The clock and the machine that this browser measures with, and what can be done about them.

use benchbook::sample::clock_card::ClockCard;
use benchbook::units::Nanos;
use yew::prelude::*;

use crate::host::browser::{self, BrowserEnvironment};

/// The clock in short, as measured in a suite's worker; it opens to the whole card.
pub(super) fn machine_card(clock: &ClockCard) -> Html {
    let surroundings = BrowserEnvironment::current();
    let isolated = surroundings.isolated;
    let word = if isolated { "isolated" } else { "coarse" };
    let processors = surroundings.processors.map_or_else(|| "not told".to_owned(), |count| count.to_string());
    let rows = [
        ("Browser", browser::machine(*clock).name),
        ("Processors", processors),
        ("Clock steps by", Nanos(clock.resolution).to_string()),
        ("Steps vary by", jitter(clock)),
        ("A reading costs", Nanos(clock.cost).to_string()),
        ("Cross-origin isolated", if isolated { "yes" } else { "no" }.to_owned()),
    ];
    html! {
        <details class="chip" data-test="clock" data-resolution={clock.resolution.to_string()} data-isolated={isolated.to_string()}>
            <summary>{ format!("clock {} · {word}", Nanos(clock.resolution)) }</summary>
            <div class="card" data-test="machine-card">
                <dl>{ for rows.into_iter().map(|(name, value)| html! { <><dt>{ name }</dt><dd>{ value }</dd></> }) }</dl>
                <p>{ advice(surroundings) }</p>
                <p>{ "The clock was measured in the worker that runs the suites. A batch of calls is made long enough for its steps." }</p>
            </div>
        </details>
    }
}

/// What of a jitter is rounding in the browser's own numbers is none.
fn jitter(clock: &ClockCard) -> String {
    const ROUNDING: f64 = 1e-3;
    if clock.jitter < clock.resolution * ROUNDING { "nothing".to_owned() } else { Nanos(clock.jitter).to_string() }
}

/// What would make the clock finer.
fn advice(surroundings: BrowserEnvironment) -> &'static str {
    match surroundings {
        BrowserEnvironment { isolated: true, .. } => {
            "This page is cross-origin isolated, so the browser's clock is as fine as it gets."
        }
        BrowserEnvironment { secure: true, .. } => {
            "This page is not cross-origin isolated, so the browser's clock is coarse, and fast functions need longer \
             batches. Served with the headers Cross-Origin-Opener-Policy: same-origin and \
             Cross-Origin-Embedder-Policy: require-corp on every file, it would be up to 20 times finer. Where a host sets \
             no headers, the page's own service worker does it, unless the browser refuses it (private windows, blocked \
             site data)."
        }
        BrowserEnvironment { .. } => {
            "This page came over plain http, so browsers give it neither a fine clock, nor a service worker, nor the \
             clipboard. Served over https (or from localhost) with the headers Cross-Origin-Opener-Policy: same-origin and \
             Cross-Origin-Embedder-Policy: require-corp, its clock would be up to 20 times finer."
        }
    }
}

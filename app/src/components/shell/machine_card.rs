//! The clock and the machine of this browser, with advice for a finer clock.

use benchbook_host::response::ClockCard;
use benchbook_host::units::Nanos;
use yew::prelude::*;

use super::landmarks::Landmarks;
use crate::effects::browser;
use crate::effects::browser::BrowserEnvironment;

/// A chip that opens the card of this browser. It says more itself only if the clock is coarse.
pub(super) fn machine_card(clock: &ClockCard, landmarks: &Landmarks) -> Html {
    let environment = BrowserEnvironment::current();
    let isolated = environment.isolated;
    let label = if isolated { "This browser" } else { "This browser · coarse clock" };
    let processors = environment.processors.map_or_else(|| "unknown".to_owned(), |count| count.to_string());
    let rows = [
        ("Browser", browser::identity().name),
        ("Processors", processors),
        ("Clock resolution", Nanos(clock.resolution).to_string()),
        ("Clock jitter", jitter(clock)),
        ("Cost per reading", Nanos(clock.cost).to_string()),
        ("Hardware counters", "unavailable in browsers".to_owned()),
        ("Cross-origin isolated", if isolated { "yes" } else { "no" }.to_owned()),
    ];
    let onclick = {
        let landmarks = landmarks.clone();
        Callback::from(move |_: MouseEvent| landmarks.close_card())
    };
    html! {
        <details class="chip" ref={landmarks.clock.clone()} data-test="clock" data-resolution={clock.resolution.to_string()} data-isolated={isolated.to_string()}>
            <summary>{ label }</summary>
            <div class="card" data-test="machine-card">
                <dl>{ for rows.into_iter().map(|(name, value)| html! { <><dt>{ name }</dt><dd>{ value }</dd></> }) }</dl>
                <p>{ advice(environment) }</p>
                <p><a href="#self_test=browser" data-test="open-self-test" {onclick}>{ "Run the self-test" }</a></p>
                <p>{ "Measured in the worker that runs the suites. Batches are long enough for this resolution." }</p>
            </div>
        </details>
    }
}

/// The jitter; rounding errors in the browser's own numbers count as zero.
fn jitter(clock: &ClockCard) -> String {
    const ROUNDING: f64 = 1e-3;
    if clock.jitter < clock.resolution * ROUNDING { "none".to_owned() } else { Nanos(clock.jitter).to_string() }
}

/// How to get a finer clock.
fn advice(environment: BrowserEnvironment) -> &'static str {
    match environment {
        BrowserEnvironment { isolated: true, .. } => {
            "The page is cross-origin isolated: the clock is as fine as this browser allows."
        }
        BrowserEnvironment { secure: true, .. } => {
            "Not cross-origin isolated: the clock is coarse, so fast functions need longer batches. \
             For a clock up to 20 times finer, serve every file with the headers Cross-Origin-Opener-Policy: same-origin \
             and Cross-Origin-Embedder-Policy: require-corp, or allow this page's service worker (private windows and \
             blocked site data disable it)."
        }
        BrowserEnvironment { .. } => {
            "The page was loaded over plain HTTP, which disables the fine clock, the service worker and the clipboard. \
             For a clock up to 20 times finer, serve it over HTTPS or from localhost, with the headers \
             Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp on every file."
        }
    }
}

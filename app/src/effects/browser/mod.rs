//! This browser: its name, and the isolation of the page.

pub(crate) mod address;
pub(crate) mod download;
pub(crate) mod focus;
pub(crate) mod idle;
pub(crate) mod latest;
pub(crate) mod limited_body;
pub(crate) mod own_frame;
mod task_queue;
pub(crate) mod title;

use benchbook_host::response::{ClockCard, Machine, SuiteCard};
use benchbook_host::units::Nanos;
use benchbook_notebook::id::Id;
use js_sys::Reflect;

use crate::address::embed::QUERY;
use crate::state::machines::browser_identity::BrowserIdentity;
use crate::state::machines::isolation::Isolation;
use benchbook_report::results::ResultOrigin;

/// The page's permissions, and the browser's information on its machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BrowserEnvironment {
    /// Whether the page is cross-origin isolated, which makes the clock finer.
    pub(crate) isolated: bool,
    /// Whether it was loaded over https or from this machine.
    pub(crate) secure: bool,
    /// The number of logical processors; browsers may report fewer.
    pub(crate) processors: Option<u32>,
}

impl BrowserEnvironment {
    /// The current environment.
    pub(crate) fn current() -> Self {
        let global = |name: &str| Reflect::get(&js_sys::global(), &name.into()).ok().and_then(|value| value.as_bool());
        let processors = web_sys::window().map(|window| window.navigator().hardware_concurrency());
        Self {
            isolated: global("crossOriginIsolated").unwrap_or(false),
            secure: global("isSecureContext").unwrap_or(false),
            processors: processors.filter(|count| *count >= 1.0).map(|count| count as u32),
        }
    }
}

/// The isolation of the page. `static/isolation.js` sets the variable while a reload would isolate it.
pub(crate) fn isolation() -> Isolation {
    let value = Reflect::get(&js_sys::global(), &"benchbookIsolatedAfterReload".into());
    let is_after_reload = value.ok().and_then(|value| value.as_bool()).unwrap_or(false);
    if is_after_reload { Isolation::AfterReload } else { Isolation::Settled }
}

/// This browser as a machine.
pub(crate) fn machine(clock: ClockCard) -> Machine {
    identity().machine(clock)
}

/// The name and the identifier of this browser. The identifier is random, and stored at the first call; where storing is
/// blocked, it lasts as long as the page.
pub(crate) fn identity() -> BrowserIdentity {
    thread_local!(static IDENTITY: BrowserIdentity = own_identity());
    IDENTITY.with(BrowserIdentity::clone)
}

/// Whether the page is a frame that shows one cell.
pub(crate) fn is_embedded() -> bool {
    let search = web_sys::window().and_then(|window| window.location().search().ok());
    search.is_some_and(|search| search == QUERY)
}

/// Whether the page has an origin; a frame in a sandbox may have none.
pub(crate) fn has_origin() -> bool {
    let origin = Reflect::get(&js_sys::global(), &"origin".into()).ok().and_then(|origin| origin.as_string());
    origin.is_none_or(|origin| origin != "null")
}

/// The address of the page without query and fragment.
pub(crate) fn page_without_fragment() -> String {
    let address = web_sys::window().and_then(|window| window.location().href().ok()).unwrap_or_default();
    address.split(['?', '#']).next().unwrap_or_default().to_owned()
}

/// The address of this frame as a page of its own.
pub(crate) fn address_outside_frame() -> String {
    let fragment = web_sys::window().and_then(|window| window.location().hash().ok()).unwrap_or_default();
    page_without_fragment() + &fragment
}

/// A sentence on the clock of a frame. A page that is not isolated, as most with frames, has a coarser clock.
pub(crate) fn clock_note(clock: ClockCard) -> String {
    let steps = format!("The clock of this frame advances in steps of {}", Nanos(clock.resolution));
    match BrowserEnvironment::current().isolated {
        true => format!("{steps}."),
        false => format!("{steps}: coarser than on Benchbook's own page, so measurements of short calls take longer."),
    }
}

fn own_identity() -> BrowserIdentity {
    // A frame stores nothing.
    let id = if is_embedded() { new_id() } else { own_id() };
    BrowserIdentity { name: browser_name(&user_agent()), id, processor: processor() }
}

/// The platform and the number of threads: browsers do not state the model of the processor.
fn processor() -> Option<String> {
    let platform = web_sys::window()?.navigator().platform().ok().filter(|platform| !platform.is_empty())?;
    Some(match BrowserEnvironment::current().processors {
        Some(1) => format!("{platform}, 1 thread"),
        Some(threads) => format!("{platform}, {threads} threads"),
        None => platform,
    })
}

fn user_agent() -> String {
    web_sys::window().and_then(|window| window.navigator().user_agent().ok()).unwrap_or_default()
}

/// A sentence if this browser is known to compute wrong numbers, and how to fix it.
pub(crate) fn known_bug() -> Option<&'static str> {
    is_webkitgtk_on_x86_64(&user_agent()).then_some(
        "Figures may be wrong: this browser (WebKitGTK on x86-64) sometimes miscompiles WebAssembly. Use Chromium or Firefox.",
    )
}

/// Observed in WebKitGTK 2.50.6: with its compiler, some pages stop, and others show NaN; with its interpreter, none.
fn is_webkitgtk_on_x86_64(agent: &str) -> bool {
    agent.contains("Linux x86_64") && agent.contains("AppleWebKit/") && !agent.contains("Chrome/")
}

fn own_id() -> Id {
    /// The storage key of the identifier.
    const KEY: &str = "benchbook-browser";
    let storage = web_sys::window().and_then(|window| window.local_storage().ok().flatten());
    let stored = storage.as_ref().and_then(|storage| storage.get_item(KEY).ok().flatten());
    if let Some(id) = stored.and_then(|stored| Id::try_from(stored).ok()) {
        return id;
    }
    let id = new_id();
    if let Some(storage) = storage {
        let _ = storage.set_item(KEY, &id.to_string());
    }
    id
}

/// A random id for this tab: a runner identifies clients by it.
pub(crate) fn client_id() -> String {
    new_id().into()
}

/// The time, in milliseconds since 1970.
pub(crate) fn now() -> f64 {
    js_sys::Date::now()
}

/// The origin of the points of a measurement that starts now.
pub(crate) fn result_origin(machine: Machine, suite: SuiteCard) -> ResultOrigin {
    ResultOrigin { id: new_id(), started: now(), machine, suite }
}

/// A random identifier.
pub(crate) fn new_id() -> Id {
    Id::from_random(random())
}

/// A random number.
pub(crate) fn random() -> u64 {
    let part = || (js_sys::Math::random() * f64::from(u32::MAX)) as u64;
    part() << 32 | part()
}

/// Name and major version, from the user agent.
fn browser_name(agent: &str) -> String {
    // In this order: an agent also contains some of the later tokens.
    const BRANDS: [(&str, &str); 5] =
        [("Firefox/", "Firefox"), ("Edg/", "Edge"), ("OPR/", "Opera"), ("Chrome/", "Chrome"), ("Version/", "Safari")];
    let name = BRANDS.iter().find_map(|(token, name)| {
        let version = agent.split(token).nth(1)?;
        let major: String = version.chars().take_while(char::is_ascii_digit).collect();
        Some(format!("{name} {major}"))
    });
    name.unwrap_or_else(|| "this browser".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHROME: &str =
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";
    const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0";

    #[test]
    fn recognises_browsers_by_their_user_agent() {
        let edge = format!("{CHROME} Edg/156.0.0.0");
        let safari = "Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15";
        let table = [
            (CHROME, "Chrome 156"),
            (FIREFOX, "Firefox 148"),
            (safari, "Safari 26"),
            (&edge, "Edge 156"),
            ("curl/8", "this browser"),
        ];
        for (agent, name) in table {
            assert_eq!(browser_name(agent), name);
        }
    }

    #[test]
    fn recognises_a_browser_that_computes_wrong_numbers() {
        let webkit = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/60.5 Safari/605.1.15";
        assert!(is_webkitgtk_on_x86_64(&format!("Mozilla/5.0 (X11; Linux x86_64) {webkit}")));
        for other in [
            &format!("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {webkit}"),
            &format!("Mozilla/5.0 (X11; Linux aarch64) {webkit}"),
            CHROME,
            FIREFOX,
        ] {
            assert!(!is_webkitgtk_on_x86_64(other), "{other}");
        }
    }
}

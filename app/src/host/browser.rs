//! This browser: its name, and whether the page is isolated.

use benchbook_host::response::{Machine, MachineKind};
use benchbook_host::sample::clock_card::ClockCard;
use js_sys::Reflect;

/// What this page is allowed, and what the browser tells of its machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Surroundings {
    /// Whether the page is cross-origin isolated, so that the clock is fine.
    pub(crate) isolated: bool,
    /// Whether it came over https or from this machine.
    pub(crate) secure: bool,
    /// Logical processors; browsers may tell fewer than there are.
    pub(crate) processors: Option<u32>,
}

impl Surroundings {
    /// As they are.
    pub(crate) fn now() -> Self {
        let global = |name: &str| Reflect::get(&js_sys::global(), &name.into()).ok().and_then(|value| value.as_bool());
        let processors = web_sys::window().map(|window| window.navigator().hardware_concurrency());
        Self {
            isolated: global("crossOriginIsolated").unwrap_or(false),
            secure: global("isSecureContext").unwrap_or(false),
            processors: processors.filter(|count| *count >= 1.0).map(|count| count as u32),
        }
    }
}

/// This browser as a machine.
pub(crate) fn machine(clock: ClockCard) -> Machine {
    let agent = web_sys::window().and_then(|window| window.navigator().user_agent().ok()).unwrap_or_default();
    Machine { kind: MachineKind::Browser, name: browser_name(&agent), clock }
}

/// A random id for this tab, so that a runner can tell clients apart.
pub(crate) fn client_id() -> String {
    let part = || (js_sys::Math::random() * f64::from(u32::MAX)) as u32;
    format!("{:08x}{:08x}", part(), part())
}

/// Name and major version, from what the browser calls itself.
fn browser_name(agent: &str) -> String {
    // The order matters: each of these also names those that follow.
    const BRANDS: [(&str, &str); 5] =
        [("Firefox/", "Firefox"), ("Edg/", "Edge"), ("OPR/", "Opera"), ("Chrome/", "Chrome"), ("Version/", "Safari")];
    let named = BRANDS.iter().find_map(|(token, name)| {
        let version = agent.split(token).nth(1)?;
        let major: String = version.chars().take_while(char::is_ascii_digit).collect();
        Some(format!("{name} {major}"))
    });
    named.unwrap_or_else(|| "this browser".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_known_by_their_agent() {
        let table = [
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
                "Chrome 156",
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0", "Firefox 148"),
            (
                "Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15",
                "Safari 26",
            ),
            (
                "Mozilla/5.0 (Windows) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0",
                "Edge 156",
            ),
            ("curl/8", "this browser"),
        ];
        for (agent, name) in table {
            assert_eq!(browser_name(agent), name);
        }
    }
}

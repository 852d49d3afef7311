//! The answer in words.

use benchbook_host::units::percent;
use benchbook_profile::{Place, ProfileGrowth, short_number};

use crate::attribution::{CallDifference, Change};
use crate::pinpoint::{Pinpoint, Step};

impl Pinpoint {
    /// The cause of most of the difference, in a sentence without its full stop: "`run` now calls `size` (src/buf.rs:14): 84% of the added instructions".
    pub fn answer(&self) -> String {
        let Some(cause) = self.cause() else {
            return match self.contributors[..] {
                [] => "The builds execute the same instructions, function by function".to_owned(),
                _ => "The builds execute as many instructions, in other functions".to_owned(),
            };
        };
        let caller = self.chain.len().checked_sub(2).map(|index| &self.chain[index].short_name);
        let change = change(cause, caller.map_or("", String::as_str));
        let kind = if self.added() < 0.0 { "saved" } else { "added" };
        let share = percent(cause_amount(self, cause) / self.added());
        let growth = growth(cause).map(|growth| format!(". {growth}")).unwrap_or_default();
        format!("{change}: {share} of the {kind} instructions{growth}")
    }
}

/// What the cause adds: of a function that has changed, only what it executes itself.
fn cause_amount(pinpoint: &Pinpoint, cause: &Step) -> f64 {
    let is_cause = |path: &[String]| path.len() == pinpoint.chain.len();
    let contributor = pinpoint.contributors.iter().find(|contributor| {
        let CallDifference { name, call_site, .. } = &contributor.difference;
        is_cause(&contributor.path) && (name, call_site) == (&cause.difference.name, &cause.difference.call_site)
    });
    contributor.map_or(cause.difference.added[pinpoint.shown], |found| found.difference.added[pinpoint.shown])
}

fn change(cause: &Step, caller: &str) -> String {
    let Step { short_name: name, difference, change, .. } = cause;
    let CallDifference { place, call_site, calls, .. } = difference;
    let at = |place: &Option<Place>| place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
    match change {
        Some(Change::New) => format!("`{caller}` now calls `{name}`{}", at(call_site)),
        Some(Change::Gone) => format!("`{caller}` no longer calls `{name}`"),
        Some(Change::Calls) => {
            let [before, after] = calls.map(|calls| short_number(calls.unwrap_or_default()));
            format!("`{caller}` calls `{name}` {after} times instead of {before}{}", at(call_site))
        }
        Some(Change::Body) => format!("the body of `{name}` has changed{}", at(place)),
        Some(Change::Compiled) => {
            format!("the compiler makes other code of `{name}`, whose source is the same{}", at(place))
        }
        Some(Change::Below) => format!("something that `{name}` calls has changed{}", at(place)),
        Some(Change::Cost) | None if caller.is_empty() => {
            format!("`{name}` executes something else, although its code is the same{}", at(place))
        }
        Some(Change::Cost) | None => {
            let site = at(call_site);
            format!(
                "a call of `{name}` executes something else, although its code is the same: see what `{caller}` gives it{site}"
            )
        }
    }
}

/// How the growth of the cause has changed: "`size` grows like n; it was constant".
fn growth(cause: &Step) -> Option<String> {
    let [Some(before), Some(after)] = cause.difference.growth else { return None };
    (before.class != after.class).then(|| {
        let before = match ProfileGrowth::label(before).as_str() {
            "constant" => "it was constant".to_owned(),
            class => format!("it grew like {class}"),
        };
        format!("`{}` {}; {before}", cause.short_name, after.phrase())
    })
}

impl Change {
    /// The change in a few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::New => "new call",
            Self::Gone => "call removed",
            Self::Calls => "called more or less often",
            Self::Body => "body changed",
            Self::Compiled => "compiled differently",
            Self::Cost => "same code, other work",
            Self::Below => "change below",
        }
    }
}

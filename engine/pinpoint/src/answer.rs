//! The answer in words.

use benchbook_host::units::percent;
use benchbook_profile::{Place, ProfileGrowth, brief_name, short_number};

use crate::attribution::{CallDifference, Change, Contributor};
use crate::pinpoint::{Pinpoint, Step};

impl Pinpoint {
    /// The cause of most of the difference, in a sentence without its full stop: "`run` now calls `size` (src/buf.rs:14): 84% of the added wasm instructions".
    pub fn answer(&self) -> String {
        let noun = self.metric.noun();
        let Some(cause) = self.cause() else {
            return match self.contributors[..] {
                [] => format!("The builds have the same {noun}, function by function"),
                _ => format!("The builds have as many {noun}, in other functions"),
            };
        };
        let caller = self.chain.len().checked_sub(2).map(|index| &self.chain[index].short_name);
        let mut change = change(cause, caller.map_or("", String::as_str));
        if let Some(called) = self.new_call_of_body(cause) {
            change += &format!(", which now calls `{}`", brief_name(called));
        }
        let kind = if self.added() < 0.0 { "saved" } else { "added" };
        let all = self.added();
        let share = match self.cause_added / all {
            // Others go the other way.
            share if share > 1.05 => {
                let [own, all] = [self.cause_added, all].map(|added| short_number(added.abs()));
                format!("{own} {kind} {noun}, of {all} with all others")
            }
            share => format!("{} of the {kind} {noun}", percent(share)),
        };
        let growth = growth(cause).map(|growth| format!(". {growth}")).unwrap_or_default();
        format!("{change}: {share}{growth}")
    }

    /// The short name of the new call that makes up most of a changed body.
    fn new_call_of_body(&self, cause: &Step) -> Option<&str> {
        let added = |contributor: &Contributor| contributor.difference.added[self.shown];
        let is_most = |contributor: &&Contributor| {
            contributor.change == Change::New
                && contributor.path.len() == self.chain.len() + 1
                && added(contributor) >= self.cause_added / 2.0
        };
        let called = self.contributors.iter().filter(|_| cause.change == Some(Change::Body)).find(is_most)?;
        called.path.last().map(String::as_str)
    }
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
        Some(Change::Body) => format!("The body of `{name}` has changed{}", at(place)),
        Some(Change::Compiled) => {
            format!("The compiler makes other code of `{name}`, whose source is the same{}", at(place))
        }
        Some(Change::Below) => format!("Something that `{name}` calls has changed{}", at(place)),
        Some(Change::Cost) | None if caller.is_empty() => {
            format!("`{name}` executes something else, although its source is the same{}", at(place))
        }
        Some(Change::Cost) | None => {
            let site = at(call_site);
            format!(
                "A call of `{name}` executes something else, although its source is the same: see what `{caller}` gives it{site}"
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
            Self::Cost => "same source, other work",
            Self::Below => "change below",
        }
    }
}

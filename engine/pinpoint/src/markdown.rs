//! The answer as Markdown, for a pull request, and sentences that the terminal shows, too.

use benchbook_profile::{ProfileGrowth, brief_name, short_number};

use crate::attribution::Contributor;
use crate::report::PinpointReport;
use crate::words::{calls, growth_change, share, signed};

/// How many contributors are listed at most.
const MAX_ROWS: usize = 10;

/// How many functions are named at most.
const MAX_LISTED: usize = 5;

impl PinpointReport {
    /// The answer, a table of all that contributes, and the lines of the source that have changed.
    pub fn markdown(&self) -> String {
        let PinpointReport { totals, answer, found, instructions: pinpoint, by_time, .. } = self;
        let mut text = format!("**{}**\n\n{answer}.\n", totals.replace('`', ""));
        if let Some(found) = found {
            text += &format!("\n{}\n", found.sentence());
        }
        if let Some(by_time) = by_time {
            text += &format!("\n{}.\n", by_time.sentence());
        }
        if !pinpoint.contributors.is_empty() {
            text += "\n| call | added | share | calls | growth | why |\n| --- | ---: | ---: | --- | --- | --- |\n";
        }
        for Contributor { path, change, difference, .. } in pinpoint.contributors.iter().take(MAX_ROWS) {
            let added = difference.added[pinpoint.shown];
            let names: Vec<String> = path.iter().skip(1).map(|name| brief_name(name)).collect();
            let name = if names.is_empty() { &pinpoint.function } else { &names.join(" > ") };
            text += &format!(
                "| `{}` | {} | {} | {} | {} | {} |\n",
                name.replace('|', "\\|"),
                signed(added),
                share(pinpoint, added),
                calls(difference.calls),
                growth_change(difference.growth.map(|growth| growth.map(ProfileGrowth::label))),
                change.words(),
            );
        }
        let rest = pinpoint.contributors.len().saturating_sub(MAX_ROWS);
        if rest > 0 {
            text += &format!("\n{rest} smaller ones are not listed.\n");
        }
        for note in [self.memory_notes(), self.silent_changes(), self.other_native_code()]
            .iter()
            .filter(|note| !note.is_empty())
        {
            text += &format!("\n{}\n", note.trim_end().replace('\n', "  \n"));
        }
        if let Some(file) = &pinpoint.source_file {
            text += &format!("\n`{file}`\n\n```diff\n");
            for line in &pinpoint.source {
                let mark = match line.lines {
                    [_, None] => '-',
                    [None, _] => '+',
                    _ => ' ',
                };
                text += &format!("{mark}{}\n", line.text);
            }
            text += "```\n";
        }
        text
    }

    /// What else to look at if the counts do not explain the time.
    pub fn memory_notes(&self) -> String {
        if !self.is_unexplained() {
            return String::new();
        }
        let mut text =
            "The time has changed more than the instructions, so the cause is memory, caches or branches.\n".to_owned();
        for memory in &self.memory {
            let [before, after] = memory.points[memory.shown].totals.map(short_number);
            text += &format!("{} from {before} to {after}: {}\n", memory.metric.noun(), memory.answer());
        }
        text + &format!("`{}` shows how its machine code differs.\n", self.assembly)
    }

    /// Names the functions that have changed without an effect on the counts: suspects if there is no other. Empty without any.
    pub fn silent_changes(&self) -> String {
        let contributors = &self.instructions.contributors;
        let is_silent = |name: &&String| contributors.iter().all(|one| one.difference.name != **name);
        listed("Changed without an effect on the counts", self.instructions.changed.iter().filter(is_silent))
    }

    /// Names the functions whose native code differs; empty without any.
    pub fn other_native_code(&self) -> String {
        listed("Other native code", self.different_code.iter())
    }
}

/// A line with names; empty without any.
fn listed<'n>(title: &str, names: impl Iterator<Item = &'n String>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let more = match names.len().saturating_sub(MAX_LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match names.len() {
        0 => String::new(),
        _ => format!("{title}: {}{more}\n", names[..names.len().min(MAX_LISTED)].join(", ")),
    }
}

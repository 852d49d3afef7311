//! The answer as Markdown, for a pull request.

use benchbook_pinpoint::words::{calls, growth_change, share, signed};
use benchbook_pinpoint::{Contributor, PinpointReport};
use benchbook_profile::{ProfileGrowth, brief_name};

use super::text::{different_code, memory};

/// How many contributors are listed at most.
const MAX_LISTED: usize = 10;

/// The answer, a table of all that contributes, and the lines of the source that have changed.
pub(super) fn text(report: &PinpointReport) -> String {
    let PinpointReport { totals, answer, found, instructions: pinpoint, .. } = report;
    let mut text = format!("**{}**\n\n{answer}.\n", totals.replace('`', ""));
    if let Some(found) = found {
        text += &format!("\n{}\n", found.sentence());
    }
    if !pinpoint.contributors.is_empty() {
        text += "\n| call | added | share | calls | growth | why |\n| --- | ---: | ---: | --- | --- | --- |\n";
    }
    for Contributor { path, change, difference, .. } in pinpoint.contributors.iter().take(MAX_LISTED) {
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
    let rest = pinpoint.contributors.len().saturating_sub(MAX_LISTED);
    if rest > 0 {
        text += &format!("\n{rest} smaller ones are not listed.\n");
    }
    for note in [memory(report), different_code(report)].iter().filter(|note| !note.is_empty()) {
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

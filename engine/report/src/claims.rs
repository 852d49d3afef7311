//! What the results say: claims and answers in sentences, with function names between backticks.

use benchbook_host::alternative::Alternative;
use benchbook_host::messages;
use benchbook_host::messages::answer::{answer, answer_for_other_machine};
use benchbook_host::messages::at::at_value;
use benchbook_host::messages::verdicts::ratio_and_interval;

use super::ranking::MachineRanking;
use super::reproduction::Reproduction;
use super::shown_trace::ShownTrace;

/// The answers of the rankings, with function names between backticks: the first machine's, then those of the others in
/// relation to it. `margin`: the relative difference up to which times count as the same.
pub fn answers(rankings: &[MachineRanking], margin: f64) -> Vec<String> {
    let own = rankings.first().and_then(|first| answer(&first.ranking, first.context(margin)));
    own.into_iter().chain(answers_elsewhere(rankings, margin)).collect()
}

/// The answers of all machines but the first, in relation to it.
fn answers_elsewhere(rankings: &[MachineRanking], margin: f64) -> Vec<String> {
    let Some((first, others)) = rankings.split_first() else { return Vec::new() };
    let answer = |other: &MachineRanking| {
        answer_for_other_machine(&first.ranking, &other.ranking, &other.setup.machine.name, other.context(margin))
    };
    others.iter().filter_map(answer).collect()
}

/// The claims about the results, the most important one first, with function names between backticks and without full stops: what changed since the
/// earlier build, then which function is the fastest, and what follows, on the first machine and then on the others. Whether an original
/// measurement held is the second claim. The first one is the headline.
pub fn claims(
    shown: &[ShownTrace],
    rankings: &[MachineRanking],
    (margin, ranked_at): (f64, Option<&str>),
    reproduction: Option<&Reproduction>,
) -> Vec<String> {
    let Some(first) = rankings.first() else { return Vec::new() };
    let own = messages::answer::claims(&first.ranking, first.context(margin));
    let claims = changes(shown, first, ranked_at).into_iter().chain(own).chain(answers_elsewhere(rankings, margin));
    let mut claims: Vec<String> = claims.map(|claim| claim.trim_end_matches('.').to_owned()).collect();
    if let (Some(summary), false) = (reproduction.and_then(|one| one.sentences.first()), claims.is_empty()) {
        claims.insert(1, summary.trim_end_matches('.').to_owned());
    }
    claims
}

/// The changes since the earlier build that each function was measured with, with function names between backticks: "`sort` takes 1.99 (1.84 to 2.16)
/// times as long as before at 1 000 keys." `ranked_at`: the axis value, as for [`MachineRanking::value_at`]. Without a ratio there, a function
/// has no sentence.
pub fn changes(shown: &[ShownTrace], ranking: &MachineRanking, ranked_at: Option<&str>) -> Vec<String> {
    let value = ranking.value_at(ranked_at);
    let at = at_value(&ranking.ranking.values()[value], ranking.setup.axis_unit());
    let of = |function: usize| &shown[ranking.ordinals[function]];
    let change = |before: usize| {
        let path = Alternative::parse(&of(before).trace.path).path;
        let current = (0..ranking.ordinals.len()).find(|&function| of(function).trace.path == path)?;
        let (name, known) = (&ranking.names[current], ranking.ranking.ratio(current, before, value)?);
        let is_faster = known.interval.high < 1.0;
        let known = if is_faster { ranking.ranking.ratio(before, current, value)? } else { known };
        let (ratio, interval) = ratio_and_interval(known.ratio, known.interval);
        let is_undecided = known.interval.low <= 1.0 && 1.0 <= known.interval.high;
        Some(match is_undecided {
            true => format!("`{name}` shows no certain change from before{at}: {ratio} ({interval}) times as long."),
            false if is_faster => format!("Before, `{name}` took {ratio} ({interval}) times as long{at}."),
            false => format!("`{name}` takes {ratio} ({interval}) times as long as before{at}."),
        })
    };
    (0..ranking.ordinals.len()).filter(|&function| of(function).is_before).filter_map(change).collect()
}

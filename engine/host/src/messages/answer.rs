//! The answer of a measurement: which function is the fastest, and where one overtakes another. Function names are between
//! backticks.

use benchbook_contract::axis_value::AxisValue;

use crate::analyze::equivalence::Decision;
use crate::analyze::interval::Interval;
use crate::compare::ranking::{Fastest, FastestSpan, RankedPair, Ranking, StatedCrossover, TypicalTime, ValueRange};
use crate::units::{Nanos, TimeUnit, axis_value, exact_percent, under};

use super::at::{at_value, crossover_place};
use super::lists::{listed, with_unit};
use super::verdicts::{Contradiction, ratio_and_interval, withheld_reason};

/// What the sentences refer to.
#[derive(Clone, Copy, Debug)]
pub struct AnswerContext<'a> {
    /// The names of the functions, in the order of the ranking.
    pub names: &'a [String],
    /// The unit of the axis; may be empty.
    pub unit: &'a str,
    /// The relative difference up to which times count as the same: 0.01 is ±1%.
    pub margin: f64,
}

/// The most crossovers that an answer names.
pub const MAX_CROSSOVERS: usize = 2;

/// The most ranges of axis values that an answer lists.
const MAX_RANGES: usize = 3;

/// The most single axis values that an answer lists for a function.
const MAX_VALUES: usize = 3;

/// Answers which function is the fastest, in a sentence. `None` without compared figures; for a single function, the sentence
/// states its times.
pub fn answer(ranking: &Ranking, context: AnswerContext<'_>) -> Option<String> {
    if ranking.functions() == 1 {
        return times_of_one(ranking, context);
    }
    let claims = claims(ranking, context);
    (!claims.is_empty()).then(|| format!("{}.", claims.join("; ")))
}

/// The claims of an answer without full stops, the most important one first: which function is the fastest, or how long the only one takes; then
/// the crossovers, and what is undecided or was not compared. Empty without figures.
pub fn claims(ranking: &Ranking, context: AnswerContext<'_>) -> Vec<String> {
    if ranking.functions() == 1 {
        let claim = if ranking.is_ordered() || is_single(ranking) {
            last_time_of_one(ranking, context)
        } else {
            times_of_one(ranking, context).map(|sentence| sentence.trim_end_matches('.').to_owned())
        };
        return claim.into_iter().collect();
    }
    let spans = ranking.fastest_spans();
    let first = match spans.is_empty() {
        true => undecided(ranking, context),
        false => Some(fastest_clause(ranking, context, &spans)),
    };
    let Some(first) = first else { return Vec::new() };
    let mut claims = vec![first];
    if !spans.is_empty() {
        claims.extend(crossover_clauses(ranking, context));
        claims.extend(open_values(ranking, context));
        claims.extend(contradicting_means(ranking, context));
    }
    claims.extend(excluded(ranking, context));
    claims
}

/// Where the means contradict the medians about a fastest function, at the value where they do most.
fn contradicting_means(ranking: &Ranking, context: AnswerContext<'_>) -> Option<String> {
    let is_about_fastest = |pair: &RankedPair, x: &AxisValue| {
        let value = ranking.values().iter().position(|value| value == x);
        let fastest = value.and_then(|value| ranking.fastest_at(value));
        matches!(fastest, Some(Fastest::Decided(function)) if [pair.baseline, pair.other].contains(function))
    };
    let all = ranking.pairs().iter().filter_map(|pair| Some((pair, Contradiction::greatest(&pair.ratios)?)));
    let all = all.filter(|(pair, means)| is_about_fastest(pair, means.x));
    let (pair, means) = all.max_by(|(_, one), (_, other)| one.distance.total_cmp(&other.distance))?;
    let [baseline, other] = [pair.baseline, pair.other].map(|function| quoted(context, function));
    Some(format!("medians decide this: {}", means.clause([&baseline, &other])))
}

/// Answers for another machine, in relation to the answer of the first: "Chrome 156: same winner; …"
pub fn answer_for_other_machine(
    first: &Ranking,
    other: &Ranking,
    machine: &str,
    context: AnswerContext<'_>,
) -> Option<String> {
    let spans = other.fastest_spans();
    let sentence = if has_same_winners(first, other) {
        let is_one = spans.iter().all(|span| span.fastest == spans[0].fastest);
        let mut clauses = vec![if is_one { "same winner".to_owned() } else { "same winner at each value".to_owned() }];
        clauses.extend(crossover_clauses(other, context));
        format!("{}.", clauses.join("; "))
    } else {
        answer(other, context)?
    };
    Some(format!("{machine}: {sentence}"))
}

/// Whether the fastest function is decided at each value of `other`, and is that of `first` wherever that has the value.
fn has_same_winners(first: &Ranking, other: &Ranking) -> bool {
    let index = |x| first.values().iter().position(|value| value == x);
    let is_decided = |value: usize| matches!(other.fastest_at(value), Some(Fastest::Decided(_)));
    let common: Vec<(usize, usize)> =
        other.values().iter().enumerate().filter_map(|(value, x)| Some((index(x)?, value))).collect();
    let is_same = |&(of_first, of_other): &(usize, usize)| first.fastest_at(of_first) == other.fastest_at(of_other);
    !common.is_empty() && (0..other.values().len()).all(is_decided) && common.iter().all(is_same)
}

/// Where a function is the fastest, as text: `fastest everywhere`, `fastest at 10 to 200, 5 000`, `may be fastest at 500`, or `never fastest`.
/// Empty if the function was not compared, and without an axis if it is not the fastest.
pub fn fastest_range(ranking: &Ranking, function: usize) -> String {
    let fastest = ranking.fastest_ranges(function);
    let at = |ranges: &[ValueRange]| {
        let is_everywhere = ranges == [ValueRange { first: 0, last: ranking.values().len() - 1 }];
        match () {
            () if is_single(ranking) => String::new(),
            () if is_everywhere => " everywhere".to_owned(),
            () => {
                format!(" at {}", ranges.iter().map(|range| range_text(ranking, *range)).collect::<Vec<_>>().join(", "))
            }
        }
    };
    match (fastest.ranges.as_slice(), fastest.undecided.as_slice()) {
        _ if !fastest.is_compared => String::new(),
        ([], []) if is_single(ranking) => String::new(),
        ([], []) => "never fastest".to_owned(),
        ([], undecided) => format!("may be fastest{}", at(undecided)),
        (ranges, []) => format!("fastest{}", at(ranges)),
        (ranges, undecided) => format!("fastest{}; may be{}", at(ranges), at(undecided)),
    }
}

/// A typical time as text: `13.0 ns`, `13.0 ns (mean)`, or `under 3.00 ns`.
pub fn typical_time(time: TypicalTime) -> String {
    match time {
        TypicalTime::Median(time) => Nanos(time).to_string(),
        TypicalTime::Mean(time) => format!("{} (mean)", Nanos(time)),
        TypicalTime::Below(bound) => under(Nanos(bound)),
    }
}

/// Whether the measurement has no axis.
fn is_single(ranking: &Ranking) -> bool {
    ranking.values().iter().all(AxisValue::is_absent)
}

/// The adjective of the function with the shortest time.
fn best(ranking: &Ranking) -> &'static str {
    if ranking.functions() == 2 { "faster" } else { "fastest" }
}

fn quoted(context: AnswerContext<'_>, function: usize) -> String {
    format!("`{}`", context.names[function])
}

fn range_text(ranking: &Ranking, ValueRange { first, last }: ValueRange) -> String {
    let text = |value: usize| axis_value(&ranking.values()[value]);
    if first == last {
        return text(first);
    }
    if ranking.is_ordered() {
        return format!("{} to {}", text(first), text(last));
    }
    (first..=last).map(text).collect::<Vec<_>>().join(", ")
}

/// "`a` is fastest from 10 to 200 entries, `b` from 500 to 1 000."
fn fastest_clause(ranking: &Ranking, context: AnswerContext<'_>, spans: &[FastestSpan]) -> String {
    if is_single(ranking) {
        return fastest_without_axis(ranking, context, spans[0].fastest);
    }
    if !ranking.is_ordered() || spans.len() > MAX_RANGES {
        return fastest_at_values(ranking, context);
    }
    let best = best(ranking);
    let texts = spans.iter().enumerate().map(|(index, span)| {
        let preposition = if span.range.first < span.range.last { "from" } else { "at" };
        let (name, values) = (quoted(context, span.fastest), range_text(ranking, span.range));
        let open = open_within(ranking, *span);
        match index {
            0 => format!("{name} is {best} {preposition} {}{open}", with_unit(&values, context.unit)),
            _ => format!("{name} {preposition} {values}{open}"),
        }
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// The values of a span without a decision, so that it claims no more than was measured: ` (except 1 778)`.
fn open_within(ranking: &Ranking, span: FastestSpan) -> String {
    let is_open = |value: &usize| ranking.fastest_at(*value) != Some(&Fastest::Decided(span.fastest));
    let open: Vec<usize> = (span.range.first..=span.range.last).filter(is_open).collect();
    match open.as_slice() {
        [] => String::new(),
        [value] => format!(" (except {})", axis_value(&ranking.values()[*value])),
        many => format!(" (except {} values)", many.len()),
    }
}

/// "`a` is fastest at Random and Sorted, `b` at Reversed": the functions in the order of their first value.
fn fastest_at_values(ranking: &Ranking, context: AnswerContext<'_>) -> String {
    let mut values_of: Vec<(usize, Vec<usize>)> = Vec::new();
    for value in 0..ranking.values().len() {
        let Some(Fastest::Decided(fastest)) = ranking.fastest_at(value) else { continue };
        match values_of.iter_mut().find(|(function, _)| function == fastest) {
            Some((_, values)) => values.push(value),
            None => values_of.push((*fastest, vec![value])),
        }
    }
    let all = ranking.values().len();
    let texts = values_of.into_iter().enumerate().map(|(index, (function, values))| {
        let values = match values.len() {
            ..=MAX_VALUES => {
                let values = listed(values.iter().map(|&value| axis_value(&ranking.values()[value])).collect());
                if index == 0 { with_unit(&values, context.unit) } else { values }
            }
            count => format!("{count} of {all} values"),
        };
        let verb = if index == 0 { format!("is {} ", best(ranking)) } else { String::new() };
        format!("{} {verb}at {values}", quoted(context, function))
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// A time after a name, such as ` (13.0 ns)`.
fn in_parentheses(time: TypicalTime) -> String {
    match time {
        TypicalTime::Mean(mean) => format!(" (mean {})", Nanos(mean)),
        TypicalTime::Median(_) | TypicalTime::Below(_) => format!(" ({})", typical_time(time)),
    }
}

/// "`a` is fastest (13.0 ns); `b` takes 2.43 times as long (2.36 to 2.51)"
fn fastest_without_axis(ranking: &Ranking, context: AnswerContext<'_>, fastest: usize) -> String {
    let time = ranking.time(fastest, 0).map(in_parentheses).unwrap_or_default();
    let second = ranking.ranked_at(0).iter().copied().find(|function| *function != fastest);
    let ratio = second.and_then(|second| Some((second, ranking.ratio(second, fastest, 0)?)));
    let ratio = ratio.map(|(second, ratio)| {
        let (text, interval) = ratio_and_interval(ratio.ratio, ratio.interval);
        format!("; {} takes {text} times as long ({interval})", quoted(context, second))
    });
    format!("{} is {}{time}{}", quoted(context, fastest), best(ranking), ratio.unwrap_or_default())
}

fn crossover_clauses(ranking: &Ranking, context: AnswerContext<'_>) -> Vec<String> {
    let crossovers = ranking.leading_crossovers();
    let more = crossovers.len().saturating_sub(MAX_CROSSOVERS);
    let sentence = |(pair, crossover): (&RankedPair, StatedCrossover)| {
        let (faster, slower) =
            if crossover.other_wins_above { (pair.other, pair.baseline) } else { (pair.baseline, pair.other) };
        let place = crossover_place(&crossover, context.unit);
        format!("{} overtakes {} {place}", quoted(context, faster), quoted(context, slower))
    };
    let mut clauses: Vec<String> = crossovers.into_iter().take(MAX_CROSSOVERS).map(sentence).collect();
    match more {
        0 => {}
        1 => clauses.push("1 more crossover".to_owned()),
        more => clauses.push(format!("{more} more crossovers")),
    }
    clauses
}

/// How many values are undecided or equal: "equal within ±1% at 1 of 9 values; undecided at 2 of 9 values".
fn open_values(ranking: &Ranking, context: AnswerContext<'_>) -> Vec<String> {
    let all = ranking.values().len();
    let (mut equal, mut undecided) = (0, 0);
    for value in 0..all {
        if let Some(Fastest::Undecided(candidates)) = ranking.fastest_at(value) {
            *if are_same(ranking, candidates, value, context.margin) { &mut equal } else { &mut undecided } += 1;
        }
    }
    let clause = |text: String, count: usize| (count > 0).then(|| format!("{text} at {count} of {all} values"));
    let equal = clause(format!("equal within ±{}", exact_percent(context.margin)), equal);
    equal.into_iter().chain(clause("undecided".to_owned(), undecided)).collect()
}

/// Whether all pairs of these functions take the same time within the margin.
fn are_same(ranking: &Ranking, functions: &[usize], value: usize, margin: f64) -> bool {
    let decide = |one: usize, other: usize| ranking.ratio_at(one, other, value)?.decide(margin);
    let mut pairs =
        functions.iter().enumerate().flat_map(|(index, one)| functions[..index].iter().map(move |other| (one, other)));
    pairs.all(|(one, other)| decide(*one, *other) == Some(Decision::Same))
}

/// The clause if no function is certainly the fastest at any value; `None` if none were compared.
fn undecided(ranking: &Ranking, context: AnswerContext<'_>) -> Option<String> {
    let at = |value: usize| match ranking.fastest_at(value) {
        Some(Fastest::Undecided(candidates)) => Some((value, candidates)),
        _ => None,
    };
    let open: Vec<(usize, &Vec<usize>)> = (0..ranking.values().len()).filter_map(at).collect();
    let (_, first) = open.first()?;
    let names =
        |functions: &[usize]| functions.iter().map(|&function| quoted(context, function)).collect::<Vec<String>>();
    let is_same = |(value, candidates): &(usize, &Vec<usize>)| {
        candidates == first && are_same(ranking, candidates, *value, context.margin)
    };
    if open.iter().all(is_same) {
        let (names, margin) = (listed(names(first)), exact_percent(context.margin));
        let is_all =
            (0..ranking.functions()).all(|function| first.contains(&function) || !is_ever_compared(ranking, function));
        return Some(match is_all {
            true => format!("{names} take the same time within ±{margin}"),
            false => format!("{names} are the fastest and take the same time within ±{margin}"),
        });
    }
    let mut all: Vec<usize> = open.iter().flat_map(|(_, candidates)| candidates.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    let names = names(&all);
    Some(match names.as_slice() {
        [one, other] => format!("Undecided: either {one} or {other} may be the fastest"),
        _ => format!("Undecided: any of {} may be the fastest", listed(names)),
    })
}

fn is_ever_compared(ranking: &Ranking, function: usize) -> bool {
    ranking.fastest_ranges(function).is_compared
}

/// The functions that were never compared with another one, with the reason if there is one.
fn excluded(ranking: &Ranking, context: AnswerContext<'_>) -> Vec<String> {
    let reason = |function: usize| {
        let values = 0..ranking.values().len();
        let others = |value| (0..ranking.functions()).map(move |other| (other, value));
        values.flat_map(others).find_map(|(other, value)| ranking.ratio_at(function, other, value)?.withheld)
    };
    let clause = |function: usize| {
        let reason = reason(function).map(|reason| format!(": {}", withheld_reason(reason))).unwrap_or_default();
        format!("{} was not compared{reason}", quoted(context, function))
    };
    (0..ranking.functions()).filter(|&function| !is_ever_compared(ranking, function)).map(clause).collect()
}

/// "`a` takes 31.6 µs (31.2 µs to 32.0 µs) at 100 000 entries": the last time with its interval.
fn last_time_of_one(ranking: &Ranking, context: AnswerContext<'_>) -> Option<String> {
    let (value, time) = (0..ranking.values().len()).rev().find_map(|value| Some((value, ranking.time(0, value)?)))?;
    let interval = ranking.time_interval(0, value).map_or_else(String::new, |Interval { low, high }| {
        let unit = TimeUnit::for_largest(high);
        // An interval of few samples may extend below 0, a time cannot.
        format!(" ({} to {})", unit.digits(low.max(0.0)), unit.digits(high))
    });
    let at = at_value(&ranking.values()[value], context.unit);
    Some(format!("{} takes {}{interval}{at}", quoted(context, 0), typical_time(time)))
}

/// "`a` takes 13.0 ns at 10 entries and 31.6 µs at 100 000 entries."
fn times_of_one(ranking: &Ranking, context: AnswerContext<'_>) -> Option<String> {
    let times: Vec<(usize, TypicalTime)> =
        (0..ranking.values().len()).filter_map(|value| Some((value, ranking.time(0, value)?))).collect();
    let x = |value: usize| with_unit(&axis_value(&ranking.values()[value]), context.unit);
    let part = |&(value, time): &(usize, TypicalTime)| match x(value) {
        x if ranking.values()[value].is_absent() || x.is_empty() => typical_time(time),
        x => format!("{} at {x}", typical_time(time)),
    };
    let sentence = match times.as_slice() {
        [] => return None,
        [only] => part(only),
        [first, .., last] if ranking.is_ordered() => format!("{} and {}", part(first), part(last)),
        all => {
            let order = |(_, time): &&(usize, TypicalTime)| time.order();
            let (least, least_time) = all.iter().min_by(|one, other| order(one).total_cmp(&order(other)))?;
            let (most, most_time) = all.iter().max_by(|one, other| order(one).total_cmp(&order(other)))?;
            let (least_time, most_time) = (typical_time(*least_time), typical_time(*most_time));
            format!("between {least_time} ({}) and {most_time} ({})", x(*least), x(*most))
        }
    };
    Some(format!("{} takes {sentence}.", quoted(context, 0)))
}

#[cfg(test)]
mod tests;

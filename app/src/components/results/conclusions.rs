//! What the results of a cell say, computed once for each change of them.

use std::rc::Rc;

use benchbook_host::messages::quality_report::{Badge, QualityReport};
use benchbook_host::messages::verdicts::{different_outputs, verdicts};
use yew::prelude::*;

use super::quality::use_quality;
use super::ranking::use_rankings;
use benchbook_notebook::view::CellView;
use benchbook_report::claims::claims;
use benchbook_report::comparison::compared_pairs;
use benchbook_report::origins::origin_lines;
use benchbook_report::quality::answer_badge;
use benchbook_report::ranking::MachineRanking;
use benchbook_report::reproduction::{Reproduction, reproduction};
use benchbook_report::results::Results;
use benchbook_report::shown_trace::ShownTrace;

/// The sentences about some results.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Conclusions {
    /// The claims, the most important one first; see [`claims`].
    pub(super) claims: Vec<String>,
    /// The badge of the figures behind the claims.
    pub(super) badge: Option<Badge>,
    /// Sentences about each pair of functions.
    pub(super) verdicts: Vec<String>,
    /// Pairs that do different work.
    pub(super) problems: Vec<String>,
    /// Repeated measurements, compared with the original ones; none while measuring.
    pub(super) reproductions: Vec<Reproduction>,
    /// The machine and the build of each result.
    pub(super) origins: Vec<String>,
}

/// The rankings, the quality of each measurement, and the conclusions.
pub(super) type Concluded = (Rc<Vec<MachineRanking>>, Rc<Vec<(String, QualityReport)>>, Rc<Conclusions>);

/// Computes each part only if what it depends on changes. Later points may change what they say, so some wait for the end of the measurement.
#[hook]
pub(super) fn use_conclusions(
    results: &Results,
    shown: &[ShownTrace],
    view: &CellView,
    is_measuring: bool,
) -> Concluded {
    let (rankings, reports) = (use_rankings(shown), use_quality(shown));
    let inputs = (results.clone(), Rc::clone(&rankings), view.margin.ratio(), view.ranked_at.clone(), is_measuring);
    let conclusions = use_memo(inputs, |(results, rankings, margin, ranked_at, is_measuring)| {
        let reproductions = if *is_measuring { Vec::new() } else { reproduction(shown, rankings, *margin) };
        let pairs = compared_pairs(shown, rankings);
        let unit = results.setup().map(|setup| setup.axis_unit()).unwrap_or_default();
        Conclusions {
            claims: claims(shown, rankings, (*margin, ranked_at.as_deref()), reproductions.first()),
            badge: answer_badge(shown, rankings),
            verdicts: verdicts(&pairs, unit, *margin, *is_measuring),
            problems: different_outputs(&pairs),
            origins: origin_lines(results),
            reproductions,
        }
    });
    (rankings, reports, conclusions)
}

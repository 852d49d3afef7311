//! Notebooks in short, for lists of them.

use std::rc::Rc;

use benchbook_host::messages::quality_report::Badge;
use benchbook_notebook::notebook::Notebook;
use benchbook_notebook::result::CellResult;
use serde::{Deserialize, Serialize};

use super::claims::claims;
use super::quality::answer_badge;
use super::ranking::MachineRanking;
use super::results::Results;
use super::thumbnail::Thumbnail;

/// A notebook in short. Everything but the badge is of the first measurement with an answer; the default is that of a notebook without one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NotebookDigest {
    /// The answer, with function names between backticks and without a full stop.
    pub answer: String,
    /// The worst badge of all measurements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub badge: Option<Badge>,
    /// The number of compared functions.
    pub functions: usize,
    /// The name of the machine.
    pub machine: String,
    /// When it was measured, in milliseconds since 1970.
    pub measured: f64,
    /// Its curves; absent without an axis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thumbnail: Option<Thumbnail>,
}

impl NotebookDigest {
    /// The digest of a notebook.
    pub fn of(document: &Notebook) -> Self {
        let mut digest = Self::default();
        for measurement in document.cells.iter().filter_map(|cell| cell.measurement()) {
            let results = Results::of(measurement);
            let shown = results.shown();
            let rankings = MachineRanking::all(&shown);
            digest.badge = digest.badge.max(answer_badge(&shown, &rankings));
            if digest.answer.is_empty() {
                let margin = measurement.setup.view.margin.ratio();
                let answer = claims(&shown, &rankings, (margin, None), None).into_iter().next();
                if let (Some(first), Some(answer)) = (rankings.first(), answer) {
                    let of_ranking = |result: &&Rc<CellResult>| result.setup.machine == first.setup.machine;
                    digest.answer = answer;
                    digest.functions = first.ordinals.len();
                    digest.machine = first.setup.machine.name.clone();
                    digest.measured = results.latest.iter().find(of_ranking).map_or(0.0, |result| result.started);
                    digest.thumbnail = Thumbnail::of(&shown, first);
                }
            }
        }
        digest
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};
    use std::{env, fs};

    use benchbook_notebook::file;

    use super::*;

    /// The digests of the notebooks that the page offers are those of their files. With `BENCHBOOK_BLESS`, the test writes them.
    #[test]
    fn the_shipped_digests_are_those_of_the_shipped_notebooks() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/notebooks");
        let files =
            fs::read_dir(&folder).expect("the folder of the notebooks").map(|entry| entry.expect("an entry").path());
        let notebooks: Vec<PathBuf> =
            files.filter(|path| path.to_string_lossy().ends_with(".benchbook.json")).collect();
        let digest = |path: &PathBuf| {
            let name = path.file_name().expect("a name").to_string_lossy();
            let document = file::read(&fs::read_to_string(path).expect("a notebook")).expect("it is valid");
            (format!("notebooks/{name}"), NotebookDigest::of(&document))
        };
        let digests: BTreeMap<String, NotebookDigest> = notebooks.iter().map(digest).collect();
        assert!(
            !digests.is_empty() && digests.values().all(|one| !one.answer.is_empty() && one.badge.is_some()),
            "{digests:?}"
        );
        let path = folder.join("digests.json");
        if env::var_os("BENCHBOOK_BLESS").is_some() {
            fs::write(&path, serde_json::to_string(&digests).expect("JSON") + "\n").expect("the folder is writable");
        }
        let is_good = |digest: &&NotebookDigest| digest.badge == Some(Badge::Good);
        assert!(digests.values().filter(is_good).count() >= 6, "measure noisy ones again: {digests:?}");
        let shipped: BTreeMap<String, NotebookDigest> =
            serde_json::from_str(&fs::read_to_string(&path).unwrap_or_default())
                .expect("digests; set BENCHBOOK_BLESS=1 to write them");
        assert_eq!(shipped, digests, "run this test again with BENCHBOOK_BLESS=1");
    }

    #[test]
    fn a_notebook_without_results_has_no_answer() {
        assert_eq!(NotebookDigest::of(&Notebook::default()), NotebookDigest::default());
    }
}

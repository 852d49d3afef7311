//! Parts of a program that list benchmarks. If one panics, only its own benchmarks are omitted.

use benchbook_contract::catalog::listed_name;
use benchbook_contract::protocol::FailedPart;

use crate::stage;

/// The parts of a program that are not listed.
#[derive(Clone, Debug, Default)]
pub struct OmittedParts {
    /// Those that failed in an earlier instance, as the host reports them.
    earlier: Vec<FailedPart>,
    /// Those of this list.
    failed: Vec<FailedPart>,
}

impl OmittedParts {
    /// * `earlier`: the parts that failed in an earlier instance.
    pub fn new(earlier: &[FailedPart]) -> Self {
        Self { earlier: earlier.to_vec(), failed: Vec::new() }
    }

    /// Whether to leave a part out, since it failed in an earlier instance.
    pub fn includes(&mut self, part: &str) -> bool {
        let earlier = self.earlier.iter().find(|failed| failed.part == part);
        self.failed.extend(earlier.cloned());
        earlier.is_some()
    }

    /// Leaves out a part that has failed.
    pub fn add(&mut self, failed: FailedPart) {
        self.failed.push(failed);
    }

    /// A note for each reason, with all parts that failed for it.
    pub fn notes(&self) -> Vec<String> {
        let mut by_reason: Vec<(&FailedPart, Vec<&str>)> = Vec::new();
        for failed in &self.failed {
            let is_same = |first: &FailedPart| (&first.location, &first.reason) == (&failed.location, &failed.reason);
            match by_reason.iter_mut().find(|(first, _)| is_same(first)) {
                Some((_, parts)) => parts.push(&failed.part),
                None => by_reason.push((failed, vec![&failed.part])),
            }
        }
        by_reason.into_iter().map(|(first, parts)| note(&parts, first.location.as_deref(), &first.reason)).collect()
    }
}

fn note(parts: &[&str], location: Option<&str>, reason: &str) -> String {
    let (are, they, needs) = if parts.len() == 1 { ("is", "it", "needs") } else { ("are", "they", "need") };
    let parts = parts.join("`, `");
    let at = location.map(|location| format!(" at {location}")).unwrap_or_default();
    // On one line, whatever the message contains.
    let reason = listed_name(&reason.split_whitespace().collect::<Vec<_>>().join(" "));
    let fix =
        format!("To measure {}, fix this, or provide what {they} {needs}", if are == "is" { "it" } else { "them" });
    format!("`{parts}` {are} omitted, since {they} panicked{at}{}: {reason}. {fix}", surroundings())
}

/// What a benchmark may lack here: the working folder, which paths of files are relative to, and whether it is that of cargo.
#[cfg(not(target_arch = "wasm32"))]
fn surroundings() -> String {
    use std::env;

    let folder = env::current_dir().map(|folder| folder.display().to_string()).unwrap_or_default();
    // Cargo and `cargo benchbook` set it. A runner on another machine does not have the package.
    match env::var_os("CARGO_MANIFEST_DIR") {
        Some(_) => format!(" (working folder {folder})"),
        None => format!(
            " (working folder {folder}; runners have neither the files of the package nor its environment variables)"
        ),
    }
}

#[cfg(target_arch = "wasm32")]
fn surroundings() -> String {
    " (a browser has no files, environment variables and threads)".to_owned()
}

/// Lists the benchmarks of a part of a program. If the program is compiled to abort, a panic ends it after it has reported the part: the
/// host then requests the list again without it.
///
/// # Errors
/// If `list` panics.
pub fn list_part(part: &str, list: impl FnOnce()) -> Result<(), FailedPart> {
    let around = stage::set_part(Some(part.to_owned()));
    let outcome = caught(list);
    stage::set_part(around);
    outcome.map_err(|failed| FailedPart { part: part.to_owned(), ..failed })
}

#[cfg(panic = "unwind")]
fn caught(list: impl FnOnce()) -> Result<(), FailedPart> {
    use std::cell::RefCell;
    use std::panic::{self, AssertUnwindSafe};
    use std::sync::Once;

    static HOOK: Once = Once::new();
    thread_local! {
        static LAST: RefCell<Option<FailedPart>> = const { RefCell::new(None) };
    }
    // A note reports the panics of parts. The hook of the host or of the standard library reports all others.
    HOOK.call_once(|| {
        let other = panic::take_hook();
        panic::set_hook(Box::new(move |info| match stage::panic_failure(info).failed_part() {
            Some(failed) => LAST.set(Some(failed)),
            None => other(info),
        }));
    });
    panic::catch_unwind(AssertUnwindSafe(list)).map_err(|_| LAST.take().unwrap_or_default())
}

#[cfg(not(panic = "unwind"))]
fn caught(list: impl FnOnce()) -> Result<(), FailedPart> {
    list();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_leaves_out_its_part_only() {
        let mut omitted_parts = OmittedParts::default();
        for part in ["fine", "missing"] {
            let outcome = list_part(part, || assert!(part == "fine", "the data\n is \u{1b}missing"));
            assert_eq!(outcome.is_err(), part == "missing");
            outcome.unwrap_or_else(|failed| omitted_parts.add(failed));
        }
        let [note] = omitted_parts.notes().try_into().expect("one note");
        assert!(
            note.starts_with("`missing` is omitted, since it panicked at engine/suite/src/benchmarks/parts.rs:"),
            "{note}"
        );
        assert!(
            note.contains(" (working folder /") && note.contains("): the data is \\u{1b}missing. To measure it, fix"),
            "{note}"
        );
        assert_eq!(stage::part(), None);
    }

    #[test]
    fn parts_that_failed_earlier_share_a_note_about_their_reason() {
        let failed = |part: &str, reason: &str| FailedPart {
            part: part.to_owned(),
            reason: reason.to_owned(),
            location: Some("a.rs:1:2".to_owned()),
        };
        let mut omitted_parts =
            OmittedParts::new(&[failed("a", "no file"), failed("b", "no file"), failed("c", "no data")]);
        assert_eq!(["a", "b", "c", "d"].map(|part| omitted_parts.includes(part)), [true, true, true, false]);
        let notes = omitted_parts.notes();
        assert!(
            notes.len() == 2 && notes[0].starts_with("`a`, `b` are omitted, since they panicked at a.rs:1:2"),
            "{notes:?}"
        );
    }
}

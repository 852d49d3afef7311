//! What a command requires, and getting it: first all is looked at, then one message names what cannot be had, and only
//! where there is nothing of that kind is anything installed.

use anyhow::{Result, anyhow, bail};

use super::platform::Platform;

/// Something that a command requires.
pub(super) trait Requirement {
    /// Its name, with the version where that matters.
    fn name(&self) -> String;

    /// Whether there is nothing to do. An error says what is wrong with what is there.
    fn is_there(&self) -> Result<bool>;

    /// The ways to it on this machine, the best first; none where it cannot be had without a person.
    fn ways(&self) -> Vec<Way<'_>>;

    /// What a person does to get it: commands, and what goes for them.
    fn remedy(&self, platform: Platform) -> String;
}

/// A way to get something.
pub(super) struct Way<'a> {
    /// What is done, and how long it takes.
    pub(super) says: String,
    /// Does it, and makes sure that it is of use.
    pub(super) go: Box<dyn Fn() -> Result<()> + 'a>,
}

/// Makes sure that all of these are there.
pub(super) fn ensure(required: &[Box<dyn Requirement + '_>], platform: Platform) -> Result<()> {
    let mut missing = Vec::new();
    let mut out_of_reach = String::new();
    for requirement in required {
        if requirement.is_there()? {
            continue;
        }
        let ways = requirement.ways();
        if ways.is_empty() {
            out_of_reach += &advice(requirement.as_ref(), platform);
        } else {
            missing.push((requirement, ways));
        }
    }
    if !out_of_reach.is_empty() {
        bail!("this is missing, and cannot be installed from here:\n{out_of_reach}\nThen repeat the command.");
    }
    missing.into_iter().try_for_each(|(requirement, ways)| get(requirement.as_ref(), &ways, platform))
}

/// Goes the first way that leads there.
fn get(requirement: &dyn Requirement, ways: &[Way<'_>], platform: Platform) -> Result<()> {
    let mut failure = anyhow!("there is no way to it");
    for way in ways {
        eprintln!("{}", way.says);
        match (way.go)() {
            Ok(()) => return Ok(()),
            Err(error) => {
                eprintln!("That failed: {error:#}");
                failure = error;
            }
        }
    }
    Err(failure.context(format!("this could not be installed:\n{}", advice(requirement, platform))))
}

fn advice(requirement: &dyn Requirement, platform: Platform) -> String {
    let remedy = requirement.remedy(platform).replace('\n', "\n    ");
    format!("  {}\n    {remedy}\n", requirement.name())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    /// How the ways end.
    type Ends = &'static [Result<(), &'static str>];

    struct Fake<'a> {
        name: &'static str,
        there: bool,
        ways: Ends,
        gone: &'a RefCell<Vec<String>>,
    }

    impl Requirement for Fake<'_> {
        fn name(&self) -> String {
            self.name.to_owned()
        }

        fn is_there(&self) -> Result<bool> {
            Ok(self.there)
        }

        fn ways(&self) -> Vec<Way<'_>> {
            let way = |(index, end): (usize, &'static Result<(), &'static str>)| Way {
                says: String::new(),
                go: Box::new(move || {
                    self.gone.borrow_mut().push(format!("{} {index}", self.name));
                    end.map_err(|reason| anyhow!(reason))
                }),
            };
            self.ways.iter().enumerate().map(way).collect()
        }

        fn remedy(&self, _: Platform) -> String {
            format!("get {}", self.name)
        }
    }

    /// How it ended, and the ways that were gone.
    fn ensured(fakes: &[(&'static str, bool, Ends)]) -> (String, Vec<String>) {
        let gone = RefCell::default();
        let required: Vec<Box<dyn Requirement>> = fakes
            .iter()
            .map(|&(name, there, ways)| Box::new(Fake { name, there, ways, gone: &gone }) as Box<dyn Requirement>)
            .collect();
        let ended =
            ensure(&required, Platform::Debian).map_or_else(|error| format!("{error:#}"), |()| "all there".into());
        drop(required);
        (ended, gone.into_inner())
    }

    #[test]
    fn what_is_missing_is_installed() {
        let (ended, gone) = ensured(&[("a", true, &[Ok(())]), ("b", false, &[Ok(())]), ("c", false, &[Ok(())])]);
        assert_eq!((ended.as_str(), gone), ("all there", vec!["b 0".to_owned(), "c 0".to_owned()]));
    }

    #[test]
    fn nothing_is_installed_where_something_is_out_of_reach() {
        let (ended, gone) = ensured(&[("a", false, &[Ok(())]), ("b", false, &[]), ("c", true, &[]), ("d", false, &[])]);
        assert!(gone.is_empty(), "{gone:?}");
        for told in ["  b\n    get b\n", "  d\n    get d\n", "repeat"] {
            assert!(ended.contains(told), "{ended}");
        }
        assert!(!ended.contains("get a") && !ended.contains("get c"), "{ended}");
    }

    #[test]
    fn the_next_way_is_gone_when_one_fails() {
        let (ended, gone) = ensured(&[("a", false, &[Err("no network"), Ok(())])]);
        assert_eq!((ended.as_str(), gone.len()), ("all there", 2));
    }

    #[test]
    fn when_every_way_fails_the_remedy_and_the_reason_are_told() {
        let (ended, gone) = ensured(&[("a", false, &[Err("no network"), Err("no space")]), ("b", false, &[Ok(())])]);
        assert!(ended.contains("get a") && ended.contains("no space"), "{ended}");
        assert_eq!(gone, ["a 0", "a 1"]);
    }
}

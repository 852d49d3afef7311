//! The requirements of a command. All of them are checked first. If one cannot be installed, a single message lists these,
//! and nothing is installed.

use anyhow::{Result, anyhow, bail};

use super::platform::Platform;

/// Something that a command requires.
pub(super) trait Requirement {
    /// Its name, with the version if that matters.
    fn name(&self) -> String;

    /// Whether it is installed. An error explains an installation that is unusable.
    fn is_installed(&self) -> Result<bool>;

    /// The ways to install it on this machine, best first; empty if only the user can install it.
    fn installations(&self) -> Vec<Installation<'_>>;

    /// How the user installs it: commands with an explanation.
    fn fix(&self, platform: Platform) -> String;
}

/// A way to install a requirement.
pub(super) struct Installation<'a> {
    /// What it does, and how long it takes.
    pub(super) description: String,
    /// Installs the requirement, and checks that it works.
    pub(super) install: Box<dyn Fn() -> Result<()> + 'a>,
}

/// Installs the requirements that are missing.
pub(super) fn ensure(required: &[Box<dyn Requirement + '_>], platform: Platform) -> Result<()> {
    let mut missing = Vec::new();
    let mut unavailable = String::new();
    for requirement in required {
        if requirement.is_installed()? {
            continue;
        }
        let installations = requirement.installations();
        if installations.is_empty() {
            unavailable += &advice(requirement.as_ref(), platform);
        } else {
            missing.push((requirement, installations));
        }
    }
    if !unavailable.is_empty() {
        bail!("some tools are missing, and this command cannot install them:\n{unavailable}\nThen repeat the command.");
    }
    missing
        .into_iter()
        .try_for_each(|(requirement, installations)| install(requirement.as_ref(), &installations, platform))
}

/// Installs an optional requirement if this machine permits that, and returns whether it is installed. If not, it prints how
/// the user installs it.
pub(super) fn ensure_optional(requirement: &dyn Requirement, platform: Platform) -> Result<bool> {
    if requirement.is_installed()? {
        return Ok(true);
    }
    let installations = requirement.installations();
    if installations.is_empty() {
        eprintln!(
            "Optional tools are missing, and this command cannot install them:\n{}",
            advice(requirement, platform)
        );
        return Ok(false);
    }
    install(requirement, &installations, platform)?;
    Ok(true)
}

/// Tries the installations in order, up to the first that succeeds.
fn install(requirement: &dyn Requirement, installations: &[Installation<'_>], platform: Platform) -> Result<()> {
    let mut failure = anyhow!("there is no way to install it");
    for installation in installations {
        eprintln!("{}", installation.description);
        match (installation.install)() {
            Ok(()) => return Ok(()),
            Err(error) => {
                eprintln!("That failed: {error:#}");
                failure = error;
            }
        }
    }
    Err(failure.context(format!("the installation failed; install it yourself:\n{}", advice(requirement, platform))))
}

fn advice(requirement: &dyn Requirement, platform: Platform) -> String {
    let fix = requirement.fix(platform).replace('\n', "\n    ");
    format!("  {}\n    {fix}\n", requirement.name())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    /// The results of a requirement's installations.
    type Outcomes = &'static [Result<(), &'static str>];

    struct Fake<'a> {
        name: &'static str,
        is_installed: bool,
        outcomes: Outcomes,
        /// The installations that ran.
        log: &'a RefCell<Vec<String>>,
    }

    impl Requirement for Fake<'_> {
        fn name(&self) -> String {
            self.name.to_owned()
        }

        fn is_installed(&self) -> Result<bool> {
            Ok(self.is_installed)
        }

        fn installations(&self) -> Vec<Installation<'_>> {
            let installation = |(index, outcome): (usize, &'static Result<(), &'static str>)| Installation {
                description: String::new(),
                install: Box::new(move || {
                    self.log.borrow_mut().push(format!("{} {index}", self.name));
                    outcome.map_err(|reason| anyhow!(reason))
                }),
            };
            self.outcomes.iter().enumerate().map(installation).collect()
        }

        fn fix(&self, _: Platform) -> String {
            format!("get {}", self.name)
        }
    }

    /// Returns the result as text, and the installations that ran.
    fn ensured(fakes: &[(&'static str, bool, Outcomes)]) -> (String, Vec<String>) {
        let log = RefCell::default();
        let required: Vec<Box<dyn Requirement>> = fakes
            .iter()
            .map(|&(name, is_installed, outcomes)| {
                Box::new(Fake { name, is_installed, outcomes, log: &log }) as Box<dyn Requirement>
            })
            .collect();
        let result =
            ensure(&required, Platform::Debian).map_or_else(|error| format!("{error:#}"), |()| "all installed".into());
        drop(required);
        (result, log.into_inner())
    }

    #[test]
    fn installs_missing_requirements() {
        let (result, log) = ensured(&[("a", true, &[Ok(())]), ("b", false, &[Ok(())]), ("c", false, &[Ok(())])]);
        assert_eq!((result.as_str(), log), ("all installed", vec!["b 0".to_owned(), "c 0".to_owned()]));
    }

    #[test]
    fn installs_nothing_if_a_requirement_is_unavailable() {
        let (result, log) = ensured(&[("a", false, &[Ok(())]), ("b", false, &[]), ("c", true, &[]), ("d", false, &[])]);
        assert!(log.is_empty(), "{log:?}");
        for expected in ["  b\n    get b\n", "  d\n    get d\n", "repeat"] {
            assert!(result.contains(expected), "{result}");
        }
        assert!(!result.contains("get a") && !result.contains("get c"), "{result}");
    }

    #[test]
    fn tries_the_next_installation_if_one_fails() {
        let (result, log) = ensured(&[("a", false, &[Err("no network"), Ok(())])]);
        assert_eq!((result.as_str(), log.len()), ("all installed", 2));
    }

    #[test]
    fn reports_the_fix_and_the_last_error_if_every_installation_fails() {
        let (result, log) = ensured(&[("a", false, &[Err("no network"), Err("no space")]), ("b", false, &[Ok(())])]);
        assert!(result.contains("get a") && result.contains("no space"), "{result}");
        assert_eq!(log, ["a 0", "a 1"]);
    }

    #[test]
    fn an_optional_requirement_that_is_unavailable_is_no_error() {
        let log = RefCell::default();
        for (is_installed, outcomes, expected) in [
            (true, &[][..], Some(true)),
            (false, &[], Some(false)),
            (false, &[Ok(())], Some(true)),
            (false, &[Err("no network")], None),
        ] {
            let fake = Fake { name: "a", is_installed, outcomes, log: &log };
            assert_eq!(ensure_optional(&fake, Platform::Debian).ok(), expected);
        }
    }
}

//! The runner: a native measuring server on another machine, or on this one.

use benchbook_host::response::{Machine, MachineKind};

use super::LoadedSuite;

/// What the page knows of its runner.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Runner {
    /// Where it is; absent where nobody names one.
    pub(crate) reach: Option<Reach>,
    /// How it stands with it.
    pub(crate) standing: Standing,
    /// What people call its machine; empty before it answered.
    pub(crate) name: String,
    /// The suites that it measures.
    offers: Vec<Offer>,
    /// How many measurements run or wait there.
    pub(crate) busy: u32,
    /// How many times it was to be asked at once: a person chose it, or it was lost while it measured for this page.
    pub(crate) attempts: u32,
}

/// Where a runner is, and the word that opens it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Reach {
    /// Its address, absolute or relative to the page, with a slash at its end.
    pub(crate) address: String,
    /// Its token; empty where it needs none.
    pub(crate) token: String,
}

/// How it stands with the runner.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Standing {
    /// It was asked, and has not answered yet.
    #[default]
    Connecting,
    /// It answers.
    Ready,
    /// It does not answer, which it may do later.
    Lost(String),
    /// It will not answer before a person does what the sentence says.
    Refused(String),
}

/// A suite of a runner.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Offer {
    /// Its name.
    pub(crate) name: String,
    /// Its version.
    pub(crate) version: String,
    /// What its twins share.
    pub(crate) catalog_hash: String,
}

/// Why there is no answer: a sentence that says what to do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Trouble {
    /// It may pass on its own.
    Passing(String),
    /// It takes a person.
    Lasting(String),
}

/// What happens to the runner.
#[derive(Clone, Debug)]
pub(crate) enum RunnerAction {
    /// The notebook names one, or a person chose one.
    Chosen(Option<Reach>),
    /// It told its name and its suites.
    Connected(String, Vec<Offer>),
    /// It told how many measurements run or wait there.
    Busy(u32),
    /// It did not answer.
    Failed(Trouble),
    /// It was lost while it measured for this page: it is to be asked at once whether it is still there.
    Lost,
}

impl Reach {
    /// A runner at an address as a person writes it.
    pub(crate) fn new(address: &str, token: &str) -> Self {
        let address = address.trim();
        let slash = if address.ends_with('/') { "" } else { "/" };
        Self { address: format!("{address}{slash}"), token: token.trim().to_owned() }
    }

    /// The address of what its API has at `path`.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}api/v1/{path}", self.address)
    }

    /// Whether it is another host than the page's, whose address begins with `origin`.
    fn is_elsewhere(&self, origin: &str) -> bool {
        self.address.contains("://") && !self.address.starts_with(&format!("{origin}/"))
    }

    /// What the status and the error of an answer mean, to a page from `origin`; see `static/ask.js`.
    pub(crate) fn trouble(&self, origin: &str, status: i32, error: &str) -> Trouble {
        let address = &self.address;
        let is_local =
            ["http://localhost", "http://127.", "http://[::1]"].iter().any(|start| address.starts_with(start));
        let mixed = origin.starts_with("https:") && address.starts_with("http:") && !is_local;
        match status {
            _ if mixed => Trouble::Lasting(format!(
                "A page over https may not ask {address} over plain http: give the runner a certificate, or open its own page."
            )),
            -1 if self.is_elsewhere(origin) => Trouble::Lasting(
                "The browser keeps this page from your local network: allow it in the site's settings, beside the address.".to_owned(),
            ),
            ..=0 if self.is_elsewhere(origin) => Trouble::Passing(format!(
                "{address} does not answer: is it running, and is {origin} among its origins?"
            )),
            ..=0 => Trouble::Passing("The runner does not answer: is it running?".to_owned()),
            401 => Trouble::Lasting("The runner wants its token: it says it when it starts.".to_owned()),
            // Of a runner's own refusals each says why.
            200 | 404 if error.is_empty() => Trouble::Lasting(format!("There is no runner at {address}, or one of another version than this page.")),
            400..=428 => Trouble::Lasting(format!("The runner refuses: {error}")),
            _ => Trouble::Passing(format!("The runner cannot: {error}")),
        }
    }
}

impl Trouble {
    /// The sentence.
    pub(crate) fn told(&self) -> &str {
        let (Self::Passing(told) | Self::Lasting(told)) = self;
        told
    }
}

impl Runner {
    /// Whether it measures this very suite.
    ///
    /// # Errors
    /// Why it does not, and what to do.
    pub(crate) fn measures(&self, loaded: &LoadedSuite) -> Result<(), String> {
        let (name, card) = (&loaded.suite.name, &loaded.card);
        let offer = self.offers.iter().find(|offer| offer.name == *name);
        match offer {
            None => {
                Err(format!("The runner does not have the suite {name}: start it with --suite and its executable."))
            }
            Some(offer) if offer.version != card.version || offer.catalog_hash != card.catalog_hash => Err(format!(
                "The runner measures another build of {name} ({}, this page has {}): build both from the same sources.",
                offer.version, card.version
            )),
            Some(_) => Ok(()),
        }
    }

    /// The runner to ask for this suite; absent where it cannot be asked now.
    pub(crate) fn ready_for(&self, loaded: &LoadedSuite) -> Option<&Reach> {
        self.reach.as_ref().filter(|_| self.standing == Standing::Ready && self.measures(loaded).is_ok())
    }

    /// What is wrong with it, as a sentence; absent where it is ready for the suite, and where nobody names a runner.
    pub(crate) fn trouble(&self, loaded: &LoadedSuite) -> Option<String> {
        self.reach.as_ref()?;
        match &self.standing {
            Standing::Connecting => None,
            Standing::Ready => self.measures(loaded).err(),
            Standing::Lost(told) | Standing::Refused(told) => Some(told.clone()),
        }
    }

    /// Its machine before it tells more than its name; `here` has a clock.
    pub(crate) fn machine(&self, here: Machine) -> Machine {
        Machine { kind: MachineKind::Native, name: self.name.clone(), ..here }
    }

    pub(super) fn apply(&mut self, action: RunnerAction) {
        match action {
            RunnerAction::Chosen(reach) => *self = Self { reach, attempts: self.attempts + 1, ..Self::default() },
            RunnerAction::Connected(name, offers) => {
                (self.standing, self.name, self.offers) = (Standing::Ready, name, offers);
            }
            RunnerAction::Busy(busy) => self.busy = busy,
            RunnerAction::Failed(Trouble::Passing(told)) => self.standing = Standing::Lost(told),
            RunnerAction::Failed(Trouble::Lasting(told)) => self.standing = Standing::Refused(told),
            RunnerAction::Lost => {
                self.standing = Standing::Connecting;
                self.attempts += 1;
            }
        }
    }
}

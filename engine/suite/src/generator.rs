//! Generators, as `#[generator]` implements them.

use benchbook_contract::catalog::Mode;
use benchbook_contract::parameter::{Arguments, Parameter};

use crate::service::Service;
use crate::workload::Workload;

/// A generator; `#[generator]` implements it for a type with the function's name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a generator",
    label = "name a function that has `#[generator]` above it"
)]
pub trait Generator: 'static {
    /// What it prepares.
    type Workload: Workload;
    /// What it is.
    const SOURCE: GeneratorSource;
    /// Calls the generator with the arguments.
    ///
    /// # Errors
    /// Where an argument is missing or has another type: the host sent what its plan should have refused.
    fn prepare(service: &Service, arguments: &Arguments) -> Result<Self::Workload, String>;
}

/// What a generator is.
pub struct GeneratorSource {
    /// Crate, modules and name.
    pub path: &'static str,
    /// What the page calls it.
    pub name: &'static str,
    /// The doc comment.
    pub docs: &'static str,
    /// How it hands out inputs.
    pub mode: Mode,
    /// Whether only a native runner can run it.
    pub native: bool,
    /// Its parameters.
    pub parameters: fn() -> Vec<Parameter>,
}

//! The trait that `#[generator]` implements.

use benchbook_contract::catalog::Mode;
use benchbook_contract::parameter::{Arguments, Parameter};

use crate::service::Service;
use crate::workload::Workload;

/// A generator. `#[generator]` implements it for a type with the function's name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a generator",
    label = "name a function that has `#[generator]` above it"
)]
pub trait WorkloadGenerator: 'static {
    /// The workload that it prepares.
    type Workload: Workload;
    /// The declaration.
    const SOURCE: GeneratorSource;
    /// Calls the generator with the arguments.
    ///
    /// # Errors
    /// Returns an error if an argument is missing or has the wrong type. The host's validation normally prevents this.
    fn prepare(service: &Service, arguments: &Arguments) -> Result<Self::Workload, String>;
}

/// The declaration of a generator.
pub struct GeneratorSource {
    /// Crate, modules and name, without the arguments of a generic generator.
    pub path: &'static str,
    /// Returns a name of the type that differs between the instances of a generic generator.
    pub type_name: fn() -> &'static str,
    /// The name shown on the page.
    pub name: &'static str,
    /// The doc comment.
    pub docs: &'static str,
    /// How calls share inputs.
    pub mode: Mode,
    /// Whether only a native runner can run it.
    pub native: bool,
    /// A hash of the source code in hexadecimal; empty for the generator of functions without parameters.
    pub source_hash: &'static str,
    /// Returns its parameters.
    pub parameters: fn() -> Vec<Parameter>,
}

/// Compiles only if `G` is a generator.
pub const fn check_generator<G: WorkloadGenerator>() {}

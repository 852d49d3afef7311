//! The generator of functions without parameters.

use benchbook_contract::catalog::Mode;
use benchbook_contract::parameter::Arguments;

use crate::generator::{GeneratorSource, WorkloadGenerator};
use crate::service::Service;
use crate::workload::Shared;

/// The generator of functions without parameters: it has no parameters either, and each call receives nothing.
pub enum NoInput {}

impl WorkloadGenerator for NoInput {
    type Workload = Shared<()>;
    const SOURCE: GeneratorSource = GeneratorSource {
        path: "benchbook::no_input",
        type_name: std::any::type_name::<Self>,
        name: "No input",
        docs: "For functions that take no input.",
        mode: Mode::Shared,
        native: false,
        source_hash: "",
        parameters: Vec::new,
    };

    fn prepare(_service: &Service, _arguments: &Arguments) -> Result<Self::Workload, String> {
        Ok(Shared::new(|_| ()))
    }
}

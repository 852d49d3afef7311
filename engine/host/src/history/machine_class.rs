//! Machines whose results can be compared.

#[cfg(feature = "schema")]
use benchbook_contract::catalog::MAX_NAME;
use serde::{Deserialize, Serialize};

use crate::response::MachineCard;

/// The target of suites for browsers.
const WASM: &str = "wasm32-unknown-unknown";

/// A class of machines. Figures of different classes are never compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MachineClass {
    /// The processor model; absent if the system does not name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_NAME)))]
    pub cpu: Option<String>,
    /// The settings of the cores that change the speed, such as `governor performance`, `turbo off` and `SMT off`, in this order.
    #[cfg_attr(feature = "schema", schemars(inner(length(max = MAX_NAME))))]
    pub settings: Vec<String>,
    /// The operating system and the major version of its kernel, such as `Linux 6`; absent if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_NAME)))]
    pub system: Option<String>,
    /// The target that the suite is compiled for, such as `x86_64-unknown-linux-gnu`.
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_NAME)))]
    pub target: String,
    /// The configured name of a runner; absent for a machine that measures for its own user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_NAME)))]
    pub runner: Option<String>,
    /// The compiler, such as `rustc 1.95.0`, if the figures depend on it and not on the machine; absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_NAME)))]
    pub compiler: Option<String>,
}

impl MachineClass {
    /// The class of a machine. `target`: that of the suite. `is_runner`: whether the name of the card is that of a runner.
    pub fn of(card: &MachineCard, target: &str, is_runner: bool) -> Self {
        let switch = |name: &str, is_on: bool| format!("{name} {}", if is_on { "on" } else { "off" });
        let settings = [
            card.governor.as_ref().map(|governor| format!("governor {governor}")),
            card.turbo.map(|is_on| switch("turbo", is_on)),
            card.smt.map(|is_on| switch("SMT", is_on)),
            card.virtualisation.as_ref().map(|hypervisor| format!("virtual machine ({hypervisor})")),
        ];
        Self {
            cpu: card.cpu.clone(),
            settings: settings.into_iter().flatten().collect(),
            system: card.kernel.as_deref().map(major_version),
            target: target.to_owned(),
            runner: is_runner.then(|| card.name.clone()),
            compiler: None,
        }
    }

    /// The class of all machines, for counts of what a suite's wasm module executes.
    pub fn of_wasm(compiler: &str) -> Self {
        Self { target: WASM.to_owned(), compiler: Some(compiler.to_owned()), ..Self::default() }
    }

    /// The first property in which two classes differ, with both of its values.
    pub fn difference_from(&self, other: &Self) -> Option<(&'static str, String, String)> {
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "unknown".to_owned());
        let none = || "none".to_owned();
        let properties = |class: &Self| {
            let runner = class.runner.clone().unwrap_or_else(none);
            [
                ("processor", text(&class.cpu)),
                (
                    "configuration of the cores",
                    if class.settings.is_empty() { none() } else { class.settings.join(", ") },
                ),
                ("operating system", text(&class.system)),
                ("target", class.target.clone()),
                ("runner", runner),
                ("compiler", class.compiler.clone().unwrap_or_else(none)),
            ]
        };
        let both = properties(self).into_iter().zip(properties(other));
        let mut different = both.filter(|((_, one), (_, other))| one != other);
        different.next().map(|((name, one), (_, other))| (name, one, other))
    }
}

/// The name of a kernel and its major version: `Linux 6` for `Linux 6.12.9-amd64`.
fn major_version(kernel: &str) -> String {
    let end = kernel.char_indices().find(|(_, letter)| *letter == '.').map_or(kernel.len(), |(end, _)| end);
    kernel[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class() -> MachineClass {
        MachineClass {
            cpu: Some("AMD EPYC 9R14".to_owned()),
            settings: vec!["turbo off".to_owned()],
            system: Some(major_version("Linux 6.12.9-amd64")),
            target: "x86_64-unknown-linux-gnu".to_owned(),
            runner: None,
            compiler: None,
        }
    }

    #[test]
    fn the_first_difference_is_named() {
        assert_eq!(class().difference_from(&class()), None);
        let other = MachineClass { settings: Vec::new(), system: Some(major_version("Linux 5.4")), ..class() };
        let expected = ("configuration of the cores", "turbo off".to_owned(), "none".to_owned());
        assert_eq!(class().difference_from(&other), Some(expected));
        let newer = MachineClass { system: Some(major_version("Linux 7")), ..class() };
        let expected = ("operating system", "Linux 6".to_owned(), "Linux 7".to_owned());
        assert_eq!(class().difference_from(&newer), Some(expected));
        let runner = MachineClass { runner: Some("reference-01".to_owned()), ..class() };
        assert_eq!(runner.difference_from(&class()).map(|(name, ..)| name), Some("runner"));
    }
}

//! The report of the self-test: what this machine can resolve, the checks with advice, and its settings.

use std::fmt::Write as _;

use benchbook_accepted::machine::MachineSetting;
use benchbook_host::history::MachineClass;
use benchbook_host::self_test::checks::{SelfTest, SelfTestCheck, report};
use benchbook_host::self_test::resolution::{MIN_RUNS, smallest_difference_within};
use benchbook_host::units::{percent, significant};
use serde::Serialize;

/// The version of the JSON form.
const VERSION: u32 = 1;

/// The settings that `--tune` changes.
const TUNABLE: [&str; 2] = ["governor", "turbo"];

const HINT: &str = "
To set the governor and turbo for measurements, until --undo or a reboot:
  cargo benchbook self-test --tune
";

/// The report that `cargo benchbook self-test --json` prints, version 1. A later report of the same version may have additional fields.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "Benchbook self-test", extend("$schema" = "https://json-schema.org/draft/2020-12/schema")))]
pub(crate) struct SelfTestReport {
    /// The version of this form: 1.
    #[cfg_attr(test, schemars(extend("const" = VERSION)))]
    benchbook_self_test: u32,
    /// Whether all checks passed.
    passed: bool,
    /// What this machine can resolve.
    resolution: Resolution,
    /// The share of the processors' time during the test that other virtual machines took: 0.01 is 1%. Absent if the system doesn't count it.
    #[serde(skip_serializing_if = "Option::is_none")]
    stolen: Option<f64>,
    /// The checks of the measurements.
    checks: Vec<SelfTestCheck>,
    /// The machine.
    machine: MachineClass,
    /// The settings that affect measurements. They fail no check.
    settings: Vec<ReportedSetting>,
}

/// The relative differences that measurements of equal code exceed in 5% of cases: 0.02 is 2%. Smaller differences cannot be told from
/// chance.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Resolution {
    /// Between functions that are measured together for a second. Absent if no comparison succeeded.
    #[serde(skip_serializing_if = "Option::is_none")]
    within_run: Option<f64>,
    /// Between two runs, one after the other. Absent if fewer than three succeeded.
    #[serde(skip_serializing_if = "Option::is_none")]
    between_runs: Option<f64>,
    /// Between days. Absent until this machine has measured something at three occasions.
    #[serde(skip_serializing_if = "Option::is_none")]
    between_days: Option<ResolutionBetweenDays>,
}

/// The relative difference that measurements of equal code at two occasions exceed in 5% of cases, from the history of this machine.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ResolutionBetweenDays {
    /// The difference: 0.02 is 2%.
    pub(crate) difference: f64,
    /// The number of occasions in the history, more than five minutes apart.
    pub(crate) occasions: usize,
}

/// A setting of this machine.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ReportedSetting {
    /// Its name, such as `governor`.
    name: &'static str,
    status: SettingStatus,
    /// Its value, such as `performance`. Absent if this machine doesn't show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    /// Why the value makes measurements less precise. Absent if it doesn't.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
    /// A command that changes it; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
}

/// Whether a setting is fit for measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
enum SettingStatus {
    /// It is.
    Ok,
    /// It makes measurements less precise.
    NotOk,
    /// This machine doesn't show it.
    Unknown,
}

impl ReportedSetting {
    fn new(setting: MachineSetting) -> Self {
        let MachineSetting { name, value, warning } = setting;
        let status = match (&warning, &value) {
            (Some(_), _) => SettingStatus::NotOk,
            (None, Some(_)) => SettingStatus::Ok,
            (None, None) => SettingStatus::Unknown,
        };
        let (advice, command) = warning.map(|warning| (warning.message, warning.fix)).unzip();
        Self { name, status, value, advice, command: command.flatten() }
    }

    /// The lines of the checklist.
    fn text(&self) -> String {
        let Self { name, value, .. } = self;
        let (mark, value) = match self.status {
            SettingStatus::Ok => ("ok     ", value.as_deref().unwrap_or_default()),
            SettingStatus::NotOk => ("not ok ", value.as_deref().unwrap_or_default()),
            SettingStatus::Unknown => ("unknown", "this machine doesn't have or show this setting"),
        };
        let mut text = format!("{mark} {name}: {value}\n");
        for line in self.advice.iter().chain(&self.command) {
            let _ = writeln!(text, "        {line}");
        }
        text
    }
}

impl SelfTestReport {
    /// The report of a test. `between_days`: from the history of this machine, if there is one.
    pub(crate) fn new(
        test: &SelfTest,
        machine: MachineClass,
        settings: Vec<MachineSetting>,
        between_days: Option<ResolutionBetweenDays>,
    ) -> Self {
        let checks = test.checks();
        Self {
            benchbook_self_test: VERSION,
            passed: checks.iter().all(|check| check.advice.is_none()),
            resolution: Resolution {
                within_run: smallest_difference_within(&test.equal),
                between_runs: test.means.smallest_difference(),
                between_days,
            },
            stolen: test.stolen,
            checks,
            machine,
            settings: settings.into_iter().map(ReportedSetting::new).collect(),
        }
    }

    /// Whether all checks passed.
    pub(crate) fn is_passed(&self) -> bool {
        self.passed
    }

    /// The report as text, the answer first.
    pub(crate) fn text(&self) -> String {
        let settings: String = self.settings.iter().map(ReportedSetting::text).collect();
        let is_tunable =
            |setting: &ReportedSetting| setting.status == SettingStatus::NotOk && TUNABLE.contains(&setting.name);
        let hint = if self.settings.iter().any(is_tunable) { HINT } else { "" };
        format!("{}\n{}\nSettings of this machine\n\n{settings}{hint}", self.resolution.text(), report(&self.checks))
    }

    /// The report as JSON, see docs/self-test.schema.json.
    pub(crate) fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report serializes to JSON") + "\n"
    }
}

impl Resolution {
    /// A line for each time scale.
    fn text(&self) -> String {
        let within = match self.within_run {
            Some(difference) => format!("this machine resolves differences of {}.", percent(difference)),
            None => "unknown, since no comparison succeeded.".to_owned(),
        };
        let runs = match self.between_runs {
            Some(difference) => format!("{}.", percent(difference)),
            None => {
                format!("unknown, since fewer than {MIN_RUNS} runs were measured. Repeat the test with more --tries.")
            }
        };
        let days = match self.between_days {
            // A percentage above 100 is hard to imagine.
            Some(ResolutionBetweenDays { difference, occasions }) if difference > 1.0 => {
                format!("only by a factor of {}, from {occasions} occasions.", significant(1.0 + difference, 2))
            }
            Some(ResolutionBetweenDays { difference, occasions }) => {
                format!("{}, from {occasions} occasions.", percent(difference))
            }
            None => "unknown. First measure something at three occasions, more than five minutes apart.".to_owned(),
        };
        format!("Within a run: {within}\nBetween runs: {runs}\nBetween days: {days}\n")
    }
}

#[cfg(test)]
mod tests;

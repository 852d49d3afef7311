//! Changes settings of this machine for measurements, and restores them: those that the kernel applies at once, and forgets at the next reboot.

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

use anyhow::{Context, Error, Result, anyhow, ensure};
use benchbook_accepted::machine::{BOOST, NO_TURBO, cpu_list};
use serde::{Deserialize, Serialize};

use crate::advised_command::quoted;

/// The former values, in a folder that the system empties when it starts: the settings are reset then, too.
const SAVED: &str = "/run/benchbook-former-settings.json";

/// The file with the governor of a core, in its folder.
const GOVERNOR: &str = "cpufreq/scaling_governor";

/// The settings of a machine that can be changed.
#[derive(Debug)]
pub(crate) struct TunableMachine {
    /// The root of the file system; in tests, another folder.
    root: PathBuf,
}

/// The former values of changed settings, by path.
#[derive(Debug, Default, Serialize, Deserialize)]
struct FormerSettings(BTreeMap<String, String>);

/// A change of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SettingChange {
    path: String,
    from: String,
    to: String,
}

/// What was changed, and what could not be.
#[derive(Debug, Default)]
pub(crate) struct ChangedSettings {
    changed: Vec<SettingChange>,
    /// The changes that failed, with the reasons.
    failed: Vec<(SettingChange, io::Error)>,
}

impl TunableMachine {
    /// This machine.
    pub(crate) fn this() -> Self {
        Self { root: PathBuf::from("/") }
    }

    /// The settings for measurements that this machine doesn't have.
    pub(crate) fn missing(&self) -> Vec<&'static str> {
        let wanted = self.wanted();
        let is_missing = |files: &[&str]| !wanted.iter().any(|(path, _)| files.iter().any(|file| path.ends_with(file)));
        let settings = [("governor", &[GOVERNOR][..]), ("switch for turbo", &[NO_TURBO, BOOST])];
        settings.into_iter().filter(|(_, files)| is_missing(files)).map(|(name, _)| name).collect()
    }

    /// Changes the settings for measurements. The former values are saved first, unless an earlier call has saved them.
    ///
    /// # Errors
    /// If the former values cannot be saved; then nothing is changed.
    pub(crate) fn tune(&self) -> Result<ChangedSettings> {
        let before = self.saved()?;
        let change = |(path, to): (String, &str)| {
            let from = self.read(&path)?;
            (from != to).then(|| SettingChange { path, from, to: to.to_owned() })
        };
        let changes: Vec<SettingChange> = self.wanted().into_iter().filter_map(change).collect();
        if changes.is_empty() {
            return Ok(ChangedSettings::default());
        }
        let with = |changes: &[SettingChange]| {
            let mut former: BTreeMap<String, String> =
                changes.iter().map(|change| (change.path.clone(), change.from.clone())).collect();
            former.extend(before.0.clone());
            FormerSettings(former)
        };
        self.save(&with(&changes)).map_err(|error| explained(error, "--tune"))?;
        let changes = self.apply(changes);
        if !changes.failed.is_empty() {
            // These have kept their values.
            self.save(&with(&changes.changed)).map_err(|error| explained(error, "--tune"))?;
        }
        Ok(changes)
    }

    /// Restores the settings that [`Self::tune`] has changed. Those that cannot be restored stay saved.
    ///
    /// # Errors
    /// If the saved values cannot be read or deleted.
    pub(crate) fn undo(&self) -> Result<ChangedSettings> {
        let FormerSettings(former) = self.saved()?;
        let change = |(path, to): (String, String)| {
            let from = self.read(&path).unwrap_or_default();
            (from != to).then_some(SettingChange { path, from, to })
        };
        let changes = self.apply(former.into_iter().filter_map(change).collect());
        let remaining = changes.failed.iter().map(|(change, _)| (change.path.clone(), change.to.clone()));
        self.save(&FormerSettings(remaining.collect())).map_err(|error| explained(error, "--undo"))?;
        Ok(changes)
    }

    /// The values for measurements of the settings that this machine has, by path.
    fn wanted(&self) -> Vec<(String, &'static str)> {
        let cores = cpu_list::parse(&self.read("/sys/devices/system/cpu/online").unwrap_or_default());
        let governor = |core| format!("/sys/devices/system/cpu/cpu{core}/{GOVERNOR}");
        let governors = cores.into_iter().map(|core| (governor(core), "performance"));
        let turbo = [(NO_TURBO, "1"), (BOOST, "0")].map(|(path, value)| (path.to_owned(), value));
        governors.chain(turbo).filter(|(path, _)| self.read(path).is_some()).collect()
    }

    fn apply(&self, changes: Vec<SettingChange>) -> ChangedSettings {
        let mut applied = ChangedSettings::default();
        for change in changes {
            match self.write(&change.path, &change.to) {
                Ok(()) => applied.changed.push(change),
                Err(error) => applied.failed.push((change, error)),
            }
        }
        applied
    }

    /// A path in the file system of the machine.
    fn path(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.path(path)).ok().map(|text| text.trim().to_owned())
    }

    /// Writes a setting, whose file exists.
    fn write(&self, path: &str, value: &str) -> io::Result<()> {
        File::options().write(true).truncate(true).open(self.path(path))?.write_all(value.as_bytes())
    }

    fn saved(&self) -> Result<FormerSettings> {
        let path = self.path(SAVED);
        match fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text).with_context(|| {
                format!(
                    "{} is damaged. Delete it, and reboot this machine to get its former settings back",
                    path.display()
                )
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(FormerSettings::default()),
            Err(error) => Err(error).with_context(|| format!("failed to read {}", path.display())),
        }
    }

    /// Replaces the saved values at once; without any, deletes the file.
    fn save(&self, former: &FormerSettings) -> io::Result<()> {
        let path = self.path(SAVED);
        if former.0.is_empty() {
            return match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
        }
        let unfinished = path.with_extension("unfinished");
        fs::write(&unfinished, serde_json::to_string_pretty(former)?)?;
        fs::rename(unfinished, path)
    }
}

impl ChangedSettings {
    /// Whether there was nothing to do.
    pub(crate) fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.failed.is_empty()
    }

    /// A line for each kind of change: `scaling_governor on 8 cores: powersave → performance`.
    pub(crate) fn text(&self) -> String {
        let mut counts: BTreeMap<(&str, &str, &str), u32> = BTreeMap::new();
        for SettingChange { path, from, to } in &self.changed {
            let name = path.rsplit('/').next().unwrap_or(path);
            *counts.entry((name, from, to)).or_default() += 1;
        }
        let line = |((name, from, to), count): ((&str, &str, &str), u32)| {
            let cores = if count > 1 { format!(" on {count} cores") } else { String::new() };
            format!("{name}{cores}: {from} → {to}\n")
        };
        counts.into_iter().map(line).collect()
    }

    /// Says which changes failed, and why.
    ///
    /// # Errors
    /// If any failed.
    pub(crate) fn check(&self) -> Result<()> {
        let reason = |(SettingChange { path, from, to }, error): &(SettingChange, io::Error)| {
            format!("\n  {path} stays at {from} instead of {to}: {error}")
        };
        let reasons: String = self.failed.iter().map(reason).collect();
        ensure!(reasons.is_empty(), "some settings could not be changed:{reasons}");
        Ok(())
    }
}

/// An error of the file with the saved values. Without permission, it contains the command that has it.
fn explained(error: io::Error, option: &str) -> Error {
    if error.kind() == ErrorKind::PermissionDenied {
        let program = env::current_exe().unwrap_or_else(|_| PathBuf::from("cargo-benchbook"));
        let program = quoted(&program.to_string_lossy());
        return anyhow!("only root can change settings. Run\n  sudo {program} self-test {option}");
    }
    Error::new(error).context(format!("failed to write the former settings to {SAVED}"))
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    const CORES: &str = "/sys/devices/system/cpu/online";

    /// A machine with these files, in a temporary folder.
    fn machine(files: &[(&str, &str)]) -> (TempDir, TunableMachine) {
        let folder = tempfile::tempdir().expect("a folder");
        let machine = TunableMachine { root: folder.path().to_owned() };
        fs::create_dir(folder.path().join("run")).expect("a folder");
        for (path, text) in files {
            let path = machine.path(path);
            fs::create_dir_all(path.parent().expect("it has a folder")).expect("a folder");
            fs::write(path, text).expect("it is written");
        }
        (folder, machine)
    }

    fn governor(core: u32) -> String {
        format!("/sys/devices/system/cpu/cpu{core}/{GOVERNOR}")
    }

    /// A laptop whose last core has another governor.
    fn laptop() -> (TempDir, TunableMachine) {
        let governors = [governor(0), governor(1), governor(2)];
        let [first, second, third] = governors.each_ref().map(String::as_str);
        machine(&[
            (CORES, "0-2\n"),
            (first, "powersave\n"),
            (second, "powersave\n"),
            (third, "schedutil\n"),
            (NO_TURBO, "0\n"),
        ])
    }

    /// The values of all settings of the laptop.
    fn values(machine: &TunableMachine) -> Vec<String> {
        let paths = [governor(0), governor(1), governor(2), NO_TURBO.to_owned()];
        paths.iter().map(|path| machine.read(path).expect("it exists")).collect()
    }

    const FORMER: [&str; 4] = ["powersave", "powersave", "schedutil", "0"];
    const TUNED: [&str; 4] = ["performance", "performance", "performance", "1"];

    #[test]
    fn settings_are_changed_and_restored() {
        let (_folder, laptop) = laptop();
        assert_eq!(laptop.missing(), [""; 0]);
        let changes = laptop.tune().expect("it is tuned");
        assert_eq!(
            changes.text(),
            "no_turbo: 0 → 1\n\
             scaling_governor on 2 cores: powersave → performance\n\
             scaling_governor: schedutil → performance\n"
        );
        assert!(changes.check().is_ok());
        assert_eq!(values(&laptop), TUNED);
        assert!(laptop.undo().expect("it is restored").check().is_ok());
        assert_eq!(values(&laptop), FORMER);
        assert!(!laptop.path(SAVED).exists());
        assert!(laptop.undo().expect("nothing is saved").is_empty());
    }

    #[test]
    fn a_second_change_keeps_the_first_values() {
        let (_folder, laptop) = laptop();
        laptop.tune().expect("it is tuned");
        assert!(laptop.tune().expect("it is tuned").is_empty());
        // Another program has changed one in the meantime.
        laptop.write(&governor(0), "ondemand").expect("it is written");
        assert_eq!(laptop.tune().expect("it is tuned").text(), "scaling_governor: ondemand → performance\n");
        laptop.undo().expect("it is restored");
        assert_eq!(values(&laptop), FORMER);
    }

    #[test]
    fn a_machine_without_settings_says_so() {
        let (_folder, virtual_machine) = machine(&[(CORES, "0-1\n")]);
        assert_eq!(virtual_machine.missing(), ["governor", "switch for turbo"]);
        assert!(virtual_machine.tune().expect("there is nothing to change").is_empty());
        let (_folder, amd) = machine(&[(CORES, "0\n"), (BOOST, "1\n")]);
        assert_eq!(amd.missing(), ["governor"]);
        assert_eq!(amd.tune().expect("it is tuned").text(), "boost: 1 → 0\n");
    }

    #[test]
    fn nothing_is_changed_if_the_former_values_cannot_be_saved() {
        let (folder, laptop) = laptop();
        fs::remove_dir(folder.path().join("run")).expect("it is deleted");
        assert!(laptop.tune().is_err_and(|error| error.to_string().contains("failed to write the former settings")));
        assert_eq!(values(&laptop), FORMER);
        let without_permission = explained(ErrorKind::PermissionDenied.into(), "--undo").to_string();
        assert!(without_permission.contains("\n  sudo ") && without_permission.ends_with(" self-test --undo"));
    }

    /// The kernel accepts no value for `/proc/version`.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_setting_that_cannot_be_changed_is_reported_and_costs_no_other() {
        let (_folder, laptop) = laptop();
        let fixed = laptop.path(NO_TURBO);
        fs::remove_file(&fixed).expect("it is deleted");
        std::os::unix::fs::symlink("/proc/version", &fixed).expect("it is linked");
        let changes = laptop.tune().expect("the others are tuned");
        assert_eq!(values(&laptop)[..3], TUNED[..3]);
        let error = changes.check().expect_err("one failed").to_string();
        assert!(error.contains("/no_turbo stays at Linux version ") && error.contains(" instead of 1: "), "{error}");
        assert!(!laptop.saved().expect("they are saved").0.contains_key(NO_TURBO), "it has kept its value");
        assert!(laptop.undo().expect("the others are restored").check().is_ok());
        assert_eq!(values(&laptop)[..3], FORMER[..3]);
    }

    #[test]
    fn what_cannot_be_restored_stays_saved() {
        let (_folder, laptop) = laptop();
        laptop.tune().expect("it is tuned");
        fs::remove_file(laptop.path(&governor(2))).expect("the core is offline");
        let changes = laptop.undo().expect("the others are restored");
        assert!(changes.check().is_err_and(|error| error.to_string().contains("cpu2/")));
        fs::write(laptop.path(&governor(2)), "performance").expect("it is online");
        assert!(laptop.undo().expect("it is restored").check().is_ok());
        assert_eq!(values(&laptop), FORMER);
    }

    #[test]
    fn damaged_values_are_an_error_and_remain() {
        let (_folder, laptop) = laptop();
        laptop.tune().expect("it is tuned");
        fs::write(laptop.path(SAVED), "{").expect("it is written");
        for result in [laptop.tune(), laptop.undo()] {
            assert!(result.is_err_and(|error| error.to_string().contains("is damaged")));
        }
        assert_eq!(values(&laptop), TUNED);
    }
}

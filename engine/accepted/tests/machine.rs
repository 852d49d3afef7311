//! The environment cards of several machines, from the files of their kernels.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use benchbook_accepted::machine::{self, CardInputs, MachineSetting, card, settings};
use benchbook_host::response::MachineCard;

/// The card of a machine, see [`with_card`].
fn card_of(name: &str) -> MachineCard {
    with_card(name, |card, _| card)
}

/// Reads `machines/NAME.txt`: the measuring core, if there is one, and the kernel's files, each after a line with its path. `then` receives
/// the card and the files.
fn with_card<T>(name: &str, then: impl FnOnce(MachineCard, &dyn Fn(&str) -> Option<String>) -> T) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/machines").join(format!("{name}.txt"));
    let text = fs::read_to_string(path).expect("the file exists");
    let mut parts = text.split("==> ");
    let core = parts.next().and_then(|head| head.trim().strip_prefix("core ")?.parse().ok());
    let files: BTreeMap<_, _> = parts.filter_map(|part| part.split_once(" <==\n")).collect();
    let inputs = CardInputs { name, architecture: "some", kernel: Some("Linux 6.12.48"), core };
    let file = |path: &str| files.get(path).map(|text| (*text).to_owned());
    let mut card = card(&inputs, &file);
    // Independent of the compiler of this build.
    "rustc 1.95.0".clone_into(&mut card.rustc);
    then(card, &file)
}

/// The settings, as `name: value`, with `!` if it has a warning, and `?` if it is unknown.
fn settings_of(name: &str) -> Vec<String> {
    let line = |setting: MachineSetting| {
        let mark = if setting.warning.is_some() { "!" } else { "" };
        format!("{}: {}{mark}", setting.name, setting.value.as_deref().unwrap_or("?"))
    };
    with_card(name, |card, file| settings(&card, file).into_iter().map(line).collect())
}

#[test]
fn settings_have_warnings_or_are_unknown() {
    assert_eq!(
        settings_of("intel-laptop"),
        [
            "virtualisation: none",
            "governor: powersave!",
            "turbo: on!",
            "shared cores (SMT): on!",
            "load: 3.91 on 8 cores!",
            "swapped memory: 512 MiB!"
        ]
    );
    assert_eq!(
        settings_of("kvm-guest"),
        [
            "virtualisation: QEMU!",
            "governor: ?",
            "turbo: ?",
            "shared cores (SMT): off",
            "load: 0.7 on 2 cores",
            "swapped memory: 0 MiB"
        ]
    );
    assert!(settings_of("no-files").iter().all(|setting| setting.ends_with(": ?")));
}

#[test]
fn builds_the_cards_of_several_machines() {
    let machines = [
        "intel-laptop",
        "amd-server",
        "quiet-server",
        "kvm-guest",
        "small-guest",
        "arm-cloud",
        "arm-board",
        "no-files",
    ];
    let cards = machines.map(|name| {
        let json = serde_json::to_string_pretty(&card_of(name)).expect("a card serializes to JSON");
        assert_eq!(serde_json::from_str::<MachineCard>(&json).expect("a card parses from JSON"), card_of(name));
        json
    });
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/machines.txt");
    let actual = cards.join("\n\n");
    if std::env::var_os("BENCHBOOK_BLESS").is_some() {
        fs::write(&path, &actual).expect("a writable file");
    }
    let expected = fs::read_to_string(&path).expect("the golden file exists");
    assert!(expected == actual, "the cards differ (BENCHBOOK_BLESS=1 accepts them); the new text is\n{actual}");
}

#[test]
fn the_identity_is_name_processor_and_kernel() {
    let card = card_of("amd-server");
    assert_eq!(card.identity(), "amd-server; AMD EPYC 7502P 32-Core Processor; Linux 6.12.48");
    let other = MachineCard { kernel: Some("Linux 6.13.0".to_owned()), ..card.clone() };
    assert_ne!(card.identity(), other.identity());
    let busy = MachineCard { load: Some([9.0; 3]), ..card.clone() };
    assert_eq!(card.identity(), busy.identity());
}

#[test]
fn builds_the_card_of_this_machine() {
    let card = machine::current_card("this", None);
    assert!(card.rustc.starts_with("rustc "), "{card:?}");
    if cfg!(target_os = "linux") {
        assert!(card.kernel.is_some_and(|kernel| kernel.starts_with("Linux ")) && card.cores.is_some());
    }
}

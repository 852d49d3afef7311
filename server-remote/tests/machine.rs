//! The environment cards of several machines, from what their kernels say.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use benchbook_host::api::MachineCard;
use benchbook_server::machine::{self, Asked, card};
use common::assert_golden;

/// `machines/NAME.txt`: the core that measures, where there is one, and the kernel's files, each after a line with its path.
fn card_of(name: &str) -> MachineCard {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/machines").join(format!("{name}.txt"));
    let text = fs::read_to_string(path).expect("it is there");
    let mut parts = text.split("==> ");
    let core = parts.next().and_then(|head| head.trim().strip_prefix("core ")?.parse().ok());
    let files: BTreeMap<_, _> = parts.filter_map(|part| part.split_once(" <==\n")).collect();
    let asked = Asked { name, architecture: "some", kernel: Some("Linux 6.12.48"), core };
    let mut card = card(asked, &|path| files.get(path).map(|text| (*text).to_owned()));
    // That of this build, whichever it is.
    "rustc 1.95.0".clone_into(&mut card.rustc);
    card
}

#[test]
fn cards() {
    let machines = [
        "intel-laptop",
        "amd-server",
        "quiet-server",
        "kvm-guest",
        "small-guest",
        "arm-cloud",
        "arm-board",
        "tells-nothing",
    ];
    let cards = machines.map(|name| {
        let json = serde_json::to_string_pretty(&card_of(name)).expect("it has a form");
        assert_eq!(serde_json::from_str::<MachineCard>(&json).expect("it is one"), card_of(name));
        json
    });
    assert_golden("machines.txt", &cards.join("\n\n"));
}

#[test]
fn a_machine_set_up_for_measuring_has_no_warning() {
    assert!(card_of("quiet-server").warnings.is_empty());
}

#[test]
fn the_same_machine_has_the_same_name_processor_and_kernel() {
    let card = card_of("amd-server");
    assert_eq!(card.identity(), "amd-server; AMD EPYC 7502P 32-Core Processor; Linux 6.12.48");
    let other = MachineCard { kernel: Some("Linux 6.13.0".to_owned()), ..card.clone() };
    assert_ne!(card.identity(), other.identity());
    let busy = MachineCard { load: Some([9.0; 3]), ..card.clone() };
    assert_eq!(card.identity(), busy.identity());
}

#[test]
fn this_machine_has_a_card() {
    let card = machine::here("this", None);
    assert!(card.rustc.starts_with("rustc "), "{card:?}");
    if cfg!(target_os = "linux") {
        assert!(card.kernel.is_some_and(|kernel| kernel.starts_with("Linux ")) && card.cores.is_some());
    }
}

//! Amounts and calls as words, for all that show them.

use benchbook_profile::{in_percent, short_number};

use crate::pinpoint::Pinpoint;

/// `624 calls`, `0 → 10 k calls`; empty if the function is inlined in both builds.
pub fn calls(calls: [Option<f64>; 2]) -> String {
    let [before, after] = calls.map(|calls| short_number(calls.unwrap_or_default()));
    match calls {
        [None, None] => String::new(),
        [Some(1.0), Some(1.0)] => "1 call".to_owned(),
        _ if before == after => format!("{after} calls"),
        _ => format!("{before} → {after} calls"),
    }
}

/// `n`, `constant → n`.
pub fn growth_change(growth: [Option<String>; 2]) -> String {
    match growth {
        [Some(before), Some(after)] if before != after => format!("{before} → {after}"),
        [_, after] => after.unwrap_or_default(),
    }
}

/// The share of the difference.
pub fn share(pinpoint: &Pinpoint, added: f64) -> String {
    match pinpoint.added() {
        0.0 => String::new(),
        all => in_percent(added / all).replace('-', "−"),
    }
}

/// `+129 650`, `−3.2 M`.
pub fn signed(added: f64) -> String {
    match added {
        0.0 => "0".to_owned(),
        added if added < 0.0 => format!("−{}", short_number(-added)),
        added => format!("+{}", short_number(added)),
    }
}

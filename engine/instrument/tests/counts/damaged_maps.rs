//! Maps that were damaged on their way.

use benchbook_instrument::{CodeMap, Options, instrument};

/// The map of functions that call each other, and copy memory.
fn map() -> CodeMap {
    let wat = r#"(module (import "host" "now" (func $now)) (memory 1)
        (func $f (param i32) call $now (if (local.get 0) (then call $g)))
        (func $g i32.const 0 i32.const 8 i32.const 4 memory.copy))"#;
    instrument(&wat::parse_str(wat).unwrap(), &Options::default()).unwrap().map
}

#[test]
fn a_map_that_refers_to_what_it_does_not_contain_is_rejected() {
    let is_read = |map: &CodeMap| CodeMap::from_bytes(&map.to_bytes()).is_ok_and(|read| read == *map);
    let map = map();
    assert!(is_read(&map) && !map.bulk.is_empty() && map.calls.len() == 2);
    let damages: [fn(&mut CodeMap); 8] = [
        |map| map.strings.truncate(1),
        |map| map.functions.truncate(1),
        |map| map.blocks[0].function = 99,
        |map| map.blocks[0].runs[0].frame = 99,
        |map| map.bulk[0].frame = 99,
        |map| map.bulk[0].block = 99,
        |map| map.calls[0].callee = Some(99),
        |map| map.frames[0].file = Some(99),
    ];
    for (index, damage) in damages.iter().enumerate() {
        let mut damaged = map.clone();
        damage(&mut damaged);
        assert!(CodeMap::from_bytes(&damaged.to_bytes()).is_err(), "damage {index}");
    }
}

#[test]
fn damaged_bytes_are_no_map_or_another_map() {
    let bytes = map().to_bytes();
    for length in 0..bytes.len() {
        assert!(CodeMap::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
    }
    for index in 0..bytes.len() {
        for flipped in [1, 0x40, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[index] ^= flipped;
            if let Ok(map) = CodeMap::from_bytes(&damaged) {
                // What was read can be used.
                let counters = vec![1; map.counters()];
                let _ = (map.operators(&counters).cost(), map.frames.len());
            }
        }
    }
}

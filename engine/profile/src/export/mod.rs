//! Formats of other tools.

mod callgrind;
#[cfg(feature = "firefox")]
mod firefox;
mod folded;

pub use callgrind::callgrind;
#[cfg(feature = "firefox")]
pub use firefox::firefox;
pub use folded::folded;

#[cfg(test)]
mod tests {
    use benchbook_contract::axis_value::AxisValue;

    use crate::amounts::{Amounts, ProfileMetric};
    use crate::counts::ProfilePoint;
    use crate::frame::{Frame, Place};
    use crate::profile::Profile;

    fn frame(name: &str, line: u32, instructions: i64, calls: i64, children: Vec<Frame>) -> Frame {
        let own = vec![Amounts { instructions, calls, ..Amounts::default() }];
        let place = Some(Place { file: "src/sorting.rs".to_owned(), line });
        Frame { name: name.to_owned(), place, own, children, ..Frame::default() }
    }

    /// `merge` calls itself through `split`, and costs more than fits into 32 bits.
    fn profile() -> Profile {
        let inner = frame("demo::sorting::merge", 41, 10, 2, Vec::new());
        let split = frame("demo::sorting::split", 30, 5, 2, vec![inner]);
        let merge = frame("demo::sorting::merge", 41, 3_000_000_000, 1, vec![split]);
        Profile {
            function: "sorting::merge_sort".to_owned(),
            crate_name: "demo".to_owned(),
            axis: String::new(),
            points: vec![ProfilePoint { x: AxisValue::Absent, calls: 1, memory: None }],
            root: frame("sorting::merge_sort", 20, -1, 1, vec![merge]),
            includes_library: false,
        }
    }

    #[test]
    fn folded_stacks_have_the_amounts_of_their_last_function() {
        let expected = "\
sorting::merge_sort;sorting::merge 3000000000
sorting::merge_sort;sorting::merge;sorting::split 5
sorting::merge_sort;sorting::merge;sorting::split;sorting::merge 10
";
        assert_eq!(super::folded(&profile(), ProfileMetric::Instructions, 0), expected);
    }

    #[test]
    fn callgrind_has_a_total_for_each_call() {
        let text = super::callgrind(&profile(), 0);
        let (header, functions) = text.split_once("\n\n").unwrap();
        assert!(header.ends_with("events: Instructions Loads Stores Allocations Bytes Copied"), "{header}");
        let expected = "\
fl=src/sorting.rs
fn=sorting::merge
41 3000000010 0 0 0 0 0
cfi=src/sorting.rs
cfn=sorting::split
calls=2 30
41 15 0 0 0 0 0

fl=src/sorting.rs
fn=sorting::merge_sort
20 0 0 0 0 0 0
cfi=src/sorting.rs
cfn=sorting::merge
calls=1 41
20 3000000015 0 0 0 0 0

fl=src/sorting.rs
fn=sorting::split
30 5 0 0 0 0 0
cfi=src/sorting.rs
cfn=sorting::merge
calls=2 41
30 0 0 0 0 0 0
";
        assert_eq!(functions, expected);
    }

    #[cfg(feature = "firefox")]
    #[test]
    fn weights_of_firefox_add_up() {
        let text = super::firefox(&profile(), ProfileMetric::Instructions, 0).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let weights = value["threads"][0]["samples"]["weight"].as_array().unwrap();
        assert_eq!(weights.iter().map(|weight| weight.as_i64().unwrap()).sum::<i64>(), 3_000_000_015);
        assert!(text.contains("sorting::merge (src/sorting.rs:41)"), "{text}");
    }
}

//! Native instructions by function, counted by callgrind.

use std::collections::HashMap;

use crate::names::without_arguments;
use crate::profile::Profile;
use crate::rows::ProfileRow;

/// What native calls of a function executed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NativeInstructions {
    /// All that was counted.
    total: u64,
    /// What each function executed with all that it called, by names without arguments.
    by_function: HashMap<String, u64>,
}

impl NativeInstructions {
    /// Reads a file in the [format of callgrind](https://valgrind.org/docs/manual/cl-format.html) with one event. Without debug information, as usual, functions that were
    /// inlined are part of their callers. Functions that call each other in a cycle count at most as much as all.
    pub fn read(callgrind: &str) -> Self {
        let mut names: HashMap<&str, &str> = HashMap::new();
        let mut costs: HashMap<&str, u64> = HashMap::new();
        let (mut total, mut function, mut callee) = (0, "", None);
        for line in callgrind.lines() {
            if let Some(name) = line.strip_prefix("fn=") {
                function = resolve(&mut names, name);
            } else if let Some(name) = line.strip_prefix("cfn=") {
                callee = Some(resolve(&mut names, name));
            } else if line.starts_with(|first: char| first.is_ascii_digit() || "+-*".contains(first)) {
                let cost = line.split_whitespace().nth(1).and_then(|cost| cost.parse().ok()).unwrap_or(0);
                let callee = callee.take();
                total += if callee.is_none() { cost } else { 0 };
                if callee != Some(function) {
                    *costs.entry(function).or_default() += cost;
                }
            }
        }
        let mut by_function: HashMap<String, u64> = HashMap::new();
        for (name, cost) in costs {
            let sum = by_function.entry(without_arguments(name)).or_default();
            *sum = (*sum + cost).min(total);
        }
        Self { total, by_function }
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Adds the shares to the functions of a profile. The measured function has all.
    pub fn add_to(&self, rows: &mut [ProfileRow], profile: &Profile) {
        for row in rows {
            let own = self.by_function.get(&without_arguments(&row.name));
            let instructions = if row.name == profile.root.name { Some(&self.total) } else { own };
            row.native_share = instructions.map(|instructions| *instructions as f64 / self.total.max(1) as f64);
        }
    }
}

/// A name may be abbreviated after its first occurrence: `(12) name`, then `(12)`.
fn resolve<'c>(names: &mut HashMap<&'c str, &'c str>, text: &'c str) -> &'c str {
    match text.split_once(") ") {
        Some((number, name)) => {
            names.insert(number, name);
            name
        }
        None => names.get(text.trim_end_matches(')')).copied().unwrap_or(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `merge` calls itself.
    const FILE: &str = "\
# callgrind format
version: 1
positions: line
events: Ir

fl=(1) ???
fn=(1) <demo::_::BINDINGS::sort__keys as benchbook_suite::Bound>::time
0 10
cfn=(2) demo::sort::merge<u32>
calls=1 0
0 90

fn=(2)
0 50
+3 5
cfn=(2)
calls=4 0
* 30
cfn=(3) memcpy
calls=7 0
0 35

fn=(3)
0 35
";

    #[test]
    fn a_function_has_what_it_calls_and_a_recursion_counts_once() {
        let native = NativeInstructions::read(FILE);
        assert_eq!(native.total, 10 + 50 + 5 + 35);
        let of = |name: &str| native.by_function.get(name).copied();
        assert_eq!([of("demo::sort::merge"), of("memcpy")], [Some(90), Some(35)]);
        assert!(NativeInstructions::read("events: Ir\n").is_empty());
    }
}

//! The harnesses whose benches are suites, with our crate in the place of the harness.

use cargo_metadata::{Dependency, Package};

/// A harness.
#[derive(Debug, PartialEq, Eq)]
pub struct Harness {
    /// The name in sources.
    pub name: &'static str,
    /// Our crate.
    pub ours: &'static str,
    /// The packages that our crate can replace. Those of CodSpeed have the same items.
    pub originals: &'static [&'static str],
    /// What a target for this harness contains: one of these.
    marks: &'static [&'static str],
}

/// Whether the sources of a package are compiled with the harness itself or with our crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HarnessCrates {
    /// As its Cargo.toml says.
    AsDeclared,
    /// A `[patch]` of the workspace replaces each harness by our crate.
    Replaced,
}

impl Harness {
    /// criterion and divan.
    pub const ALL: [Self; 2] = [
        Self {
            name: "criterion",
            ours: "benchbook-criterion",
            originals: &["criterion", "codspeed-criterion-compat"],
            // The second one is the end of a `main` without the macro.
            marks: &["criterion_main!", "final_summary("],
        },
        Self {
            name: "divan",
            ours: "benchbook-divan",
            originals: &["divan", "codspeed-divan-compat"],
            marks: &["divan::main(", "Divan::", "divan::bench"],
        },
    ];

    /// Whether the benches of a package for this harness are suites.
    pub fn is_of(&self, package: &Package, crates: HarnessCrates) -> bool {
        let replaced = self.originals.iter().filter(|_| crates == HarnessCrates::Replaced);
        package.dependencies.iter().any(|dependency| {
            dependency.name == self.ours || replaced.clone().any(|original| dependency.name == **original)
        })
    }

    /// The dependencies of a package on this harness itself.
    pub fn dependencies<'p>(&self, package: &'p Package) -> impl Iterator<Item = &'p Dependency> {
        package.dependencies.iter().filter(|dependency| self.originals.contains(&dependency.name.as_str()))
    }

    /// Why a program for this harness is no suite although it runs benchmarks, and what to do.
    pub(crate) fn obstacle(&self, source: &str) -> Option<&'static str> {
        let runs_groups =
            self.name == "criterion" && contains("criterion_group!", source) && contains("fn main(", source);
        (runs_groups && !self.is_used_in(source)).then_some(
            "its `main` does not call `final_summary`. Add `Criterion::default().configure_from_args().final_summary();` as its last line",
        )
    }

    /// Whether a source is written for this harness.
    pub fn is_used_in(&self, source: &str) -> bool {
        self.marks.iter().any(|mark| contains(mark, source))
    }
}

/// Whether a source contains a name, such as `suite!`, outside of line comments.
pub(crate) fn contains(name: &str, source: &str) -> bool {
    let has_name = |code: &str| {
        let mut before = code.match_indices(name).map(|(at, _)| code[..at].chars().next_back());
        before.any(|before| before.is_none_or(|before| !before.is_alphanumeric() && before != '_'))
    };
    source.lines().any(|line| line.split("//").next().is_some_and(has_name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_is_found_by_its_macro() {
        for (source, expected) in [
            ("benchbook::suite!(\"mine\");", true),
            ("use benchbook::suite;\nsuite! { \"mine\" }", true),
            ("// benchbook::suite!(\"mine\");\nfn main() {}", false),
            ("/// See suite!\nfn main() {}", false),
            ("test_suite!(mine);", false),
            ("fn main() {}", false),
        ] {
            assert_eq!(contains("suite!", source), expected, "{source}");
        }
    }

    #[test]
    fn a_suite_of_criterion_is_found_by_its_macro_or_the_end_of_its_main_function() {
        let [criterion, _] = Harness::ALL;
        for (source, expected) in [
            ("criterion::criterion_main!(benches);", true),
            ("fn main() {\n    benches();\n    Criterion::default().configure_from_args().final_summary();\n}", true),
            ("fn main() {\n    let mut c = Criterion::default();\n    bench(&mut c);\n    c.final_summary();\n}", true),
            // A module of a bench.
            ("criterion_group!(benches, sort);", false),
        ] {
            assert_eq!(criterion.is_used_in(source), expected, "{source}");
            assert_eq!(criterion.obstacle(source), None, "{source}");
        }
        let unfinished = "criterion_group!(benches, sort);\nfn main() {\n    benches();\n}";
        assert!(criterion.obstacle(unfinished).is_some_and(|obstacle| obstacle.contains("final_summary();")));
    }

    #[test]
    fn a_suite_of_divan_is_found_by_its_main_function_or_a_benchmark() {
        let [_, divan] = Harness::ALL;
        for (source, expected) in [
            ("fn main() {\n    divan::main();\n}", true),
            ("use divan::Divan;\nfn main() { Divan::from_args().main() }", true),
            ("mod other;\n#[divan::bench]\nfn add() {}\nfn main() { other::main() }", true),
            ("// divan::main();\nfn main() {}", false),
            ("use divan::black_box;\nfn main() {}", false),
        ] {
            assert_eq!(divan.is_used_in(source), expected, "{source}");
        }
    }
}

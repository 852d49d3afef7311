//! Layouts of the code in an executable.
//!
//! The address of a function changes its speed, although its source code is unchanged: T. Mytkowicz, A. Diwan, M. Hauswirth and P. F. Sweeney,
//! "Producing wrong data without doing anything obviously wrong!", *ASPLOS 2009* 265–276, found effects of several percent. An unrelated
//! change moves functions, too. So each build is linked several times, with its functions in another order.

use std::path::Path;

/// The sections whose order the linker changes: code, constants and variables. Those that run before `main` keep theirs.
const SECTIONS: [&str; 4] = [".text*", ".rodata*", ".data*", ".bss*"];

/// The alignments of functions, as powers of two: to a whole, a half or a quarter cache line of 64 bytes. The space between functions is padding.
const ALIGNMENTS: [u32; 3] = [6, 5, 4];

/// How to pass the order of the sections to the linker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinkOrder {
    /// By the options of LLVM's linker, which rustc uses on Linux.
    Lld,
    /// By the option of mold.
    Mold,
    /// Not at all: the linker has no such option, so that only alignments vary.
    Fixed,
}

impl LinkOrder {
    /// All, the best ones first.
    pub(super) const ALL: [Self; 3] = [Self::Lld, Self::Mold, Self::Fixed];
}

/// A layout of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CodeLayout {
    /// Its number. Two executables with the same number and the same code have the same layout.
    pub(super) seed: u32,
    /// How to pass the order to the linker.
    pub(super) order: LinkOrder,
}

impl CodeLayout {
    /// The flags of rustc for this layout. With LLVM's linker, the executable contains its relocations, and the linker writes `map`: both are
    /// required to compare code.
    pub(super) fn flags(&self, map: &Path) -> Vec<String> {
        let alignment = ALIGNMENTS[self.seed as usize % ALIGNMENTS.len()];
        let mut flags = vec![format!("-Cllvm-args=-align-all-functions={alignment}")];
        // From 1: mold takes 0 for no seed.
        let seed = self.seed + 1;
        match self.order {
            LinkOrder::Lld => {
                flags.extend(SECTIONS.map(|sections| format!("-Clink-arg=-Wl,--shuffle-sections={sections}={seed}")));
                flags.push(format!("-Clink-arg=-Wl,--emit-relocs,-Map={}", map.display()));
            }
            LinkOrder::Mold => flags.push(format!("-Clink-arg=-Wl,--shuffle-sections={seed}")),
            LinkOrder::Fixed => {}
        }
        flags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_differ_in_order_and_alignment() {
        let flags = |seed, order| CodeLayout { seed, order }.flags(Path::new("a.map")).join(" ");
        let first = flags(0, LinkOrder::Lld);
        assert!(first.contains("align-all-functions=6") && first.contains("--shuffle-sections=.text*=1"), "{first}");
        assert!(first.contains("-Map=a.map"), "{first}");
        let all: std::collections::BTreeSet<String> = (0..20).map(|seed| flags(seed, LinkOrder::Lld)).collect();
        assert_eq!(all.len(), 20);
        assert!(flags(3, LinkOrder::Mold).contains("--shuffle-sections=4"));
        assert_eq!(flags(1, LinkOrder::Fixed), "-Cllvm-args=-align-all-functions=5");
    }
}

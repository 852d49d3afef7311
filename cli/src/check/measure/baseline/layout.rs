//! Layouts of the code in an executable.
//!
//! The address of a function changes its speed, although its source code is unchanged: T. Mytkowicz, A. Diwan, M. Hauswirth and P. F. Sweeney,
//! "Producing wrong data without doing anything obviously wrong!", *ASPLOS 2009* 265–276, found effects of several percent. An unrelated
//! change moves functions, too. So each build is linked several times, with its functions in another order.

use std::path::Path;

use super::linked_parts::LinkedParts;

/// The sections whose order the linker changes: code, constants and variables. Those that run before `main` keep theirs.
const SECTIONS: [&str; 4] = [".text*", ".rodata*", ".data*", ".bss*"];

/// The alignments of functions where the linker keeps their order, as powers of two: to a whole, a half or a quarter cache line of 64 bytes. The space
/// between functions is padding.
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
    /// required to compare code. It also archives what it has read ([`LinkedParts`]).
    pub(super) fn flags(&self, map: &Path) -> Vec<String> {
        let options = match self.order {
            LinkOrder::Lld => {
                let archive = format!("--reproduce={}", LinkedParts::archive(map).display());
                self.link_options(map).into_iter().chain([archive]).collect()
            }
            LinkOrder::Mold => vec![format!("--shuffle-sections={}", self.order_seed())],
            LinkOrder::Fixed => {
                let alignment = ALIGNMENTS[self.seed as usize % ALIGNMENTS.len()];
                return vec![format!("-Cllvm-args=-align-all-functions={alignment}")];
            }
        };
        options.iter().map(|option| format!("-Clink-arg=-Wl,{option}")).collect()
    }

    /// The options of LLVM's linker for this layout.
    pub(super) fn link_options(&self, map: &Path) -> Vec<String> {
        let order = SECTIONS.map(|sections| format!("--shuffle-sections={sections}={}", self.order_seed()));
        order.into_iter().chain(["--emit-relocs".to_owned(), format!("-Map={}", map.display())]).collect()
    }

    /// From 1: mold takes 0 for no seed.
    fn order_seed(&self) -> u32 {
        self.seed + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_differ_in_order_or_alignment() {
        let flags = |seed, order| CodeLayout { seed, order }.flags(Path::new("a.map")).join(" ");
        let first = flags(0, LinkOrder::Lld);
        assert!(first.contains("--shuffle-sections=.text*=1") && !first.contains("align"), "{first}");
        assert!(first.contains("-Map=a.map") && first.contains("--reproduce=a.parts.tar"), "{first}");
        let all: std::collections::BTreeSet<String> = (0..20).map(|seed| flags(seed, LinkOrder::Lld)).collect();
        assert_eq!(all.len(), 20);
        assert!(flags(3, LinkOrder::Mold).contains("--shuffle-sections=4"));
        assert_eq!(flags(1, LinkOrder::Fixed), "-Cllvm-args=-align-all-functions=5");
    }
}

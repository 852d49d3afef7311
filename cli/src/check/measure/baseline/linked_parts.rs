//! Links an executable again with another layout, from the files of its first build.
//!
//! LLVM's linker archives everything that it has read, with its own command line (`--reproduce`). To link again takes a tenth of a second, and cannot
//! contain newer code than the first build, whatever is compiled in the meantime.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// The file of the archive that has the linker's options, one on each line.
const OPTIONS: &str = "response.txt";

/// Options that differ between the layouts, and those of plugins for other linkers.
const REPLACED: [&str; 5] = ["-o", "-Map", "--Map", "--shuffle-sections", "-plugin"];

/// The parts of an executable.
#[derive(Clone, Debug)]
pub(super) struct LinkedParts {
    /// Where they are unpacked.
    folder: PathBuf,
    linker: PathBuf,
}

impl LinkedParts {
    /// The archive of the executable whose link map is `map`.
    pub(super) fn archive(map: &Path) -> PathBuf {
        map.with_extension("parts.tar")
    }

    /// Unpacks the archive of an executable, unless that was done before. `None` if its linker wrote none, or if there is no such linker here to
    /// run directly. `root`: the folder of the workspace, whose toolchain compiles it.
    pub(super) fn unpack(map: &Path, root: &Path) -> Option<Self> {
        let (archive, folder) = (Self::archive(map), map.with_extension("parts"));
        let linker = linker(root)?;
        if archive.exists() {
            // An interrupted check leaves the archive, so that the next one unpacks it again.
            let partial = map.with_extension("partial");
            for earlier in [&folder, &partial] {
                fs::remove_dir_all(earlier).ok();
            }
            fs::create_dir_all(&partial).ok()?;
            let unpacked = Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&partial).output().ok()?;
            if !unpacked.status.success() {
                return None;
            }
            fs::rename(partial.join(folder.file_name()?), &folder).ok()?;
            fs::remove_dir_all(&partial).ok();
            fs::remove_file(&archive).ok()?;
        }
        folder.join(OPTIONS).exists().then_some(Self { folder, linker })
    }

    /// Links the executable with the layout of the options `layout`, which also name its map. Returns its path.
    ///
    /// # Errors
    /// If the linker fails, with its output.
    pub(super) fn link(&self, layout: &[String], map: &Path) -> Result<PathBuf> {
        let options = self.folder.join(OPTIONS);
        let text = fs::read_to_string(&options).with_context(|| format!("failed to read {}", options.display()))?;
        let unchanged = map.with_extension("options");
        fs::write(&unchanged, without_layout(&text))
            .with_context(|| format!("failed to write {}", unchanged.display()))?;
        let program = map.with_file_name(format!("{}{EXE_SUFFIX}", map.file_stem().unwrap_or_default().display()));
        let mut linker = Command::new(&self.linker);
        linker.current_dir(&self.folder).args(["-flavor", "gnu"]).arg(format!("@{}", unchanged.display()));
        let output = linker.args(layout).arg("-o").arg(&program).output();
        let output = output.with_context(|| format!("failed to start {}", self.linker.display()))?;
        fs::remove_file(&unchanged).ok();
        ensure!(output.status.success(), "failed to link: {}", String::from_utf8_lossy(&output.stderr));
        Ok(program)
    }
}

/// The linker's options, without those of a layout.
fn without_layout(options: &str) -> String {
    let is_replaced = |line: &str| {
        REPLACED.iter().any(|option| line.strip_prefix(option).is_some_and(|rest| rest.starts_with([' ', '=', '-'])))
    };
    options.lines().filter(|line| !is_replaced(line)).map(|line| format!("{line}\n")).collect()
}

/// The linker of the toolchain that compiles a workspace.
fn linker(root: &Path) -> Option<PathBuf> {
    let output = Command::new("rustc").args(["--print", "target-libdir"]).current_dir(root).output().ok()?;
    let libraries = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    let linker = libraries.parent()?.join("bin").join(format!("rust-lld{EXE_SUFFIX}"));
    linker.exists().then_some(linker)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_of_a_layout_are_replaced() {
        let options = "--chroot .\n-plugin a.so\n-plugin-opt=b\n-pie\n-o mixing\n-z relro\n--shuffle-sections .text*=1\n--shuffle-sections=.data*=1\n--emit-relocs\n--Map x.map\n-Map=y.map\nusr/lib/crti.o\n";
        let expected = "--chroot .\n-pie\n-z relro\n--emit-relocs\nusr/lib/crti.o\n";
        assert_eq!(without_layout(options), expected);
    }

    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    #[test]
    fn a_program_is_linked_again_from_its_first_build() -> Result<()> {
        use super::super::layout::{CodeLayout, LinkOrder};

        let folder = tempfile::tempdir()?;
        let path = |name: &str| folder.path().join(name);
        let maps = ["first.map", "second.map"].map(path);
        fs::write(path("main.rs"), "fn main() { println!(\"compiled once\"); }")?;
        assert!(LinkedParts::unpack(&maps[0], folder.path()).is_none());
        let layout = |seed| CodeLayout { seed, order: LinkOrder::Lld };
        let mut rustc = Command::new("rustc");
        rustc.current_dir(folder.path()).args(["-O", "main.rs", "-o", "first"]).args(layout(0).flags(&maps[0]));
        let compiled = rustc.output()?;
        ensure!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));

        // What happens to the source or to the objects in the meantime has no effect.
        fs::remove_file(path("main.rs"))?;
        let unpack = || LinkedParts::unpack(&maps[0], folder.path()).context("the parts of the program");
        unpack()?;
        assert!(!LinkedParts::archive(&maps[0]).exists());
        let program = unpack()?.link(&layout(1).link_options(&maps[1]), &maps[1])?;
        assert_eq!(program, path("second"));
        assert_eq!(Command::new(program).output()?.stdout, b"compiled once\n");
        let [first, second] = maps.map(fs::read_to_string);
        assert_ne!(first?, second?);
        Ok(())
    }
}

//! The operating system and its package manager.

use std::env::consts::OS;

/// Systems that install tools in different ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Platform {
    /// Linux with apt-get.
    Debian,
    /// Linux with another package manager.
    Linux,
    /// macOS, for which Homebrew is assumed.
    Mac,
    /// Windows, with winget.
    Windows,
}

impl Platform {
    pub(super) fn current() -> Self {
        Self::of(OS, which::which("apt-get").is_ok())
    }

    fn of(system: &str, apt: bool) -> Self {
        match system {
            "windows" => Self::Windows,
            "macos" => Self::Mac,
            _ if apt => Self::Debian,
            _ => Self::Linux,
        }
    }
}

#[cfg(test)]
pub(super) const ALL: [Platform; 4] = [Platform::Debian, Platform::Linux, Platform::Mac, Platform::Windows];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinguishes_systems() {
        for (system, apt, platform) in [
            ("linux", true, Platform::Debian),
            ("linux", false, Platform::Linux),
            ("freebsd", false, Platform::Linux),
            ("macos", true, Platform::Mac),
            ("windows", false, Platform::Windows),
        ] {
            assert_eq!(Platform::of(system, apt), platform, "{system}");
        }
    }
}

//! Takes the place of isolation where the system has none, or this program was built without it: a request for it fails.

pub(super) mod namespaces {
    pub(in crate::launched) fn run(_launch: &crate::launch::Launch) -> std::io::Result<i32> {
        Err(super::error())
    }
}

pub(super) mod restrictions {
    pub(in crate::launched) fn apply(launch: &crate::launch::Launch) -> std::io::Result<()> {
        if launch.isolation.is_isolated() { Err(super::error()) } else { Ok(()) }
    }
}

fn error() -> std::io::Error {
    let reason = if cfg!(target_os = "linux") {
        "this program was built without isolation"
    } else {
        "this system has no namespaces, Landlock or seccomp"
    };
    std::io::Error::new(std::io::ErrorKind::Unsupported, reason)
}

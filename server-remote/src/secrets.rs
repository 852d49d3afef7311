//! New tokens; hides the runner's token and memory from other processes of its user, such as suites that are not isolated.

use std::fmt::Write;
use std::io;

use benchbook_host::api::Token;

/// The number of random bytes in a new token: as many as in an AES-256 key.
const BYTES: usize = 32;

/// Generates a random token.
///
/// # Errors
/// If the system's random number generator fails.
pub(crate) fn random_token() -> Result<Token, rustls::crypto::GetRandomFailed> {
    let mut bytes = [0; BYTES];
    rustls::crypto::ring::default_provider().secure_random.fill(&mut bytes)?;
    let text = bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string cannot fail");
        text
    });
    Ok(Token::parse(&text).expect("hexadecimal digits are allowed"))
}

/// Forbids processes of the same user to read or change this process's memory and environment, and the kernel to dump its
/// core. Root's processes still can.
///
/// # Errors
/// If the system does not support it.
#[cfg(target_os = "linux")]
pub fn hide_memory() -> io::Result<()> {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};

    Ok(set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
}

/// Other systems have no such setting.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub fn hide_memory() -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system cannot hide a process's memory"))
}

/// The variable with the token itself.
const TOKEN: &str = "BENCHBOOK_TOKEN";

/// The variable with the path of a file that contains the token.
const TOKEN_FILE: &str = "BENCHBOOK_TOKEN_FILE";

/// The name of the file in memory that passes the token on.
const FILE_NAME: &str = "benchbook-token";

/// Replaces this process with the same program without the token in its environment, where other processes can read it even
/// after the variable is removed. The new process finds the token in a file in memory. Returns if there is no valid token
/// in the environment.
///
/// # Errors
/// If the system cannot create the file or start the program.
#[cfg(target_os = "linux")]
pub fn hide_token() -> io::Result<()> {
    use std::io::Write;
    use std::os::fd::AsRawFd;
    use std::os::unix::process::CommandExt;
    use std::{env, fs, process};

    use rustix::fs::{MemfdFlags, memfd_create};

    use benchbook_host::api::Token;

    let Some(token) = env::var(TOKEN).ok().filter(|token| Token::parse(token).is_some()) else { return Ok(()) };
    let mut command = process::Command::new("/proc/self/exe");
    command.args(env::args_os().skip(1)).env_remove(TOKEN);
    env::args_os().next().map(|name| command.arg0(name));
    // If both variables are set, the file takes precedence.
    let file = match env::var_os(TOKEN_FILE) {
        Some(_) => None,
        None => {
            // Without the flag that closes it, the new process inherits it.
            let mut file = fs::File::from(memfd_create(FILE_NAME, MemfdFlags::empty())?);
            file.write_all(token.as_bytes())?;
            command.env(TOKEN_FILE, format!("/proc/self/fd/{}", file.as_raw_fd()));
            Some(file)
        }
    };
    let error = command.exec();
    drop(file);
    Err(error)
}

/// Other systems do not show the environment of a process in a file.
///
/// # Errors
/// None.
#[cfg(not(target_os = "linux"))]
pub fn hide_token() -> io::Result<()> {
    Ok(())
}

/// Erases the file that [`hide_token`] created, since child processes inherit it, and restores the name of the process, which
/// would be `exe`. Call it once the token was read.
///
/// # Errors
/// If it cannot be erased.
pub fn erase_passed_token() -> io::Result<()> {
    let Some(path) = std::env::var_os(TOKEN_FILE) else { return Ok(()) };
    let is_ours = |target: &std::path::Path| target.to_string_lossy().starts_with(&format!("/memfd:{FILE_NAME}"));
    if std::fs::read_link(&path).is_ok_and(|target| is_ours(&target)) {
        #[cfg(target_os = "linux")]
        rustix::thread::set_name(c"benchbook-serve")?;
        // Opening the file for writing truncates it.
        std::fs::File::create(path)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generates_a_valid_and_different_token_each_time() {
        assert_ne!(random_token().unwrap(), random_token().unwrap());
    }
}

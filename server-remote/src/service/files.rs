//! The files of a runner that systemd starts: the program, its suites, the configuration, the token, the certificate and the unit.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use benchbook_instrument::COUNTING_MODULE;
use tempfile::NamedTempFile;

use crate::config::SetupCommand;
use crate::secrets::random_token;

/// A file to write.
struct ServiceFile {
    path: PathBuf,
    contents: Vec<u8>,
    kind: FileKind,
}

/// What may happen to an earlier file, and who may read the new one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FileKind {
    /// A program: it is replaced.
    Program,
    /// Bytes that come from elsewhere, such as a certificate: they are replaced.
    Copy,
    /// What only root may read, such as a key: it is replaced.
    Secret,
    /// What an administrator may have edited: it stays, unless they want it to be replaced.
    Settings,
}

impl FileKind {
    #[cfg(unix)]
    fn mode(self) -> u32 {
        match self {
            Self::Program => 0o755,
            Self::Copy | Self::Settings => 0o644,
            Self::Secret => 0o600,
        }
    }
}

/// The folders and files below a prefix.
struct Layout {
    program: PathBuf,
    suites: PathBuf,
    settings: PathBuf,
    secrets: PathBuf,
    database: PathBuf,
    unit: PathBuf,
}

impl Layout {
    fn below(prefix: &Path) -> Self {
        Self {
            program: prefix.join("opt/benchbook/benchbook-server"),
            suites: prefix.join("opt/benchbook/suites"),
            settings: prefix.join("etc/benchbook.toml"),
            secrets: prefix.join("etc/benchbook"),
            database: prefix.join("var/lib/benchbook/results.sqlite"),
            unit: prefix.join("etc/systemd/system/benchbook.service"),
        }
    }

    fn token(&self) -> PathBuf {
        self.secrets.join("token")
    }

    fn certificate(&self) -> PathBuf {
        self.secrets.join("chain.pem")
    }
}

/// Writes the files and says how to start the runner. An existing token stays, and so do a configuration and a unit that were edited, unless the
/// command replaces them. `program`: the executable of the runner.
///
/// # Errors
/// If a given file cannot be read: then nothing is written. If a file cannot be written.
pub fn write(command: &SetupCommand, program: &Path, output: &mut impl Write) -> Result<()> {
    let prefix = std::path::absolute(&command.prefix)?;
    let layout = Layout::below(&prefix);
    let files = files(command, program, &layout)?;
    let differs = |file: &&ServiceFile| {
        file.kind == FileKind::Settings && fs::read(&file.path).is_ok_and(|earlier| earlier != file.contents)
    };
    for file in &files {
        if differs(&file) && !command.replace {
            writeln!(output, "kept {}, which was edited; --replace replaces it", file.path.display())?;
            continue;
        }
        file.write().with_context(|| format!("failed to write {}. Run the command as root", file.path.display()))?;
        writeln!(output, "wrote {}", file.path.display())?;
    }
    for module in stale_modules(&files) {
        fs::remove_file(&module).with_context(|| format!("failed to delete {}", module.display()))?;
        writeln!(output, "deleted {}, since the new suite has none", module.display())?;
    }
    let (token, host, port) = (layout.token(), &command.hosts[0], command.port);
    let (url, hint) = match command.tls_certificate {
        Some(_) => {
            let chain = layout.certificate();
            let hint = format!("If you signed the certificate yourself, add --cacert {} to curl.\n", chain.display());
            (format!("https://{host}:{port}"), hint)
        }
        None => (format!("http://127.0.0.1:{port}"), String::new()),
    };
    writeln!(
        output,
        "\nAs root, start it, read its log, and ask it for its machine, also for settings that are missing:\n  \
         systemctl daemon-reload && systemctl enable --now benchbook\n  \
         journalctl -u benchbook -o cat\n  \
         curl -H \"Authorization: Bearer $(cat {})\" {url}/api/v1/machine\n\
         {hint}Users type the token into the page once.",
        token.display()
    )?;
    Ok(())
}

/// The ends of the names of a suite's modules, which are next to its executable.
const MODULES: [&str; 2] = ["wasm", COUNTING_MODULE];

/// All files.
fn files(command: &SetupCommand, program: &Path, layout: &Layout) -> Result<Vec<ServiceFile>> {
    let read = |path: &Path| fs::read(path).with_context(|| format!("failed to read {}", path.display()));
    let mut files = Vec::new();
    let mut add = |path: PathBuf, contents: Vec<u8>, kind| files.push(ServiceFile { path, contents, kind });
    add(layout.program.clone(), read(program)?, FileKind::Program);
    let mut suites = Vec::new();
    for suite in &command.suites {
        let name = suite.file_name().with_context(|| format!("{} is not a file", suite.display()))?;
        let path = layout.suites.join(name);
        ensure!(!suites.contains(&path), "two suites are named {}. Rename one", name.to_string_lossy());
        add(path.clone(), read(suite)?, FileKind::Program);
        for end in MODULES {
            let module = suite.with_extension(end);
            if module.exists() {
                add(path.with_extension(end), read(&module)?, FileKind::Copy);
            }
        }
        suites.push(path);
    }
    let certificate = layout.certificate();
    if let (Some(chain), Some(key)) = (&command.tls_certificate, &command.tls_key) {
        add(certificate.clone(), read(chain)?, FileKind::Copy);
        add(layout.secrets.join("key.pem"), read(key)?, FileKind::Secret);
    }
    if !layout.token().exists() {
        let token = random_token().map_err(|_| anyhow!("the system has no random numbers for a token"))?;
        add(layout.token(), format!("{}\n", token.reveal()).into_bytes(), FileKind::Secret);
    }
    let certificate = command.tls_certificate.as_ref().map(|_| certificate.as_path());
    add(layout.settings.clone(), settings(command, layout, &suites, certificate).into_bytes(), FileKind::Settings);
    add(layout.unit.clone(), unit(layout, certificate.is_some(), command.port).into_bytes(), FileKind::Settings);
    Ok(files)
}

/// The wasm builds next to suites that have none any more: those of an earlier build.
fn stale_modules(files: &[ServiceFile]) -> Vec<PathBuf> {
    let is_written = |path: &PathBuf| files.iter().any(|file| file.path == *path);
    let programs = files.iter().filter(|file| file.kind == FileKind::Program);
    let modules = programs.flat_map(|program| MODULES.map(|end| program.path.with_extension(end)));
    modules.filter(|module| module.exists() && !is_written(module)).collect()
}

/// Creates a folder and its missing parents, which the runner's user can read whatever the umask of root is.
fn create_readable(folder: &Path) -> Result<()> {
    let missing: Vec<&Path> = folder.ancestors().take_while(|folder| !folder.exists()).collect();
    fs::create_dir_all(folder)?;
    #[cfg(unix)]
    for folder in missing {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?;
    }
    #[cfg(not(unix))]
    drop(missing);
    Ok(())
}

impl ServiceFile {
    /// Writes it in one step, since a runner may be using an earlier one.
    fn write(&self) -> Result<()> {
        let folder = self.path.parent().context("the file has no folder (this is a bug)")?;
        create_readable(folder)?;
        // Only its owner can read a new temporary file.
        let mut file = NamedTempFile::new_in(folder)?;
        file.write_all(&self.contents)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            file.as_file().set_permissions(fs::Permissions::from_mode(self.kind.mode()))?;
        }
        file.persist(&self.path)?;
        Ok(())
    }
}

/// The configuration.
fn settings(command: &SetupCommand, layout: &Layout, suites: &[PathBuf], certificate: Option<&Path>) -> String {
    // A string of JSON is one of TOML.
    let text = |value: &str| serde_json::Value::from(value).to_string();
    let path = |path: &Path| text(&path.to_string_lossy());
    let list = |values: Vec<String>| format!("[{}]", values.join(", "));
    let address = if certificate.is_some() { "0.0.0.0" } else { "127.0.0.1" };
    let mut lines = vec![
        "# `benchbook-server --help` lists every key.".to_owned(),
        format!("address = \"{address}:{}\"", command.port),
        format!("suites = {}", list(suites.iter().map(|suite| path(suite)).collect())),
        format!("database = {}", path(&layout.database)),
        format!("name = {}", text(&command.hosts[0])),
        format!(
            "hosts = {}  # the names that clients use",
            list(command.hosts.iter().map(|host| text(host)).collect())
        ),
    ];
    lines.extend(command.core.map(|core| format!("core = {core}  # reserved for measuring")));
    lines.push(
        "isolation = \"required\"  # suites see neither files, processes nor the network of this machine".to_owned(),
    );
    if let Some(certificate) = certificate {
        lines.push(format!("\n[tls]\ncertificate = {}", path(certificate)));
    }
    lines.join("\n") + "\n"
}

/// The unit. systemd passes the token and the key to the runner, which runs as a user of its own.
fn unit(layout: &Layout, has_tls: bool, port: u16) -> String {
    /// The first port that needs no privilege.
    const UNPRIVILEGED: u16 = 1024;
    let capabilities = match port < UNPRIVILEGED {
        true => "CapabilityBoundingSet=CAP_NET_BIND_SERVICE\nAmbientCapabilities=CAP_NET_BIND_SERVICE",
        false => "CapabilityBoundingSet=",
    };
    let Layout { program, settings, secrets, .. } = layout;
    let (program, settings, secrets) = (program.display(), settings.display(), secrets.display());
    let (key, key_variable) = match has_tls {
        true => (format!("LoadCredential=key:{secrets}/key.pem\n"), " BENCHBOOK_TLS_KEY=%d/key"),
        false => (String::new(), ""),
    };
    format!(
        "\
[Unit]
Description=Benchbook runner
After=network-online.target
Wants=network-online.target

[Service]
ExecStart={program} --config {settings} --log-format json
DynamicUser=yes
StateDirectory=benchbook
LoadCredential=token:{secrets}/token
{key}Environment=BENCHBOOK_TOKEN_FILE=%d/token{key_variable}
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
NoNewPrivileges=yes
{capabilities}
KillMode=mixed
TasksMax=512
LimitNOFILE=65536
Restart=on-failure
# A configuration error, which a restart does not fix.
RestartPreventExitStatus=2

[Install]
WantedBy=multi-user.target
"
    )
}

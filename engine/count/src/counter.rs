//! Counts in a child process, which can be killed.
//!
//! The child is this program once more, with the limits of a suite. It reads the counting module and then a [`Task`] per line, and writes a
//! line for each.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Read, Write};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use benchbook_contract::protocol::Open;
use benchbook_host::child::{ChildSettings, NoReply, OwnProcess, StopHandle, own_task};
use benchbook_host::response::WasmCounts;
use benchbook_instrument::{CodeMap, ContextCounts};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::counting::{CountFailure, Rounds};
use crate::interpreter::Interpreter;

/// The name of what a child does.
const NAME: &str = "count";

/// How long the child may take to read the counting module.
const START: Duration = Duration::from_secs(60);

/// What a child counts: the calls of the only function of a workload.
#[derive(Serialize, Deserialize)]
enum Task {
    /// The reply: [`WasmCounts`].
    Count(Open),
    /// By context. The reply: [`ContextCounts`] or the reason why there are none.
    CountContexts(Open, Rounds),
}

/// A counting module, and the child process that executes it.
#[derive(Debug)]
pub struct Counter {
    module: Vec<u8>,
    settings: ChildSettings,
    stop: StopHandle,
    /// Absent before the first count, and after one that was ended.
    process: Option<OwnProcess>,
}

impl Counter {
    /// `module`: the contents of a file such as `sorts.counted.wasm`. `settings`: those of the suite's processes. `stop`: ends a count early.
    pub fn new(module: Vec<u8>, settings: ChildSettings, stop: StopHandle) -> Self {
        Self { module, settings, stop, process: None }
    }

    /// The names of the module's functions, as [`Interpreter::names`] returns them.
    ///
    /// # Errors
    /// If the module does not count.
    pub fn names(&self) -> Result<BTreeSet<String>> {
        Ok(Interpreter::new(&self.module)?.names().map(str::to_owned).collect())
    }

    /// What the module counts.
    ///
    /// # Errors
    /// If the module does not count.
    pub fn map(&self) -> Result<CodeMap> {
        Ok(Interpreter::new(&self.module)?.map().clone())
    }

    /// Counts the calls of the only function of `open`; `None` if that takes longer than [`LIMIT`](crate::LIMIT). If the child fails, the next
    /// count starts a new one.
    pub fn count(&mut self, open: &Open) -> Option<WasmCounts> {
        self.reply(&Task::Count(open.clone())).unwrap_or_else(|error| Some(WasmCounts::Failed(format!("{error:#}"))))
    }

    /// Counts them by context, with a module that does so.
    ///
    /// # Errors
    /// If the suite or the child fails, or if that takes longer than [`LIMIT`](crate::LIMIT).
    pub fn count_contexts(&mut self, open: &Open, rounds: Rounds) -> Result<ContextCounts> {
        let counts: Option<Result<ContextCounts, CountFailure>> =
            self.reply(&Task::CountContexts(open.clone(), rounds))?;
        let seconds = crate::LIMIT.as_secs();
        Ok(counts.with_context(|| format!("counting would take over {seconds} s. Choose smaller inputs"))??)
    }

    /// The child's reply; `None` if it takes too long.
    fn reply<T: DeserializeOwned>(&mut self, task: &Task) -> Result<Option<T>> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start()?,
        };
        process.send(line(task)?);
        let reply = match process.reply(crate::LIMIT) {
            Ok(reply) => reply,
            Err(NoReply::TimedOut) => return Ok(None),
            Err(NoReply::Ended(reason)) => {
                bail!("the process that counts failed: {reason}. Choose smaller inputs, or free some memory")
            }
        };
        self.process = Some(process);
        Ok(Some(reply))
    }

    fn start(&self) -> Result<OwnProcess> {
        let failed = "the process that counts failed to start";
        let mut process = OwnProcess::start(NAME, &self.settings, &self.stop).context(failed)?;
        process.send(line(&self.module.len())?);
        process.send(self.module.clone());
        match process.reply::<Result<(), String>>(START) {
            Ok(ready) => ready.map(|()| process).map_err(|reason| anyhow!(reason)),
            Err(NoReply::TimedOut) => bail!("{failed} within {} s", START.as_secs()),
            Err(NoReply::Ended(reason)) => bail!("{failed}: {reason}"),
        }
    }
}

fn line(value: &impl Serialize) -> Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

/// Counts for another process if this one was started for that: then `main` has nothing else to do.
pub fn count_if_requested() -> bool {
    let is_requested = own_task().is_some_and(|task| task == NAME);
    if is_requested && let Err(error) = serve(io::stdin().lock(), &mut io::stdout().lock()) {
        eprintln!("{error:#}");
    }
    is_requested
}

/// Replies once the counting module is ready, or why it is not, and then to each line.
fn serve(mut requests: impl BufRead, replies: &mut impl Write) -> Result<()> {
    let interpreter = match read_module(&mut requests) {
        Ok(interpreter) => interpreter,
        Err(error) => return Ok(replies.write_all(&line(&Err::<(), String>(format!("{error:#}")))?)?),
    };
    replies.write_all(&line(&Ok::<(), String>(()))?)?;
    for request in requests.lines() {
        let reply = match serde_json::from_str(&request?)? {
            Task::Count(open) => line(&interpreter.count(&open)),
            Task::CountContexts(open, rounds) => line(&interpreter.count_contexts(&open, rounds)),
        };
        replies.write_all(&reply?)?;
        replies.flush()?;
    }
    Ok(())
}

fn read_module(requests: &mut impl BufRead) -> Result<Interpreter> {
    let mut length = String::new();
    requests.read_line(&mut length)?;
    let mut module = Vec::new();
    let length: u64 = length.trim().parse().context("the counting module has no length")?;
    requests.take(length).read_to_end(&mut module).context("failed to read the counting module")?;
    ensure!(module.len() as u64 == length, "the counting module is incomplete");
    Interpreter::new(&module)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_module_is_an_error() {
        for (input, expected) in [
            (&b"5\nother"[..], "the module is invalid"),
            (b"9\nother", "the counting module is incomplete"),
            (b"many\n", "the counting module has no length"),
            (b"8\n\0asm\x01\0\0\0", "the module does not count"),
        ] {
            let mut replies = Vec::new();
            serve(input, &mut replies).unwrap();
            let reply: Result<(), String> = serde_json::from_slice(&replies).unwrap();
            assert!(reply.unwrap_err().contains(expected), "{}", String::from_utf8_lossy(&replies));
        }
    }
}

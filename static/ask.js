// Asks a runner: tells each line of its answer as it comes. What comes back has `end`, which gives it up, and `status`,
// which resolves to that of the whole answer: 0 where nobody answers (or breaks off), -1 where the browser does not let
// this page ask hosts of the local network.
"use strict";

// How long an answer may take that is told at once; what is measured takes its time.
const PATIENCE_MS = 20_000;

function benchbookAsk(address, token, body, tell) {
  const control = new AbortController();
  const ask = async () => {
    const headers = { Accept: "application/x-ndjson" };
    if (token) headers.Authorization = `Bearer ${token}`;
    const signal = control.signal;
    if (!body) setTimeout(() => control.abort(), PATIENCE_MS);
    const asked = body ? { method: "POST", body } : {};
    const answer = await fetch(address, { headers, signal, ...asked });
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      lines.forEach((line) => tell(line));
    }
    tell(rest);
    return answer.status;
  };
  const broken = async () => {
    // Browsers call it by different names, and refuse to be asked for one that they do not know.
    for (const name of ["local-network-access", "local-network", "loopback-network"]) {
      const permission = await navigator.permissions?.query({ name }).catch(() => null);
      if (permission?.state === "denied") return -1;
    }
    return 0;
  };
  return { status: ask().catch(broken), end: () => control.abort() };
}

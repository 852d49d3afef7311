// Sends a request to a runner and passes on each line of the response as it arrives. Returns `end`, which aborts the
// request, and `status`, which resolves to the HTTP status after the last line: 0 if there is no response or it breaks off,
// -1 if the browser does not let this page connect to the local network.
"use strict";

// The time limit for each part of the response to a request that needs no measurement.
const TIMEOUT_MS = 20_000;

function benchbookRequest(address, token, body, onLine) {
  const control = new AbortController();
  const send = async () => {
    const headers = { Accept: "application/x-ndjson" };
    if (token) headers.Authorization = `Bearer ${token}`;
    const signal = control.signal;
    let timer = 0;
    const wait = () => {
      clearTimeout(timer);
      if (!body) timer = setTimeout(() => control.abort(), TIMEOUT_MS);
    };
    wait();
    const post = body ? { method: "POST", body } : {};
    const response = await fetch(address, { headers, signal, ...post });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      wait();
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      lines.forEach((line) => onLine(line));
    }
    clearTimeout(timer);
    onLine(rest);
    return response.status;
  };
  const statusOfFailure = async () => {
    // Browsers use different names for this permission, and throw for unknown ones.
    for (const name of ["local-network-access", "local-network", "loopback-network"]) {
      const permission = await navigator.permissions?.query({ name }).catch(() => null);
      if (permission?.state === "denied") return -1;
    }
    return 0;
  };
  return { status: send().catch(statusOfFailure), end: () => control.abort() };
}

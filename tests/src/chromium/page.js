// Keeps a suite's worker for a host outside of the browser, which hands over messages and fetches what became of them.
"use strict";

let module;
let worker;
let events = [];
let wake = () => {};

// Starts a worker with a fresh instance of the module; one that is at work is ended, and what it said is gone.
function startWorker() {
  worker?.terminate();
  events = [];
  const started = new Worker("worker.js");
  const keep = (event) => {
    if (started === worker) {
      events.push(event);
      wake();
    }
  };
  started.onmessage = ({ data }) => {
    if (data.ended) started.postMessage({ module });
    keep(data);
  };
  started.onerror = ({ message }) => keep({ refused: message });
  started.postMessage({ module });
  worker = started;
}

// Compiles the module, and starts the first worker; whether the page is isolated.
async function open() {
  module = await WebAssembly.compileStreaming(fetch("suite.wasm"));
  startWorker();
  return crossOriginIsolated;
}

// Sends messages, and waits until there is an event or so many milliseconds are over: all events that are there.
async function exchange(messages, patience) {
  messages.forEach((message) => worker.postMessage(message));
  if (events.length === 0) {
    let timer;
    await new Promise((resolve) => {
      wake = resolve;
      timer = setTimeout(resolve, patience);
    });
    clearTimeout(timer);
  }
  return events.splice(0);
}

// Runs a suite's worker for a host outside the browser, which sends messages and fetches the worker's events.
"use strict";

let module;
let worker;
let events = [];
let wake = () => {};

// Starts a worker with a new instance of the module. Terminates the previous worker and discards its events.
function startWorker() {
  worker?.terminate();
  events = [];
  const started = new Worker("worker.js");
  const record = (event) => {
    if (started === worker) {
      events.push(event);
      wake();
    }
  };
  started.onmessage = ({ data }) => {
    if (data.ended) started.postMessage({ module });
    record(data);
  };
  started.onerror = ({ message }) => record({ rejected: message });
  started.postMessage({ module });
  worker = started;
}

// Compiles the module and starts the first worker. Returns whether the page is isolated.
async function open() {
  module = await WebAssembly.compileStreaming(fetch("suites/suite.wasm"));
  startWorker();
  return crossOriginIsolated;
}

// Sends messages and waits up to `timeout` milliseconds for an event. Returns all events that have arrived.
async function exchange(messages, timeout) {
  messages.forEach((message) => worker.postMessage(message));
  if (events.length === 0) {
    let timer;
    await new Promise((resolve) => {
      wake = resolve;
      timer = setTimeout(resolve, timeout);
    });
    clearTimeout(timer);
  }
  return events.splice(0);
}

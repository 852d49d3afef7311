// The service worker of isolation.js: gives the page, and the workers in which it measures, the two headers that isolate
// them. Nothing else passes through it and nothing is kept, so a page is never older than what its host has.
"use strict";

const OPENER = "Cross-Origin-Opener-Policy";
const EMBEDDER = "Cross-Origin-Embedder-Policy";

// What is Benchbook's: the page by both of its addresses, and its worker. At the root of a host every other page of the
// host is in scope too, and stays as it is.
const OURS = ["", "index.html", "worker.js"].map((name) => new URL(name, registration.scope).href);

// A newer version takes the place of an older one at once.
oninstall = () => skipWaiting();

onfetch = (event) => {
  const { mode, destination, url } = event.request;
  const { origin, pathname } = new URL(url);
  if ((mode === "navigate" || destination === "worker") && OURS.includes(origin + pathname)) {
    event.respondWith(isolated(event.request));
  }
};

async function isolated(request) {
  const response = await fetch(request);
  // Redirections and what comes from elsewhere cannot be changed.
  if (response.type !== "basic") {
    return response;
  }
  if (response.headers.has(OPENER) && response.headers.has(EMBEDDER)) {
    // A host that sends both itself needs no help any more. The worker's script tells it, not the page: a browser may
    // have kept the script, without the headers, from a time when there were none.
    if (request.destination === "worker") {
      await registration.unregister();
    }
    return response;
  }
  const headers = new Headers(response.headers);
  headers.set(OPENER, "same-origin");
  headers.set(EMBEDDER, "require-corp");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

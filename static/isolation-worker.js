// The service worker of isolation.js: adds the two headers that isolate the page and its workers. It handles no other
// requests and caches nothing, so the page is never older than the files on its host.
"use strict";

const OPENER = "Cross-Origin-Opener-Policy";
const EMBEDDER = "Cross-Origin-Embedder-Policy";

// Benchbook's own files: the page at both of its addresses, and its worker. At the root of a host, all other pages of the
// host are in scope too, and stay unchanged.
const OURS = ["", "index.html", "worker.js"].map((name) => new URL(name, registration.scope).href);

// A newer version replaces an older one immediately.
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
  // Redirects and responses from other origins cannot be changed.
  if (response.type !== "basic") {
    return response;
  }
  if (response.headers.has(OPENER) && response.headers.has(EMBEDDER)) {
    // The host now sends both headers itself. Only the worker's script is a reliable sign, since the browser may have a
    // cached copy of it without the headers.
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

// Registers the service worker isolation-worker.js, and connects it to the page:
//
// - If the page is not isolated, it reloads through the worker, which adds the necessary headers, unless the user has already
//   interacted with it; then the next visit is isolated, and measurements until then have a note. Isolation makes the clock up to 20 times finer.
// - On hosts other than loopback, the worker stores the page, so that it works without a network, and the page offers later
//   versions.
"use strict";

(async () => {
  // A frame inherits isolation, or the lack of it, from the page around it.
  if (self !== top) return benchbookStay();
  // Set until the page is isolated, so that each tab reloads only once.
  const ATTEMPT = "benchbook-isolation";
  // As in isolation-worker.js.
  const isHosted = !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

  if (crossOriginIsolated) {
    sessionStorage.removeItem(ATTEMPT);
  }
  const isComplete = crossOriginIsolated || sessionStorage.getItem(ATTEMPT);
  if (!isSecureContext || !navigator.serviceWorker || (isComplete && !isHosted)) {
    return benchbookStay();
  }
  if (isComplete) benchbookStay();
  // Measurements before the reload say that their clock is coarse. If the reload fails to isolate the page, the card of the clock says why.
  globalThis.benchbookIsolatedAfterReload = !isComplete;
  // Its scope is its own folder, which is the page's.
  const registration = await navigator.serviceWorker.register("isolation-worker.js");
  if (isHosted) {
    offerUpdates(registration);
  }
  const { active } = await navigator.serviceWorker.ready;
  // On a slow host, this may have taken a while. Browsers without this property count as untouched.
  if (!isComplete && !navigator.userActivation?.hasBeenActive) {
    sessionStorage.setItem(ATTEMPT, "reloaded");
    location.reload();
    return;
  }
  benchbookStay();
  // After the page's own downloads.
  if (document.readyState !== "complete") {
    await new Promise((resolve) => addEventListener("load", resolve, { once: true }));
  }
  active.postMessage("store");
})().catch((error) => {
  globalThis.benchbookIsolatedAfterReload = false;
  benchbookStay();
  console.info("The page has no service worker. It works, but may have a coarse clock.", error);
});

// Offers a version of the page that waits behind the active one, now or later.
function offerUpdates(registration) {
  const offer = () => benchbookOfferUpdate(() => loadUpdate(registration));
  const watch = (worker) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "installed" && registration.active) offer();
    });
  };
  if (registration.waiting) offer();
  if (registration.installing) watch(registration.installing);
  registration.addEventListener("updatefound", () => watch(registration.installing));
}

function loadUpdate({ waiting }) {
  if (!waiting) {
    // Another tab has activated it.
    location.reload();
    return;
  }
  waiting.addEventListener("statechange", () => {
    if (waiting.state === "activated") location.reload();
  });
  waiting.postMessage("activate");
}

// Isolates the page if its host does not send the necessary headers: registers a service worker that adds them, and reloads
// the page through that worker, unless the user has already interacted with it; then the next visit is isolated. Isolation
// makes the clock up to 20 times finer.
"use strict";

(async () => {
  // Set until the page is isolated, so that each tab reloads only once.
  const ATTEMPT = "benchbook-isolation";

  if (crossOriginIsolated) {
    sessionStorage.removeItem(ATTEMPT);
    return;
  }
  if (!isSecureContext || !navigator.serviceWorker || sessionStorage.getItem(ATTEMPT)) {
    return;
  }
  // Its scope is its own folder, which is the page's.
  await navigator.serviceWorker.register("isolation-worker.js");
  await navigator.serviceWorker.ready;
  // On a slow host, this may have taken a while. Browsers without this property count as untouched.
  if (navigator.userActivation?.hasBeenActive) {
    return;
  }
  sessionStorage.setItem(ATTEMPT, "reloaded");
  location.reload();
})().catch((error) => console.info("The page cannot be isolated. It works, with a coarse clock.", error));

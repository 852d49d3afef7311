// Isolates the page where its host does not send the headers for it: registers a service worker that adds them, and
// loads the page again through that worker, unless somebody has begun to use it: then the next visit is isolated. What is
// gained is a clock that is up to 20 times finer.
"use strict";

(async () => {
  // Stays while an attempt has not led to an isolated page: each tab reloads for it once, and not again and again.
  const ATTEMPT = "benchbook-isolation";

  if (crossOriginIsolated) {
    sessionStorage.removeItem(ATTEMPT);
    return;
  }
  if (!isSecureContext || !navigator.serviceWorker || sessionStorage.getItem(ATTEMPT)) {
    return;
  }
  // Its scope is the folder in which it lies: the page's own.
  await navigator.serviceWorker.register("isolation-worker.js");
  await navigator.serviceWorker.ready;
  // On a slow host that may have taken a while. Browsers that do not tell count as untouched.
  if (navigator.userActivation?.hasBeenActive) {
    return;
  }
  sessionStorage.setItem(ATTEMPT, "reloaded");
  location.reload();
})().catch((error) => console.info("The page works, with a coarse clock: it cannot be isolated.", error));

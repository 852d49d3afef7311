// The page's service worker, which isolation.js registers. It has two tasks:
//
// - It adds the two headers that isolate the page and its workers, if the host does not send them.
// - On hosts other than loopback, it stores the page, so that it works without a network. Built files come from the cache:
//   they belong together, and a new version replaces all of them at once. notebook.json, notebooks, suites and accepted
//   results come from the network if possible, since a site may change them without a new build. Notebooks, counting modules
//   and the suite of the self-test are stored when they are first used: few visitors need them. On loopback, where
//   projects share an origin, it caches nothing.
//
// It leaves all other requests alone, such as those to a runner.
"use strict";

// `cargo xtask` writes both at each build: a hash over the built files, and the files with the expected hashes of the code
// among them. Without a version, the worker caches nothing.
const VERSION = "";
const FILES = {};

const OPENER = "Cross-Origin-Opener-Policy";
const EMBEDDER = "Cross-Origin-Embedder-Policy";

const addressOf = (name) => new URL(name, registration.scope).href;

// At the root of a host, all other pages of the host are in scope too, and stay unchanged.
const PAGE = addressOf("");
const PAGES = [PAGE, addressOf("index.html")];
const WORKER = addressOf("worker.js");
const BUILT = new Map(Object.entries(FILES).map(([name, integrity]) => [addressOf(name), integrity]));
const CONFIG = addressOf("notebook.json");
// The suite of a page without notebook.json.
const DEFAULT_SUITE = "suites/demo.wasm";
// The folder of accepted results that `cargo benchbook build` writes, and the list of their functions.
const HISTORY = addressOf("history/");
const HISTORY_LIST = addressOf("history/functions.json");

const IS_LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);
const IS_CACHING = VERSION !== "" && !IS_LOOPBACK;
// The pages of a host share its caches, so the names of ours contain the page's address.
const CACHES = `benchbook ${registration.scope} `;
const CACHE = CACHES + VERSION;

oninstall = (event) => {
  if (!IS_CACHING) {
    // Isolation depends on no other file.
    skipWaiting();
  } else if (registration.active) {
    // A later version is complete before the page offers it, and waits until the user accepts it.
    event.waitUntil(store("reload"));
  }
  // The first version isolates the page at once. The page then requests that it be stored.
};

onactivate = (event) => event.waitUntil(deleteOtherVersions());

onmessage = (event) => {
  if (event.data === "activate") {
    skipWaiting();
  } else if (event.data === "store" && IS_CACHING) {
    // The browser has just downloaded most of the files: the host only confirms them.
    event.waitUntil(store("no-cache").catch((error) => console.info("The page works only with a network.", error)));
  }
};

onfetch = (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.mode === "navigate") {
    if (PAGES.includes(origin + pathname)) {
      event.respondWith(builtFile(request, PAGE).then((response) => isolated(request, response)));
    }
  } else if (request.destination === "worker" && request.url === WORKER) {
    event.respondWith(builtFile(request, WORKER).then((response) => isolated(request, response)));
  } else if (!IS_CACHING || request.method !== "GET" || origin !== location.origin) {
    return;
  } else if (BUILT.has(request.url)) {
    event.respondWith(builtFile(request, request.url));
  } else if (request.url === CONFIG || /\.(benchbook\.json|wasm)$/.test(pathname) || request.url.startsWith(HISTORY)) {
    event.respondWith(currentFile(event));
  }
};

async function builtFile(request, address) {
  return (await storedFile(address)) ?? fetch(request);
}

// The file on the host, or the last copy of it if the host does not respond or has failed.
async function currentFile(event) {
  const { request } = event;
  // A copy in the browser's HTTP cache may be older than the file.
  const response = await fetch(new Request(request, { cache: "no-cache" })).catch(() => undefined);
  if (response === undefined || response.status >= 500) {
    return (await storedFile(request.url)) ?? response ?? Response.error();
  }
  if (response.status === 200) {
    event.waitUntil(replaceStored(request.url, response.clone()));
  }
  return response;
}

// A browser without storage behaves as one that has nothing stored.
function storedFile(address) {
  return IS_CACHING ? caches.match(address, { cacheName: CACHE }).catch(() => undefined) : undefined;
}

async function replaceStored(address, response) {
  // Until the page itself is stored, its suites would be of no use, and a replaced version stores nothing.
  if (await storedFile(PAGE)) {
    const cache = await caches.open(CACHE);
    await cache.put(address, response);
  }
}

let storing;

// Stores the page completely or not at all, once.
function store(mode) {
  storing ??= storeMissing(mode).finally(() => (storing = undefined));
  return storing;
}

async function storeMissing(mode) {
  if (await storedFile(PAGE)) {
    return;
  }
  const page = await downloadPage(mode);
  const built = [...BUILT].map(async ([address, integrity]) => [address, await download(address, { cache: mode, integrity })]);
  const files = [...(await Promise.all(built)), ...(await downloadCurrent())];
  try {
    const cache = await caches.open(CACHE);
    await Promise.all(files.map(([address, file]) => cache.put(address, file)));
    // The last one: its presence means that all others are stored, too.
    await cache.put(PAGE, page);
  } catch (error) {
    await caches.delete(CACHE);
    throw error;
  }
}

// The page of this version: a host may still send an earlier one.
async function downloadPage(mode) {
  const page = await download(PAGE, { cache: mode });
  if (!(await page.clone().text()).includes(VERSION)) {
    throw new Error(`${PAGE} is not of version ${VERSION}.`);
  }
  // Browsers reject redirected responses to a navigation.
  return new Response(page.body, page);
}

async function download(address, options) {
  const response = await fetch(address, options);
  if (response.status !== 200) {
    throw new Error(`${address}: status ${response.status}`);
  }
  return response;
}

// notebook.json, its article, the suites of this host and the list of accepted results, as far as they exist.
async function downloadCurrent() {
  const mode = { cache: "no-cache" };
  const config = await fetch(CONFIG, mode);
  const addresses = (await filesOf(config.clone())).map(addressOf);
  const isOurs = (address) => new URL(address).origin === location.origin;
  const files = [...addresses.filter(isOurs), HISTORY_LIST].map(async (address) => [address, await fetch(address, mode)]);
  return [[CONFIG, config], ...(await Promise.all(files))].filter(([, { status }]) => status === 200);
}

// The article and the suites of a site. The page reports an invalid notebook.json; here, it counts as absent.
async function filesOf(config) {
  try {
    const { article, suites } = config.ok ? await config.json() : {};
    return [...(suites ?? [DEFAULT_SUITE]), ...(article ? [article] : [])];
  } catch {
    return [DEFAULT_SUITE];
  }
}

async function deleteOtherVersions() {
  const names = await caches.keys();
  const isOutdated = (name) => name.startsWith(CACHES) && !(IS_CACHING && name === CACHE);
  await Promise.all(names.filter(isOutdated).map((name) => caches.delete(name)));
}

async function isolated(request, response) {
  // Redirects and responses from other origins cannot be changed.
  if (response.type !== "basic" && response.type !== "default") {
    return response;
  }
  if (response.headers.has(OPENER) && response.headers.has(EMBEDDER)) {
    // The host now sends both headers itself. Only the worker's script is a reliable sign, since the browser may have a
    // cached copy of it without the headers.
    if (request.destination === "worker" && !IS_CACHING) {
      await registration.unregister();
    }
    return response;
  }
  const headers = new Headers(response.headers);
  headers.set(OPENER, "same-origin");
  headers.set(EMBEDDER, "require-corp");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

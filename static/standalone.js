// Writes a page that contains a notebook and everything that shows it: this page's styles, script and WebAssembly. It opens from
// a disk, and its policy forbids every request.
"use strict";

// In this file, `<\/script` is written for the end of a script: the page contains the file as a script of its own.

// Base64 of bytes, in parts: a call has a limited number of arguments.
const toBase64 = (bytes) => {
  let binary = "";
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(binary);
};

const escapeHtml = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

// `content`: the notebook, compressed, as in links. Resolves to the page.
globalThis.benchbookStandalone = async (title, content) => {
  const get = async (url) => {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`the host responded with status ${response.status}`);
    return response;
  };
  const script = await (await get(document.querySelector("link[rel=modulepreload]").href)).text();
  const module = await get(document.querySelector("script[data-module]").dataset.module);
  const packed = module.body.pipeThrough(new CompressionStream("gzip"));
  const wasm = toBase64(new Uint8Array(await new Response(packed).arrayBuffer()));
  const styles = [...document.head.querySelectorAll("style")].map((style) => style.textContent).join("\n");
  // The text of a script must not end its element.
  const inline = (text) => text.replaceAll("<\/script", "<\\/script");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src blob: data:">
<title>${escapeHtml(title)} · Benchbook</title>
<style>${styles.replaceAll("</style", "<\\/style")}</style>
<script type="text/plain" id="benchbook-content">${content}<\/script>
<script type="text/plain" id="benchbook-wasm">${wasm}<\/script>
</head>
<body>
<p id="startup">This page shows a notebook of Benchbook. It needs a current browser with JavaScript and WebAssembly.</p>
<script type="module">
${inline(script)}
const packed = Uint8Array.from(atob(document.getElementById("benchbook-wasm").textContent), (character) => character.charCodeAt(0));
const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
await __wbg_init({ module_or_path: await new Response(unpacked).arrayBuffer() });
<\/script>
</body>
</html>
`;
};

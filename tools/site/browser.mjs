// Shared by the site's tools: a static server for the built site, and Chromium through playwright-core.
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { gzipSync } from "node:zlib";

const top = path.resolve(import.meta.dirname, "../..");
export const SITE = path.resolve(process.env.SITE ?? path.join(top, "_build/html"));
export const MODULES = path.join(top, "_build/site-test/");
export const require = createRequire(MODULES);
export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

export const MODES = {
  light: { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  dark: { viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: "light" },
  "dark phone": { viewport: { width: 390, height: 844 }, colorScheme: "dark" },
};

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript",
  ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png", ".json": "application/json",
  ".woff": "font/woff", ".woff2": "font/woff2", ".wasm": "application/wasm" };

function read(file) {
  const type = TYPES[path.extname(file)] ?? "application/octet-stream";
  const body = fs.readFileSync(file);
  const headers = { "content-type": type };
  if (!/text|svg|json|wasm/.test(type)) return { headers, body };
  return { headers: { ...headers, "content-encoding": "gzip" }, body: gzipSync(body, { level: /wasm/.test(type) ? 4 : 6 }) };
}

// A server of the site below `prefix`, with headers of your own; `sent` counts bytes, as sent and as they are.
export function serve({ root = SITE, prefix = "/", headers: more = { "cache-control": "no-store" } } = {}) {
  const files = {}; // each is read and compressed once
  const sent = {};
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://x");
    let file = path.join(root, decodeURIComponent(pathname.slice(prefix.length)));
    if (pathname.startsWith(prefix) && fs.existsSync(file) && fs.statSync(file).isDirectory()) file = path.join(file, "index.html");
    if (!pathname.startsWith(prefix) || !fs.existsSync(file)) return response.writeHead(404).end();
    const { headers, body } = files[file] ??= read(file);
    sent[path.basename(file)] = { compressed: body.length, plain: fs.statSync(file).size, live: file.includes("_static/live") };
    response.writeHead(200, { ...headers, ...more }).end(body);
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () =>
    done({ url: `http://127.0.0.1:${server.address().port}${prefix}`, sent, close: () => server.close() })));
}

// A browser; with the folder of a profile, a browser's one window that keeps its caches there.
export function launch({ profile, ...settings } = {}) {
  const { chromium } = require("playwright-core");
  const options = { executablePath: CHROMIUM, args: FLAGS, ...settings };
  return profile ? chromium.launchPersistentContext(profile, options) : chromium.launch(options);
}

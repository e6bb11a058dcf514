// python tools/site/run.py lighthouse PAGE [mobile|desktop]
// Lighthouse's scores of a built page, and what it would improve.
import { pathToFileURL } from "node:url";
import { CHROMIUM, FLAGS, require, serve } from "./browser.mjs";

const [page, form = "desktop"] = process.argv.slice(2);
const { default: lighthouse, desktopConfig } = await import(pathToFileURL(require.resolve("lighthouse")).href);
const { launch } = await import(pathToFileURL(require.resolve("chrome-launcher")).href);
const server = await serve();
const chrome = await launch({ chromePath: CHROMIUM, chromeFlags: ["--headless=new", ...FLAGS] });
const options = { port: chrome.port, output: "json", logLevel: "error" };
const { lhr } = await lighthouse(server.url + page, options, form === "desktop" ? desktopConfig : undefined);
for (const [name, category] of Object.entries(lhr.categories)) console.log(name, Math.round(100 * category.score));
for (const id of ["first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift", "total-byte-weight"]) {
  console.log(id, lhr.audits[id]?.displayValue);
}
for (const { id, score, scoreDisplayMode, title } of Object.values(lhr.audits)) {
  if (score !== null && score < 0.9 && ["binary", "metricSavings"].includes(scoreDisplayMode)) console.log(`  improve: ${id}: ${title}`);
}
await chrome.kill();
server.close();

// node tools/site/shot.mjs PAGE OUT.png [--dark] [--mobile] [--full] [--open] [--at=CSS-SELECTOR]
// A picture of a built page, e.g. book/erm.html; --open unfolds the proofs and solutions first.
import { MODES, launch, serve } from "./browser.mjs";

const [page, out, ...flags] = process.argv.slice(2);
const mode = [flags.includes("--dark") && "dark", flags.includes("--mobile") && "phone"].filter(Boolean).join(" ");
const server = await serve();
const browser = await launch();
const tab = await (await browser.newContext(MODES[mode || "light"])).newPage();
await tab.goto(server.url + page, { waitUntil: "load" });
await tab.waitForTimeout(800);
if (flags.includes("--open")) {
  await tab.evaluate(() => {
    for (const box of document.querySelectorAll("details")) box.open = true;
    for (const button of document.querySelectorAll("button.toggle-button-hidden")) button.click();
  });
}
const at = flags.find((flag) => flag.startsWith("--at="))?.slice(5);
if (at) await tab.evaluate((selector) => document.querySelector(selector).scrollIntoView(), at);
await tab.waitForTimeout(500);
await tab.screenshot({ path: out, fullPage: flags.includes("--full") });
await browser.close();
server.close();

// node tools/site/figures.mjs        the figures with controls, alone; test.mjs calls testFigures too
// By keyboard every slider changes its value, the read-out, the picture and its description. Without scripts the
// picture is there and the sliders are not.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { SITE, launch, serve } from "./browser.mjs";

function pagesWithFigures() {
  return fs.readdirSync(SITE, { recursive: true })
    .filter((name) => name.endsWith(".html") && fs.readFileSync(path.join(SITE, name), "utf8").includes('<div class="interactive"'))
    .sort();
}

// What a reader sees and hears of a figure, as texts.
function state(figure) {
  return {
    readout: figure.querySelector("output").textContent,
    picture: [...figure.querySelectorAll("svg")].map((svg) => svg.innerHTML).join(),
    description: figure.querySelector("[role=img]").getAttribute("aria-label"),
    values: [...figure.querySelectorAll(".value")].map((value) => value.textContent).join(),
    spoken: [...figure.querySelectorAll("input")].map((input) => input.getAttribute("aria-valuetext")).join(),
  };
}

async function press(tab, figure, key, say) {
  const before = await figure.evaluate(state);
  await tab.keyboard.press(key);
  const after = await figure.evaluate(state);
  for (const [what, text] of Object.entries(after)) if (text === before[what]) say(`${key} does not change the ${what}`);
  if (!after.description.endsWith(after.readout)) say("the description does not say what the read-out says");
  if (/undefined|NaN/.test(Object.values(after).join())) say(`${key}: something is undefined`);
}

async function testFigure(tab, figure, say) {
  const box = await figure.locator(".panels").boundingBox();
  const start = await figure.evaluate(state);
  const sliders = await figure.getByRole("slider").all();
  if (!sliders.length) say("no slider");
  for (const slider of sliders) {
    const first = await slider.inputValue();
    await slider.focus();
    const atEnd = first === await slider.getAttribute("max");
    await press(tab, figure, atEnd ? "ArrowLeft" : "ArrowRight", say);
    await tab.keyboard.press("End");
    await press(tab, figure, "Home", say);
    for (let i = 0; i < Number(first); i++) await tab.keyboard.press("ArrowRight");
  }
  const end = await figure.evaluate(state);
  for (const what of Object.keys(start)) if (start[what] !== end[what]) say(`back at the default values the ${what} differs`);
  const now = await figure.locator(".panels").boundingBox();
  if (now.height !== box.height || now.width !== box.width) say("the picture changes its size");
}

export async function testFigures(browser, base, say) {
  const pages = pagesWithFigures();
  if (!pages.length) say("no page has a figure with controls");
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 1200, height: 900 } });
    const tab = await context.newPage();
    for (const name of pages) {
      await tab.goto(base + name, { waitUntil: "domcontentloaded" }); // deferred scripts have run by then
      for (const figure of await tab.locator(".interactive").all()) {
        const tell = (text) => say(`${name}, figure ${id}: ${text}`);
        const id = await figure.getAttribute("data-figure");
        const svg = await figure.locator("svg").first().boundingBox();
        if (!svg || svg.width < 200 || svg.height < 150) tell("no picture");
        if (!await figure.locator("output").isVisible()) tell("no read-out");
        const slider = await figure.locator("input").first().isVisible();
        if (slider !== javaScriptEnabled) tell(`the slider is ${slider ? "" : "not "}there ${javaScriptEnabled ? "with" : "without"} scripts`);
        if (javaScriptEnabled && slider) await testFigure(tab, figure, tell);
      }
    }
    await context.close();
  }
}

if (process.argv[1] === import.meta.filename) {
  const [server, browser, faults] = [await serve(), await launch(), []];
  for (const base of [server.url, pathToFileURL(SITE + path.sep).href]) {
    await testFigures(browser, base, (text) => faults.push(`${base.split(":")[0]}: ${text}`));
  }
  await browser.close();
  server.close();
  for (const fault of faults) console.log(fault);
  console.log(`${pagesWithFigures().length} pages with figures, by http and from file://: ${faults.length} faults`);
  process.exit(faults.length ? 1 : 0);
}

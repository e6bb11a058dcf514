// Hints and solutions of the homework: the little Markdown they are written in, formulas by KaTeX.
const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

function loadKatex(here, version) {
  if (self.katex) return Promise.resolve(self.katex);
  return new Promise((done) => {
    const script = document.createElement("script");
    script.src = new URL(`katex.min.js?${version}`, here);
    script.onload = () => done(self.katex);
    script.onerror = () => done(null); // then the formula stays as it is written
    document.head.append(script);
  });
}

export async function render(text, box, here, version, coloured) {
  const kept = []; // code and formulas, which Markdown must not touch
  const keep = (html) => `\u0000${kept.push(html) - 1}\u0000`;
  const { macros } = await (await fetch(new URL(`manifest.json?${version}`, here))).json();
  const katex = /\$/.test(text) ? await loadKatex(here, version) : null;
  const formula = (tex, displayMode) => katex
    ? katex.renderToString(tex, { displayMode, macros: { ...macros }, throwOnError: false })
    : `<code>${escape(tex)}</code>`;
  const inline = (part) => escape(part)
    .replace(/\*\*(.+?)\*\*/gs, "<strong>$1</strong>").replace(/\*(?=\S)(.+?)\*/gs, "<em>$1</em>");
  const blocks = text
    .replace(/^[ \t]*```\w*\n([^]*?)\n[ \t]*```/gm, (_, code) => keep(`<div class="highlight"><pre tabindex="0">${coloured(code)}</pre></div>`))
    .replace(/`([^`]+)`/g, (_, code) => keep(`<code class="literal">${escape(code)}</code>`))
    .replace(/\$\$([^]+?)\$\$/g, (_, tex) => keep(`<div class="math">${formula(tex, true)}</div>`))
    .replace(/\$([^$]+)\$/g, (_, tex) => keep(`<span class="math">${formula(tex, false)}</span>`))
    .split(/\n\s*\n/);
  const html = blocks.map((block) => {
    const items = block.split(/^\s*(?:[-*]|\d+\.)\s+/m);
    if (items.length < 2 || items[0].trim()) return /^\s*\0\d+\0\s*$/.test(block) ? block : `<p>${inline(block)}</p>`;
    const tag = /^\s*\d/.test(block) ? "ol" : "ul";
    return `<${tag}>${items.slice(1).map((item) => `<li>${inline(item)}</li>`).join("")}</${tag}>`;
  }).join("\n");
  box.className = "output text_html live-text";
  box.innerHTML = html.replace(/\0(\d+)\0/g, (_, i) => kept[i]);
}

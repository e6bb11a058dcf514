// Figures with controls: the page has the picture of the default values, and for each attribute that depends on the
// controls the list of its values; see book/figures/drawing.py.
for (const figure of document.querySelectorAll(".interactive")) {
  const { alt, sizes, texts, readouts, changes } = JSON.parse(figure.querySelector("script").textContent);
  const inputs = [...figure.querySelectorAll("input")];
  const values = figure.querySelectorAll(".value");
  const output = figure.querySelector("output");
  const marks = {};
  for (const mark of figure.querySelectorAll("[data-mark]")) marks[mark.dataset.mark] = mark;

  const show = () => {
    const now = inputs.reduce((number, input, i) => number * sizes[i] + Number(input.value), 0);
    inputs.forEach((input, i) => {
      const text = texts[i][input.value];
      values[i].textContent = text;
      input.setAttribute("aria-valuetext", text);
    });
    for (const [mark, attribute, list, numbers] of changes) {
      const value = list[numbers ? numbers[now] : now];
      if (attribute) marks[mark].setAttribute(attribute, value);
      else marks[mark].textContent = value;
    }
    output.textContent = readouts[now];
    figure.querySelector("[role=img]").setAttribute("aria-label", `${alt} ${readouts[now]}`);
  };
  for (const input of inputs) input.addEventListener("input", show);
  show();
  figure.classList.add("ready");
}

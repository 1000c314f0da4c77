// The timeline: a bar of Watches and turns, what was struck beneath it, and a slider that looks at any moment.
const NS = "http://www.w3.org/2000/svg";
const W = 1000;
const node = (tag, attrs, parent) => {
  const made = document.createElementNS(NS, tag);
  for (const [key, value] of Object.entries(attrs)) made.setAttribute(key, value);
  parent?.append(made);
  return made;
};

function render({ model, el, signal }) {
  el.classList.add("ce-part", "ce-time");
  const svg = node("svg", { "aria-hidden": "true", viewBox: `0 0 ${W} 40`, preserveAspectRatio: "none" });
  const said = document.createElement("div");
  said.setAttribute("role", "status");
  const line = document.createElement("div");
  line.className = "ce-line";
  const range = document.createElement("input");
  Object.assign(range, { type: "range", min: 0, step: 1 });
  range.setAttribute("aria-label", "Moment of the campaign, by turn");
  const button = (text, label, step) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.setAttribute("aria-label", label);
    made.addEventListener("click", () => go(Number(range.value) + step));
    return made;
  };
  line.append(button("◀ Turn", "One turn back", -1), button("Turn ▶", "One turn on", 1));
  el.append(svg, range, line, said);

  const name = (turn) => {
    const { turns } = model.get("bar");
    const t = turns[turn];
    return t ? `turn ${turn}${t.watch ? `, ${t.period} ${t.watch}` : ""}: ${t.name}${t.struck ? " (taken back)" : ""}` : `turn ${turn}`;
  };
  const tell = () => {
    const turn = Number(range.value);
    range.setAttribute("aria-valuetext", name(turn));
    said.textContent = name(turn);
  };
  let asked = null;      // where one wants to look: answers to the keys before it do not pull the handle back
  const go = (turn) => {
    const last = Number(range.max);
    range.value = Math.max(0, Math.min(last, turn));
    asked = { turn: Number(range.value), at: Date.now() };
    tell();
    model.send({ kind: "look", turn: Number(range.value) });
  };
  const draw = () => {
    const { turns, here } = model.get("bar");
    const last = Math.max(1, turns.length - 1);
    range.max = turns.length - 1;
    if (!asked || asked.turn === here || Date.now() - asked.at > 3000) {
      asked = null;
      range.value = here;
    }
    tell();
    svg.replaceChildren();
    const x = (turn) => (turn / (last + 1)) * W;
    let start = 0;
    const close = (end) => {
      const watch = turns[start]?.watch ?? 0;
      if (watch) {
        node("rect", { x: x(start), y: 6, width: Math.max(1, x(end) - x(start)), height: 18, class: `ce-seg${watch % 2 ? " ce-odd" : ""}` }, svg);
      }
      start = end;
    };
    turns.forEach((t, i) => { if (i && t.watch !== turns[i - 1].watch) close(i); });
    close(turns.length);
    turns.forEach((t, i) => {
      if (t.struck) node("rect", { x: x(i), y: 28, width: Math.max(2, x(i + 1) - x(i)), height: 8, class: "ce-struck" }, svg);
    });
    node("rect", { x: x(here) + (x(1) - x(0)) / 2 - 2, y: 0, width: 4, height: 40, class: "ce-here" }, svg);
  };
  range.addEventListener("input", tell);
  range.addEventListener("change", () => go(Number(range.value)));
  range.addEventListener("keydown", (event) => event.stopPropagation());
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    go(Math.floor(((event.clientX - box.left) / box.width) * (Number(range.max) + 1)));
  });
  model.on("change:bar", draw);
  draw();
  const stop = () => model.off("change:bar", draw);
  signal?.addEventListener("abort", stop);
  return stop;
}

export default { render };

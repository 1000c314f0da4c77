// The map: places as hexes or points, legs, the trail, where you are. Click or keyboard; no scrolling, no network.
const NS = "http://www.w3.org/2000/svg";
const R = 30;
const node = (tag, attrs, parent) => {
  const made = document.createElementNS(NS, tag);
  for (const [key, value] of Object.entries(attrs)) made.setAttribute(key, value);
  parent?.append(made);
  return made;
};
const hexagon = (r) => [0, 1, 2, 3, 4, 5].map((i) => {
  const a = Math.PI / 3 * i;
  return `${(r * Math.cos(a)).toFixed(1)},${(r * Math.sin(a)).toFixed(1)}`;
}).join(" ");

function render({ model, el, signal }) {
  el.classList.add("ce-part", "ce-map");
  let focus = null;
  const said = document.createElement("div");
  said.setAttribute("role", "status");
  said.className = "ce-faint";
  const svg = node("svg", { role: "group" });
  el.append(svg, said);

  const draw = () => {
    const held = svg.contains(document.activeElement);
    const { spots, legs, trail, here, caption } = model.get("chart");
    svg.replaceChildren();
    svg.setAttribute("aria-label", caption);
    said.textContent = caption;
    svg.style.display = spots.length ? "" : "none";
    if (!spots.length) return;
    const at = new Map(spots.map((s) => [s.id, s]));
    const xs = spots.map((s) => s.x), ys = spots.map((s) => s.y), pad = R * 1.7;
    const x0 = Math.min(...xs) - pad, y0 = Math.min(...ys) - pad;
    const w = Math.max(...xs) + pad - x0, h = Math.max(...ys) + pad - y0;
    svg.setAttribute("viewBox", `${x0} ${y0} ${w} ${h}`);
    svg.style.maxWidth = `${Math.max(240, w * 1.6)}px`;
    for (const [a, b] of legs) {
      if (at.has(a) && at.has(b)) node("line", { x1: at.get(a).x, y1: at.get(a).y, x2: at.get(b).x, y2: at.get(b).y, class: "ce-leg" }, svg);
    }
    const spotNodes = new Map();
    for (const s of spots) {
      const isHere = s.id === here;
      const g = node("g", {
        transform: `translate(${s.x},${s.y})`, role: "button", class: `ce-spot${isHere ? " ce-here" : ""}`,
        "aria-label": `${s.name}${s.note ? `, ${s.note}` : ""}${isHere ? ", you are here" : ""}`,
        tabindex: (focus ?? here ?? spots[0].id) === s.id || (!at.has(focus ?? here) && s === spots[0]) ? "0" : "-1",
      }, svg);
      if (isHere) g.setAttribute("aria-current", "location");
      g.dataset.id = s.id;
      if (s.shape === "point") node("circle", { r: 22 * s.size }, g);
      else node("polygon", { points: hexagon(R * s.size) }, g);
      const text = node("text", { y: s.size < 0.7 ? 4 : 0, "aria-hidden": "true" }, g);
      text.textContent = s.name.length > 14 ? `${s.name.slice(0, 13)}…` : s.name;
      if (isHere) node("text", { y: 17, "aria-hidden": "true" }, g).textContent = "▲";
      else if (s.note && s.size >= 0.7) {
        const note = node("text", { y: 15, "aria-hidden": "true", style: "font-size:9px" }, g);
        note.textContent = s.note.length > 14 ? `${s.note.slice(0, 13)}…` : s.note;
      }
      spotNodes.set(s.id, g);
    }
    const way = trail.filter((id) => at.has(id)).map((id) => `${at.get(id).x},${at.get(id).y}`);
    if (way.length > 1) svg.insertBefore(node("polyline", { points: way.join(" "), class: "ce-trail", "pointer-events": "none" }), svg.firstChild);
    if (held) (spotNodes.get(focus) ?? spotNodes.get(here))?.focus();
  };
  const pick = (g) => model.send({ kind: "go", to: g.dataset.id, turn: model.get("chart").turn });
  svg.addEventListener("click", (event) => {
    const g = event.target.closest("g[data-id]");
    if (g && event.detail < 2) pick(g);
  });
  svg.addEventListener("keydown", (event) => {
    const g = event.target.closest("g[data-id]");
    if (!g) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) pick(g);
      return;
    }
    const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    const { spots } = model.get("chart");
    const from = spots.find((s) => s.id === g.dataset.id);
    const ahead = spots.filter((s) => s !== from).map((s) => {
      const dx = s.x - from.x, dy = s.y - from.y, along = dx * way[0] + dy * way[1], across = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
      return { s, along, cost: along + 2 * across };
    }).filter((one) => one.along > 1).sort((a, b) => a.cost - b.cost)[0];
    if (!ahead) return;
    focus = ahead.s.id;
    const to = svg.querySelector(`g[data-id="${CSS.escape(focus)}"]`);
    g.setAttribute("tabindex", "-1");
    to.setAttribute("tabindex", "0");
    to.focus();
  });
  model.on("change:chart", draw);
  draw();
  const stop = () => model.off("change:chart", draw);
  signal?.addEventListener("abort", stop);
  return stop;
}

export default { render };

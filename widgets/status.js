// The status line: one live region that stays in the page, so that a screen reader hears what changes in it.
// It also notices a kernel that does not answer: a touch anywhere on the table asks, and silence is told.
const LOST = "The notebook's kernel does not answer: it is busy or gone. Everything recorded is safe; if this stays, " +
  "restart the kernel and run this cell again.";
const PATIENCE = 8000;

function render({ model, el, signal }) {
  el.classList.add("ce-part", "ce-status");
  const line = document.createElement("div");
  line.setAttribute("role", "status");
  line.setAttribute("aria-live", "polite");
  const more = document.createElement("div");
  more.className = "ce-line";
  el.append(line, more);

  const draw = () => {
    el.dataset.kind = model.get("kind");
    line.textContent = model.get("text");
    more.replaceChildren();
    for (const [key, label] of model.get("offers")) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "ce-main";
      button.textContent = label;
      button.addEventListener("click", (event) => {
        if (event.detail < 2) model.send({ kind: "offer", key, id: model.get("number") });
      });
      more.append(button);
    }
    const trace = model.get("trace");
    if (trace) {
      const fold = document.createElement("details");
      const summary = document.createElement("summary");
      summary.textContent = "What the computer says about it";
      const pre = document.createElement("pre");
      pre.textContent = trace;
      pre.tabIndex = 0;
      fold.append(summary, pre);
      more.append(fold);
    }
  };
  model.on("change:number", draw);
  draw();

  let waiting = null;
  const answered = (message) => {
    if (message?.kind !== "pong") return;
    clearTimeout(waiting);
    waiting = null;
    if (el.dataset.kind === "lost") draw();
  };
  model.on("msg:custom", answered);
  const lost = () => {
    el.dataset.kind = "lost";
    line.textContent = LOST;
  };
  const touch = () => {
    if (waiting) return;
    waiting = setTimeout(lost, PATIENCE);
    try {
      model.send({ kind: "ping" });
    } catch {
      lost();
    }
  };
  const table = () => el.closest(".ce-table") ?? el;
  // Lab attaches the view after render: listen on the document, and mind only what lies in this table.
  const heard = (event) => {
    if (event.target instanceof Node && table().contains(event.target)) touch();
  };
  document.addEventListener("click", heard, true);
  const stop = () => {
    document.removeEventListener("click", heard, true);
    clearTimeout(waiting);
    model.off("change:number", draw);
    model.off("msg:custom", answered);
  };
  signal?.addEventListener("abort", stop);
  return stop;
}

export default { render };

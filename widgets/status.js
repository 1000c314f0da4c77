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

  // One question at a time to the kernel: "are you there, and have you read what was typed?"
  let waiting = null;
  let held = null;       // a press that waits until everything typed before it has arrived
  let typed = false;
  let passing = false;
  const lost = () => {
    held = null;
    el.dataset.kind = "lost";
    line.textContent = LOST;
  };
  const ask = () => {
    if (waiting) return;
    waiting = setTimeout(lost, PATIENCE);
    try {
      model.send({ kind: "ping" });
    } catch {
      lost();
    }
  };
  const answered = (message) => {
    if (message?.kind !== "pong") return;
    clearTimeout(waiting);
    waiting = null;
    if (el.dataset.kind === "lost") draw();
    const press = held;
    held = null;
    if (!press) return;
    typed = false;
    passing = true;
    press.click();
    passing = false;
  };
  model.on("msg:custom", answered);
  // Lab attaches the view after render: listen on the document, and mind only what lies in this table.
  const mine = (event) => event.target instanceof Node && (el.closest(".ce-table") ?? el).contains(event.target);
  const wrote = (event) => {
    if (mine(event)) typed = true;
  };
  const pressed = (event) => {
    if (!mine(event) || passing) return;
    const press = event.target.closest?.("button");
    // The second click of a double click may land on what the first one put there. Faces of dice may repeat.
    if (press && event.detail > 1 && !press.closest(".ce-faces")) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    // ipywidgets holds typing back while the kernel is busy, but not presses: a press must not overtake the words.
    if (typed && press) {
      event.preventDefault();
      event.stopImmediatePropagation();
      held = press;
      ask();
    } else {
      setTimeout(ask, 400);  // after the press, so that its answer does not wait for this one
    }
  };
  // Enter in a box that has a button beside it is a press of that button.
  const entered = (event) => {
    if (event.key !== "Enter" || event.isComposing || event.repeat || !mine(event)) return;
    if (!event.target.matches?.('input[type="text"]')) return;
    const press = event.target.closest(".ce-enter")?.querySelector("button:enabled");
    if (!press) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    press.click();
  };
  // A redraw may take the focused button away: then the keyboard goes on from the sentence that was said.
  let within = false;
  const focused = (event) => {
    within = mine(event);
  };
  const settle = () => setTimeout(() => {
    if (within && document.activeElement === document.body) line.focus({ preventScroll: true });
  }, 250);
  line.tabIndex = -1;
  model.on("change:number", settle);
  document.addEventListener("focusin", focused, true);
  document.addEventListener("input", wrote, true);
  document.addEventListener("click", pressed, true);
  document.addEventListener("keydown", entered, true);
  const stop = () => {
    document.removeEventListener("focusin", focused, true);
    document.removeEventListener("input", wrote, true);
    document.removeEventListener("click", pressed, true);
    document.removeEventListener("keydown", entered, true);
    clearTimeout(waiting);
    model.off("change:number", draw);
    model.off("change:number", settle);
    model.off("msg:custom", answered);
  };
  signal?.addEventListener("abort", stop);
  return stop;
}

export default { render };

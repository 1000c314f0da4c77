// The dice tray: it asks for exactly the dice that are needed, one face a tap, and shows each as it falls.
// Faces that were entered survive a reload of the page: they are kept here under the campaign's key.
const MOST_FACES = 20;

function render({ model, el, signal }) {
  el.classList.add("ce-part", "ce-dice");
  const store = {
    get key() { return `chronicle dice ${model.get("campaign")}`; },
    read() { try { return JSON.parse(localStorage.getItem(this.key)); } catch { return null; } },
    write(value) {
      try { value ? localStorage.setItem(this.key, JSON.stringify(value)) : localStorage.removeItem(this.key); } catch { /* private window */ }
    },
  };
  let faces = [];        // of the roll that is asked for now
  let sent = false;

  const make = (tag, text, cls) => {
    const made = document.createElement(tag);
    if (text != null) made.textContent = text;
    if (cls) made.className = cls;
    return made;
  };
  const tap = (text, does, cls, label) => {
    const made = make("button", text, cls);
    made.type = "button";
    if (label) made.setAttribute("aria-label", label);
    made.addEventListener("click", does);
    return made;
  };
  const send = (kind, more = {}) => model.send({ kind, ask: model.get("ask").id, ...more });

  const add = (face) => {
    const ask = model.get("ask");
    if (sent || faces.length >= ask.dice.length) return;
    faces.push(face);
    store.write({ turn: ask.turn, move: ask.move, values: ask.values, given: ask.given, faces });
    send("faces", { faces });
    sent = faces.length >= ask.dice.length;
    draw(true);
  };

  const draw = (refocus) => {
    const ask = model.get("ask");
    const held = el.contains(document.activeElement) ? document.activeElement.dataset.at : null;
    el.replaceChildren();
    if (!ask.id) { el.style.display = "none"; return; }
    el.style.display = "";
    const head = make("div", ask.sentence, "ce-ask");
    head.setAttribute("role", "status");
    el.append(head);
    if (ask.odds) el.append(make("div", ask.odds, "ce-faint"));
    const line = make("div", null, "ce-line");
    line.setAttribute("role", "group");
    line.setAttribute("aria-label", "Dice so far");
    ask.dice.forEach((die, i) => {
      const chip = make("span", faces[i] ?? die.name, `ce-die${faces[i] == null ? " ce-want" : ""}`);
      chip.setAttribute("role", "img");
      chip.setAttribute("aria-label", faces[i] == null ? `${die.name} still to throw` : `${die.name} shows ${faces[i]}`);
      line.append(chip);
    });
    if (ask.given.length) line.append(make("span", `after ${ask.given.join(", ")}`, "ce-faint"));
    el.append(line);
    const die = ask.dice[faces.length];
    if (die && !sent) {
      const count = die.highest - die.lowest + 1;
      if (count <= MOST_FACES) {
        const grid = make("div", null, "ce-faces");
        grid.setAttribute("role", "group");
        grid.setAttribute("aria-label", `The face of the ${die.name}`);
        for (let face = die.lowest; face <= die.highest; face++) {
          const made = tap(face, () => add(face), "", `${die.name}: ${face}`);
          made.dataset.at = `face${face}`;
          grid.append(made);
        }
        el.append(grid);
      } else {
        const form = make("form", null, "ce-line");
        const input = make("input");
        Object.assign(input, { type: "number", min: die.lowest, max: die.highest, required: true, inputMode: "numeric" });
        input.setAttribute("aria-label", `The face of the ${die.name}`);
        input.dataset.at = "typed";
        const enter = make("button", "Enter", "ce-main");
        enter.type = "submit";
        form.append(input, enter);
        form.addEventListener("submit", (event) => {
          event.preventDefault();
          const face = Number(input.value);
          if (Number.isInteger(face) && face >= die.lowest && face <= die.highest) add(face);
        });
        form.addEventListener("keydown", (event) => event.stopPropagation());
        el.append(form);
      }
    }
    const foot = make("div", null, "ce-line");
    const begun = faces.length || ask.given.length;  // what was thrown already is rolled anew
    foot.append(tap(begun ? "Roll it all for me" : "Roll for me", () => send("roll"), "ce-main"));
    if (begun) {
      foot.append(tap("Take the last die back", () => {
        if (faces.length && !sent) { faces.pop(); send("faces", { faces }); draw(true); } else send("back");
      }, "ce-quiet"));
    }
    foot.append(tap("Not now", () => { store.write(null); send("away"); }, "ce-quiet"));
    el.append(foot);
    if (refocus && held) (el.querySelector(`[data-at="${held}"]`) ?? el.querySelector("[data-at]"))?.focus();
  };

  const asked = () => {
    const ask = model.get("ask");
    const held = model.get("held");
    faces = held.id === ask.id ? [...held.faces] : [];
    sent = false;
    if (!ask.id) store.write(null);
    draw(true);
  };
  model.on("change:ask", asked);
  const left = store.read();
  if (left && !model.get("ask").id) model.send({ kind: "left", ...left });
  asked();
  if (left && !model.get("ask").id) store.write(left);
  const stop = () => model.off("change:ask", asked);
  signal?.addEventListener("abort", stop);
  return stop;
}

export default { render };

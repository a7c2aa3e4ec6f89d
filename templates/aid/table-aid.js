/* The second half of the script of the table aid, after aid-game.js. It asks nothing of any network. */

/* --- Where dice come from: the strip of this battle, the 36 cards, dice thrown here, or a person's own ------------ */

function below(count) {
  const most = 2 ** 32 - (2 ** 32 % count), found = new Uint32Array(1);
  do crypto.getRandomValues(found); while (found[0] >= most);
  return found[0] % count;
}

const score = () => below(6) + 1;

/* Used cards stay out until all have come. */
function card() {
  const used = events.filter(event => event.by === "cards" && event.card).map(event => event.card);
  const out = new Set(used.slice(used.length - (used.length % 36)));
  const left = [...Array(36).keys()].filter(number => !out.has(number + 1));
  return left[below(left.length)] + 1;
}

function thrown(number) {
  if (luck === "battle" && number <= DATA.strip.length) {
    const [pips, die, tried] = DATA.strip[number - 1];
    return { pips, die, tried, by: luck };
  }
  if (luck === "cards") {
    const turned = card();
    const die = ((turned - 1) % 6) + 1;
    return { pips: Math.floor((turned - 1) / 6) + 1, die, tried: die, by: luck, card: turned };
  }
  return { pips: score(), die: score(), tried: score(), by: "dice" };
}

function throwBound() {
  const { tried, ...bound } = thrown(stood(events).bounds.length + 1);
  add({ what: "bound", ...bound });
}

function throwOverride() {
  const { tried, by, card: turned } = thrown(stood(events).bounds.length);
  add({ what: "override", die: tried, by, ...(turned ? { card: turned } : {}) });
}

function throwLevel() {
  const die = luck === "battle" ? DATA.level.die : score();
  add({ what: "level", level: DATA.level.faces[die - 1], die, by: luck === "battle" ? luck : "dice" });
}

/* --- What is shown ------------------------------------------------------------------------------------------------ */

function say(key, values = {}) {
  const own = DATA.words[language], forms = "count" in values ? `${key}.${values.count === 1 ? "one" : "other"}` : key;
  return (own[forms] ?? own[key]).replace(/\{(\w+)\}/g, (all, name) => (name in values ? values[name] : all));
}

const signed = number => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0");

const SPOTS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

function die(place, number) {
  const spots = SPOTS[number].map(spot =>
    drawn("circle", { cx: 2.6 + 2.4 * (spot % 3), cy: 2.6 + 2.4 * Math.floor(spot / 3), r: 0.95 }));
  place.replaceChildren(drawn("rect", { x: 0.3, y: 0.3, width: 9.4, height: 9.4, rx: 1.7 }), ...spots);
  place.setAttribute("aria-label", number);
}

const LETTERS = { aggressive: 31, cautious: 18, defensive: 26 };

function showCard(now) {
  const last = now.bounds.at(-1), free = last?.override === "free";
  at("card").hidden = !now.level;
  at("mark").toggleAttribute("hidden", !last);
  for (const figure of at("card").querySelectorAll("figure")) figure.hidden = !last;
  document.body.dataset.stance = last && !free ? last.stance : "";
  if (!now.level) return;
  if (!last) {
    at("number").textContent = say("level.is");
    at("stance").textContent = say(`level.${now.level}`);
    return;
  }
  at("number").textContent = say("bound", { number: now.bounds.length, net: signed(last.net) });
  at("stance").textContent = free ? say("free-bound") : say(`stance.${last.stance}`);
  at("mark").dataset.mark = last.stance;
  at("mark").querySelector("use").setAttribute("href", `#mark-${last.stance}`);
  const letter = at("mark").querySelector("text");
  letter.textContent = say(`letter.${last.stance}`);
  letter.setAttribute("y", LETTERS[last.stance]);
  at("mark").toggleAttribute("hidden", free);
  die(at("pips"), last.pips);
  die(at("die"), last.die);
}

function showMoves(now) {
  const last = now.bounds.at(-1), listed = last && last.override !== "free" && asking !== "bound";
  at("list").hidden = !listed;
  at("tried").hidden = !last?.override;
  if (last?.override) at("tried").textContent = say(`override.${last.override}`);
  if (!listed) return;
  const places = DATA.lists[last.stance].map((action, place) => {
    const item = make("li"), part = make("details"), head = make("summary");
    head.append(make("span", place + 1, { class: "place" }), make("span", say(`action.${action}`)));
    part.append(head, make("p", say(`meaning.${action}`)));
    item.append(part);
    return item;
  });
  at("moves").replaceChildren(...places);
  const left = DATA.tries - now.tried;
  at("boxes").replaceChildren(...[...Array(DATA.tries).keys()].map(box => {
    const made = drawn("svg", { viewBox: "0 0 26 26" });
    made.append(drawn("path", { d: box < now.tried ? "M2 2H24V24H2Z L24 24 M24 2 2 24" : "M2 2H24V24H2Z" }));
    return made;
  }));
  at("boxes").setAttribute("aria-label", say("override.left", { count: left }));
  at("override").disabled = left < 1 || last.override !== "";
}

function showAsking(now) {
  at("level").hidden = Boolean(now.level);
  at("level-throw").disabled = luck === "own";
  at("level-pad").hidden = luck !== "own";
  at("asking").hidden = !asking;
  at("asking-both").hidden = asking !== "bound";
  at("asking-first").textContent = say(asking === "override" ? "override-die" : "pip-die");
  for (const button of at("first-pad").children) button.setAttribute("aria-pressed", Number(button.value) === picked);
}

function showLosses(now) {
  for (const side of SIDES) {
    const [less, more] = at(`${side}-lost`).querySelectorAll("button");
    at(`${side}-lost`).querySelector("output").textContent = now[side].elements;
    less.disabled = now[side].elements < 1;
    more.disabled = now[side].elements >= DATA.elements[side];
    at(`${side}-camp`).setAttribute("aria-pressed", now[side].camp);
    at(`${side}-general`).setAttribute("aria-pressed", now[side].general);
    less.setAttribute("aria-label", `${say(`${side}-lost`)} −1`);
    more.setAttribute("aria-label", `${say(`${side}-lost`)} +1`);
    for (const what of ["camp", "general"])
      at(`${side}-${what}`).setAttribute("aria-label", `${say(`losses.${what}`)}: ${say(side)}`);
  }
  at("counts").replaceChildren(...DATA.words[language].counts.map(text => make("li", text)));
  const winner = winnerOf(now);
  at("ended").hidden = !winner;
  if (winner) at("ended").textContent = say(`end.${winner}`, { npg: now.npg.all, you: now.you.all });
  at("net").hidden = !now.level;
  if (!now.level) return;
  const npg = now.npg.all, you = now.you.all;
  const last = DATA.losses[npg][you] - DATA.each.npg * npg - DATA.each.you * you;
  at("net").textContent = say(last ? "net-last" : "net", {
    net: signed(netOf(now.level, npg, you)), level: signed(DATA.levels[now.level]),
    you: signed(DATA.each.you * you), npg: signed(DATA.each.npg * npg), last: signed(last),
  });
}

function showHistory(now) {
  at("history").replaceChildren(...now.bounds.map((bound, place) => {
    const item = make("li");
    const told = say("history.bound", {
      pips: say("history.pips", { count: bound.pips }), stance: say(`stance.${bound.stance}`),
      net: signed(bound.net), npg: bound.npg, you: bound.you,
    });
    const override = bound.override ? `; ${say(`history.${bound.override}`)}` : "";
    item.append(make("b", place + 1), make("span", told + override));
    return item;
  }));
  at("history-none").hidden = now.bounds.length > 0;
}

function showLuck(now) {
  for (const button of at("luck").children) {
    button.textContent = say(`luck.${button.value}`);
    button.setAttribute("aria-pressed", button.value === luck);
  }
  at("luck-now").textContent = say(`luck.${luck}`);
  const over = luck === "battle" && now.bounds.length >= DATA.strip.length;
  at("luck-told").textContent = say(over ? "luck.over" : `luck.told.${luck}`, { count: DATA.strip.length });
}

function logged() {
  const { key, seed, names } = DATA;
  const lines = events.map(event => `  ${JSON.stringify(event)}`).join(",\n");
  const head = Object.entries({ schema: DATA.schema, battle: key, seed, ...names });
  const told = head.map(([name, value]) => ` ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`).join("");
  return `{\n${told} "events": [\n${lines}\n ]\n}\n`;
}

function show() {
  const now = stood(events);
  document.documentElement.lang = language;
  document.title = say("page", { npg: say("npg-army"), you: say("you-army") });
  at("title").textContent = say("title", { npg: say("npg-army"), you: say("you-army") });
  const other = DATA.languages[(DATA.languages.indexOf(language) + 1) % DATA.languages.length];
  at("language").textContent = DATA.words[other].language;
  at("language").lang = other;
  at("language").hidden = DATA.languages.length < 2;
  for (const place of document.querySelectorAll("[data-say]")) place.textContent = say(place.dataset.say);
  for (const button of at("level-choose").children) button.textContent = say(`level.${button.value}`);
  showCard(now);
  showMoves(now);
  showAsking(now);
  showLosses(now);
  showHistory(now);
  showLuck(now);
  at("undo").disabled = !events.length;
  const undone = events.length ? `: ${say(`undone.${events.at(-1).what}`)}` : "";
  at("undo").setAttribute("aria-label", say("undo") + undone);
  at("next").disabled = !now.level || asking !== "";
  at("next").textContent = say(!now.bounds.length ? "first-bound" : winnerOf(now) ? "play-on" : "next-bound");
  at("log").value = logged();
  at("log").setAttribute("aria-label", say("log.head"));
  at("copied").textContent = "";
}

/* --- What is pressed ---------------------------------------------------------------------------------------------- */

function pad(place, pressed) {
  at(place).append(...FACES.map(face => make("button", face, { value: face })));
  at(place).addEventListener("click", ({ target }) => target.value && pressed(Number(target.value)));
}

const press = (id, pressed) => at(id).addEventListener("click", pressed);

function lose(side, change) {
  const { elements, camp, general } = stood(events)[side];
  add({ what: "lost", side, elements, camp, general, ...change({ elements, camp, general }) });
}

function ask(what) {
  asking = what;
  picked = 0;
  show();
  at("first-pad").firstElementChild.focus();
}

function prepare() {
  pad("level-pad", face => add({ what: "level", level: DATA.level.faces[face - 1], die: face, by: "own" }));
  pad("first-pad", face => {
    if (asking === "override") return add({ what: "override", die: face, by: "own" });
    picked = face;
    show();
    return at("second-pad").firstElementChild.focus();
  });
  pad("second-pad", face => {
    if (!picked) return at("first-pad").firstElementChild.focus();
    add({ what: "bound", pips: picked, die: face, by: "own" });
    return scrollTo(0, 0);
  });
  at("level-choose").append(...Object.keys(DATA.levels).map(level => make("button", "", { value: level })));
  press("level-choose", ({ target }) => target.value && add({ what: "level", level: target.value, die: 0, by: "own" }));
  at("luck").append(...DATA.luck.map(name => make("button", "", { value: name })));
  press("luck", ({ target }) => {
    if (!target.value) return;
    luck = target.value;
    asking = "";
    keep();
    show();
  });
  for (const side of SIDES) {
    for (const button of at(`${side}-lost`).querySelectorAll("button"))
      button.addEventListener("click", () =>
        lose(side, now => ({ elements: now.elements + Number(button.dataset.step) })));
    press(`${side}-camp`, () => lose(side, now => ({ camp: !now.camp })));
    press(`${side}-general`, () => lose(side, now => ({ general: !now.general })));
  }
  press("level-throw", throwLevel);
  press("override", () => (luck === "own" ? ask("override") : throwOverride()));
  press("asking-not", () => { asking = ""; show(); });
  press("next", () => { if (luck === "own") ask("bound"); else throwBound(); scrollTo(0, 0); });
  press("undo", () => { if (!asking) events = events.slice(0, -1); asking = ""; keep(); show(); });
  press("language", () => { language = at("language").lang; keep(); show(); });
  press("anew", () => { at("sure").hidden = false; at("anew-no").focus(); });
  press("anew-no", () => { at("sure").hidden = true; at("anew").focus(); });
  press("anew-yes", () => { events = []; at("sure").hidden = true; keep(); show(); scrollTo(0, 0); });
  press("copy", copy);
  press("save", save);
  addEventListener("storage", ({ key }) => { if (key === DATA.key) { recall(); show(); } });
}

async function copy() {
  at("log").select();
  try {
    await navigator.clipboard.writeText(logged());
    at("copied").textContent = say("log.copied");
  } catch {
    at("copied").textContent = say(document.execCommand("copy") ? "log.copied" : "log.selected");
  }
}

function save() {
  const file = new Blob([logged()], { type: "application/json" });
  const link = make("a", "", { download: DATA.file, href: URL.createObjectURL(file) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

recall();
prepare();
keep();
show();

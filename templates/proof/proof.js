/* The page: it reads what the player types, and shows the checks, the journal and the dice. */

const at = id => document.getElementById(id);
const DATA = readRecord(at("data").textContent);
let language = DATA.language, record = DATA.record, source = "", unread = null;

const say = (key, values = {}) =>
  DATA.words[language][key].replace(/\{(\w+)\}/g, (all, name) => (name in values ? values[name] : all));
const typed = id => at(id).value.replace(/[\s-]/g, "").toLowerCase();

function drawn(name, text, kind) {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

const badge = state => drawn("strong", say(`state.${state}`), state);

function row(cells, state) {
  const made = document.createElement("tr"), last = document.createElement("td");
  last.append(badge(state));
  made.append(...cells.map(cell => drawn("td", cell)), last);
  return made;
}

function showChecks(checks) {
  at("checks").replaceChildren(...Object.entries(checks).map(([name, { state, key, values }]) => {
    const made = document.createElement("li");
    made.id = `check-${name}`;
    const subject = drawn("span", say(`check.${name}`), "subject");
    made.append(subject, badge(state), drawn("p", say(`${name}.${key}`, values)));
    return made;
  }));
  const states = Object.values(checks).map(check => check.state), count = states.length;
  const bad = states.filter(each => each === "wrong").length;
  const doubts = states.filter(each => each === "unproven").length;
  const state = bad ? "wrong" : doubts ? "unproven" : "right";
  at("verdict").className = state;
  at("verdict").textContent = say(`verdict.${state}`, { bad, doubts, count });
}

function showJournal(journal, kept) {
  at("lines").replaceChildren(...journal.lines.map(({ text, card, code }, index) =>
    row([index + 1, text, card, code], lineState(journal, index + 1, kept))));
}

function showDice(dice) {
  at("dice").replaceChildren(...dice.map((die, index) => {
    const reason = DATA.reasons[language]?.[die.reason] ?? die.reason;
    const again = die.by === "seed" ? die.again || "–" : say(`by.${die.by}`);
    return row([index + 1, reason, die.answer, again], die.state);
  }));
  at("no-dice").hidden = dice.length > 0;
}

function show() {
  document.documentElement.lang = language;
  document.title = say("title");
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  const next = DATA.languages[(DATA.languages.indexOf(language) + 1) % DATA.languages.length];
  at("language").textContent = DATA.words[next].language;
  at("language").lang = next;
  at("unread").hidden = !unread;
  if (unread) at("unread").textContent = say(unread.key, unread);
  at("game").textContent = say("game", { title: record.title || "–", game: record.brantley.seal.game });
  at("source").textContent = source ? say("source.file", { file: source }) : say("source.page");
  const [commitment, line, code, number] = ["commitment", "line", "code", "number"].map(typed);
  const kept = { commitment, line, code, number };
  const { journal, dice, checks } = checkGame(record, kept);
  showChecks(checks);
  showJournal(journal, kept);
  showDice(dice);
}

/* The last card proves all cards before it, so its line is the one to begin with. */
function suggestLine() {
  at("line").value = playJournal(record.brantley.sealed, record.brantley.journal).turns.at(-1)?.line ?? 1;
}

/* Show the record of a file; a file that is not one leaves the page as it is, and says so. */
function openRecord(text, file) {
  const before = [record, source];
  unread = null;
  try {
    [record, source] = [readRecord(text), file];
    if (record.rules === "brantley" && !record.brantley.sealed.journal) unread = { key: "file.old", file };
    else suggestLine();
    if (!unread) show();
  } catch {
    unread = { key: "file.wrong", file };
  }
  if (!unread) return;
  [record, source] = before;
  show();
}

for (const id of ["commitment", "line", "code", "number"]) at(id).addEventListener("input", show);
at("file").addEventListener("change", async ({ target }) => {
  const [chosen] = target.files;
  if (chosen) openRecord(await chosen.text(), chosen.name);
});
at("language").addEventListener("click", () => {
  language = DATA.languages[(DATA.languages.indexOf(language) + 1) % DATA.languages.length];
  show();
});
at("language").hidden = DATA.languages.length < 2;
suggestLine();
show();

/* The checks of a sealed game, from its record and from what a player kept. A check is right, wrong or unproven. */

const COMMITMENT = 32, CODE = 12, CARDS = 8, NUMBER = /^[1-9][0-9]{5,11}$/;

/* A number of more than 15 digits stays a text behind a mark, because JavaScript would round it. */
const MARK = "\u0000";
const readRecord = text => JSON.parse(text.replace(/"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*/g,
  part => (/^-?[0-9]{16,}$/.test(part) ? JSON.stringify(MARK + part) : part)));
const digits = number => String(number).replace(MARK, "");

/* Return a value as JSON with its keys in order and without spaces, as printkit seals it. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (value !== null && typeof value === "object") {
    return `{${Object.keys(value).sort().map(key => `${JSON.stringify(key)}:${canonical(value[key])}`)}}`;
  }
  return typeof value === "string" && value.startsWith(MARK) ? digits(value) : JSON.stringify(value);
}

/* Return the commitment to a sealed game. Games with the first outlines were sealed without their number. */
function commitmentOf({ shapes, ...sealed }) {
  return digest(canonical(shapes === 1 ? sealed : { ...sealed, shapes })).slice(0, COMMITMENT);
}

/* Return the journal, played again: its lines with their cards and codes, the cards on the board, player B's number,
   the seed of the dice, and the first line that cannot come where it is, or 0. */
function playJournal(sealed, texts) {
  const hands = { A: sealed.pack.slice(0, 4), B: sealed.pack.slice(4, 8) };
  const journal = { lines: [], turns: [], number: "", seed: digits(sealed.seed), misplaced: 0 };
  let code = commitmentOf(sealed);
  for (const [index, text] of texts.entries()) {
    const [, back] = /^back ([0-9]+)$/.exec(text) ?? [], [, number] = /^number B ([0-9]+)$/.exec(text) ?? [];
    const [, player, hand, slot, zone] = /^([AB]) ([ab])([1-4]) ([1-9])$/.exec(text) ?? [];
    const card = player ? hands[player][slot - 1] : "", { turns } = journal;
    const next = turns.length % 2 ? { A: "B", B: "A" }[sealed.first] : sealed.first;
    let fits = !journal.number;
    if (back) {
      const place = turns.findIndex(turn => turn.line === Number(back));
      if (place < 0) fits = false;
      else turns.splice(place);
    } else if (number) {
      if (turns.length !== CARDS || !NUMBER.test(number)) fits = false;
      journal.number = number;
      journal.seed = String(parseInt(digest(["dice", sealed.salt, code, number].join("|")).slice(0, CODE), 16));
    } else if (player) {
      const isTaken = turns.some(turn => turn.card === card || turn.zone === zone);
      if (player !== next || hand !== player.toLowerCase() || isTaken) fits = false;
      turns.push({ line: index + 1, player, card, zone });
    } else fits = false;
    code = digest(["turn", sealed.salt, code, text, card].join("|")).slice(0, CODE);
    journal.lines.push({ text, card, code });
    if (!fits) journal.misplaced ||= index + 1;
  }
  return journal;
}

/* Return the dice of a log, each with its state, and with the score that its stream gives, or how it was rolled. */
function rollDice(record, journal) {
  const { sealed } = record.brantley, due = [...sealed.thrown, ...sealed.dice], streams = {};
  const dice = record.log.filter(entry => entry.asked.startsWith("d"));
  const isByHand = (die, index) => index >= due.length && die.seeded === false;
  const anyByHand = dice.some(isByHand);
  return dice.map((die, index) => {
    const compare = (by, again) => ({ ...die, by, again, state: again === die.answer ? "right" : "wrong" });
    if (index < due.length) return compare("sealed", due[index]);
    if (isByHand(die, index)) return { ...die, by: "hand", again: "", state: journal.number ? "wrong" : "unproven" };
    /* Dice by hand may stand between those of a stream, so the next score of the stream is not known. */
    if (anyByHand && !journal.number) return { ...die, by: "seed", again: "", state: "unproven" };
    streams[die.stage] ??= stream(`dice/${journal.seed}/${die.stage}/die`);
    return compare("seed", String(1 + Math.floor(streams[die.stage]() * Number(die.asked.slice(1)))));
  });
}

const right = (key, values) => ({ state: "right", key, values });
const wrong = (key, values) => ({ state: "wrong", key, values });
const unproven = (key, values) => ({ state: "unproven", key, values });
const isSame = (one, other) => canonical(one) === canonical(other);

function checkDeal({ brantley, log }, kept) {
  const { sealed } = brantley, hands = { A: sealed.pack.slice(0, 4), B: sealed.pack.slice(4, 8) };
  const found = commitmentOf(sealed), typed = kept.commitment;
  const shuffles = log.filter(entry => entry.stage === "deal" && !/^(d|choice)/.test(entry.asked));
  const texts = [brantley.deck.join(" "), ...(brantley.inputs.deck ?? []), ...shuffles.map(entry => entry.answer)];
  if (found !== brantley.seal.commitment) return wrong("seal");
  if (texts.some(text => text !== sealed.pack.join(" ")) || !isSame(brantley.hands, hands)) return wrong("cards");
  if (brantley.salt !== sealed.salt || brantley.first !== sealed.first) return wrong("cards");
  if (!typed) return unproven("none");
  if (!/^[0-9a-f]{32}$/.test(typed)) return unproven("part", { due: COMMITMENT });
  return typed === found ? right("right", { game: brantley.seal.game }) : wrong("foreign");
}

function checkCodes(journal, { line, code }) {
  const last = journal.turns.at(-1)?.line ?? 0, found = journal.lines[line - 1]?.code;
  if (!code) return unproven("none");
  if (!line) return unproven("no-line");
  if (!/^[0-9a-f]{12}$/.test(code)) return unproven("part", { due: CODE });
  if (!found) return wrong("absent", { line });
  if (found !== code) return wrong("wrong", { line, found });
  return line < last ? unproven("early", { line, last }) : right("right", { line });
}

function checkTurns({ brantley }, journal) {
  const { sealed } = brantley, { turns } = journal;
  if (journal.misplaced) return wrong("misplaced", { line: journal.misplaced });
  if (turns.length !== CARDS) return wrong("few", { placed: turns.length });
  const ninth = sealed.settings["br-q20"] === "clear" ? "" : sealed.pack[CARDS];
  const zones = Array.from({ length: CARDS + 1 }, (_, index) => {
    const place = turns.findIndex(turn => turn.zone === String(index + 1));
    return place < 0 ? [index + 1, ninth, "", ""] : [index + 1, turns[place].card, turns[place].player, place + 1];
  });
  const listed = [...brantley.zones].sort((one, other) => one.n - other.n)
    .map(({ n, card, placed_by: player, turn }) => [n, card ?? "", player ?? "", turn ?? ""]);
  const placements = turns.map(turn => `${turn.player} ${turn.card} ${turn.zone}`);
  if (!isSame(zones, listed) || !isSame(placements, brantley.inputs.placements ?? [])) return wrong("zones");
  return right("right", { cards: zones.map(([, card]) => card || "–").join(", ") });
}

function checkNumber({ number }, kept) {
  if (kept.number && !NUMBER.test(kept.number)) return unproven("part");
  if (kept.number && kept.number !== number) return wrong(number ? "wrong" : "absent", { number });
  if (!number) return unproven("absent");
  return kept.number ? right("right", { number }) : unproven("none");
}

function checkDice(record, journal, dice) {
  const seed = digits(record.seed), byHand = dice.filter(die => die.by === "hand").length;
  const again = Object.keys(record.reseeded ?? {});
  const bad = dice.findIndex(die => die.state === "wrong");
  if (seed !== journal.seed) return wrong("seed", { due: journal.seed, seed });
  if (again.length) return wrong("reseeded", { stages: again.join(", ") });
  if (byHand && journal.number) return wrong("hand-and-number", { dice: byHand });
  if (bad >= 0) return wrong("wrong", { die: bad + 1, due: dice[bad].again, found: dice[bad].answer });
  if (!dice.length) return unproven("empty");
  if (byHand) return unproven("hand", { dice: byHand });
  return journal.number ? right("right", { dice: dice.length, seed }) : unproven("no-number");
}

/* Return the state of a line of the journal: the code that a player kept proves its line and all lines before it. */
function lineState({ lines }, number, { line, code }) {
  if (!code || number > Number(line)) return "unproven";
  if (lines[line - 1]?.code === code) return "right";
  return number === Number(line) && code.length === CODE ? "wrong" : "unproven";
}

/* Return the checks of a record by name, with the journal and the dice that they are about. */
function checkGame(record, kept) {
  const journal = playJournal(record.brantley.sealed, record.brantley.journal), dice = rollDice(record, journal);
  const checks = {
    deal: checkDeal(record, kept),
    codes: checkCodes(journal, kept),
    turns: checkTurns(record, journal),
    number: checkNumber(journal, kept),
    dice: checkDice(record, journal, dice),
  };
  return { journal, dice, checks };
}

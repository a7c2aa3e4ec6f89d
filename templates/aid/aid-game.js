"use strict";
/* The table aid: a general's bounds on a phone. Everything that is a rule comes as values from the page's data. This
   first half of its script keeps what happened, a list of events; table-aid.js shows what follows from it. */

const DATA = JSON.parse(document.getElementById("data").textContent);
const FACES = [1, 2, 3, 4, 5, 6];
const SIDES = ["npg", "you"];

const at = id => document.getElementById(id);
const make = (name, text = "", attributes = {}) => {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};
const drawn = (name, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

/* --- What is kept: the events of the game, in the browser where it lets us, else while the page is open ----------- */

let events = DATA.begun.slice();
let luck = DATA.strip.length ? "battle" : "dice";
let language = DATA.language;
let asking = "", picked = 0;

function keep() {
  try {
    localStorage.setItem(DATA.key, JSON.stringify({ events, luck, language }));
    at("unkept").hidden = localStorage.getItem(DATA.key) !== null;
  } catch {
    at("unkept").hidden = false;
  }
}

const whole = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;
const isFace = value => whole(value, 1, FACES.length);

/* What an event of each kind may be, in a game that stands as it does now. */
const FITS = {
  level: (event, now) => !now.level && Object.keys(DATA.levels).includes(event.level),
  lost: event => SIDES.includes(event.side) && whole(event.elements, 0, DATA.elements[event.side])
    && typeof event.camp === "boolean" && typeof event.general === "boolean",
  bound: (event, now) => now.level !== "" && isFace(event.pips) && isFace(event.die),
  override: (event, now) => now.bounds.at(-1)?.override === "" && now.tried < DATA.tries && isFace(event.die),
};

/* The events up to the first that does not fit. */
function fitting(list) {
  const found = [], now = begun();
  for (const event of list) {
    const isKnown = Object.keys(FITS).includes(event?.what);
    if (!isKnown || !FITS[event.what](event, now) || !whole(event.card ?? 1, 1, 36)) break;
    happen(now, event);
    found.push(event);
  }
  return found;
}

/* The game that the browser has kept. Whatever stands there, the page opens: at the last state that fits. */
function recall() {
  let text = null, kept = null;
  try {
    text = localStorage.getItem(DATA.key);
  } catch {
    at("unkept").hidden = false;
  }
  if (text === null) return;
  try {
    kept = JSON.parse(text);
  } catch {
    kept = null;
  }
  const list = Array.isArray(kept?.events) ? kept.events : null;
  if (list) events = fitting(list);
  at("damaged").hidden = list !== null && events.length === list.length;
  if (DATA.luck.includes(kept?.luck)) luck = kept.luck;
  if (DATA.languages.includes(kept?.language)) language = kept.language;
}

function add(event) {
  events = [...events, event];
  at("damaged").hidden = true;
  asking = "";
  picked = 0;
  keep();
  show();
}

/* --- What follows from the events --------------------------------------------------------------------------------- */

function lossesOf(told) {
  return { ...told, all: told.elements + DATA.camp * told.camp };
}

function begun() {
  const now = { level: "", bounds: [], tried: 0, npg: null, you: null };
  for (const side of SIDES) now[side] = lossesOf({ elements: 0, camp: false, general: false });
  return now;
}

function happen(now, event) {
  if (event.what === "level") now.level = event.level;
  if (event.what === "lost") now[event.side] = lossesOf(event);
  if (event.what === "bound") now.bounds.push(boundOf(event, now));
  if (event.what === "override") {
    now.tried += 1;
    now.bounds.at(-1).override = DATA.override[event.die - 1];
  }
}

function stood(list) {
  const now = begun();
  for (const event of list) happen(now, event);
  return now;
}

function boundOf(event, now) {
  const net = netOf(now.level, now.npg.all, now.you.all);
  const stance = stanceOf(event.pips, event.die, net);
  return { ...event, net, stance, npg: now.npg.all, you: now.you.all, override: "" };
}

function netOf(level, npg, you) {
  return DATA.levels[level] + DATA.losses[npg][you];
}

function stanceOf(pips, die, net) {
  return DATA.stances[die + DATA.added[pips - 1] + net - DATA.leastTotal];
}

function winnerOf(now) {
  for (const [side, other] of [["npg", "you"], ["you", "npg"]]) {
    const lost = now[side];
    if (lost.all > now[other].all && (lost.all >= DATA.end || lost.general)) return other;
  }
  return "";
}

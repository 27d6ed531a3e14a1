// The page of the board: follows /events, shows what came, sends a command for each click.
// An event is the whole newest state, so only the newest waits to be drawn, and a stream that comes
// back needs nothing of what it missed.
import { drawChart, shortNumber } from "/chart.js";
import { readCards, readCounts } from "/cards.js";

const byId = (id) => document.getElementById(id);
const state = byId("state");
const list = byId("cards");
const canvas = byId("chart");
const shown = new Map(); // number of a card -> {item, count, value}
const kept = 20000; // ids that are remembered for whoever checks them

// What tests look at: ids of the board events in order, how often a stream was opened.
window.__ids = [];
window.__opens = 0;
window.__panel = null;

function say(name, text) {
  if (state.dataset.state === name && state.textContent === text) return;
  state.dataset.state = name;
  state.textContent = text;
  document.body.classList.toggle("stale", name === "lost");
}

async function send(number, title, button) {
  const problem = byId("problem");
  button.setAttribute("aria-busy", "true");
  try {
    const response = await fetch("/command", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ card: number }),
    });
    problem.textContent = response.ok ? "" : `“${title}” was not counted: ${(await response.text()).trim()}`;
  } catch {
    problem.textContent = `“${title}” may not be counted: the server does not answer.`;
  } finally {
    button.removeAttribute("aria-busy");
  }
}

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

function addCard({ number, title, owner, count }) {
  const item = element("li", "card", "");
  const name = element("h3", "card-title", title);
  name.title = title;
  const value = element("output", "card-count", count.toLocaleString("en"));
  value.setAttribute("aria-live", "off"); // 200 of them would not stop talking
  const button = element("button", "card-add", "+1");
  button.type = "button";
  button.setAttribute("aria-label", `Add one to ${title}`);
  button.addEventListener("click", () => send(number, title, button));
  item.append(name, element("p", "card-owner", owner), value, button);
  item.dataset.card = number;
  list.append(item);
  shown.set(number, { item, count, value });
}

function flash(item) {
  const again = item.classList.contains("flash-a");
  item.classList.toggle("flash-a", !again);
  item.classList.toggle("flash-b", again);
}

// Changes only what differs, so that focus and selection stay where they are.
function showBoard(html) {
  let total = 0;
  if (shown.size === 0) readCards(html).forEach(addCard);
  for (const [number, count] of readCounts(html)) {
    total += count;
    const card = shown.get(number);
    if (card === undefined || card.count === count) continue;
    card.count = count;
    card.value.textContent = count.toLocaleString("en");
    flash(card.item);
  }
  byId("empty").hidden = shown.size > 0;
  byId("total").textContent = `${shown.size} of them, ${total.toLocaleString("en")} commands counted`;
}

function showPanel(panel) {
  for (const place of document.querySelectorAll("[data-figure]")) {
    place.textContent = shortNumber(panel[place.dataset.figure]);
  }
  byId("chart-text").textContent =
    `${shortNumber(panel.ticks_s)} ticks a second, ${shortNumber(panel.bytes_frame)} bytes a frame now`;
  drawPanelChart(panel);
}

function drawPanelChart(panel) {
  const history = panel?.history ?? { bytes_frame: [], ticks_s: [] };
  drawChart(canvas, [
    { label: "Bytes a frame", unit: "B", colour: "--accent", values: history.bytes_frame },
    { label: "Ticks", unit: "a second", colour: "--second", values: history.ticks_s },
  ]);
}

// At most once a frame of the screen, and once a second while nobody sees it.
let waiting = null;
function showSoon(html) {
  const draw = () => {
    const newest = waiting;
    waiting = null;
    showBoard(newest);
  };
  if (waiting === null) {
    if (document.hidden) setTimeout(draw, 1000);
    else requestAnimationFrame(draw);
  }
  waiting = html;
}

let hint = null;
function follow(pause = 1000) {
  const query = new URLSearchParams(location.search).get("cohort") === "0" ? "?cohort=0" : "";
  const events = new EventSource(`/events${query}`);
  events.addEventListener("open", () => {
    window.__opens += 1;
    pause = 1000;
    clearTimeout(hint);
    hint = null;
    byId("problem").textContent = "";
    say("live", "live");
    showCoding();
  });
  events.addEventListener("board", (event) => {
    window.__ids.push(Number(event.lastEventId));
    if (window.__ids.length > kept) window.__ids.splice(0, kept / 2);
    showSoon(event.data);
  });
  events.addEventListener("panel", (event) => {
    window.__panel = JSON.parse(event.data);
    showPanel(window.__panel);
  });
  events.addEventListener("error", () => {
    lose();
    if (events.readyState !== EventSource.CLOSED) return;
    // Browsers differ in which errors end an EventSource; this page never gives up.
    setTimeout(() => follow(Math.min(2 * pause, 10000)), pause * (0.5 + Math.random()));
  });
}

// The last data stays, paler.
function lose() {
  say("lost", "reconnecting…");
  if (location.protocol !== "https:" || hint !== null) return;
  hint = setTimeout(() => {
    byId("problem").textContent =
      "A server that was started again has a new certificate. Reload the page if this lasts.";
  }, 15000);
}

// EventSource shows no headers, so the server is asked what it negotiates with this browser.
async function showCoding() {
  try {
    const answer = await (await fetch("/whoami")).json();
    byId("coding").textContent = answer.coding;
  } catch {
    byId("coding").textContent = "–";
  }
}

new ResizeObserver(() => drawPanelChart(window.__panel)).observe(canvas);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawPanelChart(window.__panel));
drawPanelChart(null);
follow();

// What holds in every browser: the cases, told with pages that the browser's own test opens.
import assert from "node:assert/strict";
import { WatchedPage } from "./watched_page.mjs";

// `open(origin, path)` gives a WatchedPage in a tab of its own.

export async function updatesArrive(open, origin) {
  const page = await open(origin);
  await page.events(20);
  await page.expectNoGap();
  assert.equal(await page.opens(), 1);
  assert.equal(await page.state(), "live");
  assert.equal(await page.page.evaluate(() => document.querySelectorAll(".card button").length), 200);
  return page;
}

// The tab that came later is in a cohort of its own until the merge; both go on as if nothing was.
export async function mergeLeavesNoGap(open, server, origin) {
  const early = await open(origin);
  await early.events(12); // more than a cohort's log holds
  const late = await open(origin);
  await late.events(2);
  await late.until("a second cohort", () => window.__panel?.cohorts >= 2);
  const before = (await late.panel()).merges;
  await server.merge();
  await late.until("a merge", (merges) => window.__panel.merges > merges, before);
  await Promise.all([early.events(15), late.events(15)]);
  for (const page of [early, late]) {
    await page.expectNoGap();
    assert.equal(await page.opens(), 1, "a merge is no reconnect");
    page.expectNoComplaint();
  }
}

export async function clickIsSeenElsewhere(open, origin) {
  const one = await open(origin);
  const other = await open(origin);
  await Promise.all([one.events(0), other.until("the cards", () => document.querySelector(".card") !== null)]);
  await one.until("the cards", () => document.querySelector(".card") !== null);
  const before = await other.count(7);
  await one.click(7);
  await other.untilCount(7, before + 1);
  await one.untilCount(7, before + 1);
  assert.equal(await other.count(7), before + 1, "one click counts once");
  one.expectNoComplaint();
  other.expectNoComplaint();
}

// `signal`: SIGKILL, a crash; SIGTERM, a drain.
export async function restartResumes(open, server, origin, signal, whileGone = async () => {}) {
  const page = await open(origin);
  await page.events(10);
  await page.page.evaluate(() => { window.__same = true; });
  const ended = await server.kill(signal);
  assert.deepEqual(ended, signal === "SIGTERM" ? { code: 0, signal: null } : { code: null, signal });
  await page.until("word that the server is gone", () => document.body.classList.contains("stale"));
  assert.match(await page.state(), /^reconnecting/);
  assert.equal(await page.page.evaluate(() => document.querySelectorAll(".card").length), 200, "the last data stays");
  await whileGone(page);
  const last = (await page.ids()).at(-1);
  await server.restart();
  await page.until("events after the restart", (id) => window.__ids.at(-1) > id, last);
  const ids = await page.ids();
  assert.ok(ids.every((id, index) => index === 0 || id >= ids[index - 1]), "ids only grow, over a restart too");
  assert.equal(await page.opens(), 2, "opened once before and once after");
  assert.equal(await page.page.evaluate(() => window.__same), true, "the page was not reloaded");
  assert.equal(await page.state(), "live");
  assert.deepEqual(page.strangers, []);
}

export async function ownEncoderWorks(open, origin) {
  const page = await open(origin, "/?cohort=0");
  await page.events(10);
  await page.until("an encoder of its own", () => window.__panel?.privates === 1);
  assert.equal(await page.opens(), 1);
  page.expectNoComplaint();
}

export { WatchedPage };

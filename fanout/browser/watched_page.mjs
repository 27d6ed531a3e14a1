// A page of the board under watch, in either browser: playwright's and puppeteer's pages have the
// few members in common that are used here.
import assert from "node:assert/strict";

const patience = 20_000; // ms for what must come

export class WatchedPage {
  // `page`: not yet navigated. `origin`: "http://127.0.0.1:8080".
  static async open(page, origin, path = "/") {
    const watched = new WatchedPage();
    watched.page = page;
    watched.origin = origin;
    watched.complaints = [];
    watched.strangers = [];
    page.on("console", (message) => {
      if (["error", "warn", "warning"].includes(message.type())) watched.complaints.push(message.text());
    });
    page.on("pageerror", (error) => watched.complaints.push(String(error)));
    page.on("request", (request) => {
      // Firefox draws the mark of a <details> with a font of its own, which it calls data:.
      const own = request.url().startsWith(`${origin}/`) || request.url().startsWith("data:font/");
      if (!own) watched.strangers.push(request.url().slice(0, 200));
    });
    await page.goto(`${origin}${path}`, { waitUntil: "load" });
    return watched;
  }

  // Asks the page until `question` (run there, with `argument`) is true.
  async until(what, question, argument) {
    const deadline = Date.now() + patience;
    while (!(await this.page.evaluate(question, argument))) {
      if (Date.now() > deadline) {
        const saw = await this.page.evaluate(() => ({
          state: document.getElementById("state").textContent,
          ids: window.__ids.slice(-5),
          opens: window.__opens,
        }));
        throw new Error(`${what} did not come: ${JSON.stringify(saw)} ${this.complaints.join("; ")}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  ids() {
    return this.page.evaluate(() => window.__ids);
  }
  opens() {
    return this.page.evaluate(() => window.__opens);
  }
  panel() {
    return this.page.evaluate(() => window.__panel);
  }
  state() {
    return this.page.evaluate(() => document.getElementById("state").textContent);
  }

  // `more` board events beyond those that came.
  async events(more) {
    const before = (await this.ids()).length;
    await this.until(`${more} more events`, (least) => window.__ids.length >= least, before + more);
  }

  count(card) {
    return this.page.evaluate((number) => {
      const value = document.querySelector(`[data-card="${number}"] .card-count`);
      return value === null ? null : Number(value.textContent.replaceAll(",", ""));
    }, card);
  }

  untilCount(card, count) {
    return this.until(
      `count ${count} of card ${card}`,
      ([number, least]) => {
        const value = document.querySelector(`[data-card="${number}"] .card-count`);
        return value !== null && Number(value.textContent.replaceAll(",", "")) >= least;
      },
      [card, count],
    );
  }

  click(card) {
    return this.page.click(`[data-card="${card}"] button`);
  }

  // What the browser itself is told when it asks for a stream as EventSource does.
  codingOfStream() {
    return this.page.evaluate(async () => {
      const leave = new AbortController();
      const response = await fetch("/events", {
        headers: { Accept: "text/event-stream" },
        cache: "no-store",
        signal: leave.signal,
      });
      const coding = response.headers.get("content-encoding") ?? "identity";
      const reader = response.body.getReader();
      const text = new TextDecoder().decode((await reader.read()).value);
      leave.abort();
      return { coding, readable: /^(:|retry:|id:|event:|data:)/.test(text) };
    });
  }

  // Every event came once, in order.
  async expectNoGap() {
    const ids = await this.ids();
    const gaps = ids.slice(1).map((id, index) => [ids[index], id]).filter(([from, to]) => to !== from + 1);
    // The panel comes with the board each second: on a board at rest the id stays.
    assert.deepEqual(gaps.filter(([from, to]) => to !== from), [], "events were missed");
  }

  expectNoComplaint() {
    assert.deepEqual(this.complaints, [], "the console has complaints");
    assert.deepEqual(this.strangers, [], "something was asked of another server");
  }
}

// The board in headless Chromium, over HTTP and HTTPS, and its screenshots.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { BoardServer } from "./board_server.mjs";
import * as cases from "./cases.mjs";

const moving = ["--tick", "100ms", "--rate", "20"];
let browser;
let server;

before(async () => {
  browser = await chromium.launch({ executablePath: process.env.BROWSER });
  server = await BoardServer.start(...moving);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

// Runs `body` with a function that opens tabs of a window of their own.
async function inWindow(options, body) {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options });
  try {
    return await body(async (origin, path) => {
      const page = await context.newPage();
      const codings = [];
      page.on("response", (response) => {
        if (new URL(response.url()).pathname === "/events") {
          codings.push(response.headers()["content-encoding"] ?? "identity");
        }
      });
      return Object.assign(await cases.WatchedPage.open(page, origin, path), { codings });
    });
  } finally {
    await context.close();
  }
}

test("updates arrive over HTTPS, compressed with zstd", () =>
  inWindow({}, async (open) => {
    const page = await cases.updatesArrive(open, server.https);
    assert.deepEqual(page.codings, ["zstd"], "what the EventSource got");
    await page.until("the page to say so", () => document.getElementById("coding").textContent === "zstd");
    assert.deepEqual(await page.codingOfStream(), { coding: "zstd", readable: true });
    page.expectNoComplaint();
  }));

test("updates arrive over HTTP, in what the browser offers there", () =>
  inWindow({}, async (open) => {
    const page = await cases.updatesArrive(open, server.http);
    await page.until("a coding", () => document.getElementById("coding").textContent !== "–");
    const shown = await page.page.evaluate(() => document.getElementById("coding").textContent);
    assert.deepEqual(page.codings, [shown]);
    assert.deepEqual(await page.codingOfStream(), { coding: shown, readable: true });
    page.expectNoComplaint();
  }));

// Not what this browser asks for by itself, but what it decodes.
for (const coding of ["br", "identity"]) {
  test(`updates arrive in ${coding}`, () =>
    inWindow({ extraHTTPHeaders: { "Accept-Encoding": coding } }, async (open) => {
      const page = await cases.updatesArrive(open, server.https);
      assert.deepEqual(page.codings, [coding]);
      page.expectNoComplaint();
    }));
}

test("a merge splices streams without a gap or a reconnect", () =>
  inWindow({}, (open) => cases.mergeLeavesNoGap(open, server, server.https)));

test("a client that asks for it has an encoder of its own", () =>
  inWindow({}, (open) => cases.ownEncoderWorks(open, server.https)));

test("a click is seen by another page, once", async () => {
  const still = await BoardServer.start("--rate", "0");
  try {
    await inWindow({}, (open) => cases.clickIsSeenElsewhere(open, still.https));
  } finally {
    await still.stop();
  }
});

for (const [signal, origin] of [["SIGKILL", "https"], ["SIGTERM", "http"]]) {
  test(`a page goes on after ${signal} and a restart, over ${origin}`, async () => {
    const own = await BoardServer.start(...moving);
    try {
      await inWindow({ viewport: { width: 1280, height: 800 } }, (open) =>
        cases.restartResumes(open, own, own[origin], signal, (page) =>
          page.page.screenshot({ path: `gone_${origin}.png` })));
    } finally {
      await own.stop();
    }
  });
}

const views = {
  wide: { viewport: { width: 1280, height: 800 } },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
};
for (const [name, options] of Object.entries(views)) {
  test(`the page fits: ${name}`, () =>
    inWindow(options, async (open) => {
      const page = await open(server.https);
      await page.until("a chart", () => window.__panel?.history.ticks_s.length >= 5);
      await page.events(5);
      const [content, window_] = await page.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(content <= window_, `${content} px of content in ${window_}`);
      await page.page.screenshot({ path: `${name}.png` });
      await page.page.click("summary");
      await page.until("more figures", () => document.querySelector("details").open);
      await page.page.screenshot({ path: `${name}_more.png`, fullPage: name === "phone" });
      page.expectNoComplaint();
    }));
}

test("the keyboard reaches a card and adds to it", async () => {
  const still = await BoardServer.start("--rate", "0");
  try {
    await inWindow({}, async (open) => {
      const page = await open(still.http);
      await page.until("the cards", () => document.querySelector(".card") !== null);
      const before = await page.count(3);
      await page.page.focus('[data-card="3"] button');
      await page.page.keyboard.press("Enter");
      await page.untilCount(3, before + 1);
      const focused = await page.page.evaluate(() => document.activeElement.closest("[data-card]")?.dataset.card);
      assert.equal(focused, "3", "an update leaves the focus where it was");
    });
  } finally {
    await still.stop();
  }
});

// The board in headless Firefox over HTTPS.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import puppeteer from "puppeteer-core";
import { BoardServer } from "./board_server.mjs";
import * as cases from "./cases.mjs";

const moving = ["--tick", "100ms", "--rate", "20"];
let browser;
let server;

before(async () => {
  browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.BROWSER,
    headless: true,
    acceptInsecureCerts: true,
    timeout: 60_000,
  });
  server = await BoardServer.start(...moving);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

async function inWindow(body) {
  const context = await browser.createBrowserContext();
  try {
    return await body(async (origin, path) => cases.WatchedPage.open(await context.newPage(), origin, path));
  } finally {
    await context.close();
  }
}

test("updates arrive, compressed with zstd", () =>
  inWindow(async (open) => {
    const page = await cases.updatesArrive(open, server.https);
    // Only this page is there, so the server's count of streams by coding is about it.
    await page.until("a stream in zstd", () => window.__panel?.streams_zstd >= 1 && window.__panel.streams_identity === 0);
    await page.until("the page to say so", () => document.getElementById("coding").textContent === "zstd");
    assert.deepEqual(await page.codingOfStream(), { coding: "zstd", readable: true });
    page.expectNoComplaint();
  }));

test("a merge splices streams without a gap or a reconnect", () =>
  inWindow((open) => cases.mergeLeavesNoGap(open, server, server.https)));

test("a client that asks for it has an encoder of its own", () =>
  inWindow((open) => cases.ownEncoderWorks(open, server.https)));

test("a click is seen by another page, once", async () => {
  const still = await BoardServer.start("--rate", "0");
  try {
    await inWindow((open) => cases.clickIsSeenElsewhere(open, still.https));
  } finally {
    await still.stop();
  }
});

for (const signal of ["SIGKILL", "SIGTERM"]) {
  test(`a page goes on after ${signal} and a restart`, async () => {
    const own = await BoardServer.start(...moving);
    try {
      await inWindow((open) => cases.restartResumes(open, own, own.https, signal));
    } finally {
      await own.stop();
    }
  });
}

test("the page looks as it should", () =>
  inWindow(async (open) => {
    const page = await open(server.https);
    await page.page.setViewport({ width: 1280, height: 800 });
    await page.until("a chart", () => window.__panel?.history.ticks_s.length >= 5);
    await page.page.screenshot({ path: "firefox.png" });
    page.expectNoComplaint();
  }));

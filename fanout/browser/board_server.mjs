// An sse_server of a test: starts it, asks it, kills it, and starts it again where it was.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const patience = 20_000; // ms; a build with sanitizers is slow to start

export class BoardServer {
  // `flags`: of the program, beside addresses and data.
  static async start(...flags) {
    const server = new BoardServer();
    server.flags = flags;
    server.data = await mkdtemp(join(tmpdir(), "board-"));
    await server.run("127.0.0.1:0", "127.0.0.1:0");
    return server;
  }

  async run(listen, listenTls) {
    this.child = spawn(
      process.env.SERVER,
      ["--json", "--test-hooks", "--data", this.data, "--listen", listen, "--listen-tls", listenTls, ...this.flags],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    this.ended = new Promise((resolve) => this.child.once("exit", (code, signal) => resolve({ code, signal })));
    const line = await this.firstLine();
    this.http = line.http;
    this.https = line.https;
  }

  firstLine() {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error("sse_server said nothing")), patience);
      createInterface({ input: this.child.stdout }).once("line", (line) => {
        clearTimeout(late);
        resolve(JSON.parse(line));
      });
      this.ended.then(({ code, signal }) => reject(new Error(`sse_server ended: ${signal ?? code}`)));
    });
  }

  // Ends it by `signal`; returns how it ended.
  async kill(signal) {
    this.child.kill(signal);
    return this.ended;
  }

  // On the ports and the database that it had.
  async restart() {
    await this.run(new URL(this.http).host, new URL(this.https).host);
  }

  // Moves every member of a cohort to the newest one, as each epoch does.
  async merge() {
    const response = await fetch(new URL("/admin/merge", this.http), { method: "POST" });
    if (response.status !== 200) throw new Error(`/admin/merge: ${response.status}`);
  }

  async stop() {
    await this.kill("SIGTERM");
    await rm(this.data, { recursive: true, force: true });
  }
}

// Promise I6: webhooks reach only the public internet; a trap listening locally gets no connection.

import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeIdentity } from "../../../../../../tests/support/certificate.ts";
import { isGlobalAddress, savedUrlProblem } from "./address.gate.ts";
import { WebhookClient } from "./webhook.client.ts";

let trap: Server;
let port: number;
let connections = 0;

beforeAll(async () => {
  trap = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  // Listens on every address of this machine, IPv4 and IPv6.
  await new Promise<void>((resolve) => trap.listen(0, "::", resolve));
  port = (trap.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => trap.close(resolve)));

const post = (client: WebhookClient, url: string) =>
  client.post(url, {}, Buffer.from("{}"), new AbortController().signal);

/** Internal addresses in every notation that a URL allows. */
const hosts = [
  "127.0.0.1",
  "127.1",
  "127.255.255.254",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "017700000001",
  "１２７.０.０.１",
  "127。0。0。1",
  "127.0.0.1.",
  "0.0.0.0",
  "0",
  "10.0.0.1",
  "10.255.255.255",
  "100.64.0.1",
  "100.100.100.200",
  "169.254.169.254",
  "169.254.0.23",
  "0xa9fea9fe",
  "168.63.129.16",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.1.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::ffff:10.0.0.1]",
  "[::127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[64:ff9b::a9fe:a9fe]",
  "[64:ff9b:1::1]",
  "[100::1]",
  "[2001::1]",
  "[2001:db8::1]",
  "[2001:20::1]",
  "[2002:7f00:1::]",
  "[2002:a9fe:a9fe::1]",
  "[2002:c0a8:101::1]",
  "[3fff::1]",
  "[5f00::1]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "[fe80::1]",
  "[fec0::1]",
  "[ff02::1]",
  "localhost",
  "localhost.",
  "LOCALHOST",
  "cabinet",
  "printer.",
];

const urls = [
  ...hosts.map((host) => `https://${host}`),
  "http://8.8.8.8",
  "ftp://8.8.8.8",
  "file:///etc/passwd",
  "gopher://127.0.0.1",
  "https:127.0.0.1",
  "https://8.8.8.8@127.0.0.1",
  "https://user:pass@example.com",
  "https://example.com#@127.0.0.1",
  "https://[::1%25lo]",
  "//127.0.0.1",
  "https://",
  "javascript:alert(1)",
];

/** Adds the trap's port where the URL has none. */
const aimed = (url: string) => {
  if (!/^https?:\/\/[^/@#]+$/.test(url)) return url;
  return `${url}:${port}/callback`;
};

describe("webhook to a non-public address", () => {
  it.each(urls)("refuses %s", async (url) => {
    const answer = await post(new WebhookClient({ allowsLoopback: () => false }), aimed(url));
    expect(answer).toMatchObject({ outcome: "ADDRESS_REFUSED", status: null, address: null });
  });

  it.each(hosts.filter((host) => /^[\d.]+$|^\[[\da-f:.]+\]$/i.test(host)).slice(0, 60))(
    "refuses a name that resolves to %s, also beside a public address",
    async (host) => {
      const inside = new URL(`https://${host}`).hostname.replace(/^\[|\]$/g, "");
      for (const found of [[inside], ["93.184.215.14", inside], [inside, "93.184.215.14"]]) {
        const client = new WebhookClient({
          allowsLoopback: () => false,
          resolve: async () => found,
        });
        const answer = await post(client, `https://receiver.example.com:${port}/`);
        expect(answer).toMatchObject({ outcome: "ADDRESS_REFUSED", address: null });
      }
    },
  );

  it("checks the address at each attempt: a name that later resolves inside is refused", async () => {
    const answers = [["192.0.2.1"], ["127.0.0.1"], ["::1"]];
    const client = new WebhookClient({
      allowsLoopback: () => false,
      resolve: async () => answers.shift() ?? [],
    });
    for (let n = 0; n < 3; n++) {
      const answer = await post(client, `https://receiver.example.com:${port}/`);
      expect(answer.outcome).toBe("ADDRESS_REFUSED");
    }
    expect(answers).toEqual([]);
  });

  it("refuses internal addresses with allowsLoopback too, unless the URL itself names loopback", async () => {
    const client = new WebhookClient({
      allowsLoopback: () => true,
      resolve: async () => ["127.0.0.1"],
    });
    for (const url of [
      "https://receiver.example.com",
      "http://receiver.example.com",
      "https://10.0.0.1",
    ]) {
      expect((await post(client, `${url}:${port}/`)).outcome).toBe("ADDRESS_REFUSED");
    }
  });

  it.each([22, 80, 25, 1023, 3306, 5432, 6379, 11211, 27017])("refuses port %i", async (at) => {
    const client = new WebhookClient({
      allowsLoopback: () => false,
      resolve: async () => ["8.8.8.8"],
    });
    const answer = await post(client, `https://receiver.example.com:${at}/`);
    expect(answer.outcome).toBe("ADDRESS_REFUSED");
  });

  it("never connects to the trap", () => {
    expect(urls.length + hosts.length).toBeGreaterThan(60);
    expect(connections).toBe(0);
  });
});

it.each(["8.8.8.8", "1.1.1.1", "93.184.215.14", "223.5.5.5", "2400:3200::1", "2606:4700::1111"])(
  "isGlobalAddress: %s is public",
  (address) => expect(isGlobalAddress(address)).toBe(true),
);

describe("webhook connection", () => {
  it("connects to the checked address, with the requested name in TLS and the Host header", async () => {
    const host = "receiver.example.com";
    const { certificate, privatePem } = makeIdentity(0x52, 900, host);
    const seen: unknown[] = [];
    const server = createTlsServer({ cert: certificate, key: privatePem }, (request, response) => {
      const { servername } = request.socket as unknown as { servername: string };
      seen.push({ host: request.headers.host, servername });
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const at = (server.address() as AddressInfo).port;
    let asked = 0;
    const client = (ca?: string) =>
      new WebhookClient({
        allowsLoopback: () => false,
        // A second resolution for the same attempt would return another address.
        resolve: async () => (asked++ === 0 ? ["127.0.0.1"] : ["10.0.0.1"]),
        isAllowed: (address) => address === "127.0.0.1",
        ...(ca && { ca }),
      });
    const answer = await post(client(certificate), `https://${host}:${at}/`);
    expect(answer).toMatchObject({ outcome: "DELIVERED", status: 204, address: "127.0.0.1" });
    expect(asked).toBe(1);
    expect(seen).toEqual([{ host: `${host}:${at}`, servername: host }]);
    asked = 0;
    expect((await post(client(), `https://${host}:${at}/`)).outcome).toBe("TLS_FAILED");
    asked = 0;
    const other = await post(client(certificate), `https://other.example.com:${at}/`);
    expect(other.outcome).toBe("TLS_FAILED");
    expect(seen).toHaveLength(1);
    await new Promise((resolve) => server.close(resolve));
  });

  it.each([
    ["101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x", "HTTP_ERROR"],
    ["101 Switching Protocols", "HTTP_ERROR"],
    ["103 Early Hints", "TIMEOUT"],
    ["200 OK\r\ncontent-length: 9", "DELIVERED"],
    ["307 Temporary Redirect\r\nlocation: /again\r\ncontent-length: 0", "REDIRECT"],
  ])(
    "ends within its timeout, after one request, whatever the response is: %j",
    async (head, outcome) => {
      let requests = 0;
      const server = createServer((socket) => {
        requests++;
        socket.on("error", () => {});
        socket.once("data", () => socket.write(`HTTP/1.1 ${head}\r\n\r\n`));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const at = (server.address() as AddressInfo).port;
      const client = new WebhookClient({ allowsLoopback: () => true, timeoutMs: 300 });
      expect((await post(client, `http://127.0.0.1:${at}/`)).outcome).toBe(outcome);
      expect(requests).toBe(1);
      await new Promise((resolve) => server.close(resolve));
    },
  );

  it("reaches the trap when loopback is allowed, which proves that the trap works", async () => {
    const client = new WebhookClient({ allowsLoopback: () => true });
    expect((await post(client, `http://127.0.0.1:${port}/`)).outcome).toBe("BROKEN_OFF");
    expect(connections).toBe(1);
  });
});

it.each(urls)("I6: %s is refused when it is saved, too", (url) => {
  expect(savedUrlProblem(url, false)).not.toBeNull();
});

it.each(["https://8.8.8.8/hook", "https://[2606:4700::1111]", "https://example.com/hook"])(
  "I6: %s may be saved",
  (url) => {
    expect(savedUrlProblem(url, false)).toBeNull();
  },
);

it("I6: a loopback address may be saved where the installation allows it", () => {
  expect(savedUrlProblem("http://127.0.0.1:8080/hook", true)).toBeNull();
});

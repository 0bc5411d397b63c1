// Tests that a packet that is too long is cut off by its header, before its body is buffered.
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { limitPackets } from "./packet-limit.gate.ts";

/** Sends the bytes in pieces of this size to a server with the limit; returns what it read. */
async function send(bytes: Buffer, pieceBytes: number): Promise<{ read: number; isCut: boolean }> {
  let read = 0;
  const server = net.createServer((socket) => {
    socket.on("readable", () => {
      for (let chunk = socket.read(); chunk; chunk = socket.read()) read += chunk.length;
    });
    limitPackets(socket, 100);
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = net.connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.on("error", () => {});
  let isCut = false;
  client.once("close", () => {
    isCut = true;
  });
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    client.write(bytes.subarray(at, at + pieceBytes));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await new Promise((resolve) => setTimeout(resolve, 30));
  client.destroy();
  server.close();
  return { read, isCut };
}

const packet = (length: number) => {
  const header = length < 128 ? [0x30, length] : [0x30, (length & 0x7f) | 0x80, length >> 7];
  return Buffer.concat([Buffer.from(header), Buffer.alloc(length)]);
};

it.each([1, 7, 1_000])(
  "packet limit: packets that fit pass, in pieces of %i bytes",
  async (pieceBytes) => {
    const bytes = Buffer.concat([packet(100), packet(0), packet(5), packet(99)]);
    expect(await send(bytes, pieceBytes)).toEqual({ read: bytes.length, isCut: false });
  },
);

it.each([1, 7, 1_000])(
  "packet limit: a packet that is too long is cut, in pieces of %i bytes",
  async (pieceBytes) => {
    expect((await send(Buffer.concat([packet(5), packet(101)]), pieceBytes)).isCut).toBe(true);
    const endless = Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00]);
    expect((await send(endless, pieceBytes)).isCut).toBe(true);
  },
);

// Cuts connections that announce a packet over the limit, before it is buffered in memory.
import type { Socket } from "node:net";

/**
 * Follows the fixed headers of the MQTT packets that arrive (a byte, then the length in up to four
 * bytes of seven bits) and destroys the socket at the first one that is over `maxBytes`.
 */
export function limitPackets(socket: Socket, maxBytes: number): void {
  let skip = 0;
  let length = 0;
  let shift = -1;
  // With a `readable` listener beside it, `data` only observes: it takes nothing from the stream.
  socket.on("data", (chunk: Buffer) => {
    let at = 0;
    while (at < chunk.length) {
      if (skip > 0) {
        const passed = Math.min(skip, chunk.length - at);
        skip -= passed;
        at += passed;
        continue;
      }
      const byte = chunk[at++] ?? 0;
      if (shift < 0) {
        shift = 0;
        length = 0;
        continue;
      }
      length += (byte & 0x7f) << shift;
      shift += 7;
      if (length > maxBytes || shift > 28) return void socket.destroy();
      if (byte < 0x80) {
        skip = length;
        shift = -1;
      }
    }
  });
}

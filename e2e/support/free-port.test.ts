// Free ports of processes that run side by side.
import { expect, test, vi } from "vitest";

test("a second run never gets the ports of the first", async () => {
  const ports = new Set<number>();
  for (let run = 0; run < 2; run++) {
    // Both loads have the same pid: the worst neighbour.
    vi.resetModules();
    const { freePort } = await import("./free-port.ts");
    for (let i = 0; i < 3; i++) ports.add(await freePort());
  }
  expect(ports.size).toBe(6);
});

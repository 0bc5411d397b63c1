// Work by cabinet: in order within each, together across them, bounded.
import { expect, it } from "vitest";
import { CabinetQueues, QueueFullError } from "./cabinet-queues.ts";

const tick = () => new Promise((resolve) => setImmediate(resolve));

function work() {
  let finish = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { finish, run: () => done };
}

it("keeps one cabinet's work in order, whatever fails", async () => {
  const queues = new CabinetQueues({ concurrency: 4, perCabinet: 10 });
  const seen: number[] = [];
  const step = (n: number) => async () => {
    await tick();
    seen.push(n);
    if (n === 2) throw new Error("two");
  };
  const all = [1, 2, 3].map((n) => queues.run("A", step(n)));
  await expect(all[1]).rejects.toThrow("two");
  await queues.drained();
  expect(seen).toEqual([1, 2, 3]);
});

it("works for several cabinets at once, and no more than so many", async () => {
  const queues = new CabinetQueues({ concurrency: 2, perCabinet: 10 });
  const begun: string[] = [];
  const jobs = ["A", "B", "C", "D"].map((sn) => ({ sn, ...work() }));
  for (const { sn, run } of jobs) {
    void queues.run(
      sn,
      () => {
        begun.push(sn);
        return run();
      },
      sn === "D",
    );
  }
  await tick();
  expect(begun).toEqual(["A", "B"]);
  jobs[0]?.finish();
  await tick();
  expect(begun).toEqual(["A", "B", "D"]);
  for (const { finish } of jobs) finish();
  await queues.drained();
  expect(begun).toEqual(["A", "B", "D", "C"]);
});

it("refuses what is too much for one cabinet alone", async () => {
  const queues = new CabinetQueues({ concurrency: 1, perCabinet: 2 });
  const { run, finish } = work();
  void queues.run("A", run);
  void queues.run("A", run);
  await expect(queues.run("A", run)).rejects.toThrow(QueueFullError);
  const other = queues.run("B", run);
  finish();
  await other;
});

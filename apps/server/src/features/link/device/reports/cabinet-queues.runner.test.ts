// Tests per-cabinet queues: ordered within a cabinet, concurrent across cabinets, bounded.
import { expect, it } from "vitest";
import { CabinetQueues, QueueFullError } from "./cabinet-queues.runner.ts";

const tick = () => new Promise((resolve) => setImmediate(resolve));

function work() {
  let finish = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { finish, run: () => done };
}

it("cabinet queues: one cabinet's work stays in order even when a piece fails", async () => {
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

it("cabinet queues: several cabinets run at once, up to the concurrency limit", async () => {
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

it("cabinet queues: work over one cabinet's limit is refused, other cabinets are unaffected", async () => {
  const queues = new CabinetQueues({ concurrency: 1, perCabinet: 2 });
  const { run, finish } = work();
  void queues.run("A", run);
  void queues.run("A", run);
  await expect(queues.run("A", run)).rejects.toThrow(QueueFullError);
  const other = queues.run("B", run);
  finish();
  await other;
});

function batches(more: { size?: number; perCabinet?: number; alone?: string } = {}) {
  const seen: string[][] = [];
  const alone: string[] = [];
  const queues = new CabinetQueues<string, string>(
    { concurrency: 1, perCabinet: 10 },
    {
      lanes: 1,
      size: more.size ?? 10,
      perCabinet: more.perCabinet ?? 10,
      async run(items) {
        seen.push([...items]);
        await tick();
        return items.map((item) =>
          item === more.alone ? "ALONE" : item.endsWith("!") ? { error: item } : { value: item },
        );
      },
      async runAlone(item) {
        alone.push(item);
        return `${item} alone`;
      },
    },
  );
  return { queues, seen, alone };
}

it("cabinet queues: a batch mixes cabinets, keeps each one's order and respects its size limits", async () => {
  const { queues, seen } = batches({ size: 4, perCabinet: 2 });
  const all = ["A1", "A2", "A3", "B1", "C1"].map((item) => queues.add(item.slice(0, 1), item));
  expect(await Promise.all(all)).toEqual(["A1", "A2", "A3", "B1", "C1"]);
  expect(seen).toEqual([["A1"], ["B1", "C1", "A2", "A3"]]);
});

it("cabinet queues: each item of a batch gets its own outcome", async () => {
  const { queues } = batches();
  const first = queues.add("A", "A1");
  const bad = queues.add("B", "B1!");
  const good = queues.add("C", "C1");
  await expect(bad).rejects.toBe("B1!");
  expect(await Promise.all([first, good])).toEqual(["A1", "C1"]);
});

it("cabinet queues: an ALONE item and the cabinet's items after it run one by one", async () => {
  const { queues, alone } = batches({ alone: "B1" });
  const first = queues.add("A", "A1");
  const theirs = [queues.add("B", "B1"), queues.add("B", "B2")];
  expect(await Promise.all([first, ...theirs])).toEqual(["A1", "B1 alone", "B2 alone"]);
  expect(alone).toEqual(["B1", "B2"]);
  expect(await queues.add("B", "B3")).toBe("B3");
});

it("cabinet queues: items and single pieces of work of one cabinet keep their order", async () => {
  const { queues, seen } = batches();
  const order: string[] = [];
  const note = (word: string) => order.push(word);
  await Promise.all([
    queues.add("A", "A1").then(note),
    queues.run("A", async () => "work").then(note),
    queues.add("A", "A2").then(note),
  ]);
  expect(order).toEqual(["A1", "work", "A2"]);
  expect(seen).toEqual([["A1"], ["A2"]]);
});

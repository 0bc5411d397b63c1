// Tests that front and back door of a compartment are never open together, with jammed locks and
// blind sensors.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  CONFIRM_WITHIN_MS,
  type CommandMemory,
  decideCommand,
  entryOf,
  type OpenCommand,
  remember,
  type Side,
} from "./index.ts";

const SIDES: Side[] = ["FRONT", "BACK"];
const otherOf = (side: Side): Side => (side === "FRONT" ? "BACK" : "FRONT");

type Step =
  /** Open request for one door, accepting a blind sensor or not; the lock may be jammed. */
  | { do: "OPEN"; side: Side; isTrusting: boolean; springsAfterMs: number | null }
  | { do: "WAIT"; ms: number }
  | { do: "SHUT"; side: Side }
  | { do: "BLIND"; side: Side; isBlind: boolean };

const side = fc.constantFrom(...SIDES);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("OPEN" as const),
      side,
      isTrusting: fc.boolean(),
      springsAfterMs: fc.option(fc.nat(300)),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("WAIT" as const), ms: fc.nat(4_000) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("SHUT" as const), side }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("BLIND" as const), side, isBlind: fc.boolean() }),
  },
);

/** Model of a double-sided compartment: its real doors, its sensors, and the cabinet program. */
class Compartment {
  now = 0;
  pulses = 0;
  readonly isOpen = { FRONT: false, BACK: false };
  private readonly isBlind = { FRONT: false, BACK: false };
  private memory: CommandMemory = { lastSeq: 0, journal: [] };
  private pulsed: { side: Side; at: number; springsAt: number | null } | undefined;

  take(given: Step): void {
    if (given.do === "WAIT") this.pass(given.ms);
    else if (given.do === "SHUT") this.isOpen[given.side] = false;
    else if (given.do === "BLIND") this.isBlind[given.side] = given.isBlind;
    else this.ask(given);
  }

  private seen(which: Side) {
    if (this.isBlind[which]) return "UNKNOWN" as const;
    return this.isOpen[which] ? ("OPEN" as const) : ("CLOSED" as const);
  }

  private ask({ side: asked, isTrusting, springsAfterMs }: Extract<Step, { do: "OPEN" }>): void {
    const seq = this.memory.lastSeq + 1;
    const command: OpenCommand = {
      v: 1,
      cmdId: `command-${seq}`,
      epoch: 1,
      seq,
      iat: this.now,
      exp: this.now + 15_000,
      type: "OPEN",
      no: 1,
      side: asked,
      expect: { door: isTrusting ? "NOT_OPEN" : "CLOSED" },
    };
    const decision = decideCommand(
      {
        ...this.memory,
        epoch: 1,
        serverNow: this.now,
        compartments: [
          { no: 1, front: this.seen("FRONT"), back: this.seen("BACK"), item: "EMPTY" },
        ],
        awaiting: new Set(this.pulsed ? [1] : []),
      },
      command,
    );
    if (decision.do !== "START") {
      if (decision.do !== "IGNORE") this.memory = remember(this.memory, decision.entry);
      return;
    }
    this.memory = remember(this.memory, entryOf(command, "ACKED"));
    this.pulses++;
    const springsAt = springsAfterMs === null ? null : this.now + springsAfterMs;
    this.pulsed = { side: asked, at: this.now, springsAt };
  }

  /** Advances the time: a pulsed lock springs, the sensor sees it or the wait for it ends. */
  private pass(ms: number): void {
    this.now += ms;
    if (!this.pulsed) return;
    const { side: pulsedSide, at, springsAt } = this.pulsed;
    if (springsAt !== null && springsAt <= this.now) {
      this.isOpen[pulsedSide] = true;
      this.pulsed.springsAt = null;
    }
    const isSeen = this.seen(pulsedSide) === "OPEN";
    if (isSeen || this.now >= at + CONFIRM_WITHIN_MS) this.pulsed = undefined;
  }
}

test("both doors of a compartment are never open together", () => {
  let pulses = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => {
      const compartment = new Compartment();
      for (const given of steps) {
        compartment.take(given);
        expect(compartment.isOpen.FRONT && compartment.isOpen.BACK).toBe(false);
      }
      pulses += compartment.pulses;
    }),
    { numRuns: 2_000 },
  );
  // Guards against a trivial pass: refusing every command would also satisfy the property.
  expect(pulses).toBeGreaterThan(2_000);
});

test("decideCommand: refuses a door while the other one is open or unknown", () => {
  for (const asked of SIDES) {
    for (const other of ["OPEN", "UNKNOWN"] as const) {
      const doors = { [asked]: "CLOSED", [otherOf(asked)]: other } as Record<Side, typeof other>;
      const decision = decideCommand(
        {
          lastSeq: 0,
          journal: [],
          epoch: 1,
          serverNow: 0,
          compartments: [{ no: 1, front: doors.FRONT, back: doors.BACK, item: "EMPTY" }],
          awaiting: new Set(),
        },
        {
          v: 1,
          cmdId: "command-1",
          epoch: 1,
          seq: 1,
          iat: 0,
          exp: 15_000,
          type: "OPEN",
          no: 1,
          side: asked,
          expect: { door: "NOT_OPEN" },
        },
      );
      expect(decision).toMatchObject({ entry: { stage: "REJECTED", reason: "OTHER_SIDE_OPEN" } });
    }
  }
});

// What happened to one cabinet of the demo, as it is being told: events, commands, troubles, cells.
import type { LayoutCell } from "@cabinet/contract/cabinet-model/layout.rules.ts";
import type { CommandState } from "@cabinet/contract/command/command.rules.ts";
import type {
  AdminState,
  DoorSide,
  ItemState,
  Occupancy,
} from "@cabinet/contract/compartment/compartment.rules.ts";
import type { MalfunctionKind } from "@cabinet/contract/malfunction/malfunction.rules.ts";
import { type Actor, MINUTE, SECOND } from "./cabinet.ts";
import type { Random } from "./random.ts";
import type { DemoOpening, DemoVisit } from "./visit.ts";

/** `at` in ms since 1970, here and below. */
export interface DemoEvent {
  at: number;
  kind: string;
  /** Said by the cabinet; otherwise seen by the server or done by a person. */
  isReport: boolean;
  no?: number;
  side?: DoorSide;
  commandId?: string;
  payload?: object;
  deed?: { actor: Actor; reason: string };
  /** How much later than usual it came in. */
  lateMs?: number;
}

export interface DemoCommand {
  id: string;
  kind: "OPEN" | "RESTART";
  no?: number;
  side?: DoorSide;
  state: CommandState;
  reason: string;
  /** Null: a rider or recipient, whom its order names. */
  actor: Actor | null;
  at: number;
  /** Milliseconds after `at`; absent if that stage was never reached. */
  sent: number;
  acked?: number;
  settled: number;
}

export interface DemoTrouble {
  at: number;
  kind: MalfunctionKind;
  no?: number;
  description: string;
  isOpen: boolean;
}

export interface DemoCell {
  adminState: AdminState;
  adminReason: string | null;
  occupancy: Occupancy;
  occupiedSince: number | null;
  item: ItemState;
}

/** From a door's sensor to the server, at most. */
export const REPORT_MS = 360;

type NewCommand = Omit<DemoCommand, "id" | "sent" | "acked" | "settled">;

export class Chronicle {
  readonly events: DemoEvent[] = [];
  readonly commands: DemoCommand[] = [];
  readonly troubles: DemoTrouble[] = [];
  readonly visits: DemoVisit[] = [];
  readonly cells: ReadonlyMap<number, DemoCell>;

  constructor(layout: readonly LayoutCell[]) {
    this.cells = new Map(
      layout.map(({ no }) => [
        no,
        {
          adminState: "ENABLED",
          adminReason: null,
          occupancy: "FREE",
          occupiedSince: null,
          item: "EMPTY",
        },
      ]),
    );
  }

  cell(no: number): DemoCell {
    return this.cells.get(no) as DemoCell;
  }

  report(at: number, kind: string, more: Partial<DemoEvent>): void {
    this.events.push({ at, kind, isReport: true, ...more });
  }

  /** What the server saw or a person did. */
  note(at: number, kind: string, more: Partial<DemoEvent> = {}): void {
    this.events.push({ at, kind, isReport: false, ...more });
  }

  /** A door that opens `at` on command, and is closed again; without an actor for a rider or recipient. */
  opening(
    random: Random,
    door: Parameters<Chronicle["door"]>[1] & { actor?: Actor; reason?: string },
  ): DemoOpening {
    const { no, side, at, actor = null, reason = "" } = door;
    const command = this.command(random, {
      kind: "OPEN",
      no,
      side,
      state: "CONFIRMED",
      reason,
      actor,
      at,
    });
    const commandId = command.id;
    const closedAt = this.door(random, { no, side, at, item: door.item, commandId });
    return { commandId, askedAt: command.at, openedAt: at + REPORT_MS, closedAt };
  }

  /** Opened and closed again, now and then much later; returns when it was closed. */
  door(
    random: Random,
    door: { no: number; side: DoorSide; at: number; item: ItemState; commandId?: string },
  ): number {
    const { no, side, at, item, commandId } = door;
    const isForgotten = random.chance(0.004);
    const stay = isForgotten ? random.int(4, 25) * MINUTE : random.int(9, 50) * SECOND;
    this.report(at, "DOOR_OPENED", { no, side, ...(commandId && { commandId }) });
    if (isForgotten) {
      const alarmAt = at + 2 * MINUTE;
      this.report(alarmAt, "DOOR_LEFT_OPEN", { no, side, payload: { active: true, value: 120 } });
      const description = "箱门打开超过 120 秒未关";
      this.troubles.push({ at: alarmAt, kind: "DOOR_LEFT_OPEN", no, description, isOpen: false });
    }
    this.report(at + stay, "DOOR_CLOSED", { no, side, payload: { item } });
    return at + stay;
  }

  /**
   * Given and settled, with the latencies of a mobile line. For an opening that is confirmed `at` is
   * when the door opened, so it was given a little before.
   */
  command(random: Random, command: NewCommand): DemoCommand {
    const id = random.uuid();
    const sent = random.int(4, 18);
    const acked = sent + Math.round(random.skewed(130));
    const opened = acked + Math.round(random.skewed(110));
    const stages: Partial<Record<CommandState, Pick<DemoCommand, "acked" | "settled">>> = {
      CONFIRMED: { acked, settled: opened + REPORT_MS },
      NOT_CONFIRMED: { acked, settled: acked + 3_000 },
      REJECTED: { settled: acked },
      EXPIRED: { settled: 15_000 + acked },
    };
    const isOpened = command.kind === "OPEN" && command.state === "CONFIRMED";
    const at = isOpened ? command.at - opened : command.at;
    const stage = stages[command.state] ?? { settled: 18_000 };
    if (command.kind === "RESTART") stage.settled = random.int(35_000, 55_000);
    const given = { id, ...command, at, sent, ...stage };
    this.commands.push(given);
    return given;
  }
}

// Simulated history of one demo cabinet, collected in memory: events, commands, troubles, cells.
import type { LayoutCell } from "@cabinet/contract/equipment/cabinet-model/layout.rules.ts";
import type { CommandState } from "@cabinet/contract/fleet/command/command.rules.ts";
import type {
  AdminState,
  DoorSide,
  ItemState,
  Occupancy,
} from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { MalfunctionKind } from "@cabinet/contract/vocabulary/malfunction.rules.ts";
import { type Actor, MINUTE, SECOND } from "../fleet/cabinet.ts";
import type { Random } from "../random.ts";
import type { DemoOpening, DemoVisit } from "./visit.ts";

/** All `at` are in ms since 1970. */
export interface DemoEvent {
  at: number;
  kind: string;
  /** Reported by the cabinet; otherwise observed by the server or caused by a person. */
  isReport: boolean;
  no?: number;
  side?: DoorSide;
  commandId?: string;
  payload?: object;
  action?: { actor: Actor; reason: string };
  /** Additional delay of its arrival. */
  lateMs?: number;
}

export interface DemoCommand {
  id: string;
  kind: "OPEN" | "RESTART";
  no?: number;
  side?: DoorSide;
  state: CommandState;
  reason: string;
  /** Null: a rider or recipient, named by the order. */
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

/** Maximum latency from a door sensor to the server. */
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

  /** Adds an event that the server observed or a person caused. */
  note(at: number, kind: string, more: Partial<DemoEvent> = {}): void {
    this.events.push({ at, kind, isReport: false, ...more });
  }

  /** Opens a door by command `at` and closes it again; without an actor for a rider or recipient. */
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

  /** Opens and closes a door, occasionally leaving it open for long; returns when it was closed. */
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
   * Adds a settled command with the latencies of a mobile link. For a confirmed opening `at` is when the door
   * opened, so the command was issued shortly before.
   */
  command(random: Random, command: NewCommand): DemoCommand {
    const id = random.uuid(this.commands.length);
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

// Port to the message broker between server and cabinets: the embedded one or an outside one.
import type { SealedMessage } from "@cabinet/link";
import type { Receipt } from "../reports/report-receiver.runner.ts";

export interface Broker {
  /**
   * Fire and forget: nothing is queued for a cabinet that is not connected. Past `untilMs` (of `performance.now()`) no byte
   * of it leaves this machine any more.
   */
  publish(message: SealedMessage, untilMs?: number): void;
  /** True when a message published now would be sent at once. */
  isReachable(): boolean;
  /** True if this process handles work for that gateway: its own, or of one that is gone. */
  speaksFor(gatewayId: string | null): boolean;
  /**
   * Cuts the cabinet's connection if it was opened with this key; no effect at an outside broker.
   */
  drop(sn: string, kid: string): void;
  stop(): Promise<void>;
}

export interface BrokerEvents {
  /** Resolves when the report is stored or dropped; only then is it acknowledged. */
  receive(topic: string, payload: Uint8Array): Promise<Receipt>;
}

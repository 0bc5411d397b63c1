// What carries messages between us and the cabinets: the embedded broker, or an outside one.
import type { SealedMessage } from "@cabinet/link";
import type { Receipt } from "./report-receiver.ts";

export interface Broker {
  /** Sends now or never: nothing is kept for a cabinet that is not there. */
  publish(message: SealedMessage): void;
  /** Messages would be sent now. */
  isReachable(): boolean;
  /** What is meant for this gateway is ours to do: it is we, or it is gone and we stand in for it. */
  speaksFor(gatewayId: string | null): boolean;
  /** Cuts the cabinet's connection if this key began it; an outside broker's are not ours to cut. */
  drop(sn: string, kid: string): void;
  stop(): Promise<void>;
}

export interface BrokerEvents {
  /** Resolves when the report is stored or dropped; only then is it acknowledged. */
  receive(topic: string, payload: Uint8Array): Promise<Receipt>;
}

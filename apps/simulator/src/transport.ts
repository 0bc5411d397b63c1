// How a cabinet reaches its server: a connection made with a single-use nonce.
import type { SealedMessage } from "@cabinet/link";

export interface ConnectRequest {
  readonly cabinetId: string;
  /** The MQTT password for this nonce. */
  password(nonce: string): string;
  /** The last will for this nonce. */
  will(nonce: string): SealedMessage;
}

export interface SessionEvents {
  onMessage(topic: string, bytes: Uint8Array): void;
  onClose(): void;
}

/** One open connection, subscribed to the cabinet's topics. */
export interface Session {
  /** Resolves when the broker has taken the message; rejects if the connection is gone. */
  publish(message: SealedMessage): Promise<void>;
  /** Says goodbye: the broker does not publish the will. */
  close(): Promise<void>;
  /** Pulls the plug: the broker publishes the will. */
  abort(): void;
}

export interface Transport {
  /** Rejects with `ConnectError`. */
  connect(
    request: ConnectRequest,
    events: SessionEvents,
  ): Promise<{ readonly nonce: string; readonly session: Session }>;
}

/** UNREACHABLE: nobody answers. REFUSED: the server knows us and says no. */
export class ConnectError extends Error {
  readonly kind: "UNREACHABLE" | "REFUSED";

  constructor(kind: "UNREACHABLE" | "REFUSED", message: string) {
    super(message);
    this.kind = kind;
  }
}

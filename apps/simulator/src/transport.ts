// Transport interface of a cabinet: connections made with a single-use nonce.
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
  /** Resolves when the broker acknowledges the message; rejects if the connection is lost. */
  publish(message: SealedMessage): Promise<void>;
  /** Graceful disconnect: the broker does not publish the last will. */
  close(): Promise<void>;
  /** Abrupt disconnect: the broker publishes the last will. */
  abort(): void;
}

export interface Transport {
  /** Rejects with `ConnectError`. */
  connect(
    request: ConnectRequest,
    events: SessionEvents,
  ): Promise<{ readonly nonce: string; readonly session: Session }>;
}

/** UNREACHABLE: no response. REFUSED: the server rejected the credentials. */
export class ConnectError extends Error {
  readonly kind: "UNREACHABLE" | "REFUSED";

  constructor(kind: "UNREACHABLE" | "REFUSED", message: string) {
    super(message);
    this.kind = kind;
  }
}

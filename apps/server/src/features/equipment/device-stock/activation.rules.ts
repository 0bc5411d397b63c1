// Pure rules of activation: whether a device gets its secret, and the reason that platform staff see if not.

export interface ActivationFacts {
  isAssigned: boolean;
  hasCode: boolean;
  isCodeRight: boolean;
  isExpired: boolean;
  isBound: boolean;
  isSameClaim: boolean;
  /** The secret issued for this code has connected, or no longer exists. */
  isUsed: boolean;
}

export interface BrokerAddress {
  /** Configured address for cabinets; null: derived from the others. */
  publicUrl: string | null;
  /** The outside broker as the server reaches it; null: the embedded one. */
  outsideUrl: string | null;
  port: number;
}

/** Broker address for a cabinet that reached the server at `host`. Never contains a password. */
export function mqttHint({ publicUrl, outsideUrl, port }: BrokerAddress, host: string): string {
  if (publicUrl !== null) return publicUrl;
  if (outsideUrl === null) return `mqtt://${host}:${port}`;
  const { protocol, host: broker } = new URL(outsideUrl);
  return `${protocol}//${broker}`;
}

/** Null: it gets a secret. The cabinet itself is never told the reason. */
export function activationProblem(facts: ActivationFacts): string | null {
  if (!facts.isCodeRight) return facts.hasCode ? "激活码不正确" : "没有有效的激活码";
  if (!facts.isAssigned) return "尚未分配租户，或设备已停用";
  if (facts.isBound && !facts.isSameClaim) return "激活码已被另一台设备使用";
  if (facts.isUsed) return "激活码已使用完毕";
  return facts.isExpired ? "激活码已过期" : null;
}

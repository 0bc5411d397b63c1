// Pure rules of activation: who gets the secret, and what the platform's staff read about who did not.

export interface ActivationFacts {
  isAssigned: boolean;
  hasCode: boolean;
  isCodeRight: boolean;
  isExpired: boolean;
  isBound: boolean;
  isSameClaim: boolean;
  /** The secret given for this code has connected, or is not there any more. */
  isUsed: boolean;
}

export interface BrokerAddress {
  /** As cabinets are to be told; null: work it out. */
  publicUrl: string | null;
  /** The outside broker as we reach it; null: the embedded one. */
  outsideUrl: string | null;
  port: number;
}

/** Where a cabinet finds the broker that found us at `host`. Never with a password. */
export function mqttHint({ publicUrl, outsideUrl, port }: BrokerAddress, host: string): string {
  if (publicUrl !== null) return publicUrl;
  if (outsideUrl === null) return `mqtt://${host}:${port}`;
  const { protocol, host: broker } = new URL(outsideUrl);
  return `${protocol}//${broker}`;
}

/** Null: it gets a secret. The cabinet itself is never told which of these it was. */
export function activationProblem(facts: ActivationFacts): string | null {
  if (!facts.isCodeRight) return facts.hasCode ? "激活码不正确" : "没有有效的激活码";
  if (!facts.isAssigned) return "尚未分配租户，或设备已停用";
  if (facts.isBound && !facts.isSameClaim) return "激活码已被另一台设备使用";
  if (facts.isUsed) return "激活码已使用完毕";
  return facts.isExpired ? "激活码已过期" : null;
}

// Formats the clock skew of a cabinet.

/** Seconds ahead of our clock; a negative value may also be a late report. */
export function skewText(seconds: number): string {
  const far = Math.abs(seconds);
  const text =
    far < 3_600
      ? `${Math.round(far / 60)} 分钟`
      : far < 86_400
        ? `${Math.round(far / 3_600)} 小时`
        : `${Math.round(far / 86_400)} 天`;
  return seconds > 0 ? `设备时钟快 ${text}` : `晚到 ${text}，或设备时钟慢`;
}

// Phone numbers of mainland China (specification §5).

const PHONE = /^(?:\+86|0086)?1[3-9]\d{9}$/;

/** Optional +86 or 0086, then 1, a digit 3–9, then nine digits. */
export function isPhone(text: string): boolean {
  return PHONE.test(text);
}

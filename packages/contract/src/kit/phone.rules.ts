// Phone numbers of mainland China (specification §5).

const PHONE = /^(?:\+86|0086)?1[3-9]\d{9}$/;

/** Optional +86 or 0086, then 1, a digit 3–9, then nine digits. */
export function isPhone(text: string): boolean {
  return PHONE.test(text);
}

/** `138****5678`: enough to recognise, too little to call. */
export function maskPhone(phone: string): string {
  return phone.replace(/(\d{3})\d{4}(\d{4})$/, "$1****$2");
}

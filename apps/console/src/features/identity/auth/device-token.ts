// Tokens by which the server knows this browser again: other people's wrong passwords then do not count for it.

const KEY = "cupboard:devices";
/** Accounts of one browser. */
const MOST = 8;

type Tokens = [username: string, token: string][];

function read(): Tokens {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}

/** Undefined if the account has not signed in from here. */
export function knownDevice(username: string): string | undefined {
  return read().find(([name]) => name === username.toLowerCase())?.[1];
}

export function rememberDevice(username: string, token: string): void {
  const name = username.toLowerCase();
  const others = read().filter(([other]) => other !== name);
  localStorage.setItem(KEY, JSON.stringify([[name, token], ...others].slice(0, MOST)));
}

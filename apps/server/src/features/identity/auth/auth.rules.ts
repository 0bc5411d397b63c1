// Lifetimes of sessions and captchas, limits on wrong passwords.

export const SESSION_SECONDS = 8 * 3600;
export const CAPTCHA_SECONDS = 120;
/** Sessions of an account: enough for a person's devices, too few for a script that signs in for each call. */
export const MOST_SESSIONS = 20;

/** Wrong passwords from one network, on any accounts, before it must wait. */
export const FAILURES_PER_NETWORK = 20;

/** Failures of an account within an hour that make its captcha twice as hard. */
const HARDER_FROM = [10, 20, 40, 80];

/** How often the captcha's work doubles. */
export function captchaLevel(failures: number): number {
  return HARDER_FROM.filter((least) => failures >= least).length;
}

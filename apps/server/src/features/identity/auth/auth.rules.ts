// Lifetimes of sessions and captchas, limits on wrong passwords, who needs a second factor.
import { isGraveAccount } from "@cabinet/contract/factor-demand.ts";
import type { UserType } from "@cabinet/contract/vocabulary/account.ts";

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

/** Facts by which an account needs a second factor. */
export interface FactorFacts {
  userType: UserType;
  permissions: readonly string[];
  /** A role, or the tenant's setting for administrators, demands one. */
  needsSecondFactor: boolean;
  /** The platform has granted an exception that has not ended. */
  isFactorExempt: boolean;
}

/** The exception of the platform is none from what the tenant itself demands. */
export function isFactorDemanded(account: FactorFacts): boolean {
  return account.needsSecondFactor || (!account.isFactorExempt && isGraveAccount(account));
}

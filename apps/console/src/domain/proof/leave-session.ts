// Ends a session in which no page may be opened yet.
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { call } from "../../kit/api.ts";
import { dropSession } from "../../kit/session.ts";

export async function leaveSession(): Promise<void> {
  await call(authContract.logout).catch(() => null);
  dropSession();
}

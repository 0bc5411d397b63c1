// Leaving: what one user saw or remembered never meets the next one (specification §4, session).
import { authContract } from "@cabinet/contract/auth/auth.contract.ts";
import { call } from "../kit/api.ts";
import { queryClient } from "../kit/query.ts";
import { currentSession, ownerOf, sessionStore } from "../kit/session.ts";
import { LOGIN_PATH } from "./guard.rules.ts";
import { clearTabs } from "./tabs-state.ts";
import { clearUserState } from "./user-state.ts";

/** A visit ends on the server with the session that it was begun from. */
function ownHeaders(): Record<string, string> {
  const own = currentSession()?.visit?.own;
  return own ? { "auth-token": own.token, tenantId: String(own.tenantId) } : {};
}

/**
 * Tells the server first; a line that is down keeps nobody signed in. Goes to the bare /login in the same
 * step: the guard would remember the page, which is not the next user's.
 */
export async function signOut(goTo: (path: string) => void): Promise<void> {
  await call(authContract.logout, {}, { headers: ownHeaders() }).catch(() => null);
  sessionStore.setState({ session: null });
  goTo(LOGIN_PATH);
}

function forget(): void {
  clearTabs();
  clearUserState();
  queryClient.clear();
}

/** However a session ends: by 退出登录, by the server, or in another tab of the browser. */
export function forgetWithSession(): () => void {
  let owner = ownerOf(currentSession());
  return sessionStore.subscribe(({ session }) => {
    // A new password is a new session of the same user.
    if (ownerOf(session) === owner) return;
    owner = ownerOf(session);
    forget();
  });
}

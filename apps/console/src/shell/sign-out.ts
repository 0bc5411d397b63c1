// Sign-out: clears all state, so that nothing leaks to the next user (specification §4, session).
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { call } from "../kit/api.ts";
import { toast } from "../kit/feedback.ts";
import { forgetAnswers } from "../kit/offline.ts";
import { queryClient } from "../kit/query.ts";
import { currentSession, dropSession, ownerOf, sessionStore } from "../kit/session.ts";
import { clearUserState } from "../kit/user-state.ts";
import { LOGIN_PATH } from "./guard.rules.ts";
import { clearTabs } from "./tabs/tabs-state.ts";

/** An impersonation ends on the server together with the session that started it. */
function ownHeaders(): Record<string, string> {
  const own = currentSession()?.visit?.own;
  return own ? { "auth-token": own.token, tenantId: String(own.tenantId) } : {};
}

/** On a hanging line the button would look dead; the call goes on meanwhile. */
const PATIENCE_MS = 2_000;
const SLOW_MS = 300;

/**
 * Notifies the server first; a network error does not keep the user signed in. Navigates to the
 * bare /login at once: the guard would remember the page, which is not the next user's.
 */
export async function signOut(goTo: (path: string) => void): Promise<void> {
  const notified = call(authContract.logout, {}, { headers: ownHeaders() }).catch(() => null);
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  const notice = setTimeout(() => toast.info("正在退出…"), SLOW_MS);
  await Promise.race([notified, patience]);
  clearTimeout(notice);
  dropSession();
  goTo(LOGIN_PATH);
}

function forget(): void {
  clearTabs();
  clearUserState();
  forgetAnswers();
  queryClient.clear();
}

/** Clears the state however a session ends: by 退出登录, by the server, or in another browser tab. */
export function forgetWithSession(): () => void {
  let owner = ownerOf(currentSession());
  return sessionStore.subscribe(({ session }) => {
    // A new password creates a new session of the same user.
    if (ownerOf(session) === owner) return;
    owner = ownerOf(session);
    forget();
  });
}

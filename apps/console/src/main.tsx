// The console's door: the sign-in page loads alone; the rest follows while it is idle.
import { createRoot } from "react-dom/client";
import { SignInPage } from "./features/auth/sign-in.page.tsx";
import { whenIdle } from "./kit/idle.ts";
import { currentSession, sessionStore } from "./kit/session.ts";
import "./kit/theme.ts";
import { entryOf, LOGIN_PATH, redirectOf } from "./shell/guard.rules.ts";

const root = createRoot(document.getElementById("root") ?? document.body);

/** True when the visitor has to sign in first; the address then says so. */
function isSignInDue(): boolean {
  const entry = entryOf(currentSession());
  const place = { path: location.pathname, search: location.search };
  if (entry === "signed-in") return false;
  const target = redirectOf(place, entry, () => true);
  if (target) history.replaceState(null, "", target);
  return location.pathname === LOGIN_PATH;
}

const loadApp = () => import("./app.tsx");

async function showApp(): Promise<void> {
  const { App } = await loadApp();
  root.render(<App />);
}

function showSignIn(): void {
  root.render(<SignInPage onReady={prefetchApp} />);
  const stop = sessionStore.subscribe(() => {
    if (isSignInDue()) return;
    stop();
    showApp();
  });
}

function prefetchApp(): void {
  whenIdle(async () => {
    const { prefetchHome } = await loadApp();
    await prefetchHome();
  });
}

if (isSignInDue()) showSignIn();
else showApp();

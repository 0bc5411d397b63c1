// Entry of the console: loads only the sign-in page, and the rest while the browser is idle.
import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { SignInPage } from "./features/identity/auth/sign-in.page.tsx";
import { prefetchWhenIdle } from "./kit/idle.ts";
import { currentSession, sessionStore } from "./kit/session.ts";
import "./kit/theme.ts";
import { entryOf, LOGIN_PATH, redirectOf, squeezedPath } from "./shell/guard.rules.ts";
import { VersionPrompt } from "./shell/notices/version-prompt.tsx";

// The router would parse a URL path that begins with two slashes as another host.
if (location.pathname.includes("//")) {
  const { pathname, search, hash } = location;
  history.replaceState(null, "", `${squeezedPath(pathname)}${search}${hash}`);
}

const root = createRoot(document.getElementById("root") ?? document.body);

/** True if the visitor must sign in first; then also rewrites the URL. */
function isSignInDue(): boolean {
  const entry = entryOf(currentSession());
  const place = { path: location.pathname, search: location.search };
  if (entry === "signed-in") return false;
  const target = redirectOf(place, entry, null);
  if (target) history.replaceState(null, "", target);
  return location.pathname === LOGIN_PATH;
}

const loadApp = () => import("./app.tsx");

/** Loads the component library, which the sign-in itself does without. */
const SetUpStep = lazy(async () => {
  const [{ AntdProvider }, { SetUpStep: Step }] = await Promise.all([
    import("./shell/antd-provider.tsx"),
    import("./features/identity/second-factor/index.ts"),
  ]);
  return {
    default: () => (
      <AntdProvider>
        <Step />
      </AntdProvider>
    ),
  };
});

let page: ReactNode = null;
let Feedback: ComponentType | null = null;

/** Toasts and the version check stay mounted when the app replaces the sign-in page. */
function render(): void {
  root.render(
    <>
      {page}
      {Feedback && <Feedback />}
      <VersionPrompt />
    </>,
  );
}

async function loadFeedback(): Promise<void> {
  ({ Feedback } = await import("./shell/feedback.tsx"));
}

async function showApp(): Promise<void> {
  const [{ App, startFirstPage }] = await Promise.all([loadApp(), loadFeedback()]);
  startFirstPage();
  page = <App />;
  render();
}

function showSignIn(): void {
  const setUp = (
    <Suspense>
      <SetUpStep />
    </Suspense>
  );
  page = <SignInPage onReady={prefetchApp} setUp={setUp} />;
  render();
  const stop = sessionStore.subscribe(() => {
    if (isSignInDue()) return;
    stop();
    showApp();
  });
}

function prefetchApp(): void {
  prefetchWhenIdle(async () => {
    await loadFeedback();
    render();
    const { prefetchHome } = await loadApp();
    await prefetchHome();
  });
}

if (isSignInDue()) showSignIn();
else showApp();

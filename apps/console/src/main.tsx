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

/** Null until loaded: importing it once more takes the browser several tasks, in which nothing would be requested. */
let app: typeof import("./app.tsx") | null = null;

async function loadApp(): Promise<typeof import("./app.tsx")> {
  [app] = await Promise.all([import("./app.tsx"), loadFeedback()]);
  return app;
}

function startApp({ App, startFirstPage }: typeof import("./app.tsx")): void {
  startFirstPage();
  page = <App />;
  render();
}

function showApp(): void {
  if (app) startApp(app);
  else void loadApp().then(startApp);
}

function showSignIn(): void {
  const setUp = (
    <Suspense>
      <SetUpStep />
    </Suspense>
  );
  page = <SignInPage setUp={setUp} />;
  render();
  prefetchApp();
  const stop = sessionStore.subscribe(() => {
    if (isSignInDue()) return;
    stop();
    showApp();
  });
}

/** Loads app and 首页 while the captcha is solved and the visitor types. */
function prefetchApp(): void {
  prefetchWhenIdle(async () => {
    const homeModule = import("./features/operations/statistics/dashboard.page.tsx");
    const [{ keepHome }, home] = await Promise.all([loadApp(), homeModule]);
    keepHome(home);
    render();
  });
}

if (isSignInDue()) showSignIn();
else showApp();

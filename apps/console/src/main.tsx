// Entry of the console: loads only the sign-in page, and the rest while the browser is idle.
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import type { ComponentType, ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { LateStep } from "./features/identity/auth/late-step.tsx";
import { SignInPage } from "./features/identity/auth/sign-in.page.tsx";
import { callEarly } from "./kit/api.ts";
import { reportClientError, reportUncaughtErrors } from "./kit/client-errors.ts";
import "./kit/composing.ts";
import { prefetchWhenIdle } from "./kit/idle.ts";
import { late } from "./kit/late.ts";
import { currentSession, sessionStore } from "./kit/session.ts";
import "./kit/theme.ts";
import {
  entryOf,
  HOME_PATH,
  LOGIN_PATH,
  redirectOf,
  squeezedPath,
  targetOf,
} from "./shell/guard.rules.ts";
import { NetworkBar } from "./shell/network-bar.tsx";
import { VersionPrompt } from "./shell/notices/version-prompt.tsx";
import { setUpStep } from "./shell/set-up-step.ts";

// The router would parse a URL path that begins with two slashes as another host.
if (location.pathname.includes("//")) {
  const { pathname, search, hash } = location;
  history.replaceState(null, "", `${squeezedPath(pathname)}${search}${hash}`);
}

reportUncaughtErrors();
const root = createRoot(document.getElementById("root") ?? document.body, {
  onCaughtError: (error) => reportClientError("BOUNDARY", error),
});

/** True if the visitor must sign in first; then also rewrites the URL. */
function isSignInDue(): boolean {
  const entry = entryOf(currentSession());
  const place = { path: location.pathname, search: location.search };
  if (entry === "signed-in") return false;
  const target = redirectOf(place, entry, null);
  if (target) history.replaceState(null, "", target);
  return location.pathname === LOGIN_PATH;
}

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

const importApp = () => import("./app.tsx");
type AppModule = Awaited<ReturnType<typeof importApp>>;

/** Null until loaded: importing it once more takes the browser several tasks, in which nothing would be requested. */
let app: AppModule | null = null;

async function loadApp({ withHome }: { withHome: boolean }): Promise<AppModule> {
  const [loaded, home] = await Promise.all([
    importApp(),
    // Without the file the app shows the failure in home's place.
    withHome
      ? import("./features/operations/statistics/dashboard.page.tsx").catch(() => null)
      : null,
    loadFeedback(),
  ]);
  if (home) loaded.keepHome(home);
  app = loaded;
  return loaded;
}

/** True if 首页 is what follows. */
function opensHome(): boolean {
  const { pathname, search } = location;
  const target = pathname === LOGIN_PATH ? targetOf(search) : `${pathname}${search}`;
  return target === "/" || target === HOME_PATH;
}

const appPart = late(async () => {
  const { App: Loaded, startFirstPage } = app ?? (await loadApp({ withHome: opensHome() }));
  await startFirstPage();
  return Loaded;
});

async function showApp(): Promise<void> {
  // Drawn without its file, it says so.
  await appPart.load().catch(() => null);
  page = <LateStep part={appPart} />;
  render();
}

/** Requests the menu, and what 首页 shows, before the files are there that use them. */
function requestFirstPage(): void {
  if (entryOf(currentSession()) !== "signed-in") return;
  callEarly("/admin/v1/menu");
  if (!opensHome()) return;
  callEarly("/admin/v1/statistics/home/screen", { day: shanghaiDay(Date.now()) });
}

function showSignIn(): void {
  page = (
    <>
      <NetworkBar />
      <SignInPage setUp={<LateStep part={setUpStep} />} />
    </>
  );
  render();
  prefetchApp();
  const stop = sessionStore.subscribe(() => {
    if (isSignInDue()) return;
    stop();
    void showApp();
  });
}

/** Loads app and 首页 while the captcha is solved and the visitor types. */
function prefetchApp(): void {
  prefetchWhenIdle(async () => {
    await loadApp({ withHome: true });
    render();
  });
}

if (isSignInDue()) showSignIn();
else {
  requestFirstPage();
  void showApp();
}

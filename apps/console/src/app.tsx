// Console behind the sign-in page: the router and the overlays of every page.
import { QueryClientProvider } from "@tanstack/react-query";
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { createBrowserRouter, RouterProvider } from "react-router";
import { endPagePrefetch, prefetchWhenIdle } from "./kit/idle.ts";
import { useAhead } from "./kit/late.ts";
import { followLinksBy } from "./kit/link.tsx";
import { keepForOffline, restoreAnswers } from "./kit/offline.ts";
import { prefetchMenu } from "./kit/permission.ts";
import { queryClient } from "./kit/query.ts";
import { currentSession } from "./kit/session.ts";
import { loadedData, patiently, prefetchLists, preloadPage, routes } from "./routes.tsx";
import { entryOf, HOME_PATH, redirectOf } from "./shell/guard.rules.ts";
import { ImpersonationBanner } from "./shell/impersonation-banner.tsx";
import { loadLibrary } from "./shell/library-part.tsx";
import { NetworkBar } from "./shell/network-bar.tsx";
import { SignInAgain } from "./shell/sign-in-again.tsx";
import { forgetWithSession } from "./shell/sign-out.ts";
import { LateActionDialog } from "./ui/display/action.tsx";
import { LateModal } from "./ui/display/overlays.tsx";
import { LateExportDialog } from "./ui/sheet/export-button.tsx";

export { keepHome } from "./routes.tsx";

/**
 * Moves to the first page and starts its requests before the app is drawn: a redirect of the router draws once more.
 * Resolves when the page can be drawn with what it shows, or after a while.
 */
export async function startFirstPage(): Promise<void> {
  if (entryOf(currentSession()) !== "signed-in") return;
  restoreAnswers();
  const menu = prefetchMenu();
  const { pathname: path, search, href, origin } = location;
  const page = new URL(redirectOf({ path, search }, "signed-in", null) ?? href, origin);
  if (page.pathname === "/") page.pathname = HOME_PATH;
  if (page.href !== href) history.replaceState(null, "", page);
  await patiently(Promise.all([menu, preloadPage(page)]));
}

/** Longer than drawing a page takes between two of its requests. */
const QUIET_MS = 150;

/** Runs once, when no request has been under way for a while. */
function whenQuiet(run: () => unknown): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const unsubscribe = queryClient.getQueryCache().subscribe(() => {
    clearTimeout(timer);
    if (queryClient.isFetching() === 0) timer = setTimeout(finish, QUIET_MS);
  });
  const stop = () => {
    unsubscribe();
    clearTimeout(timer);
  };
  const finish = () => {
    stop();
    run();
  };
  return stop;
}

/** Loads the page of a link while it is pressed: a click follows about 100 ms later. */
function preloadPressedLinks(): () => void {
  const onPress = ({ target, button }: PointerEvent) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
    if (button === 0 && link?.origin === location.origin) void preloadPage(new URL(link.href));
  };
  document.addEventListener("pointerdown", onPress);
  return () => document.removeEventListener("pointerdown", onPress);
}

export function App() {
  // Lazily: while the sign-in page is shown this module is only prefetched.
  const [router] = useState(() =>
    createBrowserRouter(routes, {
      hydrationData: { loaderData: loadedData(new URL(location.href)) },
    }),
  );
  followLinksBy(router.navigate);
  useEffect(forgetWithSession, []);
  useEffect(keepForOffline, []);
  useEffect(preloadPressedLinks, []);
  const [Library, setLibrary] = useState<ComponentType<{ children: ReactNode }> | null>(null);
  useEffect(
    () =>
      whenQuiet(async () => {
        const load = async () => {
          const lists = prefetchLists();
          const { AntdProvider } = await loadLibrary();
          setLibrary(() => AntdProvider);
          await lists;
        };
        // Opening a part loads what is missing, and reports its failure.
        await prefetchWhenIdle(load)
          .catch(() => null)
          .finally(endPagePrefetch);
      }),
    [],
  );
  useAhead(LateModal);
  useAhead(LateActionDialog);
  useAhead(LateExportDialog);
  return (
    <QueryClientProvider client={queryClient}>
      <ImpersonationBanner />
      <NetworkBar />
      <SignInAgain />
      <RouterProvider router={router} useTransitions={false} />
      {/* antd computes its theme with its first provider and forgets it with the last. */}
      {Library && <Library>{null}</Library>}
    </QueryClientProvider>
  );
}

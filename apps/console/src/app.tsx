// The whole console behind its door: routes under the guard, and what hangs over every page.
import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect } from "react";
import { BrowserRouter, Navigate, useLocation, useRoutes } from "react-router";
import { whenIdle } from "./kit/idle.ts";
import { queryClient } from "./kit/query.ts";
import { useSession } from "./kit/session.ts";
import { isKnownPath, prefetchLists, routes } from "./routes.tsx";
import { Feedback } from "./shell/feedback.tsx";
import { entryOf, redirectOf } from "./shell/guard.rules.ts";
import { forgetWithSession } from "./shell/sign-out.ts";
import { VersionPrompt } from "./shell/version-prompt.tsx";

export { prefetchHome } from "./routes.tsx";

/** The first page's own calls go first. */
const PREFETCH_AFTER_MS = 1_500;

export function App() {
  useEffect(forgetWithSession, []);
  useEffect(() => {
    const timer = setTimeout(() => whenIdle(prefetchLists), PREFETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <QueryClientProvider client={queryClient}>
      <BrowserRouter useTransitions={false}>
        <Guarded />
      </BrowserRouter>
      <Feedback />
      <VersionPrompt />
    </QueryClientProvider>
  );
}

/** Looks again with every navigation and whenever the session changes. */
function Guarded() {
  const { pathname, search } = useLocation();
  const session = useSession();
  const target = redirectOf({ path: pathname, search }, entryOf(session), isKnownPath);
  const page = useRoutes(routes);
  return target ? <Navigate to={target} replace /> : page;
}

// The whole console behind its door: routes under the guard, and what hangs over every page.
import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect } from "react";
import { BrowserRouter, Navigate, useLocation, useRoutes } from "react-router";
import { queryClient } from "./kit/query.ts";
import { useSession } from "./kit/session.ts";
import { isKnownPath, prefetchPages, routes } from "./routes.tsx";
import { Feedback } from "./shell/feedback.tsx";
import { entryOf, redirectOf } from "./shell/guard.rules.ts";
import { forgetWithSession } from "./shell/sign-out.ts";
import { VersionPrompt } from "./shell/version-prompt.tsx";

export function App() {
  useEffect(forgetWithSession, []);
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

/** Brings, while the sign-in page is idle, what comes after it. */
export const prefetch = prefetchPages;

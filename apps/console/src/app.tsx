// The console after sign-in: its routes under the guard.
import { pathsForEveryone } from "@cabinet/contract/access/routes.rules.ts";
import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { BrowserRouter, Navigate, useLocation, useNavigate, useRoutes } from "react-router";
import { whenIdle } from "./kit/idle.ts";
import { queryClient } from "./kit/query.ts";
import { type Session, useSession } from "./kit/session.ts";
import { isKnownPath, prefetchLists, routes } from "./routes.tsx";
import { entryOf, HOME_PATH, redirectOf } from "./shell/guard.rules.ts";
import { forgetWithSession } from "./shell/sign-out.ts";
import { VisitBanner } from "./shell/visit-banner.tsx";

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
        <VisitBanner />
        <Guarded />
      </BrowserRouter>
    </QueryClientProvider>
  );
}

/** Looks again with every navigation and whenever the session changes. */
function Guarded() {
  const { pathname, search } = useLocation();
  const session = useSession();
  const target = redirectOf(
    { path: pathname, search },
    entryOf(session),
    (path) => isKnownPath(path) && !(session?.visit && pathsForEveryone.has(path)),
  );
  const page = useRoutes(routes);
  const isTurning = useVisitPlace(session);
  if (isTurning) return null;
  return target ? <Navigate to={target} replace /> : page;
}

/**
 * Entering and leaving a tenant begin every page anew, in all tabs of the browser: at home, and back where one
 * came from. True while nothing may stand on the screen.
 */
function useVisitPlace(session: Session | null): boolean {
  const navigate = useNavigate();
  const visit = session?.visit ?? null;
  const [shown, setShown] = useState(visit);
  const isTurning = visit?.endsAt !== shown?.endsAt;
  useEffect(() => {
    if (!isTurning) return;
    setShown(visit);
    if (visit) navigate(HOME_PATH);
    else if (session && shown) navigate(shown.from);
  }, [isTurning, visit, shown, session, navigate]);
  return isTurning;
}

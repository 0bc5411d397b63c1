// Root route: evaluates the route guard at each navigation and change of the session.
import { pathsForEveryone } from "@cabinet/contract/identity/access/routes.rules.ts";
import { useEffect, useState } from "react";
import { Navigate, Outlet, useLocation, useMatches, useNavigate } from "react-router";
import { ownerOf, type Session, sessionStore, useSession } from "../kit/session.ts";
import { useLeaveBlocker } from "../ui/form/use-leave-guard.ts";
import { entryOf, HOME_PATH, redirectOf } from "./guard.rules.ts";

export function Root() {
  const { pathname: path, search, hash } = useLocation();
  const session = useSession();
  const canonical = useCanonicalPath(session);
  const target = redirectOf({ path, search, hash }, entryOf(session), canonical);
  const isCovered = sessionStore(({ endedToken }) => endedToken !== null);
  const isTurning = useReturnAfterImpersonation(session);
  useLeaveBlocker();
  if (isTurning) return null;
  // Nothing of one account's page is left to another that signs in, here or in another tab.
  if (isCovered || !target) return <Outlet key={ownerOf(session)} />;
  return <Navigate to={target} replace />;
}

/** Page routes have their path as id. An impersonation has no account pages. */
function useCanonicalPath(session: Session | null): string | null {
  const id = useMatches().at(-1)?.id;
  if (!id?.startsWith("/")) return null;
  return session?.visit && pathsForEveryone.has(id) ? HOME_PATH : id;
}

/**
 * Remounts every page in all tabs of the browser when an impersonation begins (at home) or ends (at
 * the page where it began). True while nothing may be rendered.
 */
function useReturnAfterImpersonation(session: Session | null): boolean {
  const navigate = useNavigate();
  const visit = session?.visit ?? null;
  const [shown, setShown] = useState(visit);
  const isTurning = visit?.endsAt !== shown?.endsAt;
  useEffect(() => {
    if (!isTurning) return;
    setShown(visit);
    if (visit) void navigate(HOME_PATH);
    else if (session && shown) void navigate(shown.from);
  }, [isTurning, visit, shown, session, navigate]);
  return isTurning;
}

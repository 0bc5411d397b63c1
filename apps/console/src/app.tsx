// Console behind the sign-in page: the router and the overlays of every page.
import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { createBrowserRouter, RouterProvider } from "react-router";
import { whenIdle } from "./kit/idle.ts";
import { queryClient } from "./kit/query.ts";
import { prefetchLists, routes } from "./routes.tsx";
import { ImpersonationBanner } from "./shell/impersonation-banner.tsx";
import { forgetWithSession } from "./shell/sign-out.ts";

export { prefetchHome } from "./routes.tsx";

/** Delay, so that the first page's own requests go first. */
const PREFETCH_AFTER_MS = 1_500;

export function App() {
  // Lazily: while the sign-in page is shown this module is only prefetched.
  const [router] = useState(() => createBrowserRouter(routes));
  useEffect(forgetWithSession, []);
  useEffect(() => {
    const timer = setTimeout(() => whenIdle(prefetchLists), PREFETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <QueryClientProvider client={queryClient}>
      <ImpersonationBanner />
      <RouterProvider router={router} useTransitions={false} />
    </QueryClientProvider>
  );
}

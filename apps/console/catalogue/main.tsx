// Entry of the catalogue: an index with a frame, and each state of a part at `/<part>/<state>`.
import { accessContract } from "@cabinet/contract/identity/access/access.contract.ts";
import { LIVE_PATH } from "@cabinet/contract/live/live.rules.ts";
import { tenantContract } from "@cabinet/contract/organization/tenant/tenant.contract.ts";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter, Outlet, RouterProvider } from "react-router";
import "../src/kit/composing.ts";
import { followLinksBy } from "../src/kit/link.tsx";
import { queryClient } from "../src/kit/query.ts";
import { sessionStore } from "../src/kit/session.ts";
import { AntdProvider } from "../src/shell/antd-provider.tsx";
import { Feedback } from "../src/shell/feedback.tsx";
import { NetworkBar } from "../src/shell/network-bar.tsx";
import { VersionPrompt } from "../src/shell/notices/version-prompt.tsx";
import { useLeaveBlocker } from "../src/ui/form/use-leave-guard.ts";
import { type Answer, answer, answerRequests, answerWith, pinging } from "./answers.ts";
import { Index } from "./index.tsx";
import { parts } from "./parts.ts";
import "../src/tokens.css";
import "../src/base.css";
import "./catalogue.css";

/** Answers of every state that does not have its own. */
const usualAnswers: Answer[] = [
  answer(accessContract.menu, () => []),
  answer(tenantContract.options, () => [
    { id: 1, name: "平台" },
    { id: 2, name: "晨光物业" },
  ]),
  {
    method: "GET",
    path: new RegExp(`^${LIVE_PATH}$`),
    reply: pinging,
  },
];

/** Presses the buttons with these names, each as soon as it is there. Their dialogs are loaded before: a state is ready with them. */
async function press(names: readonly string[]): Promise<void> {
  await Promise.all([
    import("../src/ui/display/action-dialog.tsx"),
    import("../src/ui/display/antd-overlays.ts"),
    import("../src/ui/sheet/export-dialog.tsx"),
  ]);
  for (const name of names) {
    const isMeant = (button: HTMLButtonElement) =>
      (button.ariaLabel ?? button.textContent) === name && !button.disabled;
    let button: HTMLButtonElement | undefined;
    while (!button) {
      await new Promise(requestAnimationFrame);
      button = [...document.querySelectorAll("button")].findLast(isMeant);
    }
    // As a person does: the overlay that opens returns the focus to the button.
    button.focus();
    button.click();
  }
}

function Root({ buttons }: { buttons: readonly string[] }) {
  useLeaveBlocker();
  useEffect(() => {
    void press(buttons).then(() => {
      document.documentElement.dataset.ready = "";
    });
  }, [buttons]);
  return <Outlet />;
}

function start(): ReactNode {
  const [, part = "", name = ""] = location.pathname.split("/");
  const state = parts[part]?.[name];
  if (!state) return <Index parts={parts} />;
  answerWith([...(state.answers ?? []), ...usualAnswers]);
  const session = { token: "token", username: "catalogue", userType: 0 as const, tenantId: 2 };
  sessionStore.setState({ session: { ...session, mustChangePassword: false, ...state.session } });
  if (state.search && !location.search) {
    history.replaceState(null, "", `${location.pathname}?${state.search}`);
  }
  const router = createBrowserRouter([
    {
      element: <Root buttons={state.press ?? []} />,
      children: [
        { path: `/${part}/${name}`, Component: state.show },
        { path: "*", element: <p>Target of a link</p> },
      ],
    },
  ]);
  followLinksBy(router.navigate);
  return (
    <QueryClientProvider client={queryClient}>
      <NetworkBar />
      <AntdProvider>
        <main className="catalogue-state">
          <RouterProvider router={router} useTransitions={false} />
        </main>
      </AntdProvider>
      <Feedback />
      <VersionPrompt />
    </QueryClientProvider>
  );
}

answerRequests();
const container = document.getElementById("root") ?? document.body;
/** Parts that fail on purpose are no warnings of React. */
const options = { onCaughtError: () => {} };
let root = createRoot(container, options);
root.render(start());

/** Shows another state without loading the page again, which takes longer than most checks of a state. */
addEventListener("show", (event) => {
  root.unmount();
  queryClient.clear();
  localStorage.clear();
  sessionStorage.clear();
  delete document.documentElement.dataset.ready;
  history.replaceState(null, "", `/${(event as CustomEvent<string>).detail}`);
  root = createRoot(container, options);
  root.render(start());
});

// Routes of the console: the specification's route table, the documents, and redirects.
import {
  matchedRoutes,
  type RouteEntry,
  viewOf,
} from "@cabinet/contract/identity/access/route-entry.rules.ts";
import { type PageKey, routeTable } from "@cabinet/contract/identity/access/routes.rules.ts";
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { DEFAULT_PAGE_SIZE } from "@cabinet/contract/kit/pagination.ts";
import { type ComponentType, Fragment } from "react";
import { Navigate, type RouteObject, useLoaderData } from "react-router";
import { sideQueryAt } from "./domain/cabinet/page-side.ts";
import { LateStep } from "./features/identity/auth/late-step.tsx";
import { SignInPage } from "./features/identity/auth/sign-in.page.tsx";
import { docLanguageOf } from "./kit/doc-language.ts";
import { prefetchCall } from "./kit/query.ts";
import { listCalls, sidedCalls } from "./list-calls.ts";
import { type PageModule, pages, plainPages } from "./pages.ts";
import { mayOpenNow } from "./shell/current-page.ts";
import { DocumentTitle } from "./shell/document-title.ts";
import { HOME_PATH } from "./shell/guard.rules.ts";
import { Layout } from "./shell/layout.tsx";
import { loadLibrary } from "./shell/library-part.tsx";
import { firstPage } from "./shell/navigation/breadcrumb.rules.ts";
import {
  type LoadedPage,
  LoadedPageView,
  loadChunk,
  PageFailure,
  PageSkeleton,
} from "./shell/page-loading.tsx";
import { NotFoundPage, RedirectPage, UnknownPage } from "./shell/plain-pages.tsx";
import { Root } from "./shell/root.tsx";
import { setUpStep } from "./shell/set-up-step.ts";

/**
 * Requests the first page of the list at `url`, as `listPrefetch` does once the page's module is loaded. That module knows
 * the query of other URLs.
 */
async function prefetchFirstRows(key: PageKey, { pathname, searchParams }: URL): Promise<void> {
  const path = listCalls[key];
  if (!path || [...searchParams.keys()].some((name) => name !== "view")) return;
  const spec = { method: "GET", path, access: "signed-in" } as EndpointSpec;
  const side = key in sidedCalls && sideQueryAt(pathname);
  const query = { ...side, page: 1, pageSize: DEFAULT_PAGE_SIZE };
  await prefetchCall(spec, { query } as object, { toasts: "besides-block" });
}

/** Data that arrive within this time are drawn together with their page: to draw the page twice takes longer. */
const PATIENCE_MS = 400;

/** Resolves with `what`, or after `PATIENCE_MS`. */
export async function patiently(what: Promise<unknown> | undefined): Promise<void> {
  await Promise.race([what, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}

/** By page: importing a module once more takes the browser several tasks, between which it draws the old page. */
const loadedPages = new Map<PageKey, { module: PageModule; page: LoadedPage }>();

function keepPage(key: PageKey, Frame: LoadedPage["Frame"], module: PageModule): LoadedPage {
  const page = { key, Frame, Page: module.default };
  loadedPages.set(key, { module, page });
  return page;
}

/**
 * Loads the component library with the first page that uses it. The rows of a list are requested at once, or, if its URL
 * has filters, as soon as its module is there.
 */
async function loadPage(entry: RouteEntry, url: URL): Promise<LoadedPage> {
  const key = keyOf(entry, url);
  const mayOpen = mayOpenNow(entry, url.search);
  const rows = mayOpen && patiently(prefetchFirstRows(key, url));
  const known = loadedPages.get(key);
  if (known) {
    if (mayOpen) await patiently(known.module.prefetch?.(url));
    await rows;
    return known.page;
  }
  const loadModule = async () => {
    const module = await pages[key]();
    if (mayOpenNow(entry, url.search)) await patiently(module.prefetch?.(url));
    return module;
  };
  const frame = plainPages.has(key) ? Fragment : loadLibrary().then((it) => it.AntdProvider);
  const [Frame, module] = await loadChunk(() => Promise.all([frame, loadModule()]));
  await rows;
  return keepPage(key, Frame, module);
}

/** Loads the page at `url`, if there is one, before a link to it is followed. */
export async function preloadPage(url: URL): Promise<void> {
  const entry = matchedRoutes(routeTable, url.pathname).at(-1);
  // Following the link reports a failure.
  if (entry && !entry.children) await loadPage(entry, url).catch(() => null);
}

/** Loader data of the page at `url` if its module is loaded: the router then draws it at once. */
export function loadedData(url: URL): Record<string, LoadedPage> {
  const entry = matchedRoutes(routeTable, url.pathname).at(-1);
  const known = entry && loadedPages.get(keyOf(entry, url));
  return known ? { [entry.path]: known.page } : {};
}

const whileLoading: RouteObject = {
  ErrorBoundary: PageFailure,
  HydrateFallback: PageSkeleton,
};

function keyOf(entry: RouteEntry, url: URL): PageKey {
  const view = viewOf(entry, url.search);
  return `${entry.path}${view ? `?view=${view.view}` : ""}` as PageKey;
}

function routesOf(entry: RouteEntry): RouteObject[] {
  const { path, children } = entry;
  if (children) {
    const first = <Navigate to={firstPage(entry)} replace />;
    return [{ path, element: first }, ...children.flatMap(routesOf)];
  }
  return [
    {
      ...whileLoading,
      id: path,
      path,
      Component: LoadedPageView,
      loader: ({ request }) => loadPage(entry, new URL(request.url)),
      shouldRevalidate: ({ currentUrl, nextUrl }) =>
        keyOf(entry, currentUrl) !== keyOf(entry, nextUrl),
    },
  ];
}

interface Doc {
  title: string;
  load: () => Promise<{ default: ComponentType }>;
}

/** Full-screen page outside of the menu; two of them are public (specification §2). */
function docRoute(path: string, doc: Doc, variants: Record<string, Doc> = {}): RouteObject {
  const loader = async ({ request }: { request: Request }): Promise<LoadedDoc> => {
    const { search } = new URL(request.url);
    const view = new URLSearchParams(search).get("view") ?? "";
    const key = [view, docLanguageOf(search)].filter(Boolean).join("-");
    const { title, load } = variants[key] ?? doc;
    const { default: Page } = await loadChunk(load);
    return { key: `${path}-${key}`, Frame: Fragment, Page, title };
  };
  return { ...whileLoading, id: path, path, loader, Component: DocView };
}

type LoadedDoc = LoadedPage & { title: string };

function DocView() {
  return (
    <>
      <DocumentTitle title={useLoaderData<LoadedDoc>().title} />
      <LoadedPageView />
    </>
  );
}

const sre: Doc = { title: "运维文档", load: () => import("./features/partners/doc/sre.page.tsx") };
const manual: Doc = {
  title: "使用手册",
  load: () => import("./features/partners/doc/manual.page.tsx"),
};
const sdk: Doc = { title: "接入文档", load: () => import("./features/partners/doc/sdk.page.tsx") };
const sdkEnglish: Doc = {
  title: "Integration guide",
  load: () => import("./features/partners/doc/sdk-english.page.tsx"),
};
const api: Doc = { title: "接口参考", load: () => import("./features/partners/doc/api.page.tsx") };

export const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: PageFailure,
    children: [
      {
        id: "/login",
        path: "/login",
        element: <SignInPage setUp={<LateStep part={setUpStep} />} />,
      },
      { id: "/404", path: "/404", Component: NotFoundPage },
      docRoute("/doc/sre", sre),
      docRoute("/doc/sdk", sdk, {
        en: sdkEnglish,
        "api-zh": api,
        "api-en": { ...api, title: "API reference" },
      }),
      docRoute("/doc/api", api),
      docRoute("/doc/manual", manual),
      {
        Component: Layout,
        children: [
          { path: "/", element: <Navigate to={HOME_PATH} replace /> },
          { path: "/redirect/*", Component: RedirectPage },
          { path: "*", Component: UnknownPage },
          ...routeTable.flatMap(routesOf),
        ],
      },
    ],
  },
];

/** Keeps the module that the sign-in page loads while it is idle: home then requests its figures before anything is drawn. */
export function keepHome(module: PageModule): void {
  keepPage(HOME_PATH, Fragment, module);
}

/** Prefetch after sign-in: the most frequently opened list. */
export async function prefetchLists(): Promise<void> {
  const [{ AntdProvider }, list] = await Promise.all([loadLibrary(), pages["/cupboard/index"]()]);
  keepPage("/cupboard/index", AntdProvider, list);
}

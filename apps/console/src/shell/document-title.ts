// The title of the browser's tab.
import { useEffect } from "react";
import { settings } from "../settings.ts";

export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} - ${settings.title}` : settings.title;
  }, [title]);
}

/** For a route without a page of its own that could call the hook. */
export function DocumentTitle({ title }: { title: string }) {
  useDocumentTitle(title);
  return null;
}

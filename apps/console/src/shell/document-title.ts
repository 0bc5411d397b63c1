// Title of the browser tab.
import { useEffect } from "react";
import { settings } from "../settings.ts";

export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} - ${settings.title}` : settings.title;
  }, [title]);
}

/** Component form of the hook, for a route without a page component. */
export function DocumentTitle({ title }: { title: string }) {
  useDocumentTitle(title);
  return null;
}

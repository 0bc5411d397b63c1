// What the browser's own tab says.
import { useEffect } from "react";
import { settings } from "../settings.ts";

export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} - ${settings.title}` : settings.title;
  }, [title]);
}

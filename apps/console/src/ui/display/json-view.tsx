// Formatted JSON with a copy button.
import { Button } from "./button.tsx";
import { copyWithToast } from "./copy-text.ts";
import "./json-view.css";

/** Text that is not JSON is returned unchanged. */
function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export function JsonView({ text, label }: { text: string; label: string }) {
  const shown = laidOut(text);
  return (
    <div className="ui-json">
      <Button size="small" aria-label={`复制${label}`} onClick={() => void copyWithToast(shown)}>
        复制
      </Button>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach it. */}
      <section aria-label={label} tabIndex={0}>
        <pre>{shown}</pre>
      </section>
    </div>
  );
}

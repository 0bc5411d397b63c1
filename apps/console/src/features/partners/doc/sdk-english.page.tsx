// /doc/sdk?lang=en: the integration guide in English.
import type { DocChapter } from "./doc.rules.ts";
import { DocPage } from "./doc-page.tsx";

const chapters = Object.values(
  import.meta.glob<DocChapter>("../../../../../../docs/sdk/en/*.md", {
    eager: true,
    import: "default",
  }),
);

export default function SdkEnglishPage() {
  return (
    <DocPage
      title="Integration guide"
      lead="For authors of cabinet firmware and of business systems: the cabinet link, the open API and callbacks, each step with samples that run and test vectors."
      chapters={chapters}
      language="en"
    />
  );
}

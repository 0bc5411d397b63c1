// Copyable samples of a call of the open API, one language at a time.
import { useState } from "react";
import { copyText } from "../../../ui/display/copy-text.ts";
import type { ApiTexts } from "./api-texts.ts";
import { type SampleRequest, sampleLanguages } from "./call-samples.rules.ts";

const COPIED_MS = 1_600;
/** Language chosen last, also for other calls. */
const CHOICE = "doc-sample-language";

export function Samples({ request, texts }: { request: SampleRequest; texts: ApiTexts }) {
  const [name, setName] = useState(() => localStorage.getItem(CHOICE) ?? "");
  const [copied, setCopied] = useState(texts.copy);
  const language = sampleLanguages.find((each) => each.name === name) ?? sampleLanguages[0];
  if (!language) return null;
  const code = language.write(request);

  function choose(chosen: string) {
    localStorage.setItem(CHOICE, chosen);
    setName(chosen);
  }

  async function copy() {
    setCopied(
      await copyText(code).then(
        () => texts.copied,
        () => texts.notCopied,
      ),
    );
    setTimeout(() => setCopied(texts.copy), COPIED_MS);
  }

  return (
    <>
      <h3 className="api-part">{texts.samples}</h3>
      <figure className="doc-code">
        <figcaption>
          <span className="api-languages">
            {sampleLanguages.map((each) => (
              <button
                key={each.name}
                type="button"
                aria-pressed={each === language}
                onClick={() => choose(each.name)}
              >
                {each.name}
              </button>
            ))}
          </span>
          <button type="button" className="doc-copy" onClick={copy}>
            {copied}
          </button>
        </figcaption>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to focus and scroll the code. */}
        <pre tabIndex={0}>
          <code>{code}</code>
        </pre>
      </figure>
    </>
  );
}

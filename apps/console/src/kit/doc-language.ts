// Language of the integrators' documents: in the URL, otherwise the one chosen last.

export type DocLanguage = "zh" | "en";

const CHOICE = "doc-language";

export function docLanguageOf(search: string): DocLanguage {
  const named = new URLSearchParams(search).get("lang") ?? localStorage.getItem(CHOICE);
  return named === "en" ? "en" : "zh";
}

export function rememberDocLanguage(language: DocLanguage): void {
  localStorage.setItem(CHOICE, language);
}

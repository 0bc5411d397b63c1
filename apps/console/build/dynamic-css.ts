// Replaces antd's style elements, which the strict content security policy refuses, by constructed
// style sheets. Signatures as in @rc-component/util/Dom/dynamicCSS.

interface Options {
  mark?: string;
}

const sheets = new Map<string, { sheet: CSSStyleSheet; element: HTMLStyleElement; css: string }>();

function keyOf(key: string, { mark = "" }: Options = {}): string {
  return `${mark} ${key}`;
}

/** The element is never attached to the document; the library only stores properties on it. */
export function updateCSS(css: string, key: string, options?: Options): HTMLStyleElement {
  const known = sheets.get(keyOf(key, options));
  if (known) {
    if (known.css !== css) known.sheet.replaceSync(css);
    known.css = css;
    return known.element;
  }
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
  const element = document.createElement("style");
  sheets.set(keyOf(key, options), { sheet, element, css });
  return element;
}

export function removeCSS(key: string, options?: Options): void {
  const known = sheets.get(keyOf(key, options));
  if (!known) return;
  sheets.delete(keyOf(key, options));
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((it) => it !== known.sheet);
}

let injected = 0;
export function injectCSS(css: string, options?: Options): HTMLStyleElement {
  return updateCSS(css, `injected-${injected++}`, options);
}

export function clearContainerCache(): void {}

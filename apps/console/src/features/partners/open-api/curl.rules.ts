// Reads a pasted cURL command as the parts of the request that it sends.
import type { PastedRequest } from "@cabinet/contract/partners/open-api/open-app.contract.ts";

/** A word: runs of quoted text (`$'…'` with escapes), escaped and plain characters. */
const WORD = /(?:\$'(?:\\[\s\S]|[^'\\])*'|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\\[\s\S]|[^\s'"\\])+/g;
const PART =
  /\$'((?:\\[\s\S]|[^'\\])*)'|'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"|\\([\s\S])|([^\s'"\\]+)/g;
const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t" };

function unquote(word: string): string {
  return word.replace(PART, (_, ansi, single, double, escaped, plain) => {
    if (ansi !== undefined) {
      return ansi.replace(/\\([\s\S])/g, (_: string, mark: string) => escapes[mark] ?? mark);
    }
    if (double !== undefined) {
      return double.replace(/\\([\s\S])/g, (all: string, mark: string) =>
        mark === "\n" ? "" : '"\\$`'.includes(mark) ? mark : all,
      );
    }
    if (escaped !== undefined) return escaped === "\n" ? "" : escaped;
    return single ?? plain;
  });
}

/** Short options with a value that may follow without a space: `-XPOST`. */
const SHORT = /^-([XHdoumAeb])([\s\S]*)$/;
const longNames: Record<string, string> = {
  X: "request",
  H: "header",
  d: "data",
};
const valued = new Set([
  "request",
  "header",
  "url",
  "output",
  "user",
  "max-time",
  "connect-timeout",
  "user-agent",
  "referer",
  "cookie",
  "retry",
]);
const isData = (name: string) => /^data(-raw|-binary|-ascii)?$/.test(name);

/** Option with its value; the value of one that takes none is empty. */
function optionOf(word: string, next: () => string): [name: string, value: string] {
  const [, letter, attached] = SHORT.exec(word) ?? [];
  if (letter) return [longNames[letter] ?? letter, attached || next()];
  const [name = "", inline] = word.replace(/^--?/, "").split(/=([\s\S]*)/);
  if (inline !== undefined) return [name, inline];
  return [name, valued.has(name) || isData(name) ? next() : ""];
}

/** Null unless the text is a cURL command with an address. */
export function requestOfCurl(text: string): PastedRequest | null {
  const [program, ...words] = (text.match(WORD) ?? []).map(unquote).filter((word) => word !== "");
  const hasOpenQuote = text.replace(WORD, "").trim() !== "";
  if (program !== "curl" || hasOpenQuote) return null;
  const headers = new Map<string, string>();
  const bodies: string[] = [];
  let [url, method] = ["", ""];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) {
      url = word;
      continue;
    }
    const [name, value] = optionOf(word, () => words[++at] ?? "");
    if (name === "request") method = value.toUpperCase();
    else if (name === "url") url = value;
    else if (isData(name)) bodies.push(value);
    else if (name === "header") {
      const [key = "", content = ""] = value.split(/:\s*([\s\S]*)/);
      headers.set(key.toLowerCase(), content.trim());
    }
  }
  // As sent: URL would normalise the path and the query.
  const [, host, target] = /^(?:https?:\/\/)?([^/?#]+)([^#]*)/.exec(url) ?? [];
  if (!host) return null;
  const hasBody = bodies.length > 0;
  return {
    method: method === "GET" || method === "POST" ? method : hasBody ? "POST" : "GET",
    host: headers.get("host") ?? host,
    target: target?.startsWith("/") ? target : `/${target ?? ""}`,
    authorization: headers.get("authorization") ?? "",
    // curl's own without the header.
    contentType:
      headers.get("content-type") ?? (hasBody ? "application/x-www-form-urlencoded" : ""),
    idempotencyKey: headers.get("idempotency-key") ?? "",
    body: bodies.join("&"),
  };
}

// Pure rules of a request: path, query string and body (specification §7).

type Fields = Readonly<Record<string, unknown>>;

/** Fills the `{name}` parts of a path. */
export function requestPath(path: string, params: Fields = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

/**
 * Query string without `?`. A read omits empty parameters: an empty filter means none. A write
 * sends them: the server clears a field for an empty value and keeps it for an absent one.
 */
export function queryText(query: Fields = {}, method = "GET"): string {
  return searchOf(query, method !== "GET").toString();
}

function searchOf(fields: Fields, sendsEmpty = false): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    const text = value === null ? "" : value;
    if (text !== undefined && (sendsEmpty || text !== "")) search.append(name, String(text));
  }
  return search;
}

export interface RequestBody {
  text: string;
  headers: Record<string, string>;
}

/** Drops the body if query parameters are present. */
export function requestBody(
  form: "json" | "form" | undefined,
  search: string,
  body: Fields | undefined,
): RequestBody | null {
  if (body === undefined || search !== "") return null;
  if (form === "form") {
    const type = "application/x-www-form-urlencoded";
    return { text: searchOf(body).toString(), headers: { "content-type": type } };
  }
  return { text: JSON.stringify(body), headers: { "content-type": "application/json" } };
}

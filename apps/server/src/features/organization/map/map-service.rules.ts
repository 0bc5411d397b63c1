// Allow-list of the map proxy: permitted paths and the hosts that serve them.

/** Parts of the map that other hosts serve; everything else goes to the main service. */
const hosts = [
  { path: /^\/v4\/map\/styles$/, host: "webapi.amap.com" },
  { path: /^\/v3\/vectormap$/, host: "fmap01.amap.com" },
  { path: /^\/v[345]\/[a-z]\w{0,31}(\/\w{1,31}){0,3}$/i, host: "restapi.amap.com" },
];

const MAX_QUERY = 4_096;

/**
 * Upstream URL with the security code; null if the path is not allowed. The answer runs as a
 * script: `callback` may be a function name and nothing else.
 */
export function serviceUrl(path: string, query: string, securityCode: string): URL | null {
  const host = hosts.find((known) => known.path.test(path))?.host;
  if (!host || query.length > MAX_QUERY) return null;
  const url = new URL(`https://${host}${path}?${query}`);
  const callbacks = url.searchParams.getAll("callback");
  if (!callbacks.every((name) => /^[A-Za-z_$][\w$]{0,63}$/.test(name))) return null;
  url.searchParams.set("jscode", securityCode);
  return url;
}

/** Data and scripts are allowed, pages are not. */
export function isServiceMedia(contentType: string | null): boolean {
  return /^(application\/(json|javascript|x-javascript|octet-stream|x-protobuf)|text\/(javascript|plain)|image\/(png|jpeg|webp))\b/i.test(
    contentType ?? "",
  );
}

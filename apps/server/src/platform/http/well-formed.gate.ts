// Refuses requests whose text nobody can store: bytes that are not UTF-8, half surrogate pairs, NUL.
import { isUtf8 } from "node:buffer";
import type { FastifyRequest } from "fastify";
import { refuse } from "../errors.ts";

/** Two hosts: a proxy may go by one of them and the server by the other. HTTP/2 has its own name for the host. */
export function requireOneHost({ raw }: FastifyRequest): void {
  const hosts = raw.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === "host");
  if (hosts.length > 1) refuse("BAD_REQUEST");
}

/** The query parser leaves text as it is that it cannot decode, and a path is decoded by the router. */
export function requireDecodableQuery({ raw }: FastifyRequest): void {
  const { url = "" } = raw;
  const at = url.indexOf("?");
  if (at >= 0) requireDecodable(url.slice(at + 1));
}

/** The text of a body; decoding would replace wrong bytes without a word. */
export function textOf(body: Buffer): string {
  if (!isUtf8(body)) refuse("TEXT_NOT_UTF8");
  return body.toString();
}

/** Fields of a form body as `querystring` reads them, each of them decodable. */
export function requireDecodable(encoded: string): void {
  try {
    decodeURIComponent(encoded);
  } catch {
    refuse("TEXT_NOT_UTF8");
  }
}

const isStorable = (text: string) => text.isWellFormed() && !text.includes("\0");

/**
 * Finds a text or a field's name that PostgreSQL cannot store: its path, null if there is none. A loop, because a body
 * may be nested deeper than the stack.
 */
export function unstorableTextIn(input: unknown): string | null {
  const open: [string, unknown][] = [["", input]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, value] = next;
    if (typeof value === "string" && !isStorable(value)) return path;
    if (typeof value !== "object" || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (!isStorable(name)) return `${path}/字段名`;
      open.push([`${path}/${name}`, inner]);
    }
  }
  return null;
}

// /.well-known/security.txt (RFC 9116): where people report vulnerabilities.
import type { FastifyInstance } from "fastify";
import { refuse } from "../errors.ts";

/** Readers discard the file afterwards; it is made anew for each, so that nobody needs to renew it. */
const VALID_MS = 180 * 86_400_000;

/** `contact` is a mailto:, https: or tel: address; null: the file does not exist. */
export function addSecurityTxt(app: FastifyInstance, contact: string | null): void {
  app.get("/.well-known/security.txt", (_request, reply) => {
    if (contact === null) refuse("ROUTE_NOT_FOUND");
    const expires = new Date(Date.now() + VALID_MS).toISOString();
    const lines = [`Contact: ${contact}`, `Expires: ${expires}`, "Preferred-Languages: zh, en"];
    return reply.type("text/plain; charset=utf-8").send(`${lines.join("\n")}\n`);
  });
}

// /llms.txt: the published documents with their addresses, for programs that read them.
import type { FastifyInstance } from "fastify";

const LLMS_TXT = `# 智能存取系统 Smart storage

> Lockers that are opened from the cloud. Documents for third parties, for the app and for makers of cabinets.

## Documents

- [Integration guide](/sdk/integration.en.md): signing, calls, callbacks, cabinets, test vectors, versions and changes
- [接入文档](/sdk/integration.zh.md): the same in Chinese

## OpenAPI 3.1

- [Open API](/api/openapi/partner.json?lang=en): calls and webhooks of third parties
- [App API](/api/openapi/app.json?lang=en): calls of riders and recipients
- [Cabinets](/api/openapi/device.json?lang=en): calls of cabinets over HTTPS

## Samples

- [Client for Node](/sdk/open-api-client.mjs): signs calls and verifies callbacks

## Optional

- [Status](/status): whether the platform serves
`;

export function addLlmsTxt(app: FastifyInstance): void {
  app.get("/llms.txt", (_request, reply) => reply.type("text/plain; charset=utf-8").send(LLMS_TXT));
}

// Open API for third parties: signing and verifying requests, verifying webhooks, a client.
export * from "./callback.ts";
export * from "./client.ts";
export * from "./signature.ts";
export * from "./types.ts";

// The open API for third parties: signing and verifying requests, verifying callbacks, a small client.
export * from "./callback.ts";
export * from "./client.ts";
export * from "./signature.ts";
export * from "./types.ts";

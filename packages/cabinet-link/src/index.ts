// The cabinet link `c1`: what a cabinet and the server must agree on.
export * from "./activation.ts";
export * from "./clock.ts";
export * from "./connect.ts";
export * from "./credentials.ts";
export * from "./decision.ts";
export * from "./down-messages.ts";
export * from "./fields.ts";
export * from "./file-proof.ts";
export * from "./firmware.ts";
export * from "./frame.ts";
export * from "./keys.ts";
export * from "./limits.ts";
export * from "./link.ts";
export * from "./snapshot.ts";
export * from "./topics.ts";
export * from "./up-messages.ts";
export * from "./validate.ts";

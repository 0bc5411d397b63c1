// Catalog of the lists that can be exported, by the path of their call.
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { isExportable } from "@cabinet/contract/kit/export.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";

/** A call and its handler. */
export interface ListCall {
  spec: EndpointSpec;
  handler: (ctx: Ctx, input: unknown) => Promise<unknown>;
}

export class Catalog {
  readonly #calls: ReadonlyMap<string, ListCall>;

  /** Keeps the lists among these calls. */
  constructor(calls: readonly ListCall[]) {
    this.#calls = new Map(
      calls.filter(({ spec }) => isExportable(spec)).map((call) => [call.spec.path, call]),
    );
  }

  find(path: string): ListCall {
    return this.#calls.get(path) ?? refuse("NOT_FOUND", { what: "要导出的列表" });
  }
}

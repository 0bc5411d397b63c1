// What the fields of an entry are called: as the form of its call calls them, or any other form does.
import { auditFieldText } from "@cabinet/contract/audit/audit.rules.ts";
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";

type Titles = Map<string, string>;

/** A JSON schema as far as it is walked here. */
interface Part {
  title?: string;
  properties?: Record<string, Part>;
  items?: Part;
  anyOf?: Part[];
}

function addTitles(titles: Titles, part: Part | undefined): void {
  for (const [name, field] of Object.entries(part?.properties ?? {})) {
    if (field.title && !titles.has(name)) titles.set(name, field.title);
    addTitles(titles, field);
  }
  if (part?.items) addTitles(titles, part.items);
  for (const choice of part?.anyOf ?? []) addTitles(titles, choice);
}

/** `"PUT /admin/v1/…"`, as an entry names its call. */
export const callKey = (spec: Pick<EndpointSpec, "method" | "path">) =>
  `${spec.method} ${spec.path}`;

export class AuditLabels {
  readonly #ofCall = new Map<string, Titles>();
  readonly #ofAll: Titles = new Map();

  constructor(specs: readonly EndpointSpec[]) {
    for (const spec of specs) {
      const own: Titles = new Map();
      for (const part of [spec.body, spec.query, spec.params]) {
        addTitles(own, part as Part | undefined);
        addTitles(this.#ofAll, part as Part | undefined);
      }
      this.#ofCall.set(callKey(spec), own);
    }
  }

  /** `营业时间 · 2 · 开始`; a name that nobody gave a title stays as it is. */
  labelOf(call: string, path: readonly string[]): string {
    const own = this.#ofCall.get(call);
    return path
      .map((name) =>
        /^\d+$/.test(name)
          ? name
          : (own?.get(name) ?? auditFieldText[name] ?? this.#ofAll.get(name) ?? name),
      )
      .join(" · ");
  }
}

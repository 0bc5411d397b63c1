// Titles of audit fields: from the form of the entry's call, or from another form of its noun.
import type { Contract, EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { auditFieldText } from "./audit-field-text.rules.ts";

type Titles = Map<string, string>;

/** The parts of a JSON schema that are walked here. */
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

function titlesOf(specs: readonly EndpointSpec[]): Titles {
  const titles: Titles = new Map();
  for (const part of specs.flatMap((spec) => [spec.body, spec.query, spec.params])) {
    addTitles(titles, part as Part | undefined);
  }
  return titles;
}

/** `"PUT /admin/v1/…"`, the name of a call in an audit entry. */
export const callKey = (spec: Pick<EndpointSpec, "method" | "path">) =>
  `${spec.method} ${spec.path}`;

export class AuditLabels {
  readonly #calls = new Map<string, { noun: string; titles: Titles }>();
  readonly #ofNoun = new Map<string, Titles>();
  readonly #ofAll: Titles;

  constructor(contracts: Record<string, Contract>) {
    const all = Object.entries(contracts);
    for (const [noun, contract] of all) {
      this.#ofNoun.set(noun, titlesOf(Object.values(contract)));
      for (const spec of Object.values(contract)) {
        this.#calls.set(callKey(spec), { noun, titles: titlesOf([spec]) });
      }
    }
    this.#ofAll = titlesOf(all.flatMap(([, contract]) => Object.values(contract)));
  }

  nounOf(call: string): string | undefined {
    return this.#calls.get(call)?.noun;
  }

  /** `格口布局 · 第 2 项 · 尺寸`; a name without a title stays unchanged. */
  labelOf(call: string, path: readonly string[]): string {
    const known = this.#calls.get(call);
    const sources = [known?.titles, this.#ofNoun.get(known?.noun ?? "")];
    const titleOf = (name: string) =>
      sources.find((titles) => titles?.has(name))?.get(name) ??
      auditFieldText[name] ??
      this.#ofAll.get(name) ??
      name;
    return path.map((name) => (name.startsWith("#") ? name.slice(1) : titleOf(name))).join(" · ");
  }
}

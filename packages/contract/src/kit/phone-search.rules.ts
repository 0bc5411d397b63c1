// Fields of a call in which people search by a phone.
import type { EndpointSpec } from "./endpoint.ts";
import type { PhoneForm } from "./phone.rules.ts";

export interface PhoneSearchField {
  name: string;
  form: PhoneForm;
  /** Permission to reveal such phones. */
  reveal: string;
}

export function phoneSearchFieldsOf({ query }: Pick<EndpointSpec, "query">): PhoneSearchField[] {
  const { properties = {} } = (query ?? {}) as {
    properties?: Record<string, { "x-phone"?: PhoneForm; "x-phone-reveal"?: string }>;
  };
  return Object.entries(properties).flatMap(([name, field]) => {
    const form = field["x-phone"];
    if (form !== "PART" && form !== "SEARCH") return [];
    return [{ name, form, reveal: field["x-phone-reveal"] ?? "" }];
  });
}

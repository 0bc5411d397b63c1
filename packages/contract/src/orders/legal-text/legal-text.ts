// Field types of legal texts that the app's calls and the console's share.

import { type Static, Type } from "typebox";
import { Nullable, OneOf, Strict, Timestamp } from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { LEGAL_TEXT_KINDS } from "./legal-text.rules.ts";

export const LegalKind = OneOf(LEGAL_TEXT_KINDS, "协议");

export const LegalVersion = named(
  "LegalVersion",
  Type.Object({
    kind: LegalKind,
    version: Type.Integer({ description: "从 1 起，每次发布加 1" }),
    isOfPlatform: Type.Boolean({ description: "运营商没有自己的，显示平台的" }),
  }),
);
export type LegalVersion = Static<typeof LegalVersion>;

/** Text in force with the time of a person's consent; null while it is due. */
export const LegalConsent = named(
  "LegalConsent",
  Type.Object({
    ...LegalVersion.properties,
    agreedAt: Nullable(Timestamp),
  }),
);
export type LegalConsent = Static<typeof LegalConsent>;

/** Texts that the person has ticked; a version that is no longer in force is not recorded. */
export const Agreed = Type.Array(
  Strict({
    kind: LegalKind,
    version: Type.Integer({ title: "版本", minimum: 1, maximum: 2_147_483_647 }),
  }),
  {
    title: "同意的协议",
    maxItems: LEGAL_TEXT_KINDS.length,
    description: "此人勾选同意的协议和版本；已不是现行版本的不记录，见 legal 的 agreedAt",
  },
);
export type Agreed = Static<typeof Agreed>;

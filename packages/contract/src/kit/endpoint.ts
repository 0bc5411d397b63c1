// Definition of a call: method, path, access and the schemas of everything that crosses the wire.
import { type Static, type TObject, type TSchema, Type } from "typebox";
import type { Feature } from "../vocabulary/feature.rules.ts";
import { Id } from "./fields.ts";
import { named, schemaNameOf } from "./named.ts";
import type { FileKind, ReceivedFile } from "./upload.rules.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/**
 * Required access of a call. `public`: no session; `end-user`: riders and recipients, by the app's
 * session; `partner`: third parties, by request signature and their application's scopes;
 * `signed-in`: any account; `platform`: platform staff (userType 0 of tenant 1) alone;
 * `noun:verb`: accounts whose menu entries carry this permission.
 */
export type Access =
  | "public"
  | "end-user"
  | "partner"
  | "signed-in"
  | "platform"
  | `${string}:${string}`;

/**
 * How a call shares the server with others. `critical`: doors, sign-in and people in front of a cabinet, who cannot
 * wait; `interactive`: lists and forms; `heavy`: calls that compute over long periods. A flood of one load leaves
 * places for the more critical ones.
 */
export type Load = "critical" | "interactive" | "heavy";

/**
 * `trust`: decides who may do what, which programs and devices are believed, and where money goes; `money`: prices and
 * credit. Both need a recent proof of the person. `money-by-sum`: moves money that the ledger adds up: a proof is due beyond
 * the tenant's limit (0131). `data`: reveals personal data, or changes what is hard to restore. `routine`: daily work.
 */
export type Risk = "trust" | "money" | "money-by-sum" | "data" | "routine";

/** True for calls that are refused with `PROOF_DUE` when the session's last proof (password or second factor) is not recent. */
export function needsProof({ risk }: Pick<EndpointSpec, "risk">): boolean {
  return risk === "trust" || risk === "money";
}

/** Answers under an idempotency key are kept this long. */
export const IDEMPOTENCY_DAYS = 3;

/** True for calls that need a signed-in console account. */
export function isOfConsole({ access }: { access: Access }): boolean {
  return access !== "public" && access !== "end-user" && access !== "partner";
}

/** Client programs: of third parties, of the app, of cabinets, and the console. */
export const CALLERS = ["partner", "app", "device", "console"] as const;
export type Caller = (typeof CALLERS)[number];

export function callerOf({ access, path }: Pick<EndpointSpec, "access" | "path">): Caller {
  if (access === "partner") return "partner";
  if (access === "end-user" || path.startsWith("/app/")) return "app";
  return path.startsWith("/device/") ? "device" : "console";
}

export interface EndpointSpec {
  method: Method;
  /** Path as in the specification, with `{id}` for path parameters, without the base path. */
  path: `/${string}`;
  /** `/api` unless a device or another party calls it. */
  base?: "/api" | "";
  access: Access;
  /** Scope that a third party's application needs; absent: any application may call. */
  scope?: `${string}:${string}`;
  /** Optional feature of tenants (0075) that the call needs, beside that of its permission. */
  feature?: Feature;
  /** True: a POST that only reads, which the audit log does not record as a write. False: a GET that leaves work behind. */
  isRead?: boolean;
  /**
   * Idempotent: a repeat under the same `Idempotency-Key` header returns the first answer and has no
   * effect. Third parties must send the header. `always`: for calls that move money or SMS credit; a
   * request without the header gets a key derived from its caller and content (decision 0058).
   */
  once?: true | "always";
  /**
   * Follows from a person's press and opens a door, restarts a cabinet, frees a compartment, or moves money or credit: refused
   * when the press (`x-pressed-at`) is older than `PRESS_SECONDS` (0115). Third parties may leave the header out.
   */
  pressed?: true;
  /**
   * App calls only: starts something new, which is refused to a locked person and in a closed
   * tenant.
   */
  startsNew?: true;
  /** The header `captcha-verification` must have a solved challenge of `/auth/captcha`: always, or after `CAPTCHA_DUE`. */
  needsCaptcha?: "always" | "when-due";
  /** Worst that a stolen session could do with the call; every writing call of the console has one. */
  risk?: Risk;
  /** Default: `critical` for public calls and the app's, `interactive` for others. */
  load?: Load;
  /** One Chinese sentence for the API reference and the audit log. */
  summary: string;
  params?: TObject;
  query?: TObject;
  body?: TObject;
  /** Encoding of the body (specification §7); default JSON. `multipart`: fields and one file. */
  bodyForm?: "json" | "form" | "multipart";
  /** Kinds of file that a multipart body may contain. */
  uploads?: readonly FileKind[];
  /**
   * `file`: the reply is the bytes of a stored file, chosen by the handler, instead of an
   * envelope.
   */
  replyForm?: "json" | "file";
  reply: TSchema;
}

/** True when the call changes nothing. */
export function isReading(spec: Pick<EndpointSpec, "method" | "isRead">): boolean {
  return spec.isRead ?? spec.method === "GET";
}

export function loadOf({ load, access }: Pick<EndpointSpec, "load" | "access">): Load {
  return load ?? (access === "public" || access === "end-user" ? "critical" : "interactive");
}

type Rated<Spec> = Spec extends
  | { access: "public" | "end-user" | "partner" }
  | { isRead: true }
  | { method: "GET"; isRead?: true }
  ? unknown
  : { risk: Risk };

/** Declares one call: the single source of its shapes, access and documentation. A writing call of the console without a `risk` does not compile. */
export function endpoint<const Spec extends EndpointSpec>(spec: Spec & Rated<Spec>): Spec {
  return spec;
}

export type Contract = Record<string, EndpointSpec>;

type Shape<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

/** Input that a handler receives and a client sends. */
export interface Input<Spec extends EndpointSpec> {
  params: Shape<Spec["params"]>;
  query: Shape<Spec["query"]>;
  body: Spec extends { bodyForm: "multipart" }
    ? Shape<Spec["body"]> & { file: ReceivedFile }
    : Shape<Spec["body"]>;
}

export type Reply<Spec extends EndpointSpec> = Static<Spec["reply"]>;

/** Path below the origin, parameters still in braces. */
export function urlPath(spec: EndpointSpec): string {
  return `${spec.base ?? "/api"}${spec.path}`;
}

/** Specification §3: the envelope of a successful reply, named after its data. */
export function Success<Data extends TSchema>(data: Data) {
  const success = Type.Object({ code: Type.Literal(0), data, errMsg: Type.Literal("") });
  const name = schemaNameOf(data);
  return name ? named(`${name}Answer`, success) : success;
}

export const MAX_MISTAKES = 20;
export const Mistake = named(
  "Mistake",
  Type.Object({
    param: Type.Optional(Type.String({ description: "有误的字段；说不出是哪一个时没有" })),
    errMsg: Type.String({ description: "哪里有误，给人看" }),
  }),
);
export type Mistake = Static<typeof Mistake>;

/** Specification §3: the envelope of a refusal; all but `errMsg` is for programs. */
export const Refused = named(
  "Refused",
  Type.Object({
    code: Type.Literal(1),
    data: Type.Null(),
    errMsg: Type.String({
      description: "给人看的中文，开放接口按 Accept-Language: en 给英文；措辞会改进，不要用来判断",
    }),
    errCode: Type.String({ description: "稳定的错误代码" }),
    param: Type.Optional(
      Type.String({
        description: "有误的字段，如 recipientPhone 或 items[0].no；说不出是哪一个时没有",
      }),
    ),
    scope: Type.Optional(
      Type.String({ description: "应用缺少的权限，如 order:open；只在 NO_PERMISSION 时有" }),
    ),
    mistakes: Type.Optional(
      Type.Array(Mistake, {
        maxItems: MAX_MISTAKES,
        description: "VALIDATION 的全部错误，每个字段一条，第一条与 errMsg 相同；只有一个时也有",
      }),
    ),
    resource: Type.Optional(
      Type.String({
        description:
          "不存在的是什么：order 订单、cabinet 设备、opening 开门记录；只在 NOT_FOUND 时有",
      }),
    ),
    docUrl: Type.String({ description: "这个错误代码的说明，平台域名下的路径" }),
    requestId: Type.String({ description: "请求编号，报告问题时带上；也在响应的 x-request-id 里" }),
  }),
);
export type Refused = Static<typeof Refused>;

/** Which stored file a call of `replyForm: "file"` sends. */
export const StoredFile = Type.Object({
  key: Type.String(),
  mediaType: Type.String(),
  sizeBytes: Type.Integer(),
  sha256: Type.String(),
});
export type StoredFile = Static<typeof StoredFile>;

/** Reply of a call that returns nothing but success. */
export const Nothing = named("Nothing", Type.Null());

/** Reply of a call that returns nothing but the id of its record. */
export const RecordId = named("RecordId", Type.Object({ id: Id }));

/** Reply of a call that changes several records. */
export const ChangedCount = named("ChangedCount", Type.Object({ changed: Type.Integer() }));

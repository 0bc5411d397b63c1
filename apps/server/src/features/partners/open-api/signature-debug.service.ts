// 签名调试: runs the gatekeeper's checks on a pasted request and reports failed steps, never the
// correct signature.

import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { openApiContract } from "@cabinet/contract/partners/open-api/open-api.contract.ts";
import { openRefusalAdvice } from "@cabinet/contract/partners/open-api/open-api.rules.ts";
import type {
  PastedRequest,
  SignatureReport,
} from "@cabinet/contract/partners/open-api/open-app.contract.ts";
import { isSignature, stringToSign } from "@cabinet/open-api-client";
import type { Ctx } from "../../../platform/context.ts";
import { findAppByCode, findSecretsOf, isNonceUsed } from "./open-app.sql.ts";
import { keyOwner } from "./partner.gate.ts";
import { checks, type Evidence, readClaim } from "./partner-checks.gate.ts";
import { type CallingApp, findAppForCall } from "./partner-gate.sql.ts";
import { commonMistakes, headerProblem } from "./signature-mistakes.labels.ts";

const specs: EndpointSpec[] = Object.values(openApiContract);

/** Endpoint of a method and path; null if there is none. */
function specOf(method: string, target: string): EndpointSpec | null {
  const [path = ""] = target.split("?");
  // Fixed paths before parameters: `/order/find` must not match `/order/{id}`.
  const sorted = specs.toSorted(
    (one, other) => one.path.split("{").length - other.path.split("{").length,
  );
  return (
    sorted.find(
      (spec) =>
        spec.method === method &&
        new RegExp(`^${spec.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(path),
    ) ?? null
  );
}

export async function debugSignature(ctx: Ctx, pasted: PastedRequest): Promise<SignatureReport> {
  const { db, session } = ctx;
  const authorization = pasted.authorization.trim().replace(/^authorization:\s*/i, "");
  const { method, target } = pasted;
  const read = readClaim(
    { ...pasted, authorization },
    { method, target, body: Buffer.from(pasted.body) },
  );
  if (!read) {
    const detail = headerProblem(authorization) ?? openRefusalAdvice.SYNTAX;
    return report(
      null,
      (step) => (step === "SYNTAX" ? false : null),
      () => detail,
      [],
    );
  }
  const { claim, request, text } = read;
  const key = await findAppByCode(db, session, claim.app);
  const app = key && (await findAppForCall(db, key, claim.kid));
  const secrets = app ? await openSecrets(ctx, app) : [];
  const secret = secrets.find(({ kid }) => kid === claim.kid)?.secret ?? null;
  const spec = specOf(method, target);
  const evidence: Evidence = {
    ...{ claim, app, secret, text },
    now: Math.floor(Date.now() / 1000),
    isFromAllowedNetwork: null,
  };
  const failed = new Set<Step>(
    checks.filter(({ isOk }) => !isOk(evidence)).map(({ step }) => step),
  );
  if (app && spec?.scope && !app.scopes.includes(spec.scope)) failed.add("SCOPE");
  const isSigned = secret !== null && !failed.has("SIGNATURE");
  if (app && isSigned && (await isNonceUsed(db, app, claim.nonce))) failed.add("REPLAY");
  const hints = secret !== null && !isSigned ? hintsFor() : [];
  return report(text, isOk, detailOf, hints);

  /**
   * Result of a step, also after a failed one: a pasted request is always expired. Null: not
   * checkable.
   */
  function isOk(step: Step): boolean | null {
    if (!app && ofApp.has(step)) return null;
    if (!app?.key && step === "KEY_ENDED") return null;
    if (secret === null && step === "SIGNATURE") return null;
    if (!isSigned && step === "REPLAY") return null;
    return !failed.has(step);
  }

  function detailOf(step: Step): string {
    if (step === "TIME") return timeText(claim.ts, evidence.now);
    if (step === "APP_DISABLED" && !app) return "没有这个应用，请核对 app";
    if (step === "SCOPE") return scopeText(spec);
    if (step === "NETWORK") return "粘贴的请求不知道来源地址，不检查";
    return "";
  }

  function hintsFor(): string[] {
    const isSame = (other: string, withSecret: string | null) =>
      withSecret !== null && isSignature(withSecret, other, claim.sig);
    const others = secrets.filter(({ kid }) => kid !== claim.kid);
    const byOther = others.find((other) => isSame(text, other.secret));
    if (byOther) return [`签名是用密钥 ${byOther.kid} 做的，而 kid 写的是 ${claim.kid}`];
    return commonMistakes(request)
      .filter(({ as }) =>
        isSame(
          typeof as === "function" ? as(text) : stringToSign({ ...request, ...as }, claim),
          secret,
        ),
      )
      .map(({ hint }) => hint);
  }
}

async function openSecrets({ db }: Ctx, app: CallingApp) {
  const sealed = await findSecretsOf(db, app);
  return sealed.map(({ kid, sealedSecret }) => ({
    kid,
    secret: db.vault.open(sealedSecret, keyOwner({ ...app, kid })),
  }));
}

type Step = SignatureReport["steps"][number]["step"];

const steps: Step[] = [...checks.map(({ step }) => step), "REPLAY", "SCOPE"];
/** Steps that cannot be checked for an unknown application. */
const ofApp = new Set<Step>(["KEY_UNKNOWN", "KEY_ENDED", "SCOPE", "SIGNATURE"]);

function report(
  stringToSign: string | null,
  isOkOf: (step: Step) => boolean | null,
  detailOf: (step: Step) => string,
  hints: string[],
): SignatureReport {
  return {
    stringToSign,
    steps: steps.map((step) => {
      const isOk = isOkOf(step);
      const advice = isOk === false ? openRefusalAdvice[step] : "";
      return { step, isOk, detail: isOk === null ? "" : detailOf(step) || advice };
    }),
    hints,
  };
}

function timeText(ts: number, now: number): string {
  const seconds = now - ts;
  if (seconds === 0) return "与服务器时间一致";
  return `比服务器时间${seconds > 0 ? "慢" : "快"} ${Math.abs(seconds)} 秒`;
}

function scopeText(spec: EndpointSpec | null): string {
  if (!spec) return "没有这个路径和方法的调用，服务器会返回 404";
  return spec.scope ? `需要权限 ${spec.scope}` : "不需要特别的权限";
}

// 签名调试: goes through a pasted request as the gate would, says which step fails, and never what is right.

import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { openApiContract } from "@cabinet/contract/open-api/open-api.contract.ts";
import { openRefusalAdvice } from "@cabinet/contract/open-api/open-api.rules.ts";
import type {
  PastedRequest,
  SignatureReport,
} from "@cabinet/contract/open-api/open-app.contract.ts";
import { isSignature, stringToSign } from "@cabinet/open-api-client";
import type { Ctx } from "../../platform/context.ts";
import type { Vault } from "../../platform/secrets.ts";
import { findAppByCode, findSecretsOf, isNonceUsed } from "./open-app.sql.ts";
import { checks, type Evidence, readClaim } from "./partner-checks.ts";
import { type CallingApp, findAppForCall } from "./partner-gate.sql.ts";
import { keyOwner } from "./partner-gate.ts";
import { commonMistakes, headerProblem } from "./signature-mistakes.ts";

const specs: EndpointSpec[] = Object.values(openApiContract);

/** The call behind a path; null where there is none. */
function specOf(method: string, target: string): EndpointSpec | null {
  const [path = ""] = target.split("?");
  // The fixed ones first: `/order/find` is no number.
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

export async function debugSignature(
  ctx: Ctx,
  vault: Vault,
  pasted: PastedRequest,
): Promise<SignatureReport> {
  const { db, session } = ctx;
  const authorization = pasted.authorization.trim().replace(/^authorization:\s*/i, "");
  const { method, target } = pasted;
  const read = readClaim(
    { ...pasted, authorization },
    { method, target, body: Buffer.from(pasted.body) },
  );
  if (!read) {
    const detail = headerProblem(authorization) ?? openRefusalAdvice.SYNTAX;
    return report(null, "SYNTAX", () => detail, []);
  }
  const { claim, request, text } = read;
  const key = await findAppByCode(db, session, claim.app);
  const app = key && (await findAppForCall(db, key, claim.kid));
  const secrets = app ? await openSecrets(ctx, vault, app) : [];
  const secret = secrets.find(({ kid }) => kid === claim.kid)?.secret ?? null;
  const spec = specOf(method, target);
  const evidence: Evidence = {
    ...{ claim, app, secret, text },
    now: Math.floor(Date.now() / 1000),
    scope: spec?.scope ?? null,
    isFromAllowedNetwork: null,
  };
  const failed = checks.find(({ isOk }) => !isOk(evidence))?.step ?? null;
  const isReplay = failed === null && app && (await isNonceUsed(db, app, claim.nonce));
  const hints = failed === "SIGNATURE" ? hintsFor() : [];
  return report(text, failed ?? (isReplay ? "REPLAY" : null), detailOf, hints);

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

async function openSecrets({ db }: Ctx, vault: Vault, app: CallingApp) {
  const sealed = await findSecretsOf(db, app);
  return sealed.map(({ kid, sealedSecret }) => ({
    kid,
    secret: vault.open(sealedSecret, keyOwner({ ...app, kid })),
  }));
}

type Step = SignatureReport["steps"][number]["step"];

const steps: Step[] = [...checks.map(({ step }) => step), "REPLAY"];

/** Everything before the step that failed is right; what comes behind it was not looked at. */
function report(
  stringToSign: string | null,
  failed: Step | null,
  detailOf: (step: Step) => string,
  hints: string[],
): SignatureReport {
  const at = failed === null ? steps.length : steps.indexOf(failed);
  return {
    stringToSign,
    steps: steps.map((step, index) => ({
      step,
      isOk: index < at ? true : index === at ? false : null,
      detail: detailOf(step) || (index === at ? openRefusalAdvice[step] : ""),
    })),
    hints,
  };
}

function timeText(ts: number, now: number): string {
  const seconds = now - ts;
  if (seconds === 0) return "与服务器时间一致";
  return `比服务器时间${seconds > 0 ? "慢" : "快"} ${Math.abs(seconds)} 秒`;
}

function scopeText(spec: EndpointSpec | null): string {
  if (!spec) return "没有这个路径和方法的调用，服务器会回答 404";
  return spec.scope ? `需要权限 ${spec.scope}` : "不需要特别的权限";
}

// Four eyes: rehearses a call that moves money, keeps it as a request when its sum is too large, executes it once a second person agrees.
import type { EndpointSpec, Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import { journalKindText } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import type { Review, reviewContract } from "@cabinet/contract/money/review/review.contract.ts";
import { reviewStateText } from "@cabinet/contract/money/review/review.rules.ts";
import { type AuditNote, type Ctx, type MoneyReview, mayDo } from "../../../platform/context.ts";
import { Refusal, refuse } from "../../../platform/errors.ts";
import { requireAccess } from "../../../platform/http/http-access.ts";
import { pushLive } from "../../../platform/http/live.ts";
import * as repo from "./review.sql.ts";

const what = "复核申请";

/** A call that may wait. */
export interface WaitingCall {
  spec: EndpointSpec;
  handler(ctx: Ctx, input: unknown): Promise<unknown>;
}

/** Name under which a request keeps its call. */
export const nameOf = ({ spec }: Pick<WaitingCall, "spec">): string =>
  `${spec.method} ${spec.path}`;

/**
 * Runs the call. When the ledger finds its sum due for a review, everything that the call wrote is taken back, and the call
 * becomes a request: it has passed all its checks, and its journals are known to the fen.
 */
export async function runOrRequest(ctx: Ctx, call: WaitingCall, input: unknown): Promise<unknown> {
  const { db, session } = ctx;
  const review: MoneyReview = { isApproved: false, isDue: false, postings: [] };
  const note: AuditNote = {};
  const rehearsal: Ctx = {
    ...ctx,
    session: { ...session, review },
    audit: (more) => void Object.assign(note, more),
  };
  // Both are sent in one turn, in this order.
  const begun = repo.beginRehearsal(db);
  const [, result] = await Promise.all([begun, call.handler(rehearsal, input)]);
  if (!review.isDue || result instanceof Refusal) {
    ctx.audit(note);
    return result;
  }
  await repo.undoRehearsal(db);
  const { tenantId = session.tenantId, target, reason = "" } = note;
  const { params, body } = input as Pick<Input<EndpointSpec>, "params" | "body">;
  const id = await repo.keepRequest(db, session, {
    tenantId,
    call: nameOf(call),
    permission: call.spec.access,
    input: { params, body },
    postings: review.postings,
    reason,
  });
  ctx.audit({ tenantId, target: `${what} ${id}：${target}`, reason });
  await pushLive(db, { tenantId, topic: "notice", cabinetId: null });
  return new Refusal("REVIEW_REQUESTED");
}

export async function listReviews(
  { db, session }: Ctx,
  query: Input<typeof reviewContract.list>["query"],
): Promise<Page<Review>> {
  const page = await repo.findReviews(db, session, query);
  return { ...page, list: page.list.map((row) => ({ ...row, phone: maskPhone(row.phone) })) };
}

/** Calls that may wait, by the name under which a request keeps them. */
type Waiting = ReadonlyMap<string, WaitingCall>;

/** The request, if it still waits and the account may do the same, or has requested it. */
async function lockWaitingOrRefuse(
  { db, session }: Ctx,
  id: number,
  { waiting, action }: { waiting: Waiting; action: string },
): Promise<repo.ReviewRow> {
  if (![...waiting.values()].some(({ spec }) => mayDo(session, spec.access))) {
    refuse("NO_PERMISSION");
  }
  const row = await repo.lockReview(db, session, id);
  if (!row) refuse("NOT_FOUND", { what });
  if (row.state !== "PENDING") {
    refuse("STATE_NOT_ALLOWED", { what, state: reviewStateText[row.state], action });
  }
  return row;
}

/** Executes the request in this transaction, so that it happens once and with its decision, or not at all. */
export async function approve(ctx: Ctx, id: number, waiting: Waiting): Promise<null> {
  const { db, session } = ctx;
  const row = await lockWaitingOrRefuse(ctx, id, { waiting, action: "同意" });
  const { mayStill, isSamePerson } = await repo.findRequester(db, session, row);
  if (isSamePerson) refuse("REVIEW_OWN");
  const failed = (why: string) => refuse("REVIEW_FAILED", { why });
  if (!mayStill) failed("提交人的账号已停用，或不再有此权限");
  const call = waiting.get(row.call);
  if (!call) return failed("系统已更新，请重新提交");
  requireAccess(session, call.spec);
  const review: MoneyReview = { isApproved: true, isDue: false, postings: [] };
  const note: AuditNote = {};
  const signature = `${row.requesterName}，${session.signature} 复核`;
  const execution: Ctx = {
    ...ctx,
    session: { ...session, review, signature },
    audit: (more) => void Object.assign(note, more),
  };
  const outcome = await Promise.resolve(call.handler(execution, { query: {}, ...row.input })).catch(
    (error: unknown) => {
      if (error instanceof Refusal) return error;
      throw error;
    },
  );
  if (outcome instanceof Refusal) failed(outcome.text);
  if (!isAsRequested(row.postings, review.postings)) refuse("REVIEW_OUTDATED");
  await repo.decideReview(db, session, row, { state: "APPROVED", decision: null });
  ctx.audit({ ...note, target: `${what} ${id}：${note.target}` });
  await pushLive(db, { tenantId: row.tenantId, topic: "notice", cabinetId: null });
  return null;
}

/** The same journals; of a sale only the price, which the wallet pays as it stands now. */
function isAsRequested(
  requested: MoneyReview["postings"],
  executed: MoneyReview["postings"],
): boolean {
  const comparable = (postings: MoneyReview["postings"]) =>
    JSON.stringify(
      postings.map(({ kind, endUserId, principalFen, bonusFen, orderId, basis }) => {
        const sum = principalFen + bonusFen;
        const fen = kind === "PACKAGE_BUY" ? [sum] : [principalFen, bonusFen];
        return [kind, endUserId, orderId, basis, ...fen];
      }),
    );
  return comparable(requested) === comparable(executed);
}

/** Needs no recent proof: it stops money. The requester takes a request back with it. */
export async function refuseReview(
  ctx: Ctx,
  id: number,
  { reason, waiting }: { reason: string; waiting: Waiting },
): Promise<null> {
  const { db, session } = ctx;
  const row = await lockWaitingOrRefuse(ctx, id, { waiting, action: "拒绝" });
  await repo.decideReview(db, session, row, { state: "REFUSED", decision: reason.trim() });
  const { tenantId, kind, principalFen, bonusFen } = row;
  ctx.audit({
    tenantId,
    target: `${what} ${id}：${journalKindText[kind]}`,
    reason,
    after: { state: reviewStateText.REFUSED, principalFen, bonusFen },
  });
  await pushLive(db, { tenantId, topic: "notice", cabinetId: null });
  return null;
}

// HTTP routes of roll-outs.
import { rolloutContract } from "@cabinet/contract/fleet/rollout/rollout.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import {
  cancelRollout,
  createRollout,
  getRollout,
  pauseRollout,
  previewRollout,
  resumeRollout,
  retryRollout,
  revertRollout,
} from "./rollout.service.ts";
import { findRollouts, findTargets } from "./rollout-list.sql.ts";

export const rolloutRoutes = mount(rolloutContract, {
  list: (ctx, { query }) => findRollouts(ctx.db, ctx.session, query),
  get: (ctx, { params }) => getRollout(ctx, params.id),
  targets: (ctx, { params, query }) => findTargets(ctx.db, ctx.session, params.id, query),
  preview: (ctx, { query }) => previewRollout(ctx, query),
  create: (ctx, { body }) => createRollout(ctx, body),
  pause: (ctx, { params, body }) => pauseRollout(ctx, params.id, body.reason),
  resume: (ctx, { params, body }) => resumeRollout(ctx, params.id, body.reason),
  cancel: (ctx, { params, body }) => cancelRollout(ctx, params.id, body.reason),
  retry: (ctx, { params, body }) => retryRollout(ctx, params.id, body.reason),
  revert: (ctx, { params, body }) => revertRollout(ctx, params.id, body.reason),
});

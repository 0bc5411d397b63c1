// Routes for malfunctions.
import { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { countMalfunctions } from "./malfunction.sql.ts";
import {
  acceptMalfunctions,
  addNote,
  assignMalfunctions,
  changeSeverity,
  closeMalfunctions,
  ignoreMalfunctions,
  type LockRepaired,
  resolveMalfunction,
  testDoor,
} from "./malfunction-action.service.ts";
import {
  countByState,
  createMalfunction,
  getMalfunction,
  listAssignees,
  listMalfunctions,
} from "./malfunction-read.service.ts";
import { reopenMalfunction } from "./malfunction-reopen.service.ts";
import { getPhoto, uploadPhoto } from "./photo.service.ts";
import { changeSla, getSla } from "./sla.service.ts";

export const malfunctionRoutes = (lockRepaired: LockRepaired) =>
  mount(malfunctionContract, {
    size: (ctx, { query }) => countMalfunctions(ctx.db, ctx.session, query),
    list: (ctx, { query }) => listMalfunctions(ctx, query),
    counts: (ctx, { query }) => countByState(ctx, query),
    get: (ctx, { params }) => getMalfunction(ctx, params.id),
    assignees: (ctx, { query }) => listAssignees(ctx, query),
    create: (ctx, { body }) => createMalfunction(ctx, body),
    accept: (ctx, { body }) => acceptMalfunctions(ctx, body.ids),
    assign: (ctx, { body }) => assignMalfunctions(ctx, body),
    note: (ctx, { params, body }) => addNote(ctx, params.id, body),
    test: (ctx, { params, body }) => testDoor(ctx, params.id, body),
    resolve: (ctx, { params, body }) => resolveMalfunction(ctx, params.id, body, lockRepaired),
    close: (ctx, { body }) => closeMalfunctions(ctx, body.ids),
    ignore: (ctx, { body }) => ignoreMalfunctions(ctx, body),
    reopen: (ctx, { params, body }) => reopenMalfunction(ctx, params.id, body),
    setSeverity: (ctx, { params, body }) => changeSeverity(ctx, params.id, body),
    uploadPhoto: (ctx, { body }) => uploadPhoto(ctx, body),
    photo: (ctx, { params }) => getPhoto(ctx, params.fileId),
    sla: (ctx, { query }) => getSla(ctx, query.tenantId),
    saveSla: (ctx, { body }) => changeSla(ctx, body),
  });

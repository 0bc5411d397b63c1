// HTTP routes about the last backup.
import { backupContract } from "@cabinet/contract/operations/backup/backup.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { checkLatest, findLatest } from "./backup.service.ts";

/** `stamp`: path of the file that the last backup wrote. */
export const backupRoutes = (stamp: string) =>
  mount(backupContract, {
    latest: () => findLatest(stamp),
    check: () => checkLatest(stamp),
  });

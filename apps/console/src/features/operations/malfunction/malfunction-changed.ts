// Calls invalidated after an action on a malfunction.
import { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";

const { list, counts, get, size, assignees } = malfunctionContract;

export const malfunctionChanged = {
  invalidates: [list, counts, get, size, assignees],
  isQuiet: true,
};

// Accounts that need a second factor from their first sign-in (0143).
import { contracts } from "./contracts.ts";
import type { Contract, EndpointSpec } from "./kit/endpoint.ts";
import type { UserType } from "./vocabulary/account.ts";

const isGrave = ({ risk }: EndpointSpec) =>
  risk === "trust" || risk === "money" || risk === "money-by-sum";

/** Permissions of calls that decide about trust or move money. */
const gravePermissions: ReadonlySet<string> = new Set(
  Object.values<Contract>(contracts)
    .flatMap((contract) => Object.values(contract))
    .filter(isGrave)
    .map(({ access }) => access),
);

/** True for administrators, who have all permissions, and for accounts with one of these. */
export function isGraveAccount({
  userType,
  permissions,
}: {
  userType: UserType;
  permissions: readonly string[];
}): boolean {
  return userType === 0 || permissions.some((permission) => gravePermissions.has(permission));
}

// What a permission's word says of itself.

/** It lets somebody look and change nothing; every other one is of no use to who only looks. */
export function isReadingPermission(permission: string): boolean {
  return /:(read|simulate)$/.test(permission);
}

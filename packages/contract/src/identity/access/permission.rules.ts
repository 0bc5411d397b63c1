// Tells read permissions from others by their name.

/** True for permissions that allow reading alone; a read-only session has no use for the others. */
export function isReadingPermission(permission: string): boolean {
  return /:(read|simulate)$/.test(permission);
}

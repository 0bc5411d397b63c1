// Optional features that the platform switches per tenant, with dates (0075).

/** Doors, pickups, payments and refunds are never among them: goods and money must come out. */
export const FEATURES = [
  ...(["open-api", "webhook", "export"] as const),
  ...(["statistics", "screen", "advert"] as const),
];
export type Feature = (typeof FEATURES)[number];

export const featureTitle: Record<Feature, string> = {
  "open-api": "第三方接口",
  webhook: "回调",
  export: "导出",
  statistics: "统计与设备排行",
  screen: "数据大屏",
  advert: "设备广告",
};

/** Effect of a feature that is off, for whoever switches it. */
export const featureOffEffect: Record<Feature, string> = {
  "open-api": "第三方不能创建订单、查询设备；已有订单仍可查询、开门、取消",
  webhook: "不再产生新的回调；已产生的继续推送",
  export: "列表不能导出为表格",
  statistics: "数据概览、格口配比、设备排行和数据大屏都不能使用",
  screen: "数据大屏不能打开",
  advert: "不能管理广告，设备在一分钟内停播",
};

/** Permissions whose calls belong to a feature; calls without one of these name theirs (`feature`). */
const permissionsOf: Partial<Record<Feature, readonly string[]>> = {
  "open-api": ["open-app:read", "open-app:write", "open-call:read", "business-order:read"],
  webhook: ["callback:read", "callback:write", "callback:replay"],
  statistics: ["statistics:read"],
  advert: ["advert:read", "advert:write"],
};

/** Pages that share their permission with pages of other features. */
const pathsOf: Partial<Record<Feature, readonly string[]>> = { screen: ["/largeScreen"] };

const featureOfPermission = new Map(
  FEATURES.flatMap((feature) =>
    (permissionsOf[feature] ?? []).map((permission) => [permission, feature] as const),
  ),
);

/** Features that a call needs. */
export function featuresOf({ access, feature }: { access: string; feature?: Feature }): Feature[] {
  const ofAccess = featureOfPermission.get(access);
  return [...(feature ? [feature] : []), ...(ofAccess ? [ofAccess] : [])];
}

/** Permissions without those of features that are off. */
export function permissionsWithout(
  permissions: readonly string[],
  off: readonly Feature[],
): string[] {
  return permissions.filter((permission) => {
    const feature = featureOfPermission.get(permission);
    return !feature || !off.includes(feature);
  });
}

/** True for a menu entry of which nothing is left without the features that are off. */
export function isEntryOff(
  { uri, permissions }: { uri: string; permissions: readonly string[] },
  off: readonly Feature[],
): boolean {
  return (
    off.some((feature) => pathsOf[feature]?.includes(uri)) ||
    (permissions.length > 0 && permissionsWithout(permissions, off).length === 0)
  );
}

// Tenant settings of the demo's companies: service phone, opening hours, SMS signature, web page.

/** Indexed by tenant; the platform has no settings. */
const settings = [
  null,
  { service_phone: "0571-88886666", sms_sign: "禾木智存", opening_hours: "全天" },
  { service_phone: "028-66001234", sms_sign: "椒兰速存", opening_hours: "06:00-24:00" },
] as const;

interface PlacedTenant {
  tenantId: number;
  actors: readonly { signature: string }[];
}

export function settingRows(tenants: readonly PlacedTenant[]) {
  return tenants.flatMap(({ tenantId, actors }, nth) => {
    const setting = settings[nth];
    const editedBy = actors[1]?.signature ?? "";
    return setting ? [{ tenant_id: tenantId, ...setting, edited_by: editedBy }] : [];
  });
}

/** Every company has its web page: a visitor of the demo follows a parcel there. */
export function webPageRows(tenants: readonly PlacedTenant[]) {
  return tenants.slice(1).map(({ tenantId, actors }) => ({
    tenant_id: tenantId,
    is_on: true,
    edited_by: actors[1]?.signature ?? "",
  }));
}

// Tenant of an import, which platform staff choose before the file.
import { useState } from "react";
import { useIsPlatform } from "../../kit/permission.ts";
import type { ImportSpec } from "../../ui/import/import-spec.ts";
import { TenantSelect } from "./tenant-select.tsx";

export interface ImportTenant {
  /** Part of the request. */
  ofTenant: { tenantId?: number };
  /** Part of the import. */
  choice: Pick<ImportSpec<string, never>, "before">;
}

export function useImportTenant(): ImportTenant {
  const isPlatform = useIsPlatform();
  const [tenantId, setTenantId] = useState<number>();
  if (!isPlatform) return { ofTenant: {}, choice: {} };
  const value = tenantId === undefined ? {} : { value: tenantId };
  const control = (
    <div className="import-before">
      <TenantSelect label="租户" onChange={setTenantId} {...value} />
    </div>
  );
  return {
    ofTenant: tenantId === undefined ? {} : { tenantId },
    choice: { before: { control, isMissing: tenantId === undefined } },
  };
}

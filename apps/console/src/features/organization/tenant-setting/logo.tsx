// Tenant logo image, and the form control that uploads, shows and removes it.
import { tenantSettingContract } from "@cabinet/contract/organization/tenant-setting/tenant-setting.contract.ts";
import { useFileUrl } from "../../../kit/upload.ts";
import type { Control } from "../../../ui/form/control.ts";
import { FileUpload } from "../../../ui/form/file-upload.tsx";
import "../../../ui/display/basics.css";
import "./tenant-setting.css";

export function Logo({ id }: { id: string }) {
  const { url, error } = useFileUrl(tenantSettingContract.logo, { fileId: id });
  if (error) return <span className="ui-cell-none">图片加载失败</span>;
  return <img className="tenant-setting-logo" src={url ?? undefined} alt="Logo" />;
}

export interface LogoInputProps extends Control<string | null> {
  tenantId: number;
}

export function LogoInput({ tenantId, id, value, onChange }: LogoInputProps) {
  return (
    <FileUpload
      spec={tenantSettingContract.uploadLogo}
      fields={{ tenantId }}
      {...(id && { id })}
      value={value ? { id: value } : null}
      onChange={(file) => onChange?.(file?.id ?? null)}
      hint="PNG、JPG 或 WebP，正方形最好；不超过 512 KB、边长不超过 1024 像素"
      preview={(file) => (
        <>
          <Logo id={file.id} />
          <button type="button" className="ui-link" onClick={() => onChange?.(null)}>
            移除
          </button>
        </>
      )}
    />
  );
}

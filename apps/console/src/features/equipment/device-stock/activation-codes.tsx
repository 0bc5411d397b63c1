// Shows activation codes once, with copy and download, for handing to the installer.
import type { IssuedCode } from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import { exportFilename } from "@cabinet/contract/kit/export.rules.ts";
import { messageOf, toast } from "../../../kit/feedback.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { Button } from "../../../ui/display/button.tsx";
import { copyWithToast } from "../../../ui/display/copy-text.ts";
import { type Column, type ExportColumn, exportColumns } from "../../../ui/list/columns.ts";
import { DataTable } from "../../../ui/list/data-table.tsx";
import { saveFile, startWorkbook } from "../../../ui/sheet/export-workbook.ts";
import "./device-stock.css";

export interface ActivationCodesProps {
  codes: readonly IssuedCode[];
  /** Called once the codes are copied or saved. */
  onKept?: () => void;
}

const columns: Column<IssuedCode>[] = [
  { key: "sn", title: "设备编号", width: 144, exportWidth: 24 },
  {
    key: "code",
    title: "激活码",
    width: 176,
    exportWidth: 24,
    value: (row) => row.activationCode,
    render: (row) => <code className="stock-code">{row.activationCode}</code>,
  },
  { key: "model", title: "型号", width: 112, value: (row) => row.modelName },
];

const fileColumns: ExportColumn<IssuedCode>[] = [
  ...exportColumns(columns),
  { header: "批次", value: (row) => row.batch },
  {
    header: "有效期至",
    width: 24,
    format: "time",
    value: (row) => formatDateTime(row.codeExpiresAt),
  },
];

export function ActivationCodes({ codes, onKept }: ActivationCodesProps) {
  const copy = async () => {
    const text = codes.map((row) => `${row.sn}\t${row.activationCode}`).join("\n");
    if (await copyWithToast(text, `已复制 ${codes.length} 个激活码`)) onKept?.();
  };

  const download = async () => {
    const job = startWorkbook(
      fileColumns.map(({ header, width }) => ({ header, ...(width && { width }) })),
    );
    try {
      job.addRows(codes.map((row) => fileColumns.map(({ value }) => value(row))));
      const file = await job.finish();
      saveFile(file, exportFilename("激活码"));
      onKept?.();
    } catch (error) {
      toast.error(messageOf(error));
    } finally {
      job.stop();
    }
  };

  return (
    <div className="stock-codes">
      <div className="stock-codes-head">
        <p>
          共 {codes.length} 个激活码，<b>只显示这一次</b>，有效期至{" "}
          {formatDateTime(codes[0]?.codeExpiresAt)}。 请复制或下载后交给安装人员，一台一码。
        </p>
        <div className="stock-codes-buttons">
          <Button onClick={() => void copy()}>复制</Button>
          <Button type="primary" onClick={() => void download()}>
            下载
          </Button>
        </div>
      </div>
      <div className="stock-scroll">
        <DataTable
          label="激活码"
          columns={columns}
          rows={codes}
          rowKey={(row) => row.sn}
          expectedRows={codes.length}
        />
      </div>
    </div>
  );
}

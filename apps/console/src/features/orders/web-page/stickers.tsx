// QR stickers of the cabinets: chosen by store or one by one, then printed in a layout.
import {
  type WebPageSetting,
  webPageContract,
} from "@cabinet/contract/orders/web-page/web-page.contract.ts";
import { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import { useState } from "react";
import {
  LabelLayout,
  labelAddress,
  labelNote,
  type QrLayout,
  useLabelPrint,
} from "../../../domain/cabinet/qr-sheet.tsx";
import { useCall } from "../../../kit/query.ts";
import { Button } from "../../../ui/display/button.tsx";
import { QrCode } from "../../../ui/display/qr-code.tsx";
import { AnswerState, EmptyState } from "../../../ui/display/states.tsx";
import { LightSelect } from "../../../ui/popup/light-select.tsx";
import "../../../ui/display/basics.css";

export function Stickers({ setting: { tenantId, tenantName } }: { setting: WebPageSetting }) {
  const [storeId, setStoreId] = useState<number | null>(null);
  const stores = useCall(storeContract.options, { query: { tenantId } }, { toasts: true });
  const query = { tenantId, ...(storeId && { storeId }) };
  const answer = useCall(webPageContract.stickers, { query });
  const { list = [], total = 0 } = answer.data ?? {};
  /** Cabinets without a sticker: all others of the list are printed. */
  const [excluded, setExcluded] = useState<ReadonlySet<number>>(new Set());
  const [layout, setLayout] = useState<QrLayout>("3");
  const { print, sheet } = useLabelPrint();
  const chosen = list.filter(({ cabinetId }) => !excluded.has(cabinetId));
  const isAll = chosen.length === list.length;

  const toggle = (cabinetId: number) => {
    const changed = new Set(excluded);
    if (!changed.delete(cabinetId)) changed.add(cabinetId);
    setExcluded(changed);
  };
  return (
    <div className="web-page-stickers">
      <div className="web-page-tools">
        <LightSelect
          label="门店"
          className="web-page-store"
          placeholder="全部门店"
          isClearable
          options={stores.data?.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={storeId ? String(storeId) : ""}
          onChange={(value) => setStoreId(Number(value) || null)}
        />
        <label className="web-page-all">
          <input
            type="checkbox"
            className="ui-check"
            checked={isAll && list.length > 0}
            ref={(box) => {
              if (box) box.indeterminate = !isAll && chosen.length > 0;
            }}
            onChange={() =>
              setExcluded(new Set(isAll ? list.map(({ cabinetId }) => cabinetId) : []))
            }
          />
          全选
        </label>
        <LabelLayout layout={layout} onLayout={setLayout} />
        <Button
          type="primary"
          disabled={chosen.length === 0}
          onClick={() =>
            print(
              chosen.map((each) => ({ ...each, tenantName })),
              layout,
            )
          }
        >
          打印 {chosen.length} 张
        </Button>
      </div>
      <p className="web-page-note">{noteOf(list.length, total)}</p>
      {!answer.data ? (
        <AnswerState answer={answer} />
      ) : list.length === 0 ? (
        <EmptyState title="没有可以打印的柜机" hint="这里列出在用的柜机，不含已停用的" />
      ) : (
        <ul className="web-page-list">
          {list.map((each) => (
            <li key={each.cabinetId}>
              <label>
                <input
                  type="checkbox"
                  className="ui-check"
                  checked={!excluded.has(each.cabinetId)}
                  onChange={() => toggle(each.cabinetId)}
                />
                <span className="web-page-name">
                  {each.name}
                  <small>{each.sn}</small>
                  {each.storeName && !each.name.startsWith(each.storeName) && (
                    <small>{each.storeName}</small>
                  )}
                </span>
                <QrCode text={labelAddress(each.sn)} label={`二维码：${each.name}`} />
              </label>
            </li>
          ))}
        </ul>
      )}
      {sheet}
    </div>
  );
}

function noteOf(shown: number, total: number): string {
  return total > shown ? `共 ${total} 台，一次最多打印 ${shown} 张：请按门店打印` : labelNote();
}

// Actions on an advert that its state allows.
import { type Advert, advertContract } from "@cabinet/contract/fleet/advert/advert.contract.ts";
import { useMove } from "../../../domain/use-move.ts";
import { reportError } from "../../../kit/errors.ts";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import type { useAction } from "../../../ui/display/action.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import { scheduleText, targetText } from "./advert-columns.tsx";
import type { Editing } from "./advert-form.tsx";

interface AdvertActionParts {
  ask: ReturnType<typeof useAction>["ask"];
  edit: (editing: Editing) => void;
  isFiltered: boolean;
}

export function useAdvertActions({ ask, edit, isFiltered }: AdvertActionParts) {
  const putOn = useWrite(advertContract.putOn);
  const takeOff = useWrite(advertContract.takeOff);
  const remove = useWrite(advertContract.delete);
  const move = useMove(advertContract.order);
  const retryCall = useWrite(advertContract.retry);

  const askPutOn = (advert: Advert) =>
    ask({
      title: "上架广告",
      effect: (
        <>
          <p>
            广告<b>“{advert.title}”</b>将投放到：{targetText(advert, 5)}
          </p>
          <p>投放时间：{scheduleText(advert)}。在线的设备立即开始下载，离线的设备上线后下载。</p>
        </>
      ),
      confirm: "上架",
      run: () => putOn.mutateAsync({ params: { id: advert.id } }),
      done: `广告“${advert.title}”已上架`,
    });

  const askTakeOff = (advert: Advert) =>
    ask({
      title: "下架广告",
      effect: (
        <>
          广告<b>“{advert.title}”</b>将从 {advert.downloads.total}{" "}
          台设备上撤下并删除文件；可随时重新上架。
        </>
      ),
      confirm: "下架",
      isDanger: true,
      run: () => takeOff.mutateAsync({ params: { id: advert.id } }),
      done: `广告“${advert.title}”已下架`,
    });

  const askDelete = (advert: Advert) =>
    ask({
      title: "删除广告",
      effect: (
        <>
          广告<b>“{advert.title}”</b>和它的{advert.file.kind === "VIDEO" ? "视频" : "图片"}
          将被删除，不能恢复。
        </>
      ),
      confirm: "删除",
      isDanger: true,
      run: () => remove.mutateAsync({ params: { id: advert.id } }),
      done: `广告“${advert.title}”已删除`,
    });

  const retry = (advert: Advert) =>
    void retryCall
      .mutateAsync({ params: { id: advert.id } })
      .then(({ cabinets }) => toast.success(`已让 ${cabinets} 台设备重新下载`))
      .catch(reportError);

  const actionsOf = (advert: Advert): RowAction[] => {
    const isOn = advert.state === "ON";
    const hidden = isFiltered ? "请先清除筛选条件，再调整顺序" : undefined;
    return [
      { key: "edit", label: "编辑", run: () => edit(advert) },
      isOn
        ? { key: "off", label: "下架", isDanger: true, run: () => askTakeOff(advert) }
        : {
            key: "on",
            label: "上架",
            blocked: advert.phase === "ENDED" ? "结束日期已过，请先修改投放日期" : undefined,
            run: () => askPutOn(advert),
          },
      {
        key: "retry",
        label: "重试下载",
        blocked: advert.downloads.failed === 0 ? "没有下载失败的设备" : undefined,
        run: () => retry(advert),
      },
      { key: "up", label: "上移", blocked: hidden, run: () => move(advert.id, "up") },
      { key: "down", label: "下移", blocked: hidden, run: () => move(advert.id, "down") },
      {
        key: "delete",
        label: "删除",
        isDanger: true,
        blocked: isOn ? "上架中的广告不能删除，请先下架" : undefined,
        run: () => askDelete(advert),
      },
    ];
  };
  return { actionsOf, retry };
}

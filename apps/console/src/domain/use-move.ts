// Moves a record one step up or down in a manual order; says so at the ends.
import type { advertContract } from "@cabinet/contract/fleet/advert/advert.contract.ts";
import type { faqContract } from "@cabinet/contract/messaging/faq/faq.contract.ts";
import { reportError } from "../kit/errors.ts";
import { toast } from "../kit/feedback.ts";
import { useWrite } from "../kit/query.ts";

type MoveSpec =
  | typeof advertContract.order
  | typeof faqContract.order
  | typeof faqContract.orderCategory;

export function useMove(spec: MoveSpec) {
  const { mutateAsync } = useWrite(spec);
  return (id: number, step: "up" | "down") =>
    void mutateAsync({ params: { id }, body: { step } })
      .then(({ isMoved }) => {
        if (!isMoved) toast.info(step === "up" ? "已经排在最前面" : "已经排在最后面");
      })
      .catch(reportError);
}

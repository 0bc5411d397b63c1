// Topping up by WeChat Pay: an amount, WeChat's payment sheet, and the wait until the money has arrived.
import { fenOfYuan } from "@cabinet/contract/kit/money.rules.ts";
import { TOP_UP_LEAST_FEN } from "@cabinet/contract/orders/app/app.rules.ts";
import { type FormEvent, useEffect, useState } from "react";
import { call, type Failure, failureOf } from "../kit/api.ts";
import type { ReplyOf } from "../kit/calls.ts";
import { money } from "../kit/format.ts";
import { kept } from "../kit/storage.ts";
import { useTexts } from "../kit/texts.tsx";
import { Field } from "../ui/field.tsx";
import { Button, Card, FailureMessage, Message } from "../ui/parts.tsx";
import { isInWeChat, payInWeChat, payOnPage } from "./we-chat.ts";

const ASK_EVERY_MS = 1_500;
/** WeChat answers in seconds; after this the money still arrives, without anybody watching. */
const MOST_ASKS = 40;

type Progress = ReplyOf<"topUpProgress">;

/** Asks until `isReached`, or null when it takes too long. */
async function follow(id: number, isReached: (now: Progress) => boolean): Promise<Progress | null> {
  for (let ask = 0; ask < MOST_ASKS; ask++) {
    const progress = await call("topUpProgress", { params: { id } });
    if (isReached(progress)) return progress;
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  return null;
}

const isEnded = ({ state }: Progress) => state !== "CREATED";

type Result = "paid" | "closed" | "late";

/** Top-up for which the browser has left to WeChat's page, and back. */
const leftFor = kept<number | null>("session", "top-up", null);

async function resultOf(topUpId: number): Promise<Result> {
  const paid = await follow(topUpId, isEnded);
  if (!paid) return "late";
  return paid.state === "PAID" ? "paid" : "closed";
}

export function TopUp({ mostFen, onPaid }: { mostFen: number; onPaid: () => void }) {
  const t = useTexts();
  const [yuan, setYuan] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [isWrong, setWrong] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [result, setResult] = useState<Result | null>(null);

  async function pay(amountFen: number): Promise<Result | null> {
    const isInBrowser = !isInWeChat();
    const { topUpId } = await call("topUp", { body: { amountFen, isInBrowser } });
    const isReady = ({ payParams, payUrl }: Progress) => payParams !== null || payUrl !== null;
    const ready = await follow(topUpId, (now) => isReady(now) || isEnded(now));
    if (ready?.payUrl) {
      leftFor.set(topUpId);
      payOnPage(ready.payUrl);
      return null;
    }
    if (ready?.payParams && !(await payInWeChat(ready.payParams))) return "closed";
    return ready ? resultOf(topUpId) : "late";
  }

  async function run(work: () => Promise<Result | null>) {
    setBusy(true);
    setFailure(null);
    setResult(null);
    try {
      setResult(await work());
    } catch (error) {
      setFailure(failureOf(error));
    }
    setBusy(false);
    onPaid();
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on the way back from WeChat's page.
  useEffect(() => {
    const topUpId = leftFor.get();
    leftFor.set(null);
    if (topUpId !== null) void run(() => resultOf(topUpId));
  }, []);

  function topUp(event: FormEvent) {
    event.preventDefault();
    const amountFen = fenOfYuan(yuan);
    const isRight = amountFen !== null && amountFen >= TOP_UP_LEAST_FEN && amountFen <= mostFen;
    setWrong(!isRight);
    if (isRight) void run(() => pay(amountFen));
  }

  const limits = { least: money(TOP_UP_LEAST_FEN), most: money(mostFen) };
  return (
    <Card title={t("wallet.topUp")}>
      <form onSubmit={topUp} noValidate>
        <Field
          label={t("topUp.amount")}
          hint={t("topUp.limits", limits)}
          error={isWrong ? t("topUp.wrong", limits) : null}
          inputMode="decimal"
          value={yuan}
          onChange={setYuan}
        />
        <FailureMessage failure={failure} />
        {result && (
          <Message tone={result === "paid" ? "good" : "warn"}>{t(`topUp.${result}`)}</Message>
        )}
        <Button type="submit" isBusy={isBusy}>
          {t("topUp.pay")}
        </Button>
      </form>
    </Card>
  );
}

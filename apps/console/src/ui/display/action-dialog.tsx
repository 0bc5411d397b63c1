// Dialog of an action: states the effect, asks for a reason if required, shows the result.
import { REPLAYED_TEXT } from "@cabinet/contract/kit/repeat.rules.ts";
import Alert from "antd/es/alert";
import Input from "antd/es/input";
import type { TextAreaRef } from "antd/es/input/TextArea";
import { useId, useRef, useState } from "react";
import { isRequested } from "../../kit/errors.ts";
import { messageOf, takeReplay, toast } from "../../kit/feedback.ts";
import { counted } from "../form/counted.ts";
import { Button } from "./button.tsx";
import type { ActionDialogProps, ConfirmOptions } from "./confirm-options.ts";
import { Examples } from "./examples.tsx";
import { Modal } from "./overlays.tsx";
import { useFirstFocus } from "./use-first-focus.ts";
import { useLast } from "./use-last.ts";
import "./action.css";
import "./basics.css";

const isTouched = () => matchMedia("(hover: none)").matches;

const REASON_MIN = 2;
const REASON_MAX = 200;

export default function ActionDialog<Outcome>({ question, onClose }: ActionDialogProps<Outcome>) {
  const shown = useLast(question);
  const [isBusy, setIsBusy] = useState(false);
  return (
    <Modal
      open={question !== null}
      title={shown?.title}
      footer={null}
      width={480}
      keyboard={!isBusy}
      closable={!isBusy}
      mask={{ closable: false }}
      scrollLock={false}
      destroyOnHidden
      onCancel={onClose}
    >
      {shown && (
        // An outcome may ask the next question: its reason is another one.
        <ActionForm
          key={shown.title}
          question={shown}
          isBusy={isBusy}
          setIsBusy={setIsBusy}
          onClose={onClose}
        />
      )}
    </Modal>
  );
}

interface ActionFormProps<Outcome> {
  question: ConfirmOptions<Outcome>;
  isBusy: boolean;
  setIsBusy: (isBusy: boolean) => void;
  onClose: () => void;
}

function ActionForm<Outcome>(props: ActionFormProps<Outcome>) {
  const { question, isBusy, setIsBusy, onClose } = props;
  const id = useId();
  const field = useRef<TextAreaRef>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  useFirstFocus(() => {
    if (!question.reasons) return confirm.current;
    // On touch devices the on-screen keyboard would cover the preset reasons.
    return isTouched() ? null : field.current;
  });
  const [reason, setReason] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<{ value: Outcome; isReplayed: boolean } | null>(null);
  const isReasonGiven = !question.reasons || reason.trim().length >= REASON_MIN;

  const run = async () => {
    setIsBusy(true);
    setFailure(null);
    try {
      const value = await question.run(reason.trim());
      const isReplayed = takeReplay();
      if (question.done && !isReplayed) toast.success(question.done, question.undo);
      if (question.outcome || isReplayed) setOutcome({ value, isReplayed });
      else onClose();
    } catch (error) {
      if (!isRequested(error)) return setFailure(messageOf(error));
      toast.info(messageOf(error));
      onClose();
    } finally {
      setIsBusy(false);
    }
  };

  if (outcome) {
    return (
      <div className="ui-action" role="status">
        {outcome.isReplayed && (
          <Alert
            type="warning"
            showIcon
            title={REPLAYED_TEXT}
            description="需要再执行一次时，请关闭后重新操作"
          />
        )}
        {question.outcome?.(outcome.value)}
        <div className="ui-action-buttons">
          <Button type="primary" autoFocus onClick={onClose}>
            关闭
          </Button>
        </div>
      </div>
    );
  }
  return (
    <form
      className="ui-action"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReasonGiven && !question.isBlocked) void run();
      }}
    >
      <div className="ui-action-effect">{question.effect}</div>
      {question.reasons && (
        <div className="ui-action-reason">
          <label htmlFor={id}>
            原因<span className="ui-action-hint">（至少 {REASON_MIN} 个字，记入日志）</span>
          </label>
          <Input.TextArea
            ref={field}
            id={id}
            required
            rows={3}
            maxLength={REASON_MAX}
            count={counted()}
            value={reason}
            placeholder="请输入原因"
            onChange={(event) => setReason(event.target.value)}
          />
          <Examples of={question.reasons} onChoose={setReason} />
        </div>
      )}
      {failure && <Alert type="error" showIcon role="alert" title={failure} />}
      <div className="ui-action-buttons">
        <Button disabled={isBusy} onClick={onClose}>
          取消
        </Button>
        <Button
          type="primary"
          htmlType="submit"
          danger={question.isDanger ?? false}
          loading={isBusy}
          disabled={!isReasonGiven || (question.isBlocked ?? false)}
          ref={confirm}
        >
          {question.confirm}
        </Button>
      </div>
    </form>
  );
}

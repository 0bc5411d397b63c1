// A form with each kind of dialog among its fields: an answer to the dialog must not send the form.
import { secondFactorContract } from "@cabinet/contract/identity/second-factor/second-factor.contract.ts";
import { Activity, type ReactNode, useEffect, useState } from "react";
import { ProofDialog } from "../../src/domain/proof/proof-dialog.tsx";
import { call } from "../../src/kit/api.ts";
import { confirm } from "../../src/kit/feedback.ts";
import {
  Action,
  ActionDialog,
  type ConfirmOptions,
  useAction,
} from "../../src/ui/display/action.tsx";
import { Button } from "../../src/ui/display/button.tsx";
import { DetailDrawer } from "../../src/ui/display/detail-drawer.tsx";
import { Drawer, Modal, OverlayRoot } from "../../src/ui/display/overlays.tsx";
import { FormDialog, FormDrawer, FormPage } from "../../src/ui/form/form-frames.tsx";
import { TextInput } from "../../src/ui/form/text-input.tsx";
import { answer } from "../answers.ts";
import { sampleContract } from "../sample.ts";
import type { Parts, State } from "../state.ts";
import { initial, useSampleForm } from "./form.tsx";

const act = () => call(sampleContract.act);
const question: ConfirmOptions = {
  title: "对话框",
  effect: "只执行这个操作，不保存表单。",
  confirm: "执行",
  run: act,
};

/** Controlled by what is outside of the dialog, as questions with choices are. */
function useContent(): ReactNode {
  const [text, setText] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void act();
      }}
    >
      <label htmlFor="text">说明</label>
      <TextInput id="text" value={text} onChange={setText} />
      <Button htmlType="submit">执行</Button>
    </form>
  );
}

interface DialogProps {
  isOpen: boolean;
  close: () => void;
}

const dialogs = {
  modal: ({ isOpen, close }: DialogProps) => (
    <Modal open={isOpen} title="对话框" footer={null} destroyOnHidden onCancel={close}>
      {useContent()}
    </Modal>
  ),
  drawer: ({ isOpen, close }: DialogProps) => (
    <Drawer open={isOpen} title="对话框" destroyOnHidden onClose={close}>
      {useContent()}
    </Drawer>
  ),
  "detail-drawer": ({ isOpen, close }: DialogProps) => (
    <DetailDrawer open={isOpen} title="对话框" onClose={close}>
      {useContent()}
    </DetailDrawer>
  ),
  "form-dialog": ({ isOpen, close }: DialogProps) => (
    <FormDialog
      {...useSampleForm(initial)}
      open={isOpen}
      title="对话框"
      submitText="执行"
      submit={act}
      onClose={close}
    />
  ),
  "form-drawer": ({ isOpen, close }: DialogProps) => (
    <FormDrawer
      {...useSampleForm(initial)}
      open={isOpen}
      title="对话框"
      submitText="执行"
      submit={act}
      onClose={close}
    />
  ),
  "action-dialog": ({ isOpen, close }: DialogProps) => (
    <ActionDialog question={isOpen ? question : null} onClose={close} />
  ),
  "use-action": function UseAction({ isOpen }: DialogProps) {
    const { ask, dialog } = useAction();
    // biome-ignore lint/correctness/useExhaustiveDependencies: asks when it is opened.
    useEffect(() => {
      if (isOpen) ask(question);
    }, [isOpen]);
    return dialog;
  },
  proof: ({ isOpen, close }: DialogProps) =>
    isOpen && (
      <ProofDialog
        finish={(provenAt) => {
          close();
          if (provenAt !== null) void act();
        }}
      />
    ),
};

function FormWith({ children }: { children: ReactNode }) {
  return (
    <FormPage title="表单" backTo="/dashboard" {...useSampleForm(initial)}>
      {children}
    </FormPage>
  );
}

function OpenedIn({ Dialog }: { Dialog: (props: DialogProps) => ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>打开</Button>
      <Dialog isOpen={isOpen} close={() => setIsOpen(false)} />
    </>
  );
}

const answers = [
  answer(sampleContract.act, () => null),
  answer(sampleContract.create, () => null),
  answer(secondFactorContract.ways, () => ({
    hasTotp: true,
    hasPasskey: false,
    recoveryCodes: 0,
  })),
  answer(secondFactorContract.prove, () => ({ token: null })),
];
const state = (content: ReactNode): State => ({
  show: () => <FormWith>{content}</FormWith>,
  answers,
  press: ["打开"],
});

/** A page of the tab bar, left and shown again at each event `release`. */
function Kept({ children }: { children: ReactNode }) {
  const [isHidden, setIsHidden] = useState(false);
  useEffect(() => {
    const turn = () => setIsHidden((was) => !was);
    addEventListener("release", turn);
    return () => removeEventListener("release", turn);
  }, []);
  return (
    <Activity mode={isHidden ? "hidden" : "visible"}>
      <OverlayRoot>{children}</OverlayRoot>
    </Activity>
  );
}

export const dialogInFormParts: Parts = {
  "dialog-in-form": {
    action: state(<Action question={question}>打开</Action>),
    ...Object.fromEntries(
      Object.entries(dialogs).map(([name, Dialog]) => [name, state(<OpenedIn Dialog={Dialog} />)]),
    ),
    confirmation: state(
      <Button
        onClick={async () => {
          if (await confirm({ title: "对话框", ok: "执行" })) await act();
        }}
      >
        打开
      </Button>,
    ),
    kept: {
      ...state(null),
      show: () => (
        <Kept>
          <FormWith>
            <OpenedIn Dialog={dialogs.modal} />
          </FormWith>
        </Kept>
      ),
    },
  },
};

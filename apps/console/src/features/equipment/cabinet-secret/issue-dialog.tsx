// Issues a cabinet's secret, with its credential file to download.
import {
  cabinetSecretContract,
  type KeyedCabinet,
} from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.contract.ts";
import { OVERLAP_HOURS } from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.rules.ts";
import { IssueKey } from "../../../domain/key/issue-key.tsx";
import { activeKeys } from "../../../domain/key/key-text.ts";
import { useWrite } from "../../../kit/query.ts";
import { useLast } from "../../../ui/display/use-last.ts";
import { credentialOf } from "./credential-file.rules.ts";

export interface IssueDialogProps {
  /** Null: the dialog is closed. */
  cabinet: KeyedCabinet | null;
  onClose: () => void;
}

export function IssueDialog({ cabinet, onClose }: IssueDialogProps) {
  const issue = useWrite(cabinetSecretContract.issue);
  const shown = useLast(cabinet);
  if (!shown) return null;
  return (
    <IssueKey
      open={cabinet !== null}
      owner={
        <>
          设备
          <b>
            “{shown.name}”（{shown.sn}）
          </b>
        </>
      }
      what="连接密钥"
      kids={activeKeys(shown.secrets).map(({ kid }) => kid)}
      defaultHours={OVERLAP_HOURS}
      issue={(overlapHours) =>
        issue.mutateAsync({ params: { id: shown.cabinetId }, body: { overlapHours } })
      }
      show={(issued) => ({
        facts: [
          ["设备", `${issued.name}（${issued.sn}）`],
          ["密钥编号", <code key="kid">{issued.kid}</code>],
        ],
        secret: issued.secret,
        file: {
          name: `${issued.sn}-${issued.kid}.json`,
          content: credentialOf(issued, window.location),
        },
        ...(issued.previousKid && {
          previous: {
            kid: issued.previousKid,
            expiresAt: issued.previousExpiresAt,
            effect: "届时仍用它连接的设备会断开。",
          },
        }),
      })}
      onClose={onClose}
    />
  );
}

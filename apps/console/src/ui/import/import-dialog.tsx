// Import of a file: choose it, preview each line, import; errors keep the preview.
import { type ImportMode, lineText } from "@cabinet/contract/kit/import.rules.ts";
import Alert from "antd/es/alert";
import { useState } from "react";
import { messageOf } from "../../kit/feedback.ts";
import { Modal } from "../display/overlays.tsx";
import { readSheetFile } from "../sheet/read-sheet.ts";
import type { ReadFile } from "../sheet/sheet-rows.rules.ts";
import {
  guessPlace,
  type ImportPlace,
  type JudgedLine,
  judgedLines,
  type KnownTitles,
  missingColumns,
  type ReadLines,
  readLines,
  titlesOf,
} from "./import.rules.ts";
import { ImportChoice } from "./import-choice.tsx";
import { keepTitles, knownTitles } from "./import-memory.ts";
import { ImportPreview } from "./import-preview.tsx";
import { ImportResult } from "./import-result.tsx";
import type { ImportReply, ImportSpec } from "./import-spec.ts";
import "./import.css";

interface Chosen<Name extends string> {
  /** Idempotency key of this file: a retry after a lost response imports nothing twice. */
  importId: string;
  name: string;
  file: ReadFile;
  known: KnownTitles<Name>;
  isCertain: boolean;
  place: ImportPlace<Name>;
  read: ReadLines<Name> | null;
  lines: readonly JudgedLine<Name>[];
  failure: string | null;
}

interface Outcome<Name extends string, Reply> {
  reply: Reply;
  read: ReadLines<Name>;
  lines: readonly JudgedLine<Name>[];
}

/** UUIDv4 by hand: `crypto.randomUUID` exists only in secure contexts (HTTPS). */
function newImportId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The lines at this place, judged by the noun. */
function linesAt<Name extends string, Reply extends ImportReply>(
  spec: ImportSpec<Name, Reply>,
  file: ReadFile,
  place: ImportPlace<Name>,
): Pick<Chosen<Name>, "place" | "read" | "lines" | "failure"> {
  const nothing = { place, read: null, lines: [], failure: null };
  if (missingColumns(place, spec.columns).length > 0) return nothing;
  try {
    const read = readLines(file, place, spec.columns, spec.most);
    const lines = judgedLines(read, spec.judge);
    return { place, read, lines, failure: null };
  } catch (error) {
    return { ...nothing, failure: messageOf(error) };
  }
}

export interface ImportDialogProps<Name extends string, Reply extends ImportReply> {
  spec: ImportSpec<Name, Reply>;
  open: boolean;
  /** Completes before a file is judged: what the checks need to know. */
  ready?: () => Promise<ImportSpec<Name, Reply>>;
  onClose: () => void;
}

export function ImportDialog<Name extends string, Reply extends ImportReply>(
  props: ImportDialogProps<Name, Reply>,
) {
  const { spec, open, onClose } = props;
  const [chosen, setChosen] = useState<Chosen<Name> | null>(null);
  const [outcome, setOutcome] = useState<Outcome<Name, Reply> | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState<"reading" | "sending" | null>(null);

  const choose = async (picked: File) => {
    setBusy("reading");
    setFailure(null);
    try {
      const current = (await props.ready?.()) ?? spec;
      const file = await readSheetFile(picked);
      const known = knownTitles(current.key, Object.keys(current.columns) as Name[]);
      const { place, isCertain } = guessPlace(file, current.columns, known);
      const at = linesAt(current, file, place);
      setChosen({ importId: newImportId(), name: picked.name, file, known, isCertain, ...at });
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(null);
    }
  };

  const move = (from: Chosen<Name>, place: ImportPlace<Name>) => {
    setFailure(null);
    setChosen({ ...from, ...linesAt(spec, from.file, place) });
  };

  const run = async (
    { importId, file, known, place, read, lines }: Chosen<Name>,
    mode: ImportMode,
  ) => {
    if (!read) return;
    setBusy("sending");
    setFailure(null);
    keepTitles(spec.key, known, titlesOf(file, place));
    try {
      const sent = lines.filter(({ state }) => state !== "bad");
      const reply = await spec.send({ importId, mode, lines: sent });
      const verdicts = new Map(reply.lines.map((line) => [line.line, line]));
      const judged = lines.map((line): JudgedLine<Name> => {
        const verdict = verdicts.get(line.line);
        if (!verdict || verdict.result === "READY") return line;
        const state = verdict.result === "IMPORTED" ? "done" : "bad";
        return { ...line, state, label: lineText[verdict.result], message: verdict.message };
      });
      if (reply.imported > 0) setOutcome({ reply, read, lines: judged });
      else {
        setChosen((current) => current && { ...current, lines: judged });
        setFailure(`没有导入任何${spec.thing}：下面标出了有问题的行，请改正后重新选择文件`);
      }
    } catch (error) {
      setFailure(`${messageOf(error)}。预览仍保留，可直接重试，不会重复导入`);
    } finally {
      setBusy(null);
    }
  };

  const reset = () => {
    setChosen(null);
    setOutcome(null);
    setFailure(null);
  };
  const mayLeave = async () => !outcome || ((await spec.mayLeave?.()) ?? true);
  const again = async () => {
    if (await mayLeave()) reset();
  };
  const close = async () => {
    if (await mayLeave()) onClose();
  };

  return (
    <Modal
      open={open}
      title={`导入${spec.thing}`}
      width={960}
      // Its foot is on low windows too.
      style={{ top: 32 }}
      footer={null}
      mask={{ closable: false }}
      keyboard={busy !== "sending"}
      scrollLock={false}
      destroyOnHidden
      afterClose={reset}
      onCancel={() => void close()}
    >
      <div className="import">
        {failure && <Alert type="error" showIcon role="alert" title={failure} />}
        {outcome ? (
          <ImportResult
            spec={spec}
            {...outcome}
            onAgain={() => void again()}
            onClose={() => void close()}
          >
            {spec.result?.(outcome.reply, outcome.lines)}
          </ImportResult>
        ) : chosen ? (
          <ImportPreview
            spec={spec}
            {...chosen}
            isBusy={busy !== null}
            onPlace={(place) => move(chosen, place)}
            onImport={(mode) => void run(chosen, mode)}
            onAgain={reset}
          />
        ) : (
          <ImportChoice spec={spec} isBusy={busy !== null} onFile={(file) => void choose(file)} />
        )}
      </div>
    </Modal>
  );
}

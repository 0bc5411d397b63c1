// Reporting a malfunction: what is broken, where, and photos of it.

import { cleanCode } from "@cabinet/contract/kit/text.rules.ts";
import {
  APP_MALFUNCTION_KINDS,
  type AppMalfunctionKind,
  MAX_REPORT_PHOTOS,
} from "@cabinet/contract/orders/app/app-page.rules.ts";
import { type ChangeEvent, type FormEvent, useId, useState } from "react";
import { useSearchParams } from "wouter";
import { call, type Failure, failureOf } from "../kit/api.ts";
import { usePlace } from "../kit/place.tsx";
import { useTexts } from "../kit/texts.tsx";
import { Choice, Field } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Button, FailureMessage, LinkButton, Message, Screen } from "../ui/parts.tsx";
import { shrinkPhoto } from "./photo.ts";

interface Photo {
  id: string;
  name: string;
}

export function ReportPage() {
  const t = useTexts();
  const { data: place } = usePlace();
  const [search] = useSearchParams();
  const [sent, setSent] = useState<{ isRepeated: boolean } | null>(null);
  const sn = search.get("sn") ?? place?.cabinet?.sn ?? "";
  if (sent) {
    return (
      <Screen title={t("report.sent")}>
        <Message tone="good">{t(sent.isRepeated ? "report.repeated" : "report.thanks")}</Message>
        <LinkButton href={sn ? `/c/${sn}` : "/"}>{t("done")}</LinkButton>
      </Screen>
    );
  }
  return (
    <Screen title={t("report.title")} back={sn ? `/c/${sn}` : "/me"}>
      <ReportForm givenSn={sn} givenNo={search.get("no") ?? ""} onSent={setSent} />
    </Screen>
  );
}

interface ReportFormProps {
  givenSn: string;
  givenNo: string;
  onSent: (sent: { isRepeated: boolean }) => void;
}

function ReportForm({ givenSn, givenNo, onSent }: ReportFormProps) {
  const t = useTexts();
  const [kind, setKind] = useState<AppMalfunctionKind>("OPEN_FAILED");
  const [sn, setSn] = useState(givenSn);
  const [no, setNo] = useState(givenNo);
  const [description, setDescription] = useState("");
  const [photos, setPhotos] = useState<Photo[]>([]);
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isDescribed = description.trim().length >= 2;
  const plainNo = cleanCode(no);
  const isNo = /^\d{0,3}$/.test(plainNo);

  async function send(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (!isDescribed || !isNo || sn === "") return;
    setBusy(true);
    setFailure(null);
    const body = {
      ...{ sn: sn.trim().toUpperCase(), kind, description: description.trim() },
      photoIds: photos.map(({ id }) => id),
      ...(plainNo !== "" && { compartmentNo: Number(plainNo) }),
    };
    try {
      onSent(await call("reportMalfunction", { body }));
    } catch (error) {
      setFailure(failureOf(error));
    }
    setBusy(false);
  }

  return (
    <form className="form" onSubmit={(event) => void send(event)} noValidate>
      <Choice
        label={t("report.kind")}
        look="wide"
        value={kind}
        onChange={setKind}
        options={APP_MALFUNCTION_KINDS.map((value) => ({
          value,
          title: t(`malfunction.${value}`),
        }))}
      />
      <Field
        label={t("enter.sn")}
        error={isTried && sn === "" ? t("enter.wrong") : null}
        value={sn}
        onChange={setSn}
        autoCapitalize="characters"
        autoComplete="off"
      />
      <Field
        label={t("report.no")}
        hint={t("report.noHint")}
        error={isTried && !isNo ? t("report.noWrong") : null}
        inputMode="numeric"
        autoComplete="off"
        value={no}
        onChange={setNo}
      />
      <Field
        label={t("report.description")}
        error={isTried && !isDescribed ? t("report.descriptionMissing") : null}
        maxLength={300}
        isLong
        value={description}
        onChange={setDescription}
      />
      <Photos photos={photos} onChange={setPhotos} />
      <FailureMessage failure={failure} />
      <Button type="submit" isBusy={isBusy}>
        {t("report.send")}
      </Button>
    </form>
  );
}

interface PhotosProps {
  photos: readonly Photo[];
  onChange: (photos: Photo[]) => void;
}

function Photos({ photos, onChange }: PhotosProps) {
  const t = useTexts();
  const id = useId();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isUnreadable, setUnreadable] = useState(false);

  async function add({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const [file] = currentTarget.files ?? [];
    if (!file) return;
    setBusy(true);
    setFailure(null);
    try {
      const photo = await shrinkPhoto(file);
      setUnreadable(photo === null);
      if (photo) {
        const body = new FormData();
        body.set("file", photo, "photo.jpg");
        const uploaded = await call("uploadPhoto", { body });
        onChange([...photos, { id: uploaded.id, name: file.name }]);
      }
    } catch (error) {
      setFailure(failureOf(error));
    }
    // The same file can be chosen again after a failure.
    currentTarget.value = "";
    setBusy(false);
  }

  return (
    <div className="field">
      <span className="label">{t("report.photos", { most: MAX_REPORT_PHOTOS })}</span>
      <ul className="photos">
        {photos.map((photo) => (
          <li key={photo.id}>
            <Icon name="done" />
            <span>{photo.name}</span>
            <button
              type="button"
              className="link"
              onClick={() => onChange(photos.filter((each) => each !== photo))}
              aria-label={t("report.removePhoto", { name: photo.name })}
            >
              {t("remove")}
            </button>
          </li>
        ))}
      </ul>
      {photos.length < MAX_REPORT_PHOTOS && (
        <>
          <input
            id={id}
            className="hidden-input"
            type="file"
            accept="image/*"
            disabled={isBusy}
            onChange={(event) => void add(event)}
          />
          <label htmlFor={id} className="button second">
            <Icon name="camera" />
            {t(isBusy ? "report.uploading" : "report.addPhoto")}
          </label>
        </>
      )}
      {isUnreadable && <Message tone="bad">{t("report.unreadable")}</Message>}
      <FailureMessage failure={failure} />
    </div>
  );
}

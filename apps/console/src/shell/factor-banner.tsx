// Banner on every page while an exception lets the account work without a second factor: its date, and the way to the set-up.
import { notificationContract } from "@cabinet/contract/operations/notification/notification.contract.ts";
import { Link } from "../kit/paths.ts";
import { useCall } from "../kit/query.ts";
import { Glyph } from "./glyph.tsx";
import "./impersonation-banner.css";

/** Reads what the notification centre has fetched. */
export function FactorBanner() {
  const { data } = useCall(notificationContract.list, {}, { enabled: false });
  const entry = data?.list.find(({ kind }) => kind === "FACTOR");
  if (!entry) return null;
  return (
    <section className="visit-banner" aria-label="两步验证">
      <Glyph name="alert" />
      <p>
        <strong>{entry.title}</strong>
      </p>
      <Link to="/settings/index">去设置</Link>
    </section>
  );
}

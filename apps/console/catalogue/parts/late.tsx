// Parts that load when they are first shown: in a drawer, in a line, as a dialog, and those of the shell.
import { notificationContract } from "@cabinet/contract/operations/notification/notification.contract.ts";
import { useState } from "react";
import { endPagePrefetch } from "../../src/kit/idle.ts";
import { useAhead } from "../../src/kit/late.ts";
import { SearchEntry } from "../../src/shell/navigation/search-entry.tsx";
import { TenantSwitch } from "../../src/shell/navigation/tenant-switch.tsx";
import { NotificationButton } from "../../src/shell/notices/notification-button.tsx";
import { Button } from "../../src/ui/display/button.tsx";
import { DetailDrawer } from "../../src/ui/display/detail-drawer.tsx";
import { latePart } from "../../src/ui/display/late-part.tsx";
import { answer } from "../answers.ts";
import type { Parts } from "../state.ts";

const load = async () => (await import("./late-sample.tsx")).LateSample;
const Sample = latePart(load);
const Line = latePart(load, { isInline: true });
const Ahead = latePart(async () => (await import("./ahead-sample.tsx")).AheadSample);

function Drawer({ part }: { part: "block" | "line" | "ahead" }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>打开</Button>
      <DetailDrawer open={isOpen} title="样品详情" onClose={() => setIsOpen(false)}>
        {part === "block" && <Sample />}
        {part === "line" && <Line />}
        {part === "ahead" && <Ahead />}
      </DetailDrawer>
    </>
  );
}

function LoadedAhead() {
  endPagePrefetch();
  useAhead(Ahead);
  return <Drawer part="ahead" />;
}

const viewer = { userType: 0 as const, tenantId: 1, menu: [], isVisit: false };

function Shell() {
  return (
    <>
      <SearchEntry routes={[]} viewer={viewer} />
      <NotificationButton />
      <TenantSwitch className="shell-button" />
    </>
  );
}

const notifications = answer(
  notificationContract.list,
  () => ({ list: [], unreadCount: 0 }) as never,
);

export const lateParts: Parts = {
  late: {
    block: { show: () => <Drawer part="block" /> },
    line: { show: () => <Drawer part="line" /> },
    ahead: { show: LoadedAhead },
    shell: { show: Shell, answers: [notifications] },
  },
};

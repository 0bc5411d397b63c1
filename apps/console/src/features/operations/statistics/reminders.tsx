// Line below the greeting: unread announcements and expiring services, if there are any.
import type { ReactNode } from "react";
import { useServiceReminders } from "./service-reminders.tsx";
import { useAnnouncementReminder } from "./unread-announcements.tsx";

interface RemindersProps {
  tenantId: number | undefined;
  /** Another reminder, or nothing. */
  children: ReactNode;
}

export function Reminders({ tenantId, children }: RemindersProps) {
  const announcements = useAnnouncementReminder();
  const services = useServiceReminders(tenantId);
  return (
    <div className="dashboard-sub">
      {announcements}
      {services}
      {children}
      {!announcements && !services && !children && "设备、订单与待办的实时情况"}
    </div>
  );
}

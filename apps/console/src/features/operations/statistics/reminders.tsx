// Line below the greeting: unread announcements and expiring services, if there are any.
import { useServiceReminders } from "./service-reminders.tsx";
import { useAnnouncementReminder } from "./unread-announcements.tsx";

export function Reminders({ tenantId }: { tenantId: number | undefined }) {
  const announcements = useAnnouncementReminder();
  const services = useServiceReminders(tenantId);
  return (
    <div className="dashboard-sub">
      {announcements}
      {services}
      {!announcements && !services && "设备、订单与待办的实时情况"}
    </div>
  );
}

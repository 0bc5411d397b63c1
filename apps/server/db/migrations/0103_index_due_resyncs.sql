-- Cabinets that must send a snapshot: the gateways look every second.

drop index concurrently if exists cabinet_resync_due;
create index concurrently cabinet_resync_due on cabinet (resync_due_at) where resync_due_at is not null;

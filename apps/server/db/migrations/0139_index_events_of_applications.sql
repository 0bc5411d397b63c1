-- Events of one application in their order: the open API reads them from a number on.

drop index concurrently if exists callback_event_app;
create index concurrently callback_event_app on callback_event (tenant_id, app_id, app_seq)
  where app_seq > 0;

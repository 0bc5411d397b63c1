-- Reports of an app user, for their erasure.

drop index concurrently if exists malfunction_event_reporter;
create index concurrently malfunction_event_reporter on malfunction_event (tenant_id, end_user_id)
  where end_user_id is not null;

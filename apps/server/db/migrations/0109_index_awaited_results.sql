-- Results that a late report may change: a job looks every minute for those that have waited long enough.

drop index concurrently if exists command_awaited;
create index concurrently command_awaited on command (settled_at)
  where final_state is null and state in ('UNKNOWN', 'NOT_CONFIRMED');

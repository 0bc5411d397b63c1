-- The price of a stay counts the minutes in which the cabinet could be opened, and stands from the request for an opening on.

alter table storage_order
  add column unreachable_seconds bigint not null default 0,
  add column charged_minutes integer;

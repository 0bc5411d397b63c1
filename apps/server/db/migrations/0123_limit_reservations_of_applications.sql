-- Reservations that a third party's application has not stored yet take at most a share of a cabinet.

-- Percent of a cabinet's compartments of a size.
alter table open_app add column reserve_share_percent integer not null default 33
  constraint open_app_reserve_share_percent_check
    check (reserve_share_percent between 1 and 100);

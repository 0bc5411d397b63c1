-- Differences that were resolved by a reason and still exist (KNOWN), and how many of them each run found.

alter table reconciliation_difference drop constraint reconciliation_difference_state_check;
alter table reconciliation_difference
  add constraint reconciliation_difference_state_check check (state in ('OPEN', 'KNOWN', 'RESOLVED'));
alter table reconciliation_run add column known int not null default 0;

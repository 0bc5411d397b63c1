-- What is opened again with nobody on it is told of anew, once a round.

alter table maintenance_alert add column round int not null default 1;
alter table maintenance_notice add column round int not null default 1;

drop index maintenance_notice_once;
create unique index maintenance_notice_once on maintenance_notice
  (tenant_id, malfunction_id, step, operator_id, round) where step <> 'ASSIGNED';

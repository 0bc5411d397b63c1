-- The reconciliation looks at cards (套餐卡) as well: how many each run compared.

alter table reconciliation_run add column cards int not null default 0;

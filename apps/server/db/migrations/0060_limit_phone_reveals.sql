-- Full phone numbers of riders and recipients that one account may look at in 24 hours.

alter table tenant_setting add column reveals_per_day int not null default 100 check (reveals_per_day between 1 and 100000);

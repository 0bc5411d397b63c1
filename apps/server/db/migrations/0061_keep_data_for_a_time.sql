-- Days for which a tenant keeps personal data; the bounds are those of the form.

alter table tenant_setting
  add column keep_people_days int not null default 730 check (keep_people_days between 90 and 3650),
  add column keep_messages_days int not null default 365 check (keep_messages_days between 30 and 3650),
  add column keep_photos_days int not null default 365 check (keep_photos_days between 30 and 3650),
  add column keep_logs_days int not null default 365 check (keep_logs_days between 180 and 3650);

-- Fields of a cabinet's reports whose last value was invalid and was set aside.
alter table cabinet add column invalid_readings text[] not null default '{}';

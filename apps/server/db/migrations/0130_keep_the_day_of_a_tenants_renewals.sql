-- Day of the month that a tenant's term ends on where a month is long enough; null: that of its last day.

alter table tenant add column expiry_date smallint check (expiry_date between 1 and 31);

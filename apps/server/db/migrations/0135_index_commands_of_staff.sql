-- Commands that are not of users at their own doors: one in thirty, and the ones that are asked for.

drop index concurrently if exists command_of_staff;
create index concurrently command_of_staff on command (tenant_id, created_at desc) where actor_kind <> 'END_USER';
drop index concurrently if exists command_of_staff_anywhere;
create index concurrently command_of_staff_anywhere on command (created_at desc) where actor_kind <> 'END_USER';

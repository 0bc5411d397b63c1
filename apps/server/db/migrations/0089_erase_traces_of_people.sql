-- A deleted person's name, and texts about them or by them, are erased where they stand (0095).

alter table end_user add column is_erased boolean not null default false;

grant delete on end_user_lock to cabinet_tenant, cabinet_platform;
grant update (actor_name) on order_event, ledger_journal to cabinet_tenant, cabinet_platform;

-- The app user who reported it; `actor_id` is an operator's.
alter table malfunction_event add column end_user_id bigint;
grant update (actor_name, text) on malfunction_event to cabinet_tenant, cabinet_platform;

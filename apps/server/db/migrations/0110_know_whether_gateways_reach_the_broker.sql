-- False while an outside broker does not answer this gateway: openings are refused when no gateway reaches it.
alter table gateway add column is_linked boolean not null default true;
-- An opening is refused in its tenant's transaction.
grant select on gateway to cabinet_tenant;

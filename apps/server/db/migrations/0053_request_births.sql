-- Cabinets that are heard without a session, until a birth begins one: the gateways ask them for it.
create table birth_request (
  tenant_id int not null,
  cabinet_id bigint not null,
  -- Key of the newest report, which signs the request.
  kid text not null,
  heard_at timestamptz not null default now(),
  due_at timestamptz not null,
  attempts int not null default 0,
  primary key (tenant_id, cabinet_id),
  foreign key (tenant_id, cabinet_id) references cabinet on delete cascade
);
select protect_tenant_table('birth_request');

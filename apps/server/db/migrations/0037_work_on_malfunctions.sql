-- Malfunctions are worked on: how bad, by whom, by when, what was done; and what cabinets report until it is one.

alter table malfunction
  add column severity text not null default 'NORMAL'
    check (severity in ('MINOR', 'NORMAL', 'URGENT', 'SEVERE')),
  add column source text not null default 'DEVICE' check (source in ('DEVICE', 'PERSON')),
  add column reporter_name text not null default '',
  add column assignee_id bigint,
  -- As it was then: the account may be gone.
  add column assignee_name text not null default '',
  add column last_at timestamptz not null default now(),
  -- Since when its terms run: since it was reported, or opened again.
  add column terms_since timestamptz not null default now(),
  -- By when somebody takes it on, and by when it is mended; null: nobody said.
  add column respond_by timestamptz,
  add column resolve_by timestamptz,
  add column accepted_at timestamptz,
  add column resolved_at timestamptz,
  add column closed_at timestamptz,
  -- Over by itself: closed by itself after some days.
  add column is_recovered boolean not null default false,
  add column cause text not null default '',
  add column measure text not null default '',
  add foreign key (tenant_id, assignee_id) references operator on delete set null (assignee_id);

update malfunction set last_at = updated_at,
  severity = case when store_id is not null or kind = 'TAMPER' then 'SEVERE'
    when kind in ('OFFLINE', 'OPEN_FAILED', 'VIBRATION', 'POWER_LOW', 'BOARD_FAULT') then 'URGENT'
    when kind = 'NETWORK_POOR' then 'MINOR' else 'NORMAL' end,
  resolved_at = case when state in ('RESOLVED', 'CLOSED') then updated_at end,
  closed_at = case when state in ('CLOSED', 'IGNORED') then updated_at end,
  is_recovered = state = 'RESOLVED';

create index malfunction_anywhere on malfunction (id desc);
create index malfunction_assignee on malfunction (tenant_id, assignee_id)
  where assignee_id is not null;
create index malfunction_recovered on malfunction (resolved_at)
  where state = 'RESOLVED' and is_recovered;

-- Terms that a tenant set itself; the house's hold where there is no row.
create table malfunction_sla (
  tenant_id int primary key references tenant,
  -- By severity: {"respondMinutes", "resolveMinutes"}.
  terms jsonb not null,
  edit_version int not null default 1,
  edited_at timestamptz not null default now(),
  edited_by text not null
);
select protect_tenant_table('malfunction_sla', 'select, insert, update');

-- What happened to a malfunction. Written once, never altered.
create table malfunction_event (
  tenant_id int not null,
  malfunction_id bigint not null,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  kind text not null check (kind in ('REPORTED', 'REPEATED', 'ASSIGNED', 'ACCEPTED', 'NOTED', 'TESTED',
    'SEVERITY', 'RESOLVED', 'RECOVERED', 'CLOSED', 'IGNORED', 'REOPENED')),
  actor_id bigint,
  -- Empty: the system itself.
  actor_name text not null default '',
  text text not null default '',
  to_state text,
  -- Of an opening to test with.
  command_id uuid,
  primary key (tenant_id, malfunction_id, id),
  foreign key (tenant_id, malfunction_id) references malfunction on delete cascade
);
select protect_tenant_table('malfunction_event', 'select, insert');

-- What began before there were events begins with what is known of it.
insert into malfunction_event (tenant_id, malfunction_id, at, kind, text, to_state)
select tenant_id, id, created_at, 'REPORTED', description, 'CREATED' from malfunction;
insert into malfunction_event (tenant_id, malfunction_id, at, kind, to_state)
select tenant_id, id, updated_at, 'RECOVERED', state from malfunction where state = 'RESOLVED';

create table malfunction_photo (
  tenant_id int not null,
  malfunction_id bigint not null,
  event_id bigint not null,
  file_id uuid not null,
  primary key (tenant_id, file_id),
  foreign key (tenant_id, malfunction_id, event_id) references malfunction_event on delete cascade,
  foreign key (tenant_id, file_id) references file
);
create index malfunction_photo_event on malfunction_photo (tenant_id, malfunction_id, event_id);
select protect_tenant_table('malfunction_photo', 'select, insert, delete');

-- What a cabinet reports of one condition: a malfunction once it lasts, or comes often enough.
create table malfunction_signal (
  tenant_id int not null,
  cabinet_id bigint not null,
  kind text not null,
  -- 0: of the whole cabinet.
  compartment_no int not null default 0,
  is_active boolean not null,
  -- Of the present spell.
  began_at timestamptz not null default now(),
  ended_at timestamptz,
  last_at timestamptz not null default now(),
  -- How often it began since `window_at`.
  begins int not null default 0,
  window_at timestamptz not null default now(),
  -- Reports that no malfunction counts yet.
  pending int not null default 0,
  value float8,
  -- A malfunction tells of it.
  is_told boolean not null default false,
  -- The report that said so last.
  boot_no bigint,
  n bigint,
  -- When it is looked at next; null: when it is reported again.
  due_at timestamptz,
  primary key (tenant_id, cabinet_id, kind, compartment_no),
  foreign key (tenant_id, cabinet_id) references cabinet on delete cascade
);
create index malfunction_signal_due on malfunction_signal (due_at) where due_at is not null;
select protect_tenant_table('malfunction_signal');

-- Whom a malfunction was given to is told so, each time anew.
alter table maintenance_notice
  drop constraint maintenance_notice_step_check,
  add constraint maintenance_notice_step_check
    check (step in ('FIRST', 'ESCALATION', 'TEST', 'ASSIGNED'));
do $$
begin
  execute (select format('alter table maintenance_notice drop constraint %I', conname)
    from pg_constraint where conrelid = 'maintenance_notice'::regclass and contype = 'u');
end
$$;
create unique index maintenance_notice_once on maintenance_notice
  (tenant_id, malfunction_id, step, operator_id) where step <> 'ASSIGNED';

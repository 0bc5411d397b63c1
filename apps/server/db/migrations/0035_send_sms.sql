-- Text messages leave the house: by which carrier, how each of them stands, what came of it.

-- The carrier of the whole installation, which the platform sets; without one that is on, messages stay in the outbox.
create table sms_channel (
  is_only boolean primary key default true check (is_only),
  carrier text not null check (carrier in ('ALIYUN', 'TENCENT')),
  is_on boolean not null,
  key_id text not null,
  sealed_secret bytea not null,
  -- Of tenants that have none of their own.
  sign text not null,
  -- Tencent Cloud's number of the application.
  app_id text not null default '',
  check_state text not null default 'NONE' check (check_state in ('NONE', 'PENDING', 'OK', 'FAILED')),
  check_text text not null default '',
  checked_at timestamptz,
  edit_version int not null default 1,
  edited_at timestamptz not null default now(),
  edited_by text not null,
  check (carrier <> 'TENCENT' or app_id <> '')
);
grant select, insert, update on sms_channel to cabinet_platform;
-- Whoever writes a message has to know whether it goes out, and under which sign.
grant select (is_only, carrier, is_on, sign) on sms_channel to cabinet_tenant;

alter table sms_message
  -- OUTBOX: no carrier was there, it stays here. SENDING: its credit is held, and a carrier may have it.
  add column state text not null default 'OUTBOX'
    check (state in ('OUTBOX', 'QUEUED', 'SENDING', 'SENT', 'DELIVERED', 'FAILED')),
  -- The carrier's template and what goes into it, sealed as the text is; null: there is none for this scene.
  add column sealed_carrier bytea,
  add column template_code text,
  -- What a carrier knows it by, so that it can be asked whether it took it.
  add column send_key uuid not null default gen_random_uuid(),
  -- When something is to be done: given to a carrier, looked for, asked for its receipt.
  add column due_at timestamptz,
  add column attempts int not null default 0,
  add column checks int not null default 0,
  add column claimed_at timestamptz,
  add column sent_at timestamptz,
  add column settled_at timestamptz,
  add column carrier text check (carrier in ('ALIYUN', 'TENCENT')),
  add column carrier_no text,
  add column carrier_segments int check (carrier_segments > 0),
  -- Why it is so: a word of ours or of the carrier's, and what came with it.
  add column result_code text not null default '',
  add column result_text text not null default '',
  add column resend_of bigint,
  add foreign key (tenant_id, resend_of) references sms_message,
  add check (state not in ('QUEUED', 'SENDING') or due_at is not null),
  add check (state <> 'SENDING' or (claimed_at is not null and carrier is not null)),
  add check (state not in ('OUTBOX', 'DELIVERED', 'FAILED') or due_at is null);
create index sms_message_due on sms_message (due_at) where due_at is not null;
create unique index sms_message_resend on sms_message (tenant_id, resend_of) where resend_of is not null;
create index sms_message_figures on sms_message (tenant_id, created_at) include (scene, state, segments);
grant update (state, sealed_carrier, due_at, attempts, checks, claimed_at, sent_at, settled_at, carrier,
  carrier_no, carrier_segments, result_code, result_text) on sms_message to cabinet_tenant, cabinet_platform;
create index sms_message_sent on sms_message (sent_at) where sent_at is not null;

-- As enqueue_job, to run after so many seconds.
create function enqueue_job_in(task text, payload json, key text, seconds double precision) returns void
language plpgsql security definer set search_path = public as $$
begin
  perform graphile_worker.add_job(
    task, payload, job_key => key, run_at => now() + make_interval(secs => seconds));
end $$;
revoke execute on function enqueue_job_in(text, json, text, double precision) from public;
grant execute on function enqueue_job_in(text, json, text, double precision)
  to cabinet_tenant, cabinet_platform;

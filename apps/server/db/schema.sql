-- Schema of a migrated database, for reading: tests/schema.test.ts keeps it fresh.
-- To renew it after a migration: npm test -- tests/schema -u

create table advert (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  title text not null,
  file_id uuid not null,
  "position" text not null,
  duration_seconds integer not null,
  sort integer not null,
  from_date date,
  until_date date,
  from_minute integer,
  until_minute integer,
  target_kind text not null,
  target_ids bigint[] not null default '{}'::bigint[],
  target_side text,
  state text not null default 'DRAFT'::text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  created_by bigint,
  constraint advert_check CHECK ((until_date >= from_date)),
  constraint advert_check1 CHECK ((((from_minute IS NULL) = (until_minute IS NULL)) AND (from_minute <> until_minute))),
  constraint advert_check2 CHECK (((target_kind = 'SIDE'::text) = (target_side IS NOT NULL))),
  constraint advert_check3 CHECK (((target_kind = ANY (ARRAY['STORE'::text, 'CABINET'::text, 'MODEL'::text])) = (cardinality(target_ids) > 0))),
  constraint advert_duration_seconds_check CHECK (((duration_seconds >= 3) AND (duration_seconds <= 600))),
  constraint advert_from_minute_check CHECK (((from_minute >= 0) AND (from_minute <= 1439))),
  constraint advert_position_check CHECK (("position" = ANY (ARRAY['STANDBY'::text, 'HOME'::text, 'PICKUP'::text]))),
  constraint advert_state_check CHECK ((state = ANY (ARRAY['DRAFT'::text, 'ON'::text, 'OFF'::text]))),
  constraint advert_target_kind_check CHECK ((target_kind = ANY (ARRAY['ALL'::text, 'STORE'::text, 'CABINET'::text, 'MODEL'::text, 'SIDE'::text]))),
  constraint advert_target_side_check CHECK ((target_side = ANY (ARRAY['SINGLE'::text, 'DOUBLE'::text]))),
  constraint advert_until_minute_check CHECK (((until_minute >= 0) AND (until_minute <= 1439))),
  constraint advert_tenant_id_file_id_fkey FOREIGN KEY (tenant_id, file_id) REFERENCES file(tenant_id, id),
  constraint advert_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint advert_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX advert_on ON public.advert USING btree (tenant_id) WHERE (state = 'ON'::text);
CREATE INDEX advert_sort ON public.advert USING btree (tenant_id, sort, id);
alter table advert enable row level security;
create policy platform_rows on advert to cabinet_platform using (true) with check (true);
create policy tenant_rows on advert to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table advert_download (
  tenant_id integer not null,
  cabinet_id bigint not null,
  advert_id bigint not null,
  file_id uuid not null,
  state text not null default 'WAITING'::text,
  reason text,
  changed_at timestamp with time zone not null default now(),
  constraint advert_download_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'DOWNLOADING'::text, 'READY'::text, 'FAILED'::text]))),
  constraint advert_download_tenant_id_advert_id_fkey FOREIGN KEY (tenant_id, advert_id) REFERENCES advert(tenant_id, id) ON DELETE CASCADE,
  constraint advert_download_tenant_id_cabinet_id_fkey FOREIGN KEY (tenant_id, cabinet_id) REFERENCES cabinet(tenant_id, id) ON DELETE CASCADE,
  constraint advert_download_pkey PRIMARY KEY (tenant_id, cabinet_id, advert_id)
);
CREATE INDEX advert_download_advert ON public.advert_download USING btree (tenant_id, advert_id, state);
CREATE INDEX advert_download_file ON public.advert_download USING btree (file_id, cabinet_id);
alter table advert_download enable row level security;
create policy platform_rows on advert_download to cabinet_platform using (true) with check (true);
create policy tenant_rows on advert_download to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table announcement (
  id bigint not null generated always as identity,
  version text not null,
  content text not null,
  state text not null default 'DRAFT'::text,
  updated_at timestamp with time zone not null default now(),
  tenant_id integer not null,
  kind text not null,
  title text not null default ''::text,
  audience text not null default 'OPERATOR'::text,
  user_types smallint[] not null default '{1}'::smallint[],
  tenant_ids integer[],
  is_pinned boolean not null default false,
  publish_at timestamp with time zone,
  expires_at timestamp with time zone,
  told_at timestamp with time zone,
  withdraw_reason text,
  edition integer not null default 1,
  edited_by text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  created_by text not null default ''::text,
  constraint announcement_audience_check CHECK ((audience = ANY (ARRAY['OPERATOR'::text, 'END_USER'::text]))),
  constraint announcement_check CHECK (((state <> 'PUBLISHED'::text) OR (publish_at IS NOT NULL))),
  constraint announcement_check1 CHECK ((expires_at > publish_at)),
  constraint announcement_check2 CHECK (((kind = 'NOTICE'::text) OR ((tenant_id = 1) AND (audience = 'OPERATOR'::text)))),
  constraint announcement_check3 CHECK (((tenant_ids IS NULL) OR ((tenant_id = 1) AND (audience = 'OPERATOR'::text)))),
  constraint announcement_kind_check CHECK ((kind = ANY (ARRAY['NOTICE'::text, 'VERSION'::text]))),
  constraint announcement_state_check CHECK ((state = ANY (ARRAY['DRAFT'::text, 'PUBLISHED'::text, 'WITHDRAWN'::text]))),
  constraint announcement_tenant_ids_check CHECK ((cardinality(tenant_ids) > 0)),
  constraint announcement_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint announcement_pkey PRIMARY KEY (tenant_id, id),
  constraint announcement_id_key UNIQUE (id)
);
CREATE INDEX announcement_published ON public.announcement USING btree (publish_at DESC, id DESC) WHERE (state = 'PUBLISHED'::text);
CREATE INDEX announcement_untold ON public.announcement USING btree (publish_at) WHERE ((state = 'PUBLISHED'::text) AND (told_at IS NULL));
alter table announcement enable row level security;
create policy announcements_of_platform on announcement to cabinet_tenant using (((tenant_id = 1) AND (( SELECT current_tenant_id() AS current_tenant_id) IS NOT NULL) AND (state = 'PUBLISHED'::text) AND (publish_at <= now()) AND (audience = 'OPERATOR'::text) AND ((tenant_ids IS NULL) OR (( SELECT current_tenant_id() AS current_tenant_id) = ANY (tenant_ids)))));
create policy platform_rows on announcement to cabinet_platform using (true) with check (true);
create policy tenant_rows on announcement to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table announcement_edition (
  tenant_id integer not null,
  announcement_id bigint not null,
  edition integer not null,
  title text not null,
  version text not null,
  content text not null,
  edited_at timestamp with time zone not null default now(),
  edited_by text not null,
  constraint announcement_edition_tenant_id_announcement_id_fkey FOREIGN KEY (tenant_id, announcement_id) REFERENCES announcement(tenant_id, id) ON DELETE CASCADE,
  constraint announcement_edition_pkey PRIMARY KEY (tenant_id, announcement_id, edition)
);
alter table announcement_edition enable row level security;
create policy platform_rows on announcement_edition to cabinet_platform using (true) with check (true);
create policy tenant_rows on announcement_edition to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table announcement_read (
  tenant_id integer not null,
  announcement_id bigint not null,
  reader_kind text not null,
  reader_id bigint not null,
  read_at timestamp with time zone not null default now(),
  constraint announcement_read_reader_kind_check CHECK ((reader_kind = ANY (ARRAY['OPERATOR'::text, 'END_USER'::text]))),
  constraint announcement_read_announcement_id_fkey FOREIGN KEY (announcement_id) REFERENCES announcement(id) ON DELETE CASCADE,
  constraint announcement_read_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint announcement_read_pkey PRIMARY KEY (tenant_id, announcement_id, reader_kind, reader_id)
);
CREATE INDEX announcement_read_of ON public.announcement_read USING btree (announcement_id, read_at DESC);
alter table announcement_read enable row level security;
create policy platform_rows on announcement_read to cabinet_platform using (true) with check (true);
create policy tenant_rows on announcement_read to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table app_session (
  token_hash bytea not null,
  tenant_id integer not null,
  end_user_id bigint not null,
  created_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  address inet,
  user_agent text,
  has_mac boolean not null default false,
  constraint app_session_tenant_id_end_user_id_fkey FOREIGN KEY (tenant_id, end_user_id) REFERENCES end_user(tenant_id, id) ON DELETE CASCADE,
  constraint app_session_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX app_session_user ON public.app_session USING btree (tenant_id, end_user_id);
CREATE INDEX app_session_without_mac ON public.app_session USING btree (expires_at) WHERE (NOT has_mac);
alter table app_session enable row level security;
create policy platform_rows on app_session to cabinet_platform using (true) with check (true);
create policy tenant_rows on app_session to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table ask_count (
  key text not null,
  asked integer not null,
  began_at timestamp with time zone not null default now(),
  constraint ask_count_pkey PRIMARY KEY (key)
);

create table audit_base (
  tenant_id integer not null,
  seq bigint not null,
  hash bytea not null,
  signature bytea not null,
  moved_at timestamp with time zone not null default now(),
  constraint audit_base_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint audit_base_pkey PRIMARY KEY (tenant_id)
);
alter table audit_base enable row level security;
create policy platform_rows on audit_base to cabinet_platform using (true) with check (true);
create policy tenant_rows on audit_base to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));
CREATE TRIGGER base_moved AFTER INSERT OR UPDATE ON public.audit_base FOR EACH ROW EXECUTE FUNCTION remove_behind_audit_base();

create table audit_head (
  tenant_id integer not null,
  seq bigint not null,
  hash bytea not null,
  constraint audit_head_pkey PRIMARY KEY (tenant_id)
);
alter table audit_head enable row level security;
create policy platform_rows on audit_head to cabinet_platform using (true) with check (true);
create policy tenant_rows on audit_head to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));
CREATE TRIGGER chain_is_kept BEFORE INSERT OR UPDATE ON public.audit_head FOR EACH ROW EXECUTE FUNCTION refuse_hand_on_chain();

create table audit_link (
  tenant_id integer not null,
  seq bigint not null,
  entry_id bigint not null,
  hash bytea not null,
  constraint audit_link_pkey PRIMARY KEY (tenant_id, seq)
);
CREATE UNIQUE INDEX audit_link_entry ON public.audit_link USING btree (tenant_id, entry_id);
alter table audit_link enable row level security;
create policy platform_rows on audit_link to cabinet_platform using (true) with check (true);
create policy tenant_rows on audit_link to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));
CREATE TRIGGER chain_is_kept BEFORE INSERT OR UPDATE ON public.audit_link FOR EACH ROW EXECUTE FUNCTION refuse_hand_on_chain();
CREATE TRIGGER link_is_kept BEFORE DELETE ON public.audit_link FOR EACH ROW EXECUTE FUNCTION refuse_removal_by_hand();

create table audit_log (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  actor_tenant_id integer,
  actor_id bigint,
  actor_name text,
  call text not null,
  summary text not null,
  target text,
  reason text,
  before jsonb,
  after jsonb,
  address inet,
  request_id text,
  constraint audit_log_pkey PRIMARY KEY (tenant_id, id),
  constraint entry_chained TRIGGER DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX audit_log_at ON public.audit_log USING btree (tenant_id, at DESC, id DESC);
CREATE INDEX audit_log_id ON public.audit_log USING btree (id);
CREATE INDEX audit_log_request ON public.audit_log USING btree (request_id);
CREATE INDEX audit_log_time ON public.audit_log USING btree (at DESC, id DESC);
alter table audit_log enable row level security;
create policy platform_rows on audit_log to cabinet_platform using (true) with check (true);
create policy tenant_rows on audit_log to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));
CREATE CONSTRAINT TRIGGER entry_chained AFTER INSERT ON public.audit_log DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chain_audit_entry();
CREATE TRIGGER entry_is_kept BEFORE DELETE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION refuse_removal_by_hand();

create table audit_seal (
  tenant_id integer not null,
  day date not null,
  seq bigint not null,
  hash bytea not null,
  signature bytea not null,
  sealed_at timestamp with time zone not null default now(),
  constraint audit_seal_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint audit_seal_pkey PRIMARY KEY (tenant_id, seq)
);
CREATE INDEX audit_seal_day ON public.audit_seal USING btree (tenant_id, day, seq);
alter table audit_seal enable row level security;
create policy platform_rows on audit_seal to cabinet_platform using (true) with check (true);
create policy tenant_rows on audit_seal to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table birth_request (
  tenant_id integer not null,
  cabinet_id bigint not null,
  kid text not null,
  heard_at timestamp with time zone not null default now(),
  due_at timestamp with time zone not null,
  attempts integer not null default 0,
  constraint birth_request_tenant_id_cabinet_id_fkey FOREIGN KEY (tenant_id, cabinet_id) REFERENCES cabinet(tenant_id, id) ON DELETE CASCADE,
  constraint birth_request_pkey PRIMARY KEY (tenant_id, cabinet_id)
);
alter table birth_request enable row level security;
create policy platform_rows on birth_request to cabinet_platform using (true) with check (true);
create policy tenant_rows on birth_request to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table business_order (
  tenant_id integer not null,
  order_id bigint not null,
  app_id bigint not null,
  third_party_no text not null,
  created_at timestamp with time zone not null default now(),
  told_state text,
  told_at timestamp with time zone,
  constraint business_order_tenant_id_app_id_fkey FOREIGN KEY (tenant_id, app_id) REFERENCES open_app(tenant_id, id),
  constraint business_order_pkey PRIMARY KEY (tenant_id, order_id),
  constraint business_order_tenant_id_app_id_third_party_no_key UNIQUE (tenant_id, app_id, third_party_no)
);
CREATE INDEX business_order_anywhere ON public.business_order USING btree (order_id DESC);
CREATE INDEX business_order_app ON public.business_order USING btree (tenant_id, app_id, order_id DESC);
CREATE INDEX business_order_no ON public.business_order USING btree (tenant_id, third_party_no);
alter table business_order enable row level security;
create policy platform_rows on business_order to cabinet_platform using (true) with check (true);
create policy tenant_rows on business_order to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));
CREATE TRIGGER order_taken AFTER INSERT ON public.business_order FOR EACH ROW EXECUTE FUNCTION note_business_order_change();

create table business_order_change (
  tenant_id integer not null,
  order_id bigint not null,
  app_id bigint not null,
  changed_at timestamp with time zone not null default now(),
  change_tx bigint not null default ((pg_current_xact_id())::text)::bigint,
  constraint business_order_change_tenant_id_order_id_fkey FOREIGN KEY (tenant_id, order_id) REFERENCES business_order(tenant_id, order_id) ON DELETE CASCADE,
  constraint business_order_change_pkey PRIMARY KEY (tenant_id, order_id)
);
CREATE INDEX business_order_change_app ON public.business_order_change USING btree (tenant_id, app_id, change_tx, order_id);
alter table business_order_change enable row level security;
create policy platform_rows on business_order_change to cabinet_platform using (true) with check (true);
create policy tenant_rows on business_order_change to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table cabinet (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  sn text not null,
  name text not null,
  model_id bigint not null,
  store_id bigint,
  lifecycle text not null default 'INACTIVE'::text,
  created_at timestamp with time zone not null default now(),
  desired_config jsonb not null default '{}'::jsonb,
  desired_config_version integer not null default 1,
  reported_config jsonb,
  reported_config_version integer,
  reported_config_boot_no bigint,
  reported_config_n bigint,
  connection_nonce text,
  connection_kid text,
  epoch bigint not null default 0,
  is_greeted boolean not null default false,
  gateway_id text,
  birth_nonce text,
  birth_boot_no bigint,
  birth_n bigint,
  last_seen_at timestamp with time zone,
  offline_at timestamp with time zone,
  announced_connectivity text not null default 'NEVER'::text,
  command_seq bigint not null default 0,
  acknowledged_seq bigint not null default 0,
  boot_base bigint not null default 0,
  boot_no bigint,
  last_n bigint,
  missing_reports bigint[] not null default '{}'::bigint[],
  gap_since timestamp with time zone,
  resync_at timestamp with time zone,
  heartbeat_boot_no bigint,
  heartbeat_mono bigint,
  app_version text,
  signal_dbm integer,
  temperature_c real,
  clock_skew_seconds integer,
  service_phone text not null default ''::text,
  place text not null default ''::text,
  longitude double precision,
  latitude double precision,
  opening_hours text not null default ''::text,
  edit_version integer not null default 1,
  edited_at timestamp with time zone,
  edited_by text,
  desired_config_at timestamp with time zone,
  reported_config_at timestamp with time zone,
  is_absence_told boolean not null default false,
  snapshot_boot_no bigint,
  snapshot_n bigint,
  snapshot_asked_at timestamp with time zone,
  resync_id uuid,
  resync_due_at timestamp with time zone,
  invalid_readings text[] not null default '{}'::text[],
  birth_run jsonb,
  identity_shared_at timestamp with time zone,
  constraint cabinet_announced_connectivity_check CHECK ((announced_connectivity = ANY (ARRAY['ONLINE'::text, 'OFFLINE'::text, 'NEVER'::text]))),
  constraint cabinet_check CHECK (((last_seen_at IS NULL) = (offline_at IS NULL))),
  constraint cabinet_check1 CHECK (((longitude IS NULL) = (latitude IS NULL))),
  constraint cabinet_lifecycle_check CHECK ((lifecycle = ANY (ARRAY['INACTIVE'::text, 'ACTIVE'::text, 'PAUSED'::text, 'RETIRED'::text]))),
  constraint cabinet_sn_check CHECK ((sn ~ '^[A-Z0-9]{8,32}$'::text)),
  constraint cabinet_model_id_fkey FOREIGN KEY (model_id) REFERENCES cabinet_model(id),
  constraint cabinet_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint cabinet_tenant_id_store_id_fkey FOREIGN KEY (tenant_id, store_id) REFERENCES store(tenant_id, id),
  constraint cabinet_pkey PRIMARY KEY (tenant_id, id),
  constraint cabinet_sn_key UNIQUE (sn)
);
CREATE INDEX cabinet_absence_over ON public.cabinet USING btree (tenant_id, id) WHERE ((announced_connectivity = 'ONLINE'::text) AND is_absence_told);
CREATE INDEX cabinet_absence_untold ON public.cabinet USING btree (tenant_id, id) WHERE ((announced_connectivity = 'OFFLINE'::text) AND (NOT is_absence_told));
CREATE INDEX cabinet_gap ON public.cabinet USING btree (gap_since) WHERE (gap_since IS NOT NULL);
CREATE INDEX cabinet_number ON public.cabinet USING btree (tenant_id, sn);
CREATE INDEX cabinet_of_model ON public.cabinet USING btree (model_id);
CREATE INDEX cabinet_resync_due ON public.cabinet USING btree (resync_due_at) WHERE (resync_due_at IS NOT NULL);
CREATE INDEX cabinet_store ON public.cabinet USING btree (tenant_id, store_id);
alter table cabinet enable row level security;
create policy platform_rows on cabinet to cabinet_platform using (true) with check (true);
create policy tenant_rows on cabinet to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table cabinet_event (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  cabinet_id bigint not null,
  boot_no bigint,
  n bigint,
  kind text not null,
  compartment_no integer,
  side text,
  command_id uuid,
  device_at timestamp with time zone,
  received_at timestamp with time zone not null default now(),
  payload jsonb,
  constraint cabinet_event_side_check CHECK ((side = ANY (ARRAY['FRONT'::text, 'BACK'::text]))),
  constraint cabinet_event_tenant_id_cabinet_id_fkey FOREIGN KEY (tenant_id, cabinet_id) REFERENCES cabinet(tenant_id, id) ON DELETE CASCADE,
  constraint cabinet_event_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX cabinet_event_cabinet ON public.cabinet_event USING btree (tenant_id, cabinet_id, received_at DESC);
CREATE INDEX cabinet_event_compartment ON public.cabinet_event USING btree (tenant_id, cabinet_id, compartment_no, received_at DESC) WHERE (compartment_no IS NOT NULL);
CREATE INDEX cabinet_event_kind ON public.cabinet_event USING btree (tenant_id, kind, received_at DESC, id DESC);
CREATE INDEX cabinet_event_kind_anywhere ON public.cabinet_event USING btree (kind, received_at DESC, id DESC);
CREATE INDEX cabinet_event_presence ON public.cabinet_event USING btree (tenant_id, cabinet_id, received_at DESC) WHERE (kind = ANY (ARRAY['ONLINE'::text, 'OFFLINE'::text]));
CREATE INDEX cabinet_event_received ON public.cabinet_event USING btree (tenant_id, received_at DESC, id DESC);
CREATE INDEX cabinet_event_received_anywhere ON public.cabinet_event USING btree (received_at DESC, id DESC);
CREATE UNIQUE INDEX cabinet_event_once ON public.cabinet_event USING btree (tenant_id, cabinet_id, boot_no, n);
alter table cabinet_event enable row level security;
create policy platform_rows on cabinet_event to cabinet_platform using (true) with check (true);
create policy tenant_rows on cabinet_event to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table cabinet_model (
  id bigint not null generated always as identity,
  name text not null,
  side text not null,
  vendor text not null default ''::text,
  layout jsonb not null,
  capabilities text[] not null default '{}'::text[],
  created_at timestamp with time zone not null default now(),
  remark text not null default ''::text,
  grid_columns integer not null default 1,
  grid_rows integer not null default 1,
  heartbeat_seconds integer not null default 30,
  offline_seconds integer not null default 90,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  maker_public_key text,
  constraint cabinet_model_check CHECK ((offline_seconds >= (2 * heartbeat_seconds))),
  constraint cabinet_model_grid_columns_check CHECK ((grid_columns >= 1)),
  constraint cabinet_model_grid_rows_check CHECK ((grid_rows >= 1)),
  constraint cabinet_model_heartbeat_seconds_check CHECK (((heartbeat_seconds >= 10) AND (heartbeat_seconds <= 60))),
  constraint cabinet_model_offline_seconds_check CHECK (((offline_seconds >= 30) AND (offline_seconds <= 1800))),
  constraint cabinet_model_side_check CHECK ((side = ANY (ARRAY['SINGLE'::text, 'DOUBLE'::text]))),
  constraint cabinet_model_pkey PRIMARY KEY (id),
  constraint cabinet_model_name_key UNIQUE (name)
);

create table cabinet_network (
  tenant_id integer not null,
  cabinet_id bigint not null,
  network cidr not null,
  constraint cabinet_network_tenant_id_cabinet_id_fkey FOREIGN KEY (tenant_id, cabinet_id) REFERENCES cabinet(tenant_id, id) ON DELETE CASCADE,
  constraint cabinet_network_pkey PRIMARY KEY (tenant_id, cabinet_id, network)
);
alter table cabinet_network enable row level security;
create policy platform_rows on cabinet_network to cabinet_platform using (true) with check (true);
create policy tenant_rows on cabinet_network to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table cabinet_playlist (
  tenant_id integer not null,
  cabinet_id bigint not null,
  version integer not null default 0,
  items jsonb not null default '[]'::jsonb,
  changed_at timestamp with time zone not null default now(),
  reported_version integer,
  is_supported boolean not null default true,
  reported_boot_no bigint,
  reported_n bigint,
  constraint cabinet_playlist_tenant_id_cabinet_id_fkey FOREIGN KEY (tenant_id, cabinet_id) REFERENCES cabinet(tenant_id, id) ON DELETE CASCADE,
  constraint cabinet_playlist_pkey PRIMARY KEY (tenant_id, cabinet_id)
);
CREATE INDEX cabinet_playlist_behind ON public.cabinet_playlist USING btree (changed_at) WHERE ((reported_version IS NULL) OR (reported_version < version));
alter table cabinet_playlist enable row level security;
create policy platform_rows on cabinet_playlist to cabinet_platform using (true) with check (true);
create policy tenant_rows on cabinet_playlist to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table cabinet_secret (
  tenant_id integer not null,
  cabinet_id bigint not null,
  kid text not null,
  sealed_secret bytea,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  first_used_at timestamp with time zone,
  last_used_at timestamp with time zone,
  issued_by text,
  revoked_at timestamp with time zone,
  revoked_by text,
  constraint cabinet_secret_tenant_id_cabinet_id_fkey FOREIGN KEY (tenant_id, cabinet_id) REFERENCES cabinet(tenant_id, id) ON DELETE CASCADE,
  constraint cabinet_secret_pkey PRIMARY KEY (tenant_id, cabinet_id, kid)
);
CREATE INDEX cabinet_secret_end ON public.cabinet_secret USING btree (expires_at) WHERE (expires_at IS NOT NULL);
alter table cabinet_secret enable row level security;
create policy platform_rows on cabinet_secret to cabinet_platform using (true) with check (true);
create policy tenant_rows on cabinet_secret to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table cabinet_service (
  tenant_id integer not null,
  cabinet_id bigint not null,
  starts_on date,
  ends_on date,
  stopped_at timestamp with time zone,
  stop_reason text,
  constraint cabinet_service_check CHECK (((starts_on IS NULL) = (ends_on IS NULL))),
  constraint cabinet_service_check1 CHECK ((ends_on >= starts_on)),
  constraint cabinet_service_check2 CHECK (((stopped_at IS NULL) = (stop_reason IS NULL))),
  constraint cabinet_service_tenant_id_cabinet_id_fkey FOREIGN KEY (tenant_id, cabinet_id) REFERENCES cabinet(tenant_id, id) ON DELETE CASCADE,
  constraint cabinet_service_pkey PRIMARY KEY (tenant_id, cabinet_id)
);
CREATE INDEX cabinet_service_end ON public.cabinet_service USING btree (ends_on);
alter table cabinet_service enable row level security;
create policy platform_rows on cabinet_service to cabinet_platform using (true) with check (true);
create policy tenant_rows on cabinet_service to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table cabinet_service_record (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  cabinet_id bigint not null,
  at timestamp with time zone not null default now(),
  action text not null,
  actor_id bigint not null,
  actor_name text not null,
  before jsonb not null,
  after jsonb not null,
  reason text not null,
  constraint cabinet_service_record_action_check CHECK ((action = ANY (ARRAY['OPENED'::text, 'RENEWED'::text, 'ADJUSTED'::text, 'STOPPED'::text, 'RESUMED'::text]))),
  constraint cabinet_service_record_tenant_id_cabinet_id_fkey FOREIGN KEY (tenant_id, cabinet_id) REFERENCES cabinet(tenant_id, id) ON DELETE CASCADE,
  constraint cabinet_service_record_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX cabinet_service_record_at ON public.cabinet_service_record USING btree (at DESC);
CREATE INDEX cabinet_service_record_cabinet ON public.cabinet_service_record USING btree (tenant_id, cabinet_id, at DESC);
alter table cabinet_service_record enable row level security;
create policy platform_rows on cabinet_service_record to cabinet_platform using (true) with check (true);
create policy tenant_rows on cabinet_service_record to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table callback_attempt (
  tenant_id integer not null,
  delivery_id bigint not null,
  no integer not null,
  round integer not null,
  started_at timestamp with time zone not null default now(),
  url text not null,
  sent_at timestamp with time zone,
  signature text,
  address text,
  outcome text,
  status integer,
  response_type text,
  response_text text,
  retry_after integer,
  detail text,
  duration_ms integer,
  constraint callback_attempt_tenant_id_delivery_id_fkey FOREIGN KEY (tenant_id, delivery_id) REFERENCES callback_delivery(tenant_id, id) ON DELETE CASCADE,
  constraint callback_attempt_pkey PRIMARY KEY (tenant_id, delivery_id, no)
);
alter table callback_attempt enable row level security;
create policy platform_rows on callback_attempt to cabinet_platform using (true) with check (true);
create policy tenant_rows on callback_attempt to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table callback_delivery (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  endpoint_id bigint not null,
  event_id bigint not null,
  purpose text not null default 'EVENT'::text,
  state text not null default 'WAITING'::text,
  created_at timestamp with time zone not null default now(),
  round integer not null default 1,
  failures integer not null default 0,
  attempts integer not null default 0,
  next_at timestamp with time zone default now(),
  lease uuid,
  leased_until timestamp with time zone,
  delivered_at timestamp with time zone,
  ended_at timestamp with time zone,
  last_status integer,
  last_outcome text,
  constraint callback_delivery_check CHECK (((state = 'WAITING'::text) = (next_at IS NOT NULL))),
  constraint callback_delivery_check1 CHECK (((state = 'SENDING'::text) = ((lease IS NOT NULL) AND (leased_until IS NOT NULL)))),
  constraint callback_delivery_purpose_check CHECK ((purpose = ANY (ARRAY['EVENT'::text, 'TEST'::text, 'PROBE'::text]))),
  constraint callback_delivery_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'SENDING'::text, 'DELIVERED'::text, 'DEAD'::text, 'CANCELLED'::text]))),
  constraint callback_delivery_tenant_id_endpoint_id_fkey FOREIGN KEY (tenant_id, endpoint_id) REFERENCES callback_endpoint(tenant_id, id),
  constraint callback_delivery_tenant_id_event_id_fkey FOREIGN KEY (tenant_id, event_id) REFERENCES callback_event(tenant_id, id) ON DELETE CASCADE,
  constraint callback_delivery_pkey PRIMARY KEY (tenant_id, id),
  constraint callback_delivery_tenant_id_endpoint_id_event_id_key UNIQUE (tenant_id, endpoint_id, event_id)
);
CREATE INDEX callback_delivery_anywhere ON public.callback_delivery USING btree (id DESC);
CREATE INDEX callback_delivery_at ON public.callback_delivery USING btree (tenant_id, created_at);
CREATE INDEX callback_delivery_day ON public.callback_delivery USING btree (tenant_id, endpoint_id, created_at);
CREATE INDEX callback_delivery_dead ON public.callback_delivery USING btree (tenant_id, id DESC) WHERE (state = 'DEAD'::text);
CREATE INDEX callback_delivery_due ON public.callback_delivery USING btree (tenant_id, endpoint_id, next_at, id) WHERE ((state = 'WAITING'::text) AND (purpose = 'EVENT'::text));
CREATE INDEX callback_delivery_endpoint ON public.callback_delivery USING btree (tenant_id, endpoint_id, id DESC);
CREATE INDEX callback_delivery_event ON public.callback_delivery USING btree (tenant_id, event_id);
CREATE INDEX callback_delivery_given_up ON public.callback_delivery USING btree (tenant_id, endpoint_id, ended_at) WHERE ((state = 'DEAD'::text) AND (purpose = 'EVENT'::text));
CREATE INDEX callback_delivery_lost ON public.callback_delivery USING btree (tenant_id, endpoint_id) WHERE (state = 'DEAD'::text);
CREATE INDEX callback_delivery_sending ON public.callback_delivery USING btree (tenant_id, endpoint_id, leased_until) WHERE (state = 'SENDING'::text);
CREATE INDEX callback_delivery_trial ON public.callback_delivery USING btree (tenant_id, endpoint_id, next_at, id) WHERE ((state = 'WAITING'::text) AND (purpose <> 'EVENT'::text));
alter table callback_delivery enable row level security;
create policy platform_rows on callback_delivery to cabinet_platform using (true) with check (true);
create policy tenant_rows on callback_delivery to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table callback_endpoint (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  name text not null,
  url text not null,
  types text[] not null,
  app_id bigint,
  state text not null default 'ENABLED'::text,
  state_reason text not null default ''::text,
  state_at timestamp with time zone not null default now(),
  failures integer not null default 0,
  last_success_at timestamp with time zone,
  last_failure_at timestamp with time zone,
  probe_result text,
  probed_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  edit_version integer not null default 1,
  edited_at timestamp with time zone not null default now(),
  edited_by text not null,
  deleted_at timestamp with time zone,
  told_at timestamp with time zone,
  told_trouble text,
  constraint callback_endpoint_check CHECK (((told_at IS NULL) = (told_trouble IS NULL))),
  constraint callback_endpoint_probe_result_check CHECK ((probe_result = ANY (ARRAY['REFUSED'::text, 'ACCEPTED'::text, 'UNCLEAR'::text]))),
  constraint callback_endpoint_state_check CHECK ((state = ANY (ARRAY['ENABLED'::text, 'FAILING'::text, 'DISABLED'::text]))),
  constraint callback_endpoint_told_trouble_check CHECK ((told_trouble = ANY (ARRAY['FAILING'::text, 'DEAD'::text, 'GONE'::text]))),
  constraint callback_endpoint_types_check CHECK ((cardinality(types) > 0)),
  constraint callback_endpoint_tenant_id_app_id_fkey FOREIGN KEY (tenant_id, app_id) REFERENCES open_app(tenant_id, id),
  constraint callback_endpoint_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint callback_endpoint_pkey PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX callback_endpoint_name ON public.callback_endpoint USING btree (tenant_id, name) WHERE (deleted_at IS NULL);
alter table callback_endpoint enable row level security;
create policy platform_rows on callback_endpoint to cabinet_platform using (true) with check (true);
create policy tenant_rows on callback_endpoint to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table callback_event (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  uid uuid not null default gen_random_uuid(),
  at timestamp with time zone not null default now(),
  type text not null,
  key text not null,
  app_id bigint,
  order_id bigint,
  data jsonb not null,
  seq bigint,
  app_seq bigint,
  constraint callback_event_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint callback_event_pkey PRIMARY KEY (tenant_id, id),
  constraint callback_event_tenant_id_type_key_key UNIQUE (tenant_id, type, key),
  constraint callback_event_tenant_id_uid_key UNIQUE (tenant_id, uid)
);
CREATE INDEX callback_event_age ON public.callback_event USING btree (at);
CREATE INDEX callback_event_app ON public.callback_event USING btree (tenant_id, app_id, app_seq) WHERE (app_seq > 0);
CREATE INDEX callback_event_at ON public.callback_event USING btree (tenant_id, at);
CREATE INDEX callback_event_order ON public.callback_event USING btree (tenant_id, order_id, id) WHERE (order_id IS NOT NULL);
CREATE INDEX callback_event_unnumbered ON public.callback_event USING btree (tenant_id, id) WHERE (seq IS NULL);
CREATE UNIQUE INDEX callback_event_seq ON public.callback_event USING btree (tenant_id, seq) WHERE (seq > 0);
alter table callback_event enable row level security;
create policy platform_rows on callback_event to cabinet_platform using (true) with check (true);
create policy tenant_rows on callback_event to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table callback_secret (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  endpoint_id bigint not null,
  sealed bytea not null,
  hint text not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  constraint callback_secret_tenant_id_endpoint_id_fkey FOREIGN KEY (tenant_id, endpoint_id) REFERENCES callback_endpoint(tenant_id, id) ON DELETE CASCADE,
  constraint callback_secret_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX callback_secret_endpoint ON public.callback_secret USING btree (tenant_id, endpoint_id);
alter table callback_secret enable row level security;
create policy platform_rows on callback_secret to cabinet_platform using (true) with check (true);
create policy tenant_rows on callback_secret to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table callback_sequence (
  tenant_id integer not null,
  app_id bigint not null,
  last_seq bigint not null default 0,
  constraint callback_sequence_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint callback_sequence_pkey PRIMARY KEY (tenant_id, app_id)
);
alter table callback_sequence enable row level security;
create policy platform_rows on callback_sequence to cabinet_platform using (true) with check (true);
create policy tenant_rows on callback_sequence to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table captcha_use (
  challenge_id text not null,
  expires_at timestamp with time zone not null,
  constraint captcha_use_pkey PRIMARY KEY (challenge_id)
);

create table command (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  cabinet_id bigint not null,
  kind text not null,
  compartment_no integer,
  side text,
  state text not null default 'QUEUED'::text,
  detail text,
  reason text not null,
  actor_id bigint,
  actor_name text not null,
  request_id text,
  epoch bigint not null default 0,
  seq bigint,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  acked_at timestamp with time zone,
  settled_at timestamp with time zone,
  frames jsonb not null default '[]'::jsonb,
  order_id bigint,
  purpose text,
  actor_kind text not null default 'OPERATOR'::text,
  asked_boot_no bigint,
  asked_n bigint,
  opened_boot_no bigint,
  opened_n bigint,
  order_seen text,
  conflict text,
  traceparent text,
  refusal text,
  expect_item text,
  final_state text,
  asked_item text,
  asked_door text,
  constraint command_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['END_USER'::text, 'OPERATOR'::text, 'SYSTEM'::text, 'PARTNER'::text]))),
  constraint command_check CHECK (((kind = 'OPEN'::text) = ((compartment_no IS NOT NULL) AND (side IS NOT NULL)))),
  constraint command_conflict_check CHECK ((conflict = ANY (ARRAY['SEQ'::text, 'STAGE'::text]))),
  constraint command_kind_check CHECK ((kind = ANY (ARRAY['OPEN'::text, 'RESTART'::text]))),
  constraint command_purpose_check CHECK ((purpose = ANY (ARRAY['DEPOSIT'::text, 'PICKUP'::text, 'TAKE_BACK'::text]))),
  constraint command_side_check CHECK ((side = ANY (ARRAY['FRONT'::text, 'BACK'::text]))),
  constraint command_state_check CHECK ((state = ANY (ARRAY['QUEUED'::text, 'SENT'::text, 'ACKED'::text, 'CONFIRMED'::text, 'NOT_CONFIRMED'::text, 'REJECTED'::text, 'EXPIRED'::text, 'FAILED'::text, 'UNKNOWN'::text]))),
  constraint command_tenant_id_cabinet_id_fkey FOREIGN KEY (tenant_id, cabinet_id) REFERENCES cabinet(tenant_id, id) ON DELETE CASCADE,
  constraint command_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX command_awaited ON public.command USING btree (settled_at) WHERE ((final_state IS NULL) AND (state = ANY (ARRAY['UNKNOWN'::text, 'NOT_CONFIRMED'::text])));
CREATE INDEX command_cabinet ON public.command USING btree (tenant_id, cabinet_id, created_at DESC);
CREATE INDEX command_created ON public.command USING btree (tenant_id, created_at DESC);
CREATE INDEX command_created_anywhere ON public.command USING btree (created_at DESC);
CREATE INDEX command_for_order ON public.command USING btree (tenant_id, cabinet_id) WHERE ((order_id IS NOT NULL) AND (state <> ALL (ARRAY['QUEUED'::text, 'SENT'::text, 'ACKED'::text])) AND (order_seen IS DISTINCT FROM state));
CREATE INDEX command_of_staff ON public.command USING btree (tenant_id, created_at DESC) WHERE (actor_kind <> 'END_USER'::text);
CREATE INDEX command_of_staff_anywhere ON public.command USING btree (created_at DESC) WHERE (actor_kind <> 'END_USER'::text);
CREATE INDEX command_order ON public.command USING btree (tenant_id, order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX command_unsettled ON public.command USING btree (expires_at) WHERE (state = ANY (ARRAY['QUEUED'::text, 'SENT'::text, 'ACKED'::text]));
CREATE UNIQUE INDEX command_in_flight ON public.command USING btree (tenant_id, cabinet_id, compartment_no) WHERE ((kind = 'OPEN'::text) AND (state = ANY (ARRAY['QUEUED'::text, 'SENT'::text, 'ACKED'::text])));
CREATE UNIQUE INDEX command_seq ON public.command USING btree (tenant_id, cabinet_id, seq);
CREATE UNIQUE INDEX restart_in_flight ON public.command USING btree (tenant_id, cabinet_id) WHERE ((kind = 'RESTART'::text) AND (state = ANY (ARRAY['QUEUED'::text, 'SENT'::text, 'ACKED'::text])));
alter table command enable row level security;
create policy platform_rows on command to cabinet_platform using (true) with check (true);
create policy tenant_rows on command to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table compartment (
  tenant_id integer not null,
  cabinet_id bigint not null,
  no integer not null,
  size text not null,
  board_address text not null,
  layout_column integer not null,
  layout_row integer not null,
  row_span integer not null default 1,
  admin_state text not null default 'ENABLED'::text,
  admin_reason text,
  occupancy text not null default 'FREE'::text,
  occupied_since timestamp with time zone,
  door_front text not null default 'UNKNOWN'::text,
  door_back text,
  item text not null default 'UNKNOWN'::text,
  reported_boot_no bigint,
  reported_n bigint,
  door_open_since timestamp with time zone,
  present_boot_no bigint,
  constraint compartment_admin_state_check CHECK ((admin_state = ANY (ARRAY['ENABLED'::text, 'DISABLED'::text, 'FAULT'::text]))),
  constraint compartment_door_back_check CHECK ((door_back = ANY (ARRAY['OPEN'::text, 'CLOSED'::text, 'UNKNOWN'::text]))),
  constraint compartment_door_front_check CHECK ((door_front = ANY (ARRAY['OPEN'::text, 'CLOSED'::text, 'UNKNOWN'::text]))),
  constraint compartment_item_check CHECK ((item = ANY (ARRAY['EMPTY'::text, 'PRESENT'::text, 'UNKNOWN'::text]))),
  constraint compartment_no_check CHECK (((no >= 1) AND (no <= 999))),
  constraint compartment_occupancy_check CHECK ((occupancy = ANY (ARRAY['FREE'::text, 'RESERVED'::text, 'OCCUPIED'::text]))),
  constraint compartment_size_check CHECK ((size = ANY (ARRAY['S'::text, 'M'::text, 'L'::text, 'XL'::text]))),
  constraint compartment_tenant_id_cabinet_id_fkey FOREIGN KEY (tenant_id, cabinet_id) REFERENCES cabinet(tenant_id, id) ON DELETE CASCADE,
  constraint compartment_pkey PRIMARY KEY (tenant_id, cabinet_id, no)
);
CREATE INDEX compartment_door_open ON public.compartment USING btree (door_open_since) WHERE (door_open_since IS NOT NULL);
CREATE INDEX compartment_faulty ON public.compartment USING btree (tenant_id, cabinet_id) WHERE ((admin_state <> 'ENABLED'::text) OR ((occupancy = 'FREE'::text) AND (item = 'PRESENT'::text)) OR ((occupancy = 'OCCUPIED'::text) AND (item = 'EMPTY'::text)));
alter table compartment enable row level security;
create policy platform_rows on compartment to cabinet_platform using (true) with check (true);
create policy tenant_rows on compartment to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table device_challenge (
  nonce text not null,
  expires_at timestamp with time zone not null,
  constraint device_challenge_pkey PRIMARY KEY (nonce)
);
CREATE INDEX device_challenge_expiry ON public.device_challenge USING btree (expires_at);

create table device_stock (
  id bigint not null generated always as identity,
  sn text not null,
  model_id bigint not null,
  batch text not null default ''::text,
  remark text not null default ''::text,
  state text not null default 'IN_STOCK'::text,
  import_id uuid,
  imported_at timestamp with time zone not null default now(),
  imported_by text not null,
  owner_tenant_id integer,
  cabinet_id bigint,
  assigned_at timestamp with time zone,
  activated_at timestamp with time zone,
  code_hash bytea,
  code_expires_at timestamp with time zone,
  claim_hash bytea,
  issued_kid text,
  issued_count integer not null default 0,
  constraint device_stock_check CHECK (((owner_tenant_id IS NULL) = (cabinet_id IS NULL))),
  constraint device_stock_check1 CHECK (((state = ANY (ARRAY['ASSIGNED'::text, 'ACTIVATED'::text])) = (cabinet_id IS NOT NULL))),
  constraint device_stock_check2 CHECK (((code_hash IS NULL) = (code_expires_at IS NULL))),
  constraint device_stock_sn_check CHECK ((sn ~ '^[A-Z0-9]{8,32}$'::text)),
  constraint device_stock_state_check CHECK ((state = ANY (ARRAY['IN_STOCK'::text, 'ASSIGNED'::text, 'ACTIVATED'::text, 'SCRAPPED'::text]))),
  constraint device_stock_model_id_fkey FOREIGN KEY (model_id) REFERENCES cabinet_model(id),
  constraint device_stock_owner_tenant_id_cabinet_id_fkey FOREIGN KEY (owner_tenant_id, cabinet_id) REFERENCES cabinet(tenant_id, id),
  constraint device_stock_owner_tenant_id_fkey FOREIGN KEY (owner_tenant_id) REFERENCES tenant(id),
  constraint device_stock_pkey PRIMARY KEY (id),
  constraint device_stock_sn_key UNIQUE (sn)
);
CREATE INDEX device_stock_imported ON public.device_stock USING btree (imported_at DESC, id DESC);
CREATE UNIQUE INDEX device_stock_cabinet ON public.device_stock USING btree (owner_tenant_id, cabinet_id);

create table device_stock_event (
  id bigint not null generated always as identity,
  stock_id bigint not null,
  at timestamp with time zone not null default now(),
  kind text not null,
  actor_name text not null,
  detail text not null default ''::text,
  constraint device_stock_event_kind_check CHECK ((kind = ANY (ARRAY['IMPORTED'::text, 'CHANGED'::text, 'ASSIGNED'::text, 'RECALLED'::text, 'CODE_RENEWED'::text, 'SCRAPPED'::text, 'ACTIVATED'::text, 'ACTIVATED_AGAIN'::text, 'ACTIVATION_REFUSED'::text]))),
  constraint device_stock_event_stock_id_fkey FOREIGN KEY (stock_id) REFERENCES device_stock(id) ON DELETE CASCADE,
  constraint device_stock_event_pkey PRIMARY KEY (id)
);
CREATE INDEX device_stock_event_stock ON public.device_stock_event USING btree (stock_id, id DESC);

create table end_user (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  phone text not null,
  name text not null default ''::text,
  state text not null default 'ACTIVE'::text,
  created_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone,
  locked_at timestamp with time zone,
  locked_until timestamp with time zone,
  lock_reason text,
  deleted_at timestamp with time zone,
  phone_tail text not null generated always as ("right"(phone, 4)) stored,
  is_erased boolean not null default false,
  constraint end_user_phone_check CHECK (
CASE
    WHEN (deleted_at IS NULL) THEN (phone ~ '^1[3-9]\d{9}$'::text)
    ELSE (phone ~~ '#%'::text)
END),
  constraint end_user_state_check CHECK ((state = ANY (ARRAY['ACTIVE'::text, 'LOCKED'::text]))),
  constraint end_user_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint end_user_pkey PRIMARY KEY (tenant_id, id),
  constraint end_user_tenant_id_phone_key UNIQUE (tenant_id, phone)
);
CREATE INDEX end_user_anywhere ON public.end_user USING btree (id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX end_user_phone_part ON public.end_user USING gin (phone gin_trgm_ops);
CREATE INDEX end_user_phone_tail ON public.end_user USING btree (phone_tail, tenant_id);
CREATE INDEX end_user_registered ON public.end_user USING btree (tenant_id, id DESC) WHERE (deleted_at IS NULL);
alter table end_user enable row level security;
create policy platform_rows on end_user to cabinet_platform using (true) with check (true);
create policy tenant_rows on end_user to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table end_user_lock (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  end_user_id bigint not null,
  is_lock boolean not null,
  reason text not null,
  locked_until timestamp with time zone,
  at timestamp with time zone not null default now(),
  actor_name text not null,
  constraint end_user_lock_tenant_id_end_user_id_fkey FOREIGN KEY (tenant_id, end_user_id) REFERENCES end_user(tenant_id, id),
  constraint end_user_lock_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX end_user_lock_user ON public.end_user_lock USING btree (tenant_id, end_user_id, id DESC);
alter table end_user_lock enable row level security;
create policy platform_rows on end_user_lock to cabinet_platform using (true) with check (true);
create policy tenant_rows on end_user_lock to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table end_user_note (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  end_user_id bigint not null,
  text text not null,
  at timestamp with time zone not null default now(),
  actor_id bigint not null,
  actor_name text not null,
  constraint end_user_note_tenant_id_end_user_id_fkey FOREIGN KEY (tenant_id, end_user_id) REFERENCES end_user(tenant_id, id),
  constraint end_user_note_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX end_user_note_user ON public.end_user_note USING btree (tenant_id, end_user_id, id DESC);
alter table end_user_note enable row level security;
create policy platform_rows on end_user_note to cabinet_platform using (true) with check (true);
create policy tenant_rows on end_user_note to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table end_user_tag (
  tenant_id integer not null,
  end_user_id bigint not null,
  tag_id bigint not null,
  constraint end_user_tag_tenant_id_end_user_id_fkey FOREIGN KEY (tenant_id, end_user_id) REFERENCES end_user(tenant_id, id),
  constraint end_user_tag_tenant_id_tag_id_fkey FOREIGN KEY (tenant_id, tag_id) REFERENCES tag(tenant_id, id) ON DELETE CASCADE,
  constraint end_user_tag_pkey PRIMARY KEY (tenant_id, end_user_id, tag_id)
);
CREATE INDEX end_user_tag_tag ON public.end_user_tag USING btree (tenant_id, tag_id);
alter table end_user_tag enable row level security;
create policy platform_rows on end_user_tag to cabinet_platform using (true) with check (true);
create policy tenant_rows on end_user_tag to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table faq (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  category_id bigint not null,
  question text not null,
  answer text not null,
  is_on boolean not null default false,
  sort integer not null,
  edit_version integer not null default 1,
  edited_by text not null default ''::text,
  updated_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  constraint faq_tenant_id_category_id_fkey FOREIGN KEY (tenant_id, category_id) REFERENCES faq_category(tenant_id, id),
  constraint faq_pkey PRIMARY KEY (tenant_id, id),
  constraint faq_id_key UNIQUE (id)
);
CREATE INDEX faq_sort ON public.faq USING btree (tenant_id, category_id, sort, id);
alter table faq enable row level security;
create policy platform_rows on faq to cabinet_platform using (true) with check (true);
create policy questions_of_platform on faq to cabinet_tenant using (((tenant_id = 1) AND (( SELECT current_tenant_id() AS current_tenant_id) IS NOT NULL) AND is_on));
create policy tenant_rows on faq to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table faq_category (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  name text not null,
  audience text not null,
  sort integer not null,
  edit_version integer not null default 1,
  edited_by text not null default ''::text,
  constraint faq_category_audience_check CHECK ((audience = ANY (ARRAY['OPERATOR'::text, 'END_USER'::text]))),
  constraint faq_category_check CHECK (((audience = 'END_USER'::text) OR (tenant_id = 1))),
  constraint faq_category_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint faq_category_pkey PRIMARY KEY (tenant_id, id),
  constraint faq_category_id_key UNIQUE (id),
  constraint faq_category_tenant_id_audience_name_key UNIQUE (tenant_id, audience, name)
);
alter table faq_category enable row level security;
create policy categories_of_platform on faq_category to cabinet_tenant using (((tenant_id = 1) AND (( SELECT current_tenant_id() AS current_tenant_id) IS NOT NULL)));
create policy platform_rows on faq_category to cabinet_platform using (true) with check (true);
create policy tenant_rows on faq_category to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table faq_hidden (
  tenant_id integer not null,
  faq_id bigint not null,
  hidden_at timestamp with time zone not null default now(),
  hidden_by text not null,
  constraint faq_hidden_faq_id_fkey FOREIGN KEY (faq_id) REFERENCES faq(id) ON DELETE CASCADE,
  constraint faq_hidden_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint faq_hidden_pkey PRIMARY KEY (tenant_id, faq_id)
);
alter table faq_hidden enable row level security;
create policy platform_rows on faq_hidden to cabinet_platform using (true) with check (true);
create policy tenant_rows on faq_hidden to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table file (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  purpose text not null,
  kind text not null,
  media_type text not null,
  name text not null,
  size_bytes bigint not null,
  sha256 text not null,
  storage_key text not null,
  width integer,
  height integer,
  duration_ms integer,
  created_at timestamp with time zone not null default now(),
  created_by bigint,
  unused_since timestamp with time zone default now(),
  end_user_id bigint,
  constraint file_kind_check CHECK ((kind = ANY (ARRAY['IMAGE'::text, 'VIDEO'::text, 'FIRMWARE'::text]))),
  constraint file_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint file_size_bytes_check CHECK ((size_bytes > 0)),
  constraint file_uploader CHECK ((num_nonnulls(created_by, end_user_id) <= 1)),
  constraint file_storage_key_fkey FOREIGN KEY (storage_key) REFERENCES stored_object(key),
  constraint file_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint file_pkey PRIMARY KEY (tenant_id, id),
  constraint file_id_key UNIQUE (id),
  constraint file_storage_key_key UNIQUE (storage_key)
);
CREATE INDEX file_unused ON public.file USING btree (unused_since) WHERE (unused_since IS NOT NULL);
alter table file enable row level security;
create policy pictures_of_platform on file to cabinet_tenant using (((tenant_id = 1) AND (( SELECT current_tenant_id() AS current_tenant_id) IS NOT NULL) AND (purpose = 'NOTICE'::text)));
create policy platform_rows on file to cabinet_platform using (true) with check (true);
create policy tenant_rows on file to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table firmware (
  id bigint not null generated always as identity,
  version text not null,
  min_version text not null,
  notes text not null default ''::text,
  file_id uuid not null,
  file_name text not null,
  size_bytes bigint not null,
  sha256 text not null,
  signature text not null,
  state text not null default 'DRAFT'::text,
  withdrawn_reason text,
  created_by text not null,
  created_at timestamp with time zone not null default now(),
  released_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  constraint firmware_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint firmware_size_bytes_check CHECK ((size_bytes > 0)),
  constraint firmware_state_check CHECK ((state = ANY (ARRAY['DRAFT'::text, 'RELEASED'::text, 'WITHDRAWN'::text]))),
  constraint firmware_file_id_fkey FOREIGN KEY (file_id) REFERENCES file(id),
  constraint firmware_pkey PRIMARY KEY (id),
  constraint firmware_file_id_key UNIQUE (file_id),
  constraint firmware_id_version_key UNIQUE (id, version)
);

create table firmware_model (
  firmware_id bigint not null,
  model_id bigint not null,
  version text not null,
  constraint firmware_model_firmware_id_version_fkey FOREIGN KEY (firmware_id, version) REFERENCES firmware(id, version) ON DELETE CASCADE,
  constraint firmware_model_model_id_fkey FOREIGN KEY (model_id) REFERENCES cabinet_model(id) ON DELETE CASCADE,
  constraint firmware_model_pkey PRIMARY KEY (firmware_id, model_id),
  constraint firmware_model_model_id_version_key UNIQUE (model_id, version)
);

create table gateway (
  id text not null,
  seen_at timestamp with time zone not null default clock_timestamp(),
  is_linked boolean not null default true,
  constraint gateway_pkey PRIMARY KEY (id)
);

create table idempotency_key (
  tenant_id integer not null,
  actor text not null,
  key text not null,
  fingerprint bytea not null,
  reply jsonb,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_key_pkey PRIMARY KEY (tenant_id, actor, key)
);
CREATE INDEX idempotency_key_age ON public.idempotency_key USING btree (created_at);
alter table idempotency_key enable row level security;
create policy platform_rows on idempotency_key to cabinet_platform using (true) with check (true);
create policy tenant_rows on idempotency_key to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table installation (
  key text not null,
  value jsonb not null,
  created_at timestamp with time zone not null default now(),
  constraint installation_pkey PRIMARY KEY (key)
);

create table job_worker (
  id text not null,
  seen_at timestamp with time zone not null default now(),
  constraint job_worker_pkey PRIMARY KEY (id)
);

create table ledger_journal (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  kind text not null,
  biz_type text not null,
  biz_id text not null,
  order_id bigint,
  end_user_id bigint not null,
  principal_fen bigint not null default 0,
  bonus_fen bigint not null default 0,
  principal_after_fen bigint not null,
  bonus_after_fen bigint not null,
  actor_kind text not null,
  actor_id bigint,
  actor_name text not null,
  reason text,
  side text,
  constraint ledger_journal_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['END_USER'::text, 'OPERATOR'::text, 'SYSTEM'::text]))),
  constraint ledger_journal_bonus_after_fen_check CHECK ((bonus_after_fen >= 0)),
  constraint ledger_journal_kind_check CHECK ((kind = ANY (ARRAY['RECHARGE'::text, 'RECHARGE_REFUND'::text, 'PAYMENT'::text, 'PAYMENT_REFUND'::text, 'PACKAGE_BUY'::text, 'ADMIN_ADJUST'::text]))),
  constraint ledger_journal_principal_after_fen_check CHECK ((principal_after_fen >= 0)),
  constraint ledger_journal_side_check CHECK ((side = ANY (ARRAY['SINGLE'::text, 'DOUBLE'::text]))),
  constraint ledger_journal_tenant_id_end_user_id_fkey FOREIGN KEY (tenant_id, end_user_id) REFERENCES end_user(tenant_id, id),
  constraint ledger_journal_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint ledger_journal_pkey PRIMARY KEY (tenant_id, id),
  constraint ledger_journal_balance TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint ledger_journal_tenant_id_biz_type_biz_id_key UNIQUE (tenant_id, biz_type, biz_id)
);
CREATE INDEX ledger_journal_anywhere ON public.ledger_journal USING btree (id DESC);
CREATE INDEX ledger_journal_at ON public.ledger_journal USING btree (tenant_id, at);
CREATE INDEX ledger_journal_kind ON public.ledger_journal USING btree (tenant_id, kind, id DESC);
CREATE INDEX ledger_journal_order ON public.ledger_journal USING btree (tenant_id, order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX ledger_journal_side ON public.ledger_journal USING btree (tenant_id, side, id DESC) WHERE (side IS NOT NULL);
CREATE INDEX ledger_journal_user ON public.ledger_journal USING btree (tenant_id, end_user_id, id DESC);
alter table ledger_journal enable row level security;
create policy platform_rows on ledger_journal to cabinet_platform using (true) with check (true);
create policy tenant_rows on ledger_journal to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));
CREATE TRIGGER end_user_is_there BEFORE INSERT ON public.ledger_journal FOR EACH ROW EXECUTE FUNCTION refuse_deleted_end_user();
CREATE CONSTRAINT TRIGGER ledger_journal_balance AFTER INSERT ON public.ledger_journal DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_journal_balance();

create table ledger_leg (
  tenant_id integer not null,
  journal_id bigint not null,
  account text not null,
  amount_fen bigint not null,
  constraint ledger_leg_account_check CHECK ((account = ANY (ARRAY['WALLET_PRINCIPAL'::text, 'WALLET_BONUS'::text, 'WECHAT'::text, 'CASH'::text, 'ORDER_INCOME'::text, 'PACKAGE_INCOME'::text, 'GIFT'::text, 'ADJUSTMENT'::text]))),
  constraint ledger_leg_amount_fen_check CHECK ((amount_fen <> 0)),
  constraint ledger_leg_tenant_id_journal_id_fkey FOREIGN KEY (tenant_id, journal_id) REFERENCES ledger_journal(tenant_id, id),
  constraint ledger_leg_pkey PRIMARY KEY (tenant_id, journal_id, account),
  constraint ledger_leg_balance TRIGGER DEFERRABLE INITIALLY DEFERRED
);
alter table ledger_leg enable row level security;
create policy platform_rows on ledger_leg to cabinet_platform using (true) with check (true);
create policy tenant_rows on ledger_leg to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));
CREATE CONSTRAINT TRIGGER ledger_leg_balance AFTER INSERT ON public.ledger_leg DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_journal_balance();

create table legal_consent (
  tenant_id integer not null,
  end_user_id bigint not null,
  legal_text_id bigint not null,
  agreed_at timestamp with time zone not null default now(),
  constraint legal_consent_legal_text_id_fkey FOREIGN KEY (legal_text_id) REFERENCES legal_text(id),
  constraint legal_consent_tenant_id_end_user_id_fkey FOREIGN KEY (tenant_id, end_user_id) REFERENCES end_user(tenant_id, id),
  constraint legal_consent_pkey PRIMARY KEY (tenant_id, end_user_id, legal_text_id)
);
CREATE INDEX legal_consent_text ON public.legal_consent USING btree (legal_text_id, tenant_id);
alter table legal_consent enable row level security;
create policy platform_rows on legal_consent to cabinet_platform using (true) with check (true);
create policy tenant_rows on legal_consent to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table legal_text (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  kind text not null,
  version integer not null,
  body text not null,
  published_at timestamp with time zone not null default now(),
  published_by text not null,
  constraint legal_text_kind_check CHECK ((kind = ANY (ARRAY['TERMS'::text, 'PRIVACY'::text]))),
  constraint legal_text_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint legal_text_pkey PRIMARY KEY (tenant_id, id),
  constraint legal_text_id_key UNIQUE (id),
  constraint legal_text_tenant_id_kind_version_key UNIQUE (tenant_id, kind, version)
);
alter table legal_text enable row level security;
create policy platform_rows on legal_text to cabinet_platform using (true) with check (true);
create policy tenant_rows on legal_text to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));
create policy texts_of_platform on legal_text to cabinet_tenant using (((tenant_id = 1) AND (( SELECT current_tenant_id() AS current_tenant_id) IS NOT NULL)));

create table list_export (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  operator_id bigint not null,
  session_hash bytea not null,
  is_platform boolean not null,
  call text not null,
  query jsonb not null,
  state text not null default 'WAITING'::text,
  failure text,
  total integer,
  row_count integer not null default 0,
  created_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  reach text not null default '*'::text,
  constraint list_export_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'RUNNING'::text, 'READY'::text, 'FAILED'::text]))),
  constraint list_export_tenant_id_operator_id_fkey FOREIGN KEY (tenant_id, operator_id) REFERENCES operator(tenant_id, id) ON DELETE CASCADE,
  constraint list_export_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX list_export_age ON public.list_export USING btree (created_at);
CREATE INDEX list_export_waiting ON public.list_export USING btree (created_at) WHERE (state = 'WAITING'::text);
alter table list_export enable row level security;
create policy platform_rows on list_export to cabinet_platform using (true) with check (true);
create policy tenant_rows on list_export to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table list_export_chunk (
  tenant_id integer not null,
  export_id uuid not null,
  no integer not null,
  rows text not null,
  constraint list_export_chunk_tenant_id_export_id_fkey FOREIGN KEY (tenant_id, export_id) REFERENCES list_export(tenant_id, id) ON DELETE CASCADE,
  constraint list_export_chunk_pkey PRIMARY KEY (tenant_id, export_id, no)
);
alter table list_export_chunk enable row level security;
create policy platform_rows on list_export_chunk to cabinet_platform using (true) with check (true);
create policy tenant_rows on list_export_chunk to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table live_order (
  tenant_id integer not null,
  cabinet_id bigint not null,
  compartment_no integer not null,
  order_id bigint not null,
  code_hash bytea,
  deposit_until timestamp with time zone,
  overdue_at timestamp with time zone,
  opened_side text,
  opened_boot_no bigint,
  opened_n bigint,
  closed_item text,
  doubt_id uuid,
  forced_at timestamp with time zone,
  constraint live_order_opened_side_check CHECK ((opened_side = ANY (ARRAY['FRONT'::text, 'BACK'::text]))),
  constraint live_order_tenant_id_cabinet_id_compartment_no_fkey FOREIGN KEY (tenant_id, cabinet_id, compartment_no) REFERENCES compartment(tenant_id, cabinet_id, no),
  constraint live_order_pkey PRIMARY KEY (tenant_id, cabinet_id, compartment_no),
  constraint live_order_tenant_id_cabinet_id_code_hash_key UNIQUE (tenant_id, cabinet_id, code_hash),
  constraint live_order_tenant_id_order_id_key UNIQUE (tenant_id, order_id)
);
CREATE INDEX live_order_deposit ON public.live_order USING btree (deposit_until) WHERE (deposit_until IS NOT NULL);
CREATE INDEX live_order_followed ON public.live_order USING btree (tenant_id, cabinet_id) WHERE ((opened_n IS NOT NULL) OR (doubt_id IS NOT NULL));
CREATE INDEX live_order_overdue ON public.live_order USING btree (overdue_at) WHERE (overdue_at IS NOT NULL);
alter table live_order enable row level security;
create policy platform_rows on live_order to cabinet_platform using (true) with check (true);
create policy tenant_rows on live_order to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table login_log (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  tenant_id integer,
  operator_id bigint,
  username text not null,
  outcome text not null,
  address inet,
  user_agent text,
  device_id text,
  is_new_device boolean not null default false,
  constraint login_log_outcome_check CHECK ((outcome = ANY (ARRAY['SIGNED_IN'::text, 'SECOND_STEP_PASSED'::text, 'CREDENTIALS_WRONG'::text, 'SECOND_STEP_WRONG'::text, 'FIRST_PASSWORD_EXPIRED'::text, 'DISABLED'::text, 'THROTTLED'::text, 'TENANT_EXPIRED'::text]))),
  constraint login_log_pkey PRIMARY KEY (id)
);
CREATE INDEX login_log_operator ON public.login_log USING btree (tenant_id, operator_id, at DESC, id DESC);
CREATE INDEX login_log_tenant ON public.login_log USING btree (tenant_id, at DESC, id DESC);
CREATE INDEX login_log_time ON public.login_log USING btree (at DESC, id DESC);
alter table login_log enable row level security;
create policy platform_rows on login_log to cabinet_platform using (true) with check (true);
create policy tenant_rows on login_log to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table maintenance_alert (
  tenant_id integer not null,
  malfunction_id bigint not null,
  next_at timestamp with time zone default now(),
  told_at timestamp with time zone,
  escalated_at timestamp with time zone,
  round integer not null default 1,
  constraint maintenance_alert_tenant_id_malfunction_id_fkey FOREIGN KEY (tenant_id, malfunction_id) REFERENCES malfunction(tenant_id, id) ON DELETE CASCADE,
  constraint maintenance_alert_pkey PRIMARY KEY (tenant_id, malfunction_id)
);
CREATE INDEX maintenance_alert_due ON public.maintenance_alert USING btree (next_at) WHERE (next_at IS NOT NULL);
alter table maintenance_alert enable row level security;
create policy platform_rows on maintenance_alert to cabinet_platform using (true) with check (true);
create policy tenant_rows on maintenance_alert to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table maintenance_notice (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  created_at timestamp with time zone not null default now(),
  step text not null,
  kind text not null,
  malfunction_id bigint,
  place text not null,
  detail text not null default ''::text,
  operator_id bigint,
  operator_name text not null,
  by_console boolean not null,
  read_at timestamp with time zone,
  sms_state text not null,
  sms_due_at timestamp with time zone,
  sms_id bigint,
  round integer not null default 1,
  constraint maintenance_notice_check CHECK (((sms_state = 'WAITING'::text) = (sms_due_at IS NOT NULL))),
  constraint maintenance_notice_check1 CHECK (((sms_state = 'QUEUED'::text) = (sms_id IS NOT NULL))),
  constraint maintenance_notice_sms_state_check CHECK ((sms_state = ANY (ARRAY['NONE'::text, 'WAITING'::text, 'QUEUED'::text, 'NO_PHONE'::text, 'CAPPED'::text, 'MOOT'::text]))),
  constraint maintenance_notice_step_check CHECK ((step = ANY (ARRAY['FIRST'::text, 'ESCALATION'::text, 'TEST'::text, 'ASSIGNED'::text]))),
  constraint maintenance_notice_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint maintenance_notice_tenant_id_malfunction_id_fkey FOREIGN KEY (tenant_id, malfunction_id) REFERENCES malfunction(tenant_id, id) ON DELETE CASCADE,
  constraint maintenance_notice_tenant_id_operator_id_fkey FOREIGN KEY (tenant_id, operator_id) REFERENCES operator(tenant_id, id) ON DELETE SET NULL (operator_id),
  constraint maintenance_notice_tenant_id_sms_id_fkey FOREIGN KEY (tenant_id, sms_id) REFERENCES sms_message(tenant_id, id),
  constraint maintenance_notice_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX maintenance_notice_anywhere ON public.maintenance_notice USING btree (id DESC);
CREATE INDEX maintenance_notice_due ON public.maintenance_notice USING btree (sms_due_at) WHERE (sms_due_at IS NOT NULL);
CREATE INDEX maintenance_notice_operator ON public.maintenance_notice USING btree (tenant_id, operator_id, id DESC);
CREATE UNIQUE INDEX maintenance_notice_once ON public.maintenance_notice USING btree (tenant_id, malfunction_id, step, operator_id, round) WHERE (step <> 'ASSIGNED'::text);
alter table maintenance_notice enable row level security;
create policy platform_rows on maintenance_notice to cabinet_platform using (true) with check (true);
create policy tenant_rows on maintenance_notice to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table maintenance_recipient (
  tenant_id integer not null,
  kind text not null,
  step text not null,
  operator_id bigint not null,
  constraint maintenance_recipient_step_check CHECK ((step = ANY (ARRAY['FIRST'::text, 'ESCALATION'::text]))),
  constraint maintenance_recipient_tenant_id_kind_fkey FOREIGN KEY (tenant_id, kind) REFERENCES maintenance_rule(tenant_id, kind) ON DELETE CASCADE,
  constraint maintenance_recipient_tenant_id_operator_id_fkey FOREIGN KEY (tenant_id, operator_id) REFERENCES operator(tenant_id, id) ON DELETE CASCADE,
  constraint maintenance_recipient_pkey PRIMARY KEY (tenant_id, kind, step, operator_id)
);
CREATE INDEX maintenance_recipient_operator ON public.maintenance_recipient USING btree (tenant_id, operator_id);
alter table maintenance_recipient enable row level security;
create policy platform_rows on maintenance_recipient to cabinet_platform using (true) with check (true);
create policy tenant_rows on maintenance_recipient to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table maintenance_rule (
  tenant_id integer not null,
  kind text not null,
  is_on boolean not null,
  to_caretakers boolean not null,
  to_manager boolean not null,
  by_console boolean not null,
  by_sms boolean not null,
  quiet_from time without time zone,
  quiet_to time without time zone,
  calm_minutes integer not null,
  escalate_minutes integer,
  edit_version integer not null default 1,
  edited_at timestamp with time zone not null default now(),
  edited_by text not null,
  constraint maintenance_rule_calm_minutes_check CHECK (((calm_minutes >= 0) AND (calm_minutes <= 1440))),
  constraint maintenance_rule_check CHECK ((((quiet_from IS NULL) = (quiet_to IS NULL)) AND (quiet_from <> quiet_to))),
  constraint maintenance_rule_escalate_minutes_check CHECK (((escalate_minutes >= 1) AND (escalate_minutes <= 10080))),
  constraint maintenance_rule_kind_check CHECK ((kind = ANY (ARRAY['*'::text, 'OFFLINE'::text, 'OPEN_FAILED'::text, 'UNCOMMANDED_OPENING'::text, 'IDENTITY_SHARED'::text, 'DOOR_LEFT_OPEN'::text, 'OCCUPANCY_ABNORMAL'::text, 'VIBRATION'::text, 'TAMPER'::text, 'POWER_LOW'::text, 'BOARD_FAULT'::text, 'TEMPERATURE_HIGH'::text, 'TEMPERATURE_LOW'::text, 'NETWORK_POOR'::text, 'OTHER'::text, 'CERTIFICATE'::text, 'CALLBACK'::text]))),
  constraint maintenance_rule_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint maintenance_rule_pkey PRIMARY KEY (tenant_id, kind)
);
alter table maintenance_rule enable row level security;
create policy platform_rows on maintenance_rule to cabinet_platform using (true) with check (true);
create policy tenant_rows on maintenance_rule to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table malfunction (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  cabinet_id bigint,
  compartment_no integer,
  kind text not null,
  state text not null default 'CREATED'::text,
  description text not null default ''::text,
  repeat_count integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  store_id bigint,
  merged_into_id bigint,
  line_back_at timestamp with time zone,
  severity text not null default 'NORMAL'::text,
  source text not null default 'DEVICE'::text,
  reporter_name text not null default ''::text,
  assignee_id bigint,
  assignee_name text not null default ''::text,
  last_at timestamp with time zone not null default now(),
  terms_since timestamp with time zone not null default now(),
  respond_by timestamp with time zone,
  resolve_by timestamp with time zone,
  accepted_at timestamp with time zone,
  resolved_at timestamp with time zone,
  closed_at timestamp with time zone,
  is_recovered boolean not null default false,
  cause text not null default ''::text,
  measure text not null default ''::text,
  constraint malfunction_kind_check CHECK ((kind = ANY (ARRAY['OFFLINE'::text, 'OPEN_FAILED'::text, 'UNCOMMANDED_OPENING'::text, 'IDENTITY_SHARED'::text, 'DOOR_LEFT_OPEN'::text, 'OCCUPANCY_ABNORMAL'::text, 'VIBRATION'::text, 'TAMPER'::text, 'POWER_LOW'::text, 'BOARD_FAULT'::text, 'TEMPERATURE_HIGH'::text, 'TEMPERATURE_LOW'::text, 'NETWORK_POOR'::text, 'OTHER'::text]))),
  constraint malfunction_of_store CHECK (((store_id IS NULL) OR ((kind = 'OFFLINE'::text) AND (compartment_no IS NULL)))),
  constraint malfunction_place CHECK ((num_nonnulls(cabinet_id, store_id) = 1)),
  constraint malfunction_severity_check CHECK ((severity = ANY (ARRAY['MINOR'::text, 'NORMAL'::text, 'URGENT'::text, 'SEVERE'::text]))),
  constraint malfunction_source_check CHECK ((source = ANY (ARRAY['DEVICE'::text, 'PERSON'::text]))),
  constraint malfunction_state_check CHECK ((state = ANY (ARRAY['CREATED'::text, 'ASSIGNED'::text, 'PROCESSING'::text, 'RESOLVED'::text, 'CLOSED'::text, 'IGNORED'::text]))),
  constraint malfunction_tenant_id_assignee_id_fkey FOREIGN KEY (tenant_id, assignee_id) REFERENCES operator(tenant_id, id) ON DELETE SET NULL (assignee_id),
  constraint malfunction_tenant_id_cabinet_id_fkey FOREIGN KEY (tenant_id, cabinet_id) REFERENCES cabinet(tenant_id, id) ON DELETE CASCADE,
  constraint malfunction_tenant_id_merged_into_id_fkey FOREIGN KEY (tenant_id, merged_into_id) REFERENCES malfunction(tenant_id, id) ON DELETE SET NULL (merged_into_id),
  constraint malfunction_tenant_id_store_id_fkey FOREIGN KEY (tenant_id, store_id) REFERENCES store(tenant_id, id) ON DELETE CASCADE,
  constraint malfunction_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX malfunction_anywhere ON public.malfunction USING btree (id DESC);
CREATE INDEX malfunction_assignee ON public.malfunction USING btree (tenant_id, assignee_id) WHERE (assignee_id IS NOT NULL);
CREATE INDEX malfunction_merged ON public.malfunction USING btree (tenant_id, merged_into_id) WHERE (merged_into_id IS NOT NULL);
CREATE INDEX malfunction_recovered ON public.malfunction USING btree (resolved_at) WHERE ((state = 'RESOLVED'::text) AND is_recovered);
CREATE INDEX malfunction_state ON public.malfunction USING btree (tenant_id, state);
CREATE UNIQUE INDEX malfunction_open ON public.malfunction USING btree (tenant_id, cabinet_id, COALESCE(compartment_no, 0), kind) WHERE (state = ANY (ARRAY['CREATED'::text, 'ASSIGNED'::text, 'PROCESSING'::text]));
CREATE UNIQUE INDEX malfunction_store_open ON public.malfunction USING btree (tenant_id, store_id) WHERE ((store_id IS NOT NULL) AND (state = ANY (ARRAY['CREATED'::text, 'ASSIGNED'::text, 'PROCESSING'::text])));
alter table malfunction enable row level security;
create policy platform_rows on malfunction to cabinet_platform using (true) with check (true);
create policy tenant_rows on malfunction to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table malfunction_event (
  tenant_id integer not null,
  malfunction_id bigint not null,
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  kind text not null,
  actor_id bigint,
  actor_name text not null default ''::text,
  text text not null default ''::text,
  to_state text,
  command_id uuid,
  end_user_id bigint,
  constraint malfunction_event_kind_check CHECK ((kind = ANY (ARRAY['REPORTED'::text, 'REPEATED'::text, 'ASSIGNED'::text, 'ACCEPTED'::text, 'NOTED'::text, 'TESTED'::text, 'SEVERITY'::text, 'RESOLVED'::text, 'RECOVERED'::text, 'CLOSED'::text, 'IGNORED'::text, 'REOPENED'::text]))),
  constraint malfunction_event_tenant_id_malfunction_id_fkey FOREIGN KEY (tenant_id, malfunction_id) REFERENCES malfunction(tenant_id, id) ON DELETE CASCADE,
  constraint malfunction_event_pkey PRIMARY KEY (tenant_id, malfunction_id, id)
);
CREATE INDEX malfunction_event_reporter ON public.malfunction_event USING btree (tenant_id, end_user_id) WHERE (end_user_id IS NOT NULL);
alter table malfunction_event enable row level security;
create policy platform_rows on malfunction_event to cabinet_platform using (true) with check (true);
create policy tenant_rows on malfunction_event to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table malfunction_photo (
  tenant_id integer not null,
  malfunction_id bigint not null,
  event_id bigint not null,
  file_id uuid not null,
  constraint malfunction_photo_tenant_id_file_id_fkey FOREIGN KEY (tenant_id, file_id) REFERENCES file(tenant_id, id),
  constraint malfunction_photo_tenant_id_malfunction_id_event_id_fkey FOREIGN KEY (tenant_id, malfunction_id, event_id) REFERENCES malfunction_event(tenant_id, malfunction_id, id) ON DELETE CASCADE,
  constraint malfunction_photo_pkey PRIMARY KEY (tenant_id, file_id)
);
CREATE INDEX malfunction_photo_event ON public.malfunction_photo USING btree (tenant_id, malfunction_id, event_id);
alter table malfunction_photo enable row level security;
create policy platform_rows on malfunction_photo to cabinet_platform using (true) with check (true);
create policy tenant_rows on malfunction_photo to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table malfunction_signal (
  tenant_id integer not null,
  cabinet_id bigint not null,
  kind text not null,
  compartment_no integer not null default 0,
  is_active boolean not null,
  began_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  last_at timestamp with time zone not null default now(),
  begins integer not null default 0,
  window_at timestamp with time zone not null default now(),
  pending integer not null default 0,
  value double precision,
  is_told boolean not null default false,
  boot_no bigint,
  n bigint,
  due_at timestamp with time zone,
  constraint malfunction_signal_tenant_id_cabinet_id_fkey FOREIGN KEY (tenant_id, cabinet_id) REFERENCES cabinet(tenant_id, id) ON DELETE CASCADE,
  constraint malfunction_signal_pkey PRIMARY KEY (tenant_id, cabinet_id, kind, compartment_no)
);
CREATE INDEX malfunction_signal_due ON public.malfunction_signal USING btree (due_at) WHERE (due_at IS NOT NULL);
alter table malfunction_signal enable row level security;
create policy platform_rows on malfunction_signal to cabinet_platform using (true) with check (true);
create policy tenant_rows on malfunction_signal to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table malfunction_sla (
  tenant_id integer not null,
  terms jsonb not null,
  edit_version integer not null default 1,
  edited_at timestamp with time zone not null default now(),
  edited_by text not null,
  constraint malfunction_sla_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint malfunction_sla_pkey PRIMARY KEY (tenant_id)
);
alter table malfunction_sla enable row level security;
create policy platform_rows on malfunction_sla to cabinet_platform using (true) with check (true);
create policy tenant_rows on malfunction_sla to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table menu_entry (
  id bigint not null generated always as identity,
  parent_id bigint,
  kind text not null,
  uri text not null,
  title text not null,
  icon text not null default ''::text,
  permissions text[] not null default '{}'::text[],
  sort integer not null default 0,
  constraint menu_entry_kind_check CHECK ((kind = ANY (ARRAY['MENU'::text, 'BUTTON'::text]))),
  constraint menu_entry_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES menu_entry(id) ON DELETE RESTRICT,
  constraint menu_entry_pkey PRIMARY KEY (id),
  constraint menu_entry_uri_key UNIQUE (uri)
);
CREATE TRIGGER permissions_changed AFTER INSERT OR DELETE OR UPDATE ON public.menu_entry FOR EACH STATEMENT EXECUTE FUNCTION refresh_permissions();

create table message_template (
  tenant_id integer not null,
  scene text not null,
  side text not null,
  plan text not null,
  sms_text text,
  sms_code text not null default ''::text,
  sms_placeholders jsonb not null default '[]'::jsonb,
  subscribe_id text,
  subscribe_title text not null default ''::text,
  subscribe_page text not null default ''::text,
  subscribe_keywords jsonb not null default '[]'::jsonb,
  problem text not null default ''::text,
  problem_at timestamp with time zone,
  edit_version integer not null default 1,
  edited_at timestamp with time zone not null default now(),
  edited_by text not null,
  constraint message_template_check CHECK (((sms_text IS NOT NULL) OR ((sms_code = ''::text) AND (sms_placeholders = '[]'::jsonb)))),
  constraint message_template_plan_check CHECK ((plan = ANY (ARRAY['SMS'::text, 'SUBSCRIBE'::text, 'FALLBACK'::text, 'BOTH'::text, 'OFF'::text]))),
  constraint message_template_side_check CHECK ((side = ANY (ARRAY['SINGLE'::text, 'DOUBLE'::text, 'BOTH'::text]))),
  constraint message_template_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint message_template_pkey PRIMARY KEY (tenant_id, scene, side)
);
alter table message_template enable row level security;
create policy platform_rows on message_template to cabinet_platform using (true) with check (true);
create policy tenant_rows on message_template to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table migration (
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone not null default now(),
  oldest_release text,
  constraint migration_pkey PRIMARY KEY (name)
);

create table mini_program_push (
  tenant_id integer not null,
  digest bytea not null,
  app_id text not null,
  event text not null,
  times integer not null default 1,
  received_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  constraint mini_program_push_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint mini_program_push_pkey PRIMARY KEY (tenant_id, digest)
);
CREATE INDEX mini_program_push_received ON public.mini_program_push USING btree (received_at);
alter table mini_program_push enable row level security;
create policy platform_rows on mini_program_push to cabinet_platform using (true) with check (true);
create policy tenant_rows on mini_program_push to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table mini_program_setting (
  tenant_id integer not null,
  app_id text not null,
  sealed_secret bytea not null,
  check_state text not null default 'NONE'::text,
  check_text text not null default ''::text,
  checked_at timestamp with time zone,
  edit_version integer not null default 1,
  edited_at timestamp with time zone not null default now(),
  edited_by text not null,
  push_mode text not null default 'OFF'::text,
  sealed_push_token bytea,
  sealed_push_key bytea,
  push_proven_at timestamp with time zone,
  push_seen_at timestamp with time zone,
  push_trouble text not null default ''::text,
  push_trouble_at timestamp with time zone,
  constraint mini_program_setting_check CHECK (((push_mode = 'OFF'::text) OR (sealed_push_token IS NOT NULL))),
  constraint mini_program_setting_check1 CHECK (((push_mode = ANY (ARRAY['OFF'::text, 'PLAIN'::text])) OR (sealed_push_key IS NOT NULL))),
  constraint mini_program_setting_check_state_check CHECK ((check_state = ANY (ARRAY['NONE'::text, 'PENDING'::text, 'OK'::text, 'FAILED'::text]))),
  constraint mini_program_setting_push_mode_check CHECK ((push_mode = ANY (ARRAY['OFF'::text, 'PLAIN'::text, 'COMPATIBLE'::text, 'SAFE'::text]))),
  constraint mini_program_setting_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint mini_program_setting_pkey PRIMARY KEY (tenant_id)
);
alter table mini_program_setting enable row level security;
create policy platform_rows on mini_program_setting to cabinet_platform using (true) with check (true);
create policy tenant_rows on mini_program_setting to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table mini_program_user (
  tenant_id integer not null,
  app_id text not null,
  openid text not null,
  end_user_id bigint not null,
  bound_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  constraint mini_program_user_tenant_id_end_user_id_fkey FOREIGN KEY (tenant_id, end_user_id) REFERENCES end_user(tenant_id, id) ON DELETE CASCADE,
  constraint mini_program_user_pkey PRIMARY KEY (tenant_id, app_id, openid),
  constraint mini_program_user_tenant_id_app_id_end_user_id_key UNIQUE (tenant_id, app_id, end_user_id)
);
CREATE INDEX mini_program_user_of ON public.mini_program_user USING btree (tenant_id, end_user_id);
CREATE INDEX mini_program_user_seen ON public.mini_program_user USING btree (tenant_id, app_id, last_seen_at DESC);
alter table mini_program_user enable row level security;
create policy platform_rows on mini_program_user to cabinet_platform using (true) with check (true);
create policy tenant_rows on mini_program_user to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table money_review (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  call text not null,
  permission text not null,
  input jsonb not null,
  postings jsonb not null,
  kind text not null,
  end_user_id bigint not null,
  order_id bigint,
  principal_fen bigint not null,
  bonus_fen bigint not null,
  reason text not null,
  requester_tenant_id integer not null,
  requester_id bigint not null,
  requester_name text not null,
  requested_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  state text not null default 'PENDING'::text,
  decider_id bigint,
  decider_name text,
  decided_at timestamp with time zone,
  decision text,
  constraint money_review_check CHECK (((state = 'PENDING'::text) = (decided_at IS NULL))),
  constraint money_review_state_check CHECK ((state = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'REFUSED'::text]))),
  constraint money_review_tenant_id_end_user_id_fkey FOREIGN KEY (tenant_id, end_user_id) REFERENCES end_user(tenant_id, id),
  constraint money_review_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX money_review_end_user ON public.money_review USING btree (tenant_id, end_user_id);
CREATE INDEX money_review_pending ON public.money_review USING btree (tenant_id, expires_at) WHERE (state = 'PENDING'::text);
CREATE INDEX money_review_requester ON public.money_review USING btree (requester_id, requested_at);
alter table money_review enable row level security;
create policy platform_rows on money_review to cabinet_platform using (true) with check (true);
create policy tenant_rows on money_review to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table occupancy_hour (
  tenant_id integer not null,
  hour timestamp with time zone not null,
  cabinet_id bigint not null,
  size text not null,
  store_id bigint,
  samples integer not null,
  occupied integer not null,
  total integer not null,
  full_samples integer not null,
  peak integer not null,
  last_at timestamp with time zone not null,
  constraint occupancy_hour_size_check CHECK ((size = ANY (ARRAY['S'::text, 'M'::text, 'L'::text, 'XL'::text]))),
  constraint occupancy_hour_tenant_id_cabinet_id_fkey FOREIGN KEY (tenant_id, cabinet_id) REFERENCES cabinet(tenant_id, id) ON DELETE CASCADE,
  constraint occupancy_hour_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint occupancy_hour_pkey PRIMARY KEY (tenant_id, hour, cabinet_id, size)
);
CREATE INDEX occupancy_hour_age ON public.occupancy_hour USING btree (hour);
CREATE INDEX occupancy_hour_cabinet ON public.occupancy_hour USING btree (tenant_id, cabinet_id, hour);
alter table occupancy_hour enable row level security;
create policy platform_rows on occupancy_hour to cabinet_platform using (true) with check (true);
create policy tenant_rows on occupancy_hour to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table open_app (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  code text not null,
  name text not null,
  scopes text[] not null,
  rate_per_minute integer not null default 600,
  is_settling boolean not null default false,
  remark text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  edited_at timestamp with time zone not null default now(),
  edited_by text not null,
  disabled_at timestamp with time zone,
  disabled_reason text,
  reserve_share_percent integer not null default 33,
  constraint open_app_code_check CHECK ((code ~ '^app_[0-9a-z]{16}$'::text)),
  constraint open_app_rate_per_minute_check CHECK (((rate_per_minute >= 1) AND (rate_per_minute <= 6000))),
  constraint open_app_reserve_share_percent_check CHECK (((reserve_share_percent >= 1) AND (reserve_share_percent <= 100))),
  constraint open_app_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint open_app_pkey PRIMARY KEY (tenant_id, id),
  constraint open_app_code_key UNIQUE (code)
);
CREATE UNIQUE INDEX open_app_name ON public.open_app USING btree (tenant_id, name);
alter table open_app enable row level security;
create policy platform_rows on open_app to cabinet_platform using (true) with check (true);
create policy tenant_rows on open_app to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table open_app_key (
  tenant_id integer not null,
  app_id bigint not null,
  kid text not null,
  sealed_secret bytea,
  created_at timestamp with time zone not null default now(),
  issued_by text not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  revoked_by text,
  last_used_at timestamp with time zone,
  constraint open_app_key_kid_check CHECK ((kid ~ '^[0-9a-z-]{4,32}$'::text)),
  constraint open_app_key_tenant_id_app_id_fkey FOREIGN KEY (tenant_id, app_id) REFERENCES open_app(tenant_id, id) ON DELETE CASCADE,
  constraint open_app_key_pkey PRIMARY KEY (tenant_id, app_id, kid)
);
alter table open_app_key enable row level security;
create policy platform_rows on open_app_key to cabinet_platform using (true) with check (true);
create policy tenant_rows on open_app_key to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table open_app_network (
  tenant_id integer not null,
  app_id bigint not null,
  network cidr not null,
  constraint open_app_network_tenant_id_app_id_fkey FOREIGN KEY (tenant_id, app_id) REFERENCES open_app(tenant_id, id) ON DELETE CASCADE,
  constraint open_app_network_pkey PRIMARY KEY (tenant_id, app_id, network)
);
alter table open_app_network enable row level security;
create policy platform_rows on open_app_network to cabinet_platform using (true) with check (true);
create policy tenant_rows on open_app_network to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table open_call (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  app_id bigint not null,
  kid text not null,
  call text not null,
  method text not null,
  target text not null,
  address inet,
  status integer not null,
  result text not null,
  refusal text,
  ms integer not null,
  request_id text not null,
  idempotency_key text,
  signed_text text,
  request_body text,
  response_body text,
  order_id bigint,
  cabinet_id bigint,
  third_party_no text,
  constraint open_call_tenant_id_app_id_fkey FOREIGN KEY (tenant_id, app_id) REFERENCES open_app(tenant_id, id),
  constraint open_call_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX open_call_anywhere ON public.open_call USING btree (id DESC);
CREATE INDEX open_call_app ON public.open_call USING btree (tenant_id, app_id, id DESC);
CREATE INDEX open_call_app_at ON public.open_call USING btree (tenant_id, app_id, at);
CREATE INDEX open_call_at ON public.open_call USING btree (at);
CREATE INDEX open_call_order ON public.open_call USING btree (tenant_id, order_id, id DESC) WHERE (order_id IS NOT NULL);
CREATE INDEX open_call_request ON public.open_call USING btree (tenant_id, request_id);
CREATE INDEX open_call_third_party ON public.open_call USING btree (tenant_id, third_party_no) WHERE (third_party_no IS NOT NULL);
alter table open_call enable row level security;
create policy platform_rows on open_call to cabinet_platform using (true) with check (true);
create policy tenant_rows on open_call to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table open_nonce (
  tenant_id integer not null,
  app_id bigint not null,
  nonce text not null,
  seen_at timestamp with time zone not null default now(),
  constraint open_nonce_tenant_id_app_id_fkey FOREIGN KEY (tenant_id, app_id) REFERENCES open_app(tenant_id, id) ON DELETE CASCADE,
  constraint open_nonce_pkey PRIMARY KEY (tenant_id, app_id, nonce)
);
CREATE INDEX open_nonce_age ON public.open_nonce USING btree (seen_at);
alter table open_nonce enable row level security;
create policy platform_rows on open_nonce to cabinet_platform using (true) with check (true);
create policy tenant_rows on open_nonce to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table operator (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  username text not null,
  display_name text not null,
  password_hash text not null,
  must_change_password boolean not null default true,
  user_type smallint not null,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  permissions text[] not null default '{}'::text[],
  phone text not null default ''::text,
  remark text not null default ''::text,
  disable_reason text,
  last_sign_in_at timestamp with time zone,
  is_store_bound boolean not null default false,
  edit_version integer not null default 1,
  disabled_by text,
  has_second_factor boolean not null default false,
  needs_second_factor boolean not null default false,
  first_password_until timestamp with time zone,
  factor_exempt_until timestamp with time zone,
  constraint operator_phone_check CHECK (((phone = ''::text) OR (phone ~ '^1[3-9]\d{9}$'::text))),
  constraint operator_user_type_check CHECK ((user_type = ANY (ARRAY[0, 1, 2]))),
  constraint operator_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint operator_pkey PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX operator_username ON public.operator USING btree (lower(username));
alter table operator enable row level security;
create policy platform_rows on operator to cabinet_platform using (true) with check (true);
create policy tenant_rows on operator to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));
CREATE TRIGGER account_made AFTER INSERT OR UPDATE OF user_type ON public.operator FOR EACH ROW EXECUTE FUNCTION refresh_permissions();

create table operator_preference (
  tenant_id integer not null,
  operator_id bigint not null,
  name text not null,
  value jsonb,
  changed_at timestamp with time zone not null default now(),
  constraint operator_preference_name_check CHECK ((length(name) <= 80)),
  constraint operator_preference_tenant_id_operator_id_fkey FOREIGN KEY (tenant_id, operator_id) REFERENCES operator(tenant_id, id) ON DELETE CASCADE,
  constraint operator_preference_pkey PRIMARY KEY (tenant_id, operator_id, name)
);
alter table operator_preference enable row level security;
create policy platform_rows on operator_preference to cabinet_platform using (true) with check (true);
create policy tenant_rows on operator_preference to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table operator_role (
  tenant_id integer not null,
  operator_id bigint not null,
  role_id bigint not null,
  constraint operator_role_tenant_id_operator_id_fkey FOREIGN KEY (tenant_id, operator_id) REFERENCES operator(tenant_id, id) ON DELETE CASCADE,
  constraint operator_role_tenant_id_role_id_fkey FOREIGN KEY (tenant_id, role_id) REFERENCES role(tenant_id, id) ON DELETE CASCADE,
  constraint operator_role_pkey PRIMARY KEY (tenant_id, operator_id, role_id)
);
CREATE INDEX operator_role_role ON public.operator_role USING btree (tenant_id, role_id);
alter table operator_role enable row level security;
create policy platform_rows on operator_role to cabinet_platform using (true) with check (true);
create policy tenant_rows on operator_role to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));
CREATE TRIGGER permissions_granted AFTER INSERT ON public.operator_role REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION refresh_permissions();
CREATE TRIGGER permissions_taken AFTER DELETE ON public.operator_role REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION refresh_permissions();

create table operator_store (
  tenant_id integer not null,
  operator_id bigint not null,
  store_id bigint not null,
  constraint operator_store_tenant_id_operator_id_fkey FOREIGN KEY (tenant_id, operator_id) REFERENCES operator(tenant_id, id) ON DELETE CASCADE,
  constraint operator_store_tenant_id_store_id_fkey FOREIGN KEY (tenant_id, store_id) REFERENCES store(tenant_id, id) ON DELETE CASCADE,
  constraint operator_store_pkey PRIMARY KEY (tenant_id, operator_id, store_id)
);
alter table operator_store enable row level security;
create policy platform_rows on operator_store to cabinet_platform using (true) with check (true);
create policy tenant_rows on operator_store to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table order_day (
  tenant_id integer not null,
  day date not null,
  side text not null,
  store_id bigint,
  cabinet_id bigint not null,
  started integer not null default 0,
  stored integer not null default 0,
  completed integer not null default 0,
  overdue integer not null default 0,
  income_fen bigint not null default 0,
  bonus_fen bigint not null default 0,
  refund_fen bigint not null default 0,
  stay_minutes bigint not null default 0,
  openings integer not null default 0,
  opened integer not null default 0,
  constraint order_day_tenant_id_day_side_store_id_cabinet_id_key UNIQUE NULLS NOT DISTINCT (tenant_id, day, side, store_id, cabinet_id)
);
CREATE INDEX order_day_cabinet ON public.order_day USING btree (tenant_id, cabinet_id, day);
alter table order_day enable row level security;
create policy platform_rows on order_day to cabinet_platform using (true) with check (true);
create policy tenant_rows on order_day to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table order_delta (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  day date not null,
  side text not null,
  store_id bigint,
  cabinet_id bigint not null,
  started integer not null default 0,
  stored integer not null default 0,
  completed integer not null default 0,
  overdue integer not null default 0,
  income_fen bigint not null default 0,
  bonus_fen bigint not null default 0,
  refund_fen bigint not null default 0,
  stay_minutes bigint not null default 0,
  openings integer not null default 0,
  opened integer not null default 0,
  constraint order_delta_pkey PRIMARY KEY (tenant_id, id)
);
alter table order_delta enable row level security;
create policy platform_rows on order_delta to cabinet_platform using (true) with check (true);
create policy tenant_rows on order_delta to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table order_event (
  tenant_id integer not null,
  order_id bigint not null,
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  kind text not null,
  from_state text,
  to_state text,
  actor_kind text not null,
  actor_id bigint,
  actor_name text not null,
  command_id uuid,
  detail jsonb not null default '{}'::jsonb,
  constraint order_event_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['END_USER'::text, 'OPERATOR'::text, 'SYSTEM'::text, 'PARTNER'::text]))),
  constraint order_event_pkey PRIMARY KEY (tenant_id, order_id, id)
) partition by RANGE (order_id);
alter table order_event enable row level security;
create policy platform_rows on order_event to cabinet_platform using (true) with check (true);
create policy tenant_rows on order_event to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));
CREATE TRIGGER order_changed AFTER INSERT ON public.order_event FOR EACH ROW EXECUTE FUNCTION note_business_order_change();

create table order_telling (
  tenant_id integer not null,
  order_id bigint not null,
  scene text not null,
  occasion text not null,
  at timestamp with time zone not null default now(),
  constraint order_telling_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint order_telling_pkey PRIMARY KEY (tenant_id, order_id, scene, occasion)
);
CREATE INDEX order_telling_at ON public.order_telling USING btree (at);
alter table order_telling enable row level security;
create policy platform_rows on order_telling to cabinet_platform using (true) with check (true);
create policy tenant_rows on order_telling to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table outage_cabinet (
  tenant_id integer not null,
  malfunction_id bigint not null,
  cabinet_id bigint not null,
  last_seen_at timestamp with time zone,
  back_at timestamp with time zone,
  constraint outage_cabinet_tenant_id_cabinet_id_fkey FOREIGN KEY (tenant_id, cabinet_id) REFERENCES cabinet(tenant_id, id) ON DELETE CASCADE,
  constraint outage_cabinet_tenant_id_malfunction_id_fkey FOREIGN KEY (tenant_id, malfunction_id) REFERENCES malfunction(tenant_id, id) ON DELETE CASCADE,
  constraint outage_cabinet_pkey PRIMARY KEY (tenant_id, malfunction_id, cabinet_id)
);
CREATE INDEX outage_cabinet_cabinet ON public.outage_cabinet USING btree (tenant_id, cabinet_id);
alter table outage_cabinet enable row level security;
create policy platform_rows on outage_cabinet to cabinet_platform using (true) with check (true);
create policy tenant_rows on outage_cabinet to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table package (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  name text not null,
  kind text not null,
  sides text[] not null,
  price_fen bigint not null,
  bonus_fen bigint not null default 0,
  uses integer,
  valid_days integer,
  cover_limit_fen bigint,
  is_on_sale boolean not null default false,
  remark text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  edit_version integer not null default 1,
  edited_at timestamp with time zone not null default now(),
  edited_by text not null,
  deleted_at timestamp with time zone,
  constraint package_bonus_fen_check CHECK ((bonus_fen >= 0)),
  constraint package_check CHECK (
CASE kind
    WHEN 'BONUS'::text THEN ((bonus_fen > 0) AND (num_nulls(uses, valid_days, cover_limit_fen) = 3))
    WHEN 'USES'::text THEN ((bonus_fen = 0) AND (uses IS NOT NULL) AND (valid_days IS NOT NULL))
    ELSE ((bonus_fen = 0) AND (uses IS NULL) AND (valid_days IS NOT NULL))
END),
  constraint package_cover_limit_fen_check CHECK ((cover_limit_fen > 0)),
  constraint package_kind_check CHECK ((kind = ANY (ARRAY['BONUS'::text, 'USES'::text, 'PERIOD'::text]))),
  constraint package_price_fen_check CHECK ((price_fen > 0)),
  constraint package_sides_check CHECK (((cardinality(sides) > 0) AND (sides <@ ARRAY['SINGLE'::text, 'DOUBLE'::text]))),
  constraint package_uses_check CHECK ((uses > 0)),
  constraint package_valid_days_check CHECK ((valid_days > 0)),
  constraint package_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint package_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX package_anywhere ON public.package USING btree (id DESC) WHERE (deleted_at IS NULL);
alter table package enable row level security;
create policy platform_rows on package to cabinet_platform using (true) with check (true);
create policy tenant_rows on package to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table package_use (
  tenant_id integer not null,
  order_id bigint not null,
  user_package_id bigint not null,
  fen bigint not null,
  used_at timestamp with time zone not null default now(),
  constraint package_use_fen_check CHECK ((fen > 0)),
  constraint package_use_tenant_id_user_package_id_fkey FOREIGN KEY (tenant_id, user_package_id) REFERENCES user_package(tenant_id, id),
  constraint package_use_pkey PRIMARY KEY (tenant_id, order_id)
);
CREATE INDEX package_use_card ON public.package_use USING btree (tenant_id, user_package_id, order_id DESC);
alter table package_use enable row level security;
create policy platform_rows on package_use to cabinet_platform using (true) with check (true);
create policy tenant_rows on package_use to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table passkey (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  operator_id bigint not null,
  credential_id text not null,
  host text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  constraint passkey_tenant_id_operator_id_fkey FOREIGN KEY (tenant_id, operator_id) REFERENCES operator(tenant_id, id) ON DELETE CASCADE,
  constraint passkey_pkey PRIMARY KEY (tenant_id, id),
  constraint passkey_credential_id_key UNIQUE (credential_id)
);
CREATE INDEX passkey_operator ON public.passkey USING btree (tenant_id, operator_id);
alter table passkey enable row level security;
create policy platform_rows on passkey to cabinet_platform using (true) with check (true);
create policy tenant_rows on passkey to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table payment_notice (
  tenant_id integer not null,
  notice_id text not null,
  event_type text not null,
  subject text not null,
  received_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  times integer not null default 1,
  constraint payment_notice_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint payment_notice_pkey PRIMARY KEY (tenant_id, notice_id)
);
CREATE INDEX payment_notice_newest ON public.payment_notice USING btree (tenant_id, seen_at DESC);
alter table payment_notice enable row level security;
create policy platform_rows on payment_notice to cabinet_platform using (true) with check (true);
create policy tenant_rows on payment_notice to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table payment_setting (
  tenant_id integer not null,
  is_on boolean not null default false,
  app_id text not null,
  mchid text not null,
  certificate_serial text not null,
  certificate_expires_at timestamp with time zone not null,
  sealed_private_key bytea not null,
  sealed_api_v3_key bytea not null,
  public_key_id text not null,
  public_key text not null,
  notice_origin text not null,
  check_state text not null default 'NONE'::text,
  check_text text not null default ''::text,
  checked_at timestamp with time zone,
  edit_version integer not null default 1,
  edited_at timestamp with time zone not null default now(),
  edited_by text not null,
  certificate_told smallint,
  constraint payment_setting_check_state_check CHECK ((check_state = ANY (ARRAY['NONE'::text, 'PENDING'::text, 'OK'::text, 'FAILED'::text]))),
  constraint payment_setting_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint payment_setting_pkey PRIMARY KEY (tenant_id)
);
alter table payment_setting enable row level security;
create policy platform_rows on payment_setting to cabinet_platform using (true) with check (true);
create policy tenant_rows on payment_setting to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table presence_sweep (
  is_only boolean not null default true,
  swept_at timestamp with time zone not null default now(),
  excused_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint presence_sweep_is_only_check CHECK (is_only),
  constraint presence_sweep_pkey PRIMARY KEY (is_only)
);

create table pricing_rule (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  store_id bigint,
  cabinet_id bigint,
  free_minutes integer not null,
  per_use_fen bigint not null,
  step_minutes integer not null,
  step_fen bigint not null,
  cap_fen bigint,
  overdue_after_minutes integer not null,
  edit_version integer not null default 1,
  edited_at timestamp with time zone not null default now(),
  edited_by text not null,
  rates jsonb not null default '[]'::jsonb,
  constraint pricing_rule_cap_fen_check CHECK ((cap_fen >= 0)),
  constraint pricing_rule_check CHECK (((store_id IS NULL) OR (cabinet_id IS NULL))),
  constraint pricing_rule_free_minutes_check CHECK ((free_minutes >= 0)),
  constraint pricing_rule_overdue_after_minutes_check CHECK ((overdue_after_minutes > 0)),
  constraint pricing_rule_per_use_fen_check CHECK ((per_use_fen >= 0)),
  constraint pricing_rule_rates_check CHECK (((jsonb_typeof(rates) = 'array'::text) AND (jsonb_array_length(rates) <= 12) AND (NOT jsonb_path_exists(rates, 'strict $[*]?(!((((@."freeMinutes" >= 0 && @."perUseFen" >= 0) && @."stepMinutes" > 0) && @."stepFen" >= 0) && (@."capFen" == null || @."capFen" >= 0)))'::jsonpath)) AND (NOT jsonb_path_exists(rates, 'strict $[*]?(@."size" == null && @."hours" == null)'::jsonpath)))),
  constraint pricing_rule_step_fen_check CHECK ((step_fen >= 0)),
  constraint pricing_rule_step_minutes_check CHECK ((step_minutes > 0)),
  constraint pricing_rule_tenant_id_cabinet_id_fkey FOREIGN KEY (tenant_id, cabinet_id) REFERENCES cabinet(tenant_id, id) ON DELETE CASCADE,
  constraint pricing_rule_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint pricing_rule_tenant_id_store_id_fkey FOREIGN KEY (tenant_id, store_id) REFERENCES store(tenant_id, id) ON DELETE CASCADE,
  constraint pricing_rule_pkey PRIMARY KEY (tenant_id, id),
  constraint pricing_rule_tenant_id_store_id_cabinet_id_key UNIQUE NULLS NOT DISTINCT (tenant_id, store_id, cabinet_id)
);
alter table pricing_rule enable row level security;
create policy platform_rows on pricing_rule to cabinet_platform using (true) with check (true);
create policy tenant_rows on pricing_rule to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table reconciliation_difference (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  day date not null,
  kind text not null,
  area text not null,
  subject text not null,
  end_user_id bigint,
  order_id bigint,
  top_up_id bigint,
  expected_fen bigint,
  actual_fen bigint,
  detail text not null,
  transaction_no text,
  state text not null default 'OPEN'::text,
  found_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  resolved_at timestamp with time zone,
  resolved_by text,
  resolution text,
  constraint reconciliation_difference_state_check CHECK ((state = ANY (ARRAY['OPEN'::text, 'KNOWN'::text, 'RESOLVED'::text]))),
  constraint reconciliation_difference_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint reconciliation_difference_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX reconciliation_difference_anywhere ON public.reconciliation_difference USING btree (id DESC);
CREATE INDEX reconciliation_difference_state ON public.reconciliation_difference USING btree (tenant_id, state, id DESC);
CREATE UNIQUE INDEX reconciliation_difference_open ON public.reconciliation_difference USING btree (tenant_id, kind, subject) WHERE (state = 'OPEN'::text);
alter table reconciliation_difference enable row level security;
create policy platform_rows on reconciliation_difference to cabinet_platform using (true) with check (true);
create policy tenant_rows on reconciliation_difference to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table reconciliation_run (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  day date not null,
  state text not null default 'QUEUED'::text,
  bill_state text not null default 'NONE'::text,
  actor_id bigint,
  actor_name text not null,
  started_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  problem text,
  orders integer not null default 0,
  journals integer not null default 0,
  wallets integer not null default 0,
  top_ups integer not null default 0,
  bill_rows integer not null default 0,
  found integer not null default 0,
  cards integer not null default 0,
  known integer not null default 0,
  constraint reconciliation_run_bill_state_check CHECK ((bill_state = ANY (ARRAY['NONE'::text, 'WAITING'::text, 'COMPARED'::text, 'FAILED'::text]))),
  constraint reconciliation_run_state_check CHECK ((state = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text, 'DONE'::text, 'FAILED'::text]))),
  constraint reconciliation_run_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint reconciliation_run_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX reconciliation_run_anywhere ON public.reconciliation_run USING btree (id DESC);
CREATE INDEX reconciliation_run_day ON public.reconciliation_run USING btree (tenant_id, day, id DESC);
alter table reconciliation_run enable row level security;
create policy platform_rows on reconciliation_run to cabinet_platform using (true) with check (true);
create policy tenant_rows on reconciliation_run to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table recovery_code (
  tenant_id integer not null,
  operator_id bigint not null,
  code_hash bytea not null,
  constraint recovery_code_tenant_id_operator_id_fkey FOREIGN KEY (tenant_id, operator_id) REFERENCES operator(tenant_id, id) ON DELETE CASCADE,
  constraint recovery_code_pkey PRIMARY KEY (tenant_id, operator_id, code_hash)
);
alter table recovery_code enable row level security;
create policy platform_rows on recovery_code to cabinet_platform using (true) with check (true);
create policy tenant_rows on recovery_code to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table restoration (
  restored_at timestamp with time zone not null default now(),
  constraint restoration_pkey PRIMARY KEY (restored_at)
);

create table retention_pass (
  kind text not null,
  complete_until timestamp with time zone not null default now(),
  constraint retention_pass_kind_check CHECK ((kind = ANY (ARRAY['events'::text, 'commands'::text, 'audit'::text]))),
  constraint retention_pass_pkey PRIMARY KEY (kind)
);

create table rich_text_image (
  tenant_id integer not null,
  file_id uuid not null,
  announcement_id bigint,
  faq_id bigint,
  constraint rich_text_image_check CHECK (((announcement_id IS NULL) <> (faq_id IS NULL))),
  constraint rich_text_image_tenant_id_announcement_id_fkey FOREIGN KEY (tenant_id, announcement_id) REFERENCES announcement(tenant_id, id) ON DELETE CASCADE,
  constraint rich_text_image_tenant_id_faq_id_fkey FOREIGN KEY (tenant_id, faq_id) REFERENCES faq(tenant_id, id) ON DELETE CASCADE,
  constraint rich_text_image_tenant_id_file_id_fkey FOREIGN KEY (tenant_id, file_id) REFERENCES file(tenant_id, id)
);
CREATE INDEX rich_text_image_of_announcement ON public.rich_text_image USING btree (tenant_id, announcement_id);
CREATE INDEX rich_text_image_of_faq ON public.rich_text_image USING btree (tenant_id, faq_id);
CREATE UNIQUE INDEX rich_text_image_announcement ON public.rich_text_image USING btree (tenant_id, file_id, announcement_id) WHERE (announcement_id IS NOT NULL);
CREATE UNIQUE INDEX rich_text_image_faq ON public.rich_text_image USING btree (tenant_id, file_id, faq_id) WHERE (faq_id IS NOT NULL);
alter table rich_text_image enable row level security;
create policy images_of_platform on rich_text_image to cabinet_tenant using (((tenant_id = 1) AND (( SELECT current_tenant_id() AS current_tenant_id) IS NOT NULL)));
create policy platform_rows on rich_text_image to cabinet_platform using (true) with check (true);
create policy tenant_rows on rich_text_image to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table role (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  name text not null,
  remark text not null default ''::text,
  store_scope text not null default 'ALL'::text,
  edit_version integer not null default 1,
  default_for smallint,
  created_at timestamp with time zone not null default now(),
  edited_at timestamp with time zone not null default now(),
  edited_by text not null default ''::text,
  needs_second_factor boolean not null default false,
  constraint role_default_for_check CHECK ((default_for = ANY (ARRAY[1, 2]))),
  constraint role_store_scope_check CHECK ((store_scope = ANY (ARRAY['ALL'::text, 'OWN'::text, 'LISTED'::text]))),
  constraint role_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint role_pkey PRIMARY KEY (tenant_id, id),
  constraint role_tenant_id_name_key UNIQUE (tenant_id, name)
);
CREATE UNIQUE INDEX role_default ON public.role USING btree (tenant_id, default_for) WHERE (default_for IS NOT NULL);
alter table role enable row level security;
create policy platform_rows on role to cabinet_platform using (true) with check (true);
create policy tenant_rows on role to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));
CREATE TRIGGER role_rules_changed AFTER UPDATE ON public.role FOR EACH ROW WHEN (((old.store_scope IS DISTINCT FROM new.store_scope) OR (old.needs_second_factor IS DISTINCT FROM new.needs_second_factor))) EXECUTE FUNCTION refresh_permissions();

create table role_menu_entry (
  tenant_id integer not null,
  role_id bigint not null,
  menu_entry_id bigint not null,
  constraint role_menu_entry_menu_entry_id_fkey FOREIGN KEY (menu_entry_id) REFERENCES menu_entry(id) ON DELETE CASCADE,
  constraint role_menu_entry_tenant_id_role_id_fkey FOREIGN KEY (tenant_id, role_id) REFERENCES role(tenant_id, id) ON DELETE CASCADE,
  constraint role_menu_entry_pkey PRIMARY KEY (tenant_id, role_id, menu_entry_id)
);
alter table role_menu_entry enable row level security;
create policy platform_rows on role_menu_entry to cabinet_platform using (true) with check (true);
create policy tenant_rows on role_menu_entry to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));
CREATE TRIGGER permissions_granted AFTER INSERT ON public.role_menu_entry REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION refresh_permissions();
CREATE TRIGGER permissions_taken AFTER DELETE ON public.role_menu_entry REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION refresh_permissions();

create table role_store (
  tenant_id integer not null,
  role_id bigint not null,
  store_id bigint not null,
  constraint role_store_tenant_id_role_id_fkey FOREIGN KEY (tenant_id, role_id) REFERENCES role(tenant_id, id) ON DELETE CASCADE,
  constraint role_store_tenant_id_store_id_fkey FOREIGN KEY (tenant_id, store_id) REFERENCES store(tenant_id, id) ON DELETE CASCADE,
  constraint role_store_pkey PRIMARY KEY (tenant_id, role_id, store_id)
);
CREATE INDEX role_store_store ON public.role_store USING btree (tenant_id, store_id);
alter table role_store enable row level security;
create policy platform_rows on role_store to cabinet_platform using (true) with check (true);
create policy tenant_rows on role_store to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table rollout (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  name text not null,
  kind text not null,
  firmware_id bigint,
  config jsonb,
  selection jsonb not null,
  stage_percents integer[] not null,
  advance_percent integer not null,
  dwell_minutes integer not null,
  stop_percent integer not null,
  timeout_minutes integer not null,
  state text not null default 'SCHEDULED'::text,
  state_reason text,
  stage integer not null default 0,
  stage_reached_at timestamp with time zone,
  starts_at timestamp with time zone not null default now(),
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  actor_id bigint,
  actor_name text not null,
  created_at timestamp with time zone not null default now(),
  constraint rollout_advance_percent_check CHECK (((advance_percent >= 1) AND (advance_percent <= 100))),
  constraint rollout_check CHECK ((((kind = 'FIRMWARE'::text) = (firmware_id IS NOT NULL)) AND ((kind = 'CONFIG'::text) = (config IS NOT NULL)))),
  constraint rollout_dwell_minutes_check CHECK ((dwell_minutes >= 0)),
  constraint rollout_kind_check CHECK ((kind = ANY (ARRAY['FIRMWARE'::text, 'CONFIG'::text]))),
  constraint rollout_state_check CHECK ((state = ANY (ARRAY['SCHEDULED'::text, 'RUNNING'::text, 'PAUSED'::text, 'STOPPED'::text, 'FINISHED'::text, 'CANCELLED'::text]))),
  constraint rollout_stop_percent_check CHECK (((stop_percent >= 0) AND (stop_percent <= 100))),
  constraint rollout_timeout_minutes_check CHECK ((timeout_minutes > 0)),
  constraint rollout_firmware_id_fkey FOREIGN KEY (firmware_id) REFERENCES firmware(id),
  constraint rollout_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint rollout_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX rollout_created ON public.rollout USING btree (tenant_id, created_at DESC);
CREATE INDEX rollout_firmware ON public.rollout USING btree (firmware_id) WHERE (firmware_id IS NOT NULL);
CREATE INDEX rollout_open ON public.rollout USING btree (starts_at) WHERE (state = ANY (ARRAY['SCHEDULED'::text, 'RUNNING'::text]));
alter table rollout enable row level security;
create policy platform_rows on rollout to cabinet_platform using (true) with check (true);
create policy tenant_rows on rollout to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table rollout_event (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  rollout_id bigint not null,
  at timestamp with time zone not null default now(),
  kind text not null,
  stage integer,
  text text not null default ''::text,
  actor_name text,
  constraint rollout_event_kind_check CHECK ((kind = ANY (ARRAY['CREATED'::text, 'STARTED'::text, 'ADVANCED'::text, 'STOPPED'::text, 'PAUSED'::text, 'RESUMED'::text, 'RETRIED'::text, 'CANCELLED'::text, 'FINISHED'::text, 'REVERTED'::text]))),
  constraint rollout_event_tenant_id_rollout_id_fkey FOREIGN KEY (tenant_id, rollout_id) REFERENCES rollout(tenant_id, id) ON DELETE CASCADE,
  constraint rollout_event_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX rollout_event_rollout ON public.rollout_event USING btree (tenant_id, rollout_id, id);
alter table rollout_event enable row level security;
create policy platform_rows on rollout_event to cabinet_platform using (true) with check (true);
create policy tenant_rows on rollout_event to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table rollout_target (
  tenant_id integer not null,
  rollout_id bigint not null,
  cabinet_id bigint not null,
  kind text not null,
  stage integer not null,
  state text not null default 'WAITING'::text,
  detail text,
  version integer not null default 1,
  is_excused boolean not null default false,
  attempts integer not null default 0,
  job_id uuid,
  epoch bigint,
  not_before timestamp with time zone,
  from_version text,
  old_config jsonb,
  desired_config_version integer,
  installed_boot_no bigint,
  sent_at timestamp with time zone,
  progressed_at timestamp with time zone,
  settled_at timestamp with time zone,
  constraint rollout_target_kind_check CHECK ((kind = ANY (ARRAY['FIRMWARE'::text, 'CONFIG'::text]))),
  constraint rollout_target_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'SENT'::text, 'ACCEPTED'::text, 'DOWNLOADING'::text, 'INSTALLING'::text, 'SUCCEEDED'::text, 'FAILED'::text, 'REFUSED'::text, 'TIMED_OUT'::text, 'CANCELLED'::text, 'REVERTED'::text]))),
  constraint rollout_target_tenant_id_cabinet_id_fkey FOREIGN KEY (tenant_id, cabinet_id) REFERENCES cabinet(tenant_id, id) ON DELETE CASCADE,
  constraint rollout_target_tenant_id_rollout_id_fkey FOREIGN KEY (tenant_id, rollout_id) REFERENCES rollout(tenant_id, id) ON DELETE CASCADE,
  constraint rollout_target_pkey PRIMARY KEY (tenant_id, rollout_id, cabinet_id)
);
CREATE INDEX rollout_target_in_flight ON public.rollout_target USING btree (progressed_at) WHERE (state = ANY (ARRAY['SENT'::text, 'ACCEPTED'::text, 'DOWNLOADING'::text, 'INSTALLING'::text]));
CREATE INDEX rollout_target_job ON public.rollout_target USING btree (tenant_id, cabinet_id, job_id);
CREATE INDEX rollout_target_silent ON public.rollout_target USING btree (tenant_id, cabinet_id) WHERE (state = 'TIMED_OUT'::text);
CREATE INDEX rollout_target_state ON public.rollout_target USING btree (tenant_id, rollout_id, stage, state);
CREATE UNIQUE INDEX rollout_target_open ON public.rollout_target USING btree (tenant_id, cabinet_id, kind) WHERE (state = ANY (ARRAY['WAITING'::text, 'SENT'::text, 'ACCEPTED'::text, 'DOWNLOADING'::text, 'INSTALLING'::text]));
alter table rollout_target enable row level security;
create policy platform_rows on rollout_target to cabinet_platform using (true) with check (true);
create policy tenant_rows on rollout_target to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table session (
  token_hash bytea not null,
  tenant_id integer not null,
  operator_id bigint not null,
  created_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  address inet,
  user_agent text,
  id bigint not null generated always as identity,
  visited_tenant_id integer,
  opened_by bytea,
  proven_at timestamp with time zone default now(),
  passkey_challenge text,
  device_id text,
  has_mac boolean not null default false,
  constraint session_visit_is_opened CHECK (((visited_tenant_id IS NULL) = (opened_by IS NULL))),
  constraint session_opened_by_fkey FOREIGN KEY (opened_by) REFERENCES session(token_hash) ON DELETE CASCADE,
  constraint session_tenant_id_operator_id_fkey FOREIGN KEY (tenant_id, operator_id) REFERENCES operator(tenant_id, id) ON DELETE CASCADE,
  constraint session_visited_tenant_id_fkey FOREIGN KEY (visited_tenant_id) REFERENCES tenant(id),
  constraint session_pkey PRIMARY KEY (token_hash),
  constraint session_id_key UNIQUE (id)
);
CREATE INDEX session_opened_by ON public.session USING btree (opened_by) WHERE (opened_by IS NOT NULL);
CREATE INDEX session_operator ON public.session USING btree (tenant_id, operator_id);
CREATE INDEX session_without_mac ON public.session USING btree (expires_at) WHERE (NOT has_mac);
alter table session enable row level security;
create policy platform_rows on session to cabinet_platform using (true) with check (true);
create policy tenant_rows on session to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table sign_in_code (
  tenant_id integer not null,
  phone text not null,
  code_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  failures integer not null default 0,
  constraint sign_in_code_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint sign_in_code_pkey PRIMARY KEY (tenant_id, phone)
);
CREATE INDEX sign_in_code_expiry ON public.sign_in_code USING btree (expires_at);
alter table sign_in_code enable row level security;
create policy platform_rows on sign_in_code to cabinet_platform using (true) with check (true);
create policy tenant_rows on sign_in_code to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table sign_in_request (
  request_hash bytea not null,
  tenant_id integer not null,
  phone text not null,
  code_hash bytea not null,
  expires_at timestamp with time zone not null,
  failures integer not null default 0,
  constraint sign_in_request_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint sign_in_request_pkey PRIMARY KEY (request_hash)
);
CREATE INDEX sign_in_request_expiry ON public.sign_in_request USING btree (expires_at);
CREATE INDEX sign_in_request_phone ON public.sign_in_request USING btree (tenant_id, phone);
alter table sign_in_request enable row level security;
create policy platform_rows on sign_in_request to cabinet_platform using (true) with check (true);
create policy tenant_rows on sign_in_request to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table sign_in_throttle (
  key text not null,
  failures integer not null,
  blocked_until timestamp with time zone,
  last_failure_at timestamp with time zone not null default now(),
  constraint sign_in_throttle_pkey PRIMARY KEY (key)
);

create table sms_account (
  tenant_id integer not null,
  balance bigint not null default 0,
  held bigint not null default 0,
  constraint sms_account_check CHECK (((held >= 0) AND (held <= balance))),
  constraint sms_account_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint sms_account_pkey PRIMARY KEY (tenant_id)
);
alter table sms_account enable row level security;
create policy platform_rows on sms_account to cabinet_platform using (true) with check (true);
create policy tenant_rows on sms_account to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table sms_channel (
  is_only boolean not null default true,
  carrier text not null,
  is_on boolean not null,
  key_id text not null,
  sealed_secret bytea not null,
  sign text not null,
  app_id text not null default ''::text,
  check_state text not null default 'NONE'::text,
  check_text text not null default ''::text,
  checked_at timestamp with time zone,
  edit_version integer not null default 1,
  edited_at timestamp with time zone not null default now(),
  edited_by text not null,
  constraint sms_channel_carrier_check CHECK ((carrier = ANY (ARRAY['ALIYUN'::text, 'TENCENT'::text]))),
  constraint sms_channel_check CHECK (((carrier <> 'TENCENT'::text) OR (app_id <> ''::text))),
  constraint sms_channel_check_state_check CHECK ((check_state = ANY (ARRAY['NONE'::text, 'PENDING'::text, 'OK'::text, 'FAILED'::text]))),
  constraint sms_channel_is_only_check CHECK (is_only),
  constraint sms_channel_pkey PRIMARY KEY (is_only)
);

create table sms_credit_entry (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  kind text not null,
  segments bigint not null,
  balance_after bigint not null,
  biz_type text not null,
  biz_id bigint not null,
  constraint sms_credit_entry_balance_after_check CHECK ((balance_after >= 0)),
  constraint sms_credit_entry_biz_type_check CHECK ((biz_type = ANY (ARRAY['SMS_RECHARGE'::text, 'SMS_MESSAGE'::text]))),
  constraint sms_credit_entry_check CHECK (
CASE kind
    WHEN 'RECHARGE'::text THEN (segments > 0)
    ELSE (segments < 0)
END),
  constraint sms_credit_entry_kind_check CHECK ((kind = ANY (ARRAY['RECHARGE'::text, 'REVERSAL'::text, 'USE'::text]))),
  constraint sms_credit_entry_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES sms_account(tenant_id),
  constraint sms_credit_entry_pkey PRIMARY KEY (tenant_id, id),
  constraint sms_credit_entry_tenant_id_biz_type_biz_id_key UNIQUE (tenant_id, biz_type, biz_id)
);
CREATE INDEX sms_credit_entry_at ON public.sms_credit_entry USING btree (tenant_id, at);
alter table sms_credit_entry enable row level security;
create policy platform_rows on sms_credit_entry to cabinet_platform using (true) with check (true);
create policy tenant_rows on sms_credit_entry to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table sms_hold (
  tenant_id integer not null,
  sms_id bigint not null,
  segments integer not null,
  state text not null default 'HELD'::text,
  created_at timestamp with time zone not null default now(),
  settled_at timestamp with time zone,
  constraint sms_hold_segments_check CHECK ((segments > 0)),
  constraint sms_hold_state_check CHECK ((state = ANY (ARRAY['HELD'::text, 'POSTED'::text, 'RELEASED'::text]))),
  constraint sms_hold_tenant_id_sms_id_fkey FOREIGN KEY (tenant_id, sms_id) REFERENCES sms_message(tenant_id, id),
  constraint sms_hold_pkey PRIMARY KEY (tenant_id, sms_id)
);
alter table sms_hold enable row level security;
create policy platform_rows on sms_hold to cabinet_platform using (true) with check (true);
create policy tenant_rows on sms_hold to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table sms_message (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  created_at timestamp with time zone not null default now(),
  scene text not null,
  phone text not null,
  sealed_text bytea not null,
  segments integer not null,
  order_id bigint,
  state text not null default 'OUTBOX'::text,
  sealed_carrier bytea,
  template_code text,
  send_key uuid not null default gen_random_uuid(),
  due_at timestamp with time zone,
  attempts integer not null default 0,
  checks integer not null default 0,
  claimed_at timestamp with time zone,
  sent_at timestamp with time zone,
  settled_at timestamp with time zone,
  carrier text,
  carrier_no text,
  carrier_segments integer,
  result_code text not null default ''::text,
  result_text text not null default ''::text,
  resend_of bigint,
  constraint sms_message_carrier_check CHECK ((carrier = ANY (ARRAY['ALIYUN'::text, 'TENCENT'::text]))),
  constraint sms_message_carrier_segments_check CHECK ((carrier_segments > 0)),
  constraint sms_message_check CHECK (((state <> ALL (ARRAY['QUEUED'::text, 'SENDING'::text])) OR (due_at IS NOT NULL))),
  constraint sms_message_check1 CHECK (((state <> 'SENDING'::text) OR ((claimed_at IS NOT NULL) AND (carrier IS NOT NULL)))),
  constraint sms_message_check2 CHECK (((state <> ALL (ARRAY['OUTBOX'::text, 'DELIVERED'::text, 'FAILED'::text])) OR (due_at IS NULL))),
  constraint sms_message_phone_check CHECK (((phone = ''::text) OR (phone ~ '^1[3-9]\d{9}$'::text))),
  constraint sms_message_scene_check CHECK ((scene = ANY (ARRAY['SIGN_IN_CODE'::text, 'PICKUP_CODE'::text, 'STORED'::text, 'OVERDUE'::text, 'OUTAGE'::text, 'RECIPIENT_CHANGED'::text, 'PICKED_UP'::text, 'TAKEN_BACK'::text, 'REFUNDED'::text, 'MALFUNCTION'::text]))),
  constraint sms_message_segments_check CHECK ((segments > 0)),
  constraint sms_message_state_check CHECK ((state = ANY (ARRAY['OUTBOX'::text, 'QUEUED'::text, 'SENDING'::text, 'SENT'::text, 'DELIVERED'::text, 'FAILED'::text]))),
  constraint sms_message_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint sms_message_tenant_id_resend_of_fkey FOREIGN KEY (tenant_id, resend_of) REFERENCES sms_message(tenant_id, id),
  constraint sms_message_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX sms_message_anywhere ON public.sms_message USING btree (id DESC);
CREATE INDEX sms_message_due ON public.sms_message USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX sms_message_figures ON public.sms_message USING btree (tenant_id, created_at) INCLUDE (scene, state, segments);
CREATE INDEX sms_message_order ON public.sms_message USING btree (tenant_id, order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX sms_message_phone ON public.sms_message USING btree (tenant_id, phone, id DESC);
CREATE INDEX sms_message_phone_part ON public.sms_message USING gin (phone gin_trgm_ops);
CREATE INDEX sms_message_queued ON public.sms_message USING btree (due_at) INCLUDE (tenant_id, id, scene) WHERE (state = 'QUEUED'::text);
CREATE INDEX sms_message_sent ON public.sms_message USING btree (sent_at) WHERE (sent_at IS NOT NULL);
CREATE UNIQUE INDEX sms_message_resend ON public.sms_message USING btree (tenant_id, resend_of) WHERE (resend_of IS NOT NULL);
alter table sms_message enable row level security;
create policy platform_rows on sms_message to cabinet_platform using (true) with check (true);
create policy tenant_rows on sms_message to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table sms_recharge (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  segments bigint not null,
  amount_fen bigint not null,
  reverses_id bigint,
  reason text not null,
  actor_id bigint,
  actor_name text not null,
  constraint sms_recharge_check CHECK (
CASE
    WHEN (reverses_id IS NULL) THEN ((segments > 0) AND (amount_fen >= 0))
    ELSE ((segments < 0) AND (amount_fen <= 0))
END),
  constraint sms_recharge_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint sms_recharge_tenant_id_reverses_id_fkey FOREIGN KEY (tenant_id, reverses_id) REFERENCES sms_recharge(tenant_id, id),
  constraint sms_recharge_pkey PRIMARY KEY (tenant_id, id),
  constraint sms_recharge_tenant_id_reverses_id_key UNIQUE (tenant_id, reverses_id)
);
CREATE INDEX sms_recharge_anywhere ON public.sms_recharge USING btree (id DESC);
alter table sms_recharge enable row level security;
create policy platform_rows on sms_recharge to cabinet_platform using (true) with check (true);
create policy tenant_rows on sms_recharge to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table stock_audit (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  cabinet_id bigint not null,
  at timestamp with time zone not null default now(),
  actor_id bigint not null,
  actor_name text not null,
  findings jsonb not null,
  constraint stock_audit_tenant_id_cabinet_id_fkey FOREIGN KEY (tenant_id, cabinet_id) REFERENCES cabinet(tenant_id, id) ON DELETE CASCADE,
  constraint stock_audit_pkey PRIMARY KEY (tenant_id, id)
);
alter table stock_audit enable row level security;
create policy platform_rows on stock_audit to cabinet_platform using (true) with check (true);
create policy tenant_rows on stock_audit to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table storage_order (
  tenant_id integer not null,
  id bigint not null default new_order_id(),
  created_at timestamp with time zone not null default now(),
  side text not null,
  cabinet_id bigint not null,
  store_id bigint,
  compartment_no integer not null,
  size text not null,
  state text not null default 'PENDING'::text,
  purpose text not null default 'DEPOSIT'::text,
  pay_status text not null default 'NONE'::text,
  third_party_no text,
  rider_id bigint,
  recipient_id bigint not null,
  item_note text not null default ''::text,
  pricing jsonb not null,
  stored_at timestamp with time zone,
  overdue_at timestamp with time zone,
  ended_at timestamp with time zone,
  price_fen bigint not null default 0,
  covered_fen bigint not null default 0,
  waived_fen bigint not null default 0,
  paid_principal_fen bigint not null default 0,
  paid_bonus_fen bigint not null default 0,
  refunded_principal_fen bigint not null default 0,
  refunded_bonus_fen bigint not null default 0,
  user_package_id bigint,
  exception_reason text,
  app_id bigint,
  unreachable_seconds bigint not null default 0,
  charged_minutes integer,
  constraint storage_order_check CHECK (((refunded_principal_fen >= 0) AND (refunded_principal_fen <= paid_principal_fen))),
  constraint storage_order_check1 CHECK (((refunded_bonus_fen >= 0) AND (refunded_bonus_fen <= paid_bonus_fen))),
  constraint storage_order_covered_fen_check CHECK ((covered_fen >= 0)),
  constraint storage_order_paid_bonus_fen_check CHECK ((paid_bonus_fen >= 0)),
  constraint storage_order_paid_principal_fen_check CHECK ((paid_principal_fen >= 0)),
  constraint storage_order_pay_status_check CHECK ((pay_status = ANY (ARRAY['NONE'::text, 'UNPAID'::text, 'PAID'::text, 'PARTIAL_REFUND'::text, 'REFUNDED'::text]))),
  constraint storage_order_price_fen_check CHECK ((price_fen >= 0)),
  constraint storage_order_purpose_check CHECK ((purpose = ANY (ARRAY['DEPOSIT'::text, 'PICKUP'::text, 'TAKE_BACK'::text]))),
  constraint storage_order_side_check CHECK ((side = ANY (ARRAY['SINGLE'::text, 'DOUBLE'::text]))),
  constraint storage_order_size_check CHECK ((size = ANY (ARRAY['S'::text, 'M'::text, 'L'::text, 'XL'::text]))),
  constraint storage_order_state_check CHECK ((state = ANY (ARRAY['PENDING'::text, 'DEPOSITING'::text, 'STORED'::text, 'OVERDUE'::text, 'PICKING'::text, 'COMPLETED'::text, 'CANCELLED'::text, 'TAKEN_BACK'::text, 'ADMIN_CLEARED'::text, 'EXCEPTION'::text]))),
  constraint storage_order_waived_fen_check CHECK ((waived_fen >= 0)),
  constraint storage_order_tenant_id_cabinet_id_fkey FOREIGN KEY (tenant_id, cabinet_id) REFERENCES cabinet(tenant_id, id),
  constraint storage_order_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint storage_order_tenant_id_recipient_id_fkey FOREIGN KEY (tenant_id, recipient_id) REFERENCES end_user(tenant_id, id),
  constraint storage_order_tenant_id_rider_id_fkey FOREIGN KEY (tenant_id, rider_id) REFERENCES end_user(tenant_id, id),
  constraint storage_order_pkey PRIMARY KEY (tenant_id, id)
) partition by RANGE (id);
CREATE INDEX storage_order_anywhere ON ONLY public.storage_order USING btree (side, id DESC);
CREATE INDEX storage_order_cabinet ON ONLY public.storage_order USING btree (tenant_id, cabinet_id, id DESC);
CREATE INDEX storage_order_live_recipient ON ONLY public.storage_order USING btree (tenant_id, recipient_id) WHERE (state = ANY (ARRAY['PENDING'::text, 'DEPOSITING'::text, 'STORED'::text, 'OVERDUE'::text, 'PICKING'::text, 'EXCEPTION'::text]));
CREATE INDEX storage_order_live_rider ON ONLY public.storage_order USING btree (tenant_id, rider_id) WHERE (state = ANY (ARRAY['PENDING'::text, 'DEPOSITING'::text, 'STORED'::text, 'OVERDUE'::text, 'PICKING'::text, 'EXCEPTION'::text]));
CREATE INDEX storage_order_partner_no ON ONLY public.storage_order USING btree (third_party_no, tenant_id) WHERE (third_party_no IS NOT NULL);
CREATE INDEX storage_order_pay ON ONLY public.storage_order USING btree (tenant_id, side, pay_status, id DESC) WHERE (pay_status <> ALL (ARRAY['NONE'::text, 'PAID'::text]));
CREATE INDEX storage_order_recipient ON ONLY public.storage_order USING btree (tenant_id, recipient_id, id DESC);
CREATE INDEX storage_order_rider ON ONLY public.storage_order USING btree (tenant_id, rider_id, id DESC);
CREATE INDEX storage_order_side ON ONLY public.storage_order USING btree (tenant_id, side, id DESC);
CREATE INDEX storage_order_state ON ONLY public.storage_order USING btree (tenant_id, side, state, id DESC);
CREATE INDEX storage_order_state_anywhere ON ONLY public.storage_order USING btree (side, state, id DESC) WHERE (state <> 'COMPLETED'::text);
CREATE INDEX storage_order_store ON ONLY public.storage_order USING btree (tenant_id, store_id, id DESC);
alter table storage_order enable row level security;
create policy platform_rows on storage_order to cabinet_platform using (true) with check (true);
create policy tenant_rows on storage_order to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table store (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  name text not null,
  code text not null,
  region text not null default ''::text,
  address text not null default ''::text,
  longitude double precision,
  latitude double precision,
  opening_hours text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  contact_name text not null default ''::text,
  contact_phone text not null default ''::text,
  manager_id bigint,
  remark text not null default ''::text,
  edit_version integer not null default 1,
  edited_at timestamp with time zone not null default now(),
  edited_by text not null default ''::text,
  constraint store_check CHECK (((longitude IS NULL) = (latitude IS NULL))),
  constraint store_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint store_tenant_id_manager_id_fkey FOREIGN KEY (tenant_id, manager_id) REFERENCES operator(tenant_id, id) ON DELETE SET NULL (manager_id),
  constraint store_pkey PRIMARY KEY (tenant_id, id),
  constraint store_tenant_id_code_key UNIQUE (tenant_id, code)
);
CREATE INDEX store_manager ON public.store USING btree (tenant_id, manager_id);
alter table store enable row level security;
create policy platform_rows on store to cabinet_platform using (true) with check (true);
create policy tenant_rows on store to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table stored_object (
  key text not null,
  created_at timestamp with time zone not null default now(),
  constraint stored_object_pkey PRIMARY KEY (key)
);

create table subscribe_allowance (
  tenant_id integer not null,
  app_id text not null,
  template_id text not null,
  end_user_id bigint not null,
  reported integer not null default 0,
  pushed integer not null default 0,
  used integer not null default 0,
  changed_at timestamp with time zone not null default now(),
  constraint subscribe_allowance_tenant_id_end_user_id_fkey FOREIGN KEY (tenant_id, end_user_id) REFERENCES end_user(tenant_id, id) ON DELETE CASCADE,
  constraint subscribe_allowance_pkey PRIMARY KEY (tenant_id, app_id, template_id, end_user_id)
);
CREATE INDEX subscribe_allowance_of ON public.subscribe_allowance USING btree (tenant_id, end_user_id);
alter table subscribe_allowance enable row level security;
create policy platform_rows on subscribe_allowance to cabinet_platform using (true) with check (true);
create policy tenant_rows on subscribe_allowance to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table subscribe_catalog (
  tenant_id integer not null,
  app_id text not null,
  templates jsonb not null default '[]'::jsonb,
  state text not null default 'PENDING'::text,
  problem text not null default ''::text,
  fetched_at timestamp with time zone,
  constraint subscribe_catalog_state_check CHECK ((state = ANY (ARRAY['PENDING'::text, 'OK'::text, 'FAILED'::text]))),
  constraint subscribe_catalog_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint subscribe_catalog_pkey PRIMARY KEY (tenant_id)
);
alter table subscribe_catalog enable row level security;
create policy platform_rows on subscribe_catalog to cabinet_platform using (true) with check (true);
create policy tenant_rows on subscribe_catalog to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table subscribe_message (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  created_at timestamp with time zone not null default now(),
  scene text not null,
  side text not null,
  end_user_id bigint not null,
  app_id text not null,
  template_id text not null,
  order_id bigint,
  is_test boolean not null default false,
  sealed_content bytea not null,
  has_fallback boolean not null,
  state text not null default 'QUEUED'::text,
  attempts integer not null default 0,
  next_at timestamp with time zone default now(),
  claimed_at timestamp with time zone,
  settled_at timestamp with time zone,
  is_counted boolean not null,
  msg_id text,
  error_code integer,
  problem text not null default ''::text,
  sms_id bigint,
  constraint subscribe_message_check CHECK (((next_at IS NOT NULL) = (state = 'QUEUED'::text))),
  constraint subscribe_message_state_check CHECK ((state = ANY (ARRAY['QUEUED'::text, 'SENDING'::text, 'SENT'::text, 'DELIVERED'::text, 'FAILED'::text, 'UNKNOWN'::text]))),
  constraint subscribe_message_tenant_id_end_user_id_fkey FOREIGN KEY (tenant_id, end_user_id) REFERENCES end_user(tenant_id, id),
  constraint subscribe_message_tenant_id_sms_id_fkey FOREIGN KEY (tenant_id, sms_id) REFERENCES sms_message(tenant_id, id),
  constraint subscribe_message_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX subscribe_message_anywhere ON public.subscribe_message USING btree (id DESC);
CREATE INDEX subscribe_message_due ON public.subscribe_message USING btree (next_at) WHERE (state = 'QUEUED'::text);
CREATE INDEX subscribe_message_kept ON public.subscribe_message USING btree (settled_at) WHERE (sealed_content <> '\x'::bytea);
CREATE INDEX subscribe_message_order ON public.subscribe_message USING btree (tenant_id, order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX subscribe_message_sending ON public.subscribe_message USING btree (claimed_at) WHERE (state = 'SENDING'::text);
CREATE INDEX subscribe_message_user ON public.subscribe_message USING btree (tenant_id, end_user_id, id DESC);
CREATE UNIQUE INDEX subscribe_message_msg ON public.subscribe_message USING btree (tenant_id, msg_id) WHERE (msg_id IS NOT NULL);
alter table subscribe_message enable row level security;
create policy platform_rows on subscribe_message to cabinet_platform using (true) with check (true);
create policy tenant_rows on subscribe_message to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table tag (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  name text not null,
  color text not null,
  remark text not null default ''::text,
  edit_version integer not null default 1,
  edited_at timestamp with time zone not null default now(),
  edited_by text not null,
  constraint tag_color_check CHECK ((color = ANY (ARRAY['BLUE'::text, 'GREEN'::text, 'GOLD'::text, 'RED'::text, 'PURPLE'::text, 'GRAY'::text]))),
  constraint tag_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint tag_pkey PRIMARY KEY (tenant_id, id),
  constraint tag_name UNIQUE (tenant_id, name)
);
CREATE INDEX tag_anywhere ON public.tag USING btree (id DESC);
alter table tag enable row level security;
create policy platform_rows on tag to cabinet_platform using (true) with check (true);
create policy tenant_rows on tag to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table tenant (
  id integer not null generated always as identity,
  name text not null,
  state text not null default 'ACTIVE'::text,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  contact_name text not null default ''::text,
  contact_phone text not null default ''::text,
  remark text not null default ''::text,
  max_operators integer,
  max_cabinets integer,
  suspend_reason text,
  edit_version integer not null default 1,
  suspended_at timestamp with time zone,
  deleted_at timestamp with time zone,
  max_storage_mb integer,
  erase_began_at timestamp with time zone,
  erased_at timestamp with time zone,
  max_requests integer,
  max_exports integer,
  max_live_channels integer,
  factor_exempt_until timestamp with time zone,
  expiry_date smallint,
  constraint tenant_expiry_date_check CHECK (((expiry_date >= 1) AND (expiry_date <= 31))),
  constraint tenant_max_cabinets_check CHECK ((max_cabinets > 0)),
  constraint tenant_max_exports_check CHECK ((max_exports > 0)),
  constraint tenant_max_live_channels_check CHECK ((max_live_channels > 0)),
  constraint tenant_max_operators_check CHECK ((max_operators > 0)),
  constraint tenant_max_requests_check CHECK ((max_requests > 0)),
  constraint tenant_max_storage_mb_check CHECK ((max_storage_mb > 0)),
  constraint tenant_platform_stays CHECK (((id <> 1) OR ((state = 'ACTIVE'::text) AND (expires_at IS NULL)))),
  constraint tenant_state_check CHECK ((state = ANY (ARRAY['ACTIVE'::text, 'SUSPENDED'::text, 'DELETED'::text]))),
  constraint tenant_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX tenant_name ON public.tenant USING btree (name) WHERE (state <> 'DELETED'::text);
alter table tenant enable row level security;
create policy all_tenants on tenant to cabinet_platform using (true) with check (true);
create policy own_tenant on tenant to cabinet_tenant using ((id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table tenant_feature (
  tenant_id integer not null,
  feature text not null,
  is_on boolean not null,
  starts_on date,
  ends_on date,
  constraint tenant_feature_check CHECK ((starts_on <= ends_on)),
  constraint tenant_feature_tenant_id_check CHECK ((tenant_id <> 1)),
  constraint tenant_feature_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint tenant_feature_pkey PRIMARY KEY (tenant_id, feature)
);
alter table tenant_feature enable row level security;
create policy platform_rows on tenant_feature to cabinet_platform using (true) with check (true);
create policy tenant_rows on tenant_feature to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table tenant_setting (
  tenant_id integer not null,
  is_hint boolean not null default true,
  tells_overdue boolean not null default true,
  service_phone text not null default ''::text,
  opening_hours text not null default ''::text,
  sms_sign text not null default ''::text,
  logo_file_id uuid,
  map_key text,
  sealed_map_code bytea,
  edit_version integer not null default 1,
  edited_at timestamp with time zone not null default now(),
  edited_by text not null,
  reveals_per_day integer not null default 100,
  keep_people_days integer not null default 730,
  keep_messages_days integer not null default 365,
  keep_photos_days integer not null default 365,
  keep_logs_days integer not null default 365,
  codes_per_hour integer not null default 2000,
  admins_need_factor boolean not null default false,
  refund_proof_fen integer not null default 20000,
  shares_people boolean not null default false,
  keep_events_days integer not null default 365,
  keep_commands_days integer not null default 730,
  keep_audit_days integer not null default 1095,
  proof_minutes integer not null default 15,
  review_fen integer not null default 0,
  constraint tenant_setting_check CHECK (((map_key IS NULL) = (sealed_map_code IS NULL))),
  constraint tenant_setting_codes_per_hour_check CHECK (((codes_per_hour >= 1) AND (codes_per_hour <= 100000))),
  constraint tenant_setting_keep_audit_days_check CHECK (((keep_audit_days >= 180) AND (keep_audit_days <= 3650))),
  constraint tenant_setting_keep_commands_days_check CHECK (((keep_commands_days >= 180) AND (keep_commands_days <= 3650))),
  constraint tenant_setting_keep_events_days_check CHECK (((keep_events_days >= 180) AND (keep_events_days <= 3650))),
  constraint tenant_setting_keep_logs_days_check CHECK (((keep_logs_days >= 180) AND (keep_logs_days <= 3650))),
  constraint tenant_setting_keep_messages_days_check CHECK (((keep_messages_days >= 30) AND (keep_messages_days <= 3650))),
  constraint tenant_setting_keep_people_days_check CHECK (((keep_people_days >= 90) AND (keep_people_days <= 3650))),
  constraint tenant_setting_keep_photos_days_check CHECK (((keep_photos_days >= 30) AND (keep_photos_days <= 3650))),
  constraint tenant_setting_proof_minutes_check CHECK (((proof_minutes >= 5) AND (proof_minutes <= 120))),
  constraint tenant_setting_refund_proof_fen_check CHECK ((refund_proof_fen >= 0)),
  constraint tenant_setting_reveals_per_day_check CHECK (((reveals_per_day >= 1) AND (reveals_per_day <= 100000))),
  constraint tenant_setting_review_fen_check CHECK ((review_fen >= 0)),
  constraint tenant_setting_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint tenant_setting_tenant_id_logo_file_id_fkey FOREIGN KEY (tenant_id, logo_file_id) REFERENCES file(tenant_id, id),
  constraint tenant_setting_pkey PRIMARY KEY (tenant_id)
);
alter table tenant_setting enable row level security;
create policy platform_rows on tenant_setting to cabinet_platform using (true) with check (true);
create policy tenant_rows on tenant_setting to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));
CREATE TRIGGER administrators_need_factor AFTER INSERT OR UPDATE OF admins_need_factor ON public.tenant_setting FOR EACH ROW EXECUTE FUNCTION refresh_administrators();

create table tenant_use (
  tenant_id integer not null,
  minute timestamp with time zone not null,
  process_id uuid not null,
  requests integer not null,
  live_channels integer not null,
  constraint tenant_use_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint tenant_use_pkey PRIMARY KEY (tenant_id, minute, process_id)
);
alter table tenant_use enable row level security;
create policy platform_rows on tenant_use to cabinet_platform using (true) with check (true);
create policy tenant_rows on tenant_use to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table tenant_withheld_entry (
  tenant_id integer not null,
  menu_entry_id bigint not null,
  constraint tenant_withheld_entry_menu_entry_id_fkey FOREIGN KEY (menu_entry_id) REFERENCES menu_entry(id) ON DELETE CASCADE,
  constraint tenant_withheld_entry_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint tenant_withheld_entry_pkey PRIMARY KEY (tenant_id, menu_entry_id)
);
alter table tenant_withheld_entry enable row level security;
create policy platform_rows on tenant_withheld_entry to cabinet_platform using (true) with check (true);
create policy tenant_rows on tenant_withheld_entry to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));
CREATE TRIGGER entries_given_back AFTER DELETE ON public.tenant_withheld_entry REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION refresh_permissions();
CREATE TRIGGER entries_withheld AFTER INSERT ON public.tenant_withheld_entry REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION refresh_permissions();

create table top_up (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  end_user_id bigint not null,
  channel text not null,
  state text not null default 'CREATED'::text,
  principal_fen bigint not null,
  bonus_fen bigint not null default 0,
  package_id bigint,
  out_trade_no text,
  transaction_no text,
  created_at timestamp with time zone not null default now(),
  paid_at timestamp with time zone,
  actor_kind text not null,
  actor_id bigint,
  actor_name text not null,
  reason text,
  openid text,
  prepay_id text,
  expires_at timestamp with time zone,
  problem text,
  next_check_at timestamp with time zone,
  checks integer not null default 0,
  refunded_principal_fen bigint not null default 0,
  refunded_bonus_fen bigint not null default 0,
  payer_address inet,
  pay_url text,
  constraint top_up_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['END_USER'::text, 'OPERATOR'::text, 'SYSTEM'::text]))),
  constraint top_up_bonus_fen_check CHECK ((bonus_fen >= 0)),
  constraint top_up_channel_check CHECK ((channel = ANY (ARRAY['CASH'::text, 'WECHAT'::text]))),
  constraint top_up_check CHECK (((refunded_principal_fen >= 0) AND (refunded_principal_fen <= principal_fen))),
  constraint top_up_check1 CHECK (((refunded_bonus_fen >= 0) AND (refunded_bonus_fen <= bonus_fen))),
  constraint top_up_principal_fen_check CHECK ((principal_fen > 0)),
  constraint top_up_state_check CHECK ((state = ANY (ARRAY['CREATED'::text, 'PAID'::text, 'CLOSED'::text, 'PARTIAL_REFUND'::text, 'REFUNDED'::text]))),
  constraint top_up_tenant_id_end_user_id_fkey FOREIGN KEY (tenant_id, end_user_id) REFERENCES end_user(tenant_id, id),
  constraint top_up_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint top_up_pkey PRIMARY KEY (tenant_id, id),
  constraint top_up_tenant_id_out_trade_no_key UNIQUE (tenant_id, out_trade_no)
);
CREATE INDEX top_up_anywhere ON public.top_up USING btree (id DESC);
CREATE INDEX top_up_check ON public.top_up USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX top_up_paid ON public.top_up USING btree (tenant_id, paid_at) WHERE (paid_at IS NOT NULL);
CREATE INDEX top_up_state ON public.top_up USING btree (tenant_id, state, id DESC);
CREATE INDEX top_up_user ON public.top_up USING btree (tenant_id, end_user_id, id DESC);
alter table top_up enable row level security;
create policy platform_rows on top_up to cabinet_platform using (true) with check (true);
create policy tenant_rows on top_up to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));
CREATE TRIGGER end_user_is_there BEFORE INSERT ON public.top_up FOR EACH ROW EXECUTE FUNCTION refuse_deleted_end_user();

create table top_up_refund (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  top_up_id bigint not null,
  out_refund_no text not null,
  refund_no text,
  principal_fen bigint not null,
  bonus_fen bigint not null,
  state text not null default 'PROCESSING'::text,
  problem text,
  reason text not null,
  actor_id bigint,
  actor_name text not null,
  created_at timestamp with time zone not null default now(),
  accepted_at timestamp with time zone,
  ended_at timestamp with time zone,
  next_check_at timestamp with time zone,
  checks integer not null default 0,
  constraint top_up_refund_bonus_fen_check CHECK ((bonus_fen >= 0)),
  constraint top_up_refund_principal_fen_check CHECK ((principal_fen > 0)),
  constraint top_up_refund_state_check CHECK ((state = ANY (ARRAY['PROCESSING'::text, 'DONE'::text, 'ABNORMAL'::text, 'FAILED'::text]))),
  constraint top_up_refund_tenant_id_top_up_id_fkey FOREIGN KEY (tenant_id, top_up_id) REFERENCES top_up(tenant_id, id),
  constraint top_up_refund_pkey PRIMARY KEY (tenant_id, id),
  constraint top_up_refund_tenant_id_out_refund_no_key UNIQUE (tenant_id, out_refund_no)
);
CREATE INDEX top_up_refund_accepted ON public.top_up_refund USING btree (tenant_id, accepted_at) WHERE (accepted_at IS NOT NULL);
CREATE INDEX top_up_refund_check ON public.top_up_refund USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX top_up_refund_of ON public.top_up_refund USING btree (tenant_id, top_up_id);
alter table top_up_refund enable row level security;
create policy platform_rows on top_up_refund to cabinet_platform using (true) with check (true);
create policy tenant_rows on top_up_refund to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table totp (
  tenant_id integer not null,
  operator_id bigint not null,
  sealed_secret bytea not null,
  confirmed_at timestamp with time zone,
  last_step bigint not null default 0,
  constraint totp_tenant_id_operator_id_fkey FOREIGN KEY (tenant_id, operator_id) REFERENCES operator(tenant_id, id) ON DELETE CASCADE,
  constraint totp_pkey PRIMARY KEY (tenant_id, operator_id)
);
alter table totp enable row level security;
create policy platform_rows on totp to cabinet_platform using (true) with check (true);
create policy tenant_rows on totp to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table user_package (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  end_user_id bigint not null,
  package_id bigint not null,
  name text not null,
  kind text not null,
  sides text[] not null,
  price_fen bigint not null,
  cover_limit_fen bigint,
  uses integer,
  uses_left integer,
  bought_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint user_package_check CHECK (((uses_left >= 0) AND (uses_left <= uses))),
  constraint user_package_check1 CHECK ((((kind = 'USES'::text) = (uses IS NOT NULL)) AND ((uses IS NULL) = (uses_left IS NULL)))),
  constraint user_package_cover_limit_fen_check CHECK ((cover_limit_fen > 0)),
  constraint user_package_kind_check CHECK ((kind = ANY (ARRAY['USES'::text, 'PERIOD'::text]))),
  constraint user_package_price_fen_check CHECK ((price_fen >= 0)),
  constraint user_package_uses_check CHECK ((uses > 0)),
  constraint user_package_tenant_id_end_user_id_fkey FOREIGN KEY (tenant_id, end_user_id) REFERENCES end_user(tenant_id, id),
  constraint user_package_tenant_id_package_id_fkey FOREIGN KEY (tenant_id, package_id) REFERENCES package(tenant_id, id),
  constraint user_package_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX user_package_anywhere ON public.user_package USING btree (id DESC);
CREATE INDEX user_package_package ON public.user_package USING btree (tenant_id, package_id);
CREATE INDEX user_package_user ON public.user_package USING btree (tenant_id, end_user_id, expires_at);
alter table user_package enable row level security;
create policy platform_rows on user_package to cabinet_platform using (true) with check (true);
create policy tenant_rows on user_package to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));
CREATE TRIGGER end_user_is_there BEFORE INSERT ON public.user_package FOR EACH ROW EXECUTE FUNCTION refuse_deleted_end_user();

create table wallet (
  tenant_id integer not null,
  end_user_id bigint not null,
  principal_fen bigint not null default 0,
  bonus_fen bigint not null default 0,
  held_principal_fen bigint not null default 0,
  held_bonus_fen bigint not null default 0,
  constraint wallet_check CHECK (((held_principal_fen >= 0) AND (held_principal_fen <= principal_fen))),
  constraint wallet_check1 CHECK (((held_bonus_fen >= 0) AND (held_bonus_fen <= bonus_fen))),
  constraint wallet_tenant_id_end_user_id_fkey FOREIGN KEY (tenant_id, end_user_id) REFERENCES end_user(tenant_id, id),
  constraint wallet_pkey PRIMARY KEY (tenant_id, end_user_id)
);
alter table wallet enable row level security;
create policy platform_rows on wallet to cabinet_platform using (true) with check (true);
create policy tenant_rows on wallet to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table wallet_hold (
  tenant_id integer not null,
  id bigint not null generated always as identity,
  end_user_id bigint not null,
  order_id bigint not null,
  principal_fen bigint not null,
  bonus_fen bigint not null,
  state text not null default 'HELD'::text,
  created_at timestamp with time zone not null default now(),
  settled_at timestamp with time zone,
  constraint wallet_hold_bonus_fen_check CHECK ((bonus_fen >= 0)),
  constraint wallet_hold_check CHECK (((principal_fen + bonus_fen) > 0)),
  constraint wallet_hold_principal_fen_check CHECK ((principal_fen >= 0)),
  constraint wallet_hold_state_check CHECK ((state = ANY (ARRAY['HELD'::text, 'POSTED'::text, 'RELEASED'::text]))),
  constraint wallet_hold_tenant_id_end_user_id_fkey FOREIGN KEY (tenant_id, end_user_id) REFERENCES wallet(tenant_id, end_user_id),
  constraint wallet_hold_pkey PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX wallet_hold_of_order ON public.wallet_hold USING btree (tenant_id, order_id) WHERE (state = 'HELD'::text);
alter table wallet_hold enable row level security;
create policy platform_rows on wallet_hold to cabinet_platform using (true) with check (true);
create policy tenant_rows on wallet_hold to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table web_page_setting (
  tenant_id integer not null,
  is_on boolean not null default false,
  edit_version integer not null default 1,
  edited_at timestamp with time zone not null default now(),
  edited_by text not null,
  has_bare_links boolean not null default false,
  constraint web_page_setting_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint web_page_setting_pkey PRIMARY KEY (tenant_id)
);
alter table web_page_setting enable row level security;
create policy platform_rows on web_page_setting to cabinet_platform using (true) with check (true);
create policy tenant_rows on web_page_setting to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

create table work_failure (
  tenant_id integer not null,
  work text not null,
  key text not null,
  attempts integer not null default 1,
  retry_at timestamp with time zone not null,
  constraint work_failure_attempts_check CHECK ((attempts > 0)),
  constraint work_failure_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint work_failure_pkey PRIMARY KEY (tenant_id, work, key)
);
alter table work_failure enable row level security;
create policy platform_rows on work_failure to cabinet_platform using (true) with check (true);
create policy tenant_rows on work_failure to cabinet_tenant using ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT current_tenant_id() AS current_tenant_id)));

CREATE OR REPLACE FUNCTION public.audit_content(e audit_log)
 RETURNS bytea
 LANGUAGE sql
 STABLE
RETURN convert_to((jsonb_build_array((e).tenant_id, (e).id, ((EXTRACT(epoch FROM (e).at) * (1000000)::numeric))::bigint, (e).actor_tenant_id, (e).actor_id, (e).actor_name, (e).call, (e).summary, (e).target, (e).reason, (e).before, (e).after, host((e).address), (e).request_id))::text, 'UTF8'::name)
;

CREATE OR REPLACE FUNCTION public.audit_hash(previous bytea, seq bigint, e audit_log)
 RETURNS bytea
 LANGUAGE sql
 STABLE
RETURN sha256(((previous || int8send(seq)) || audit_content(e)))
;

CREATE OR REPLACE FUNCTION public.chain_audit_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
declare
  head audit_head;
begin
  loop
    update audit_head h set seq = h.seq + 1, hash = audit_hash(h.hash, h.seq + 1, new)
    where h.tenant_id = new.tenant_id
    returning * into head;
    exit when found;
    insert into audit_head values (new.tenant_id, 0, '') on conflict do nothing;
  end loop;
  insert into audit_link values (new.tenant_id, head.seq, new.id, head.hash);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.check_journal_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  journal ledger_journal;
  is_balanced boolean;
begin
  if tg_table_name = 'ledger_leg' then
    select * into journal from ledger_journal j where j.tenant_id = new.tenant_id and j.id = new.journal_id;
  else
    journal := new;
  end if;
  select count(*) >= 2 and sum(l.amount_fen) = 0
    and coalesce(sum(l.amount_fen) filter (where l.account = 'WALLET_PRINCIPAL'), 0) = journal.principal_fen
    and coalesce(sum(l.amount_fen) filter (where l.account = 'WALLET_BONUS'), 0) = journal.bonus_fen
  into is_balanced
  from ledger_leg l where l.tenant_id = journal.tenant_id and l.journal_id = journal.id;
  if not is_balanced then
    raise exception 'journal % does not balance', journal.id using errcode = 'check_violation';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.current_tenant_id()
 RETURNS integer
 LANGUAGE sql
 STABLE
RETURN (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::integer
;

CREATE OR REPLACE FUNCTION public.end_session(hash bytea)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
  delete from session where token_hash = hash
$function$
;

CREATE OR REPLACE FUNCTION public.end_users_with_digits(digits text)
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 50
 SET search_path TO 'public'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
begin
  return query
    select id from end_user
    where tenant_id = current_tenant_id() and phone like '%' || digits || '%';
end $function$
;

CREATE OR REPLACE FUNCTION public.enqueue_job(task text, payload json, key text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
begin
  perform graphile_worker.add_job(task, payload, job_key => key);
end $function$
;

CREATE OR REPLACE FUNCTION public.enqueue_job_in(task text, payload json, key text, seconds double precision)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
begin
  perform graphile_worker.add_job(
    task, payload, job_key => key, run_at => now() + make_interval(secs => seconds));
end $function$
;

CREATE OR REPLACE FUNCTION public.ensure_order_month(month date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
declare
  first bigint := first_order_id(month::timestamp at time zone 'Asia/Shanghai');
  past bigint := first_order_id((month + interval '1 month') at time zone 'Asia/Shanghai');
  base text;
  part text;
  rest text;
  key text;
begin
  foreach base in array array['storage_order', 'order_event'] loop
    part := base || to_char(month, '_YYYY_MM');
    continue when to_regclass(part) is not null;
    rest := base || '_default';
    key := case base when 'storage_order' then 'id' else 'order_id' end;
    execute format('create table %I (like %I including defaults including constraints)', part, base);
    -- Nothing joins the default partition while its rows move; its owner sees none of them otherwise.
    execute format('lock table %I in access exclusive mode', rest);
    execute format('alter table %I no force row level security', rest);
    execute format('with moved as (delete from %I where %I >= %s and %I < %s returning *)
      insert into %I select * from moved', rest, key, first, key, past, part);
    execute format('alter table %I force row level security', rest);
    execute format('alter table %I enable row level security', part);
    execute format('alter table %I force row level security', part);
    execute format('alter table %I attach partition %I for values from (%s) to (%s)', base, part, first, past);
  end loop;
end $function$
;

CREATE OR REPLACE FUNCTION public.factor_is_exempt(of_tenant integer, of_id bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
  select coalesce(greatest(o.factor_exempt_until, t.factor_exempt_until) > now(), false)
  from operator o join tenant t on t.id = o.tenant_id
  where o.tenant_id = of_tenant and o.id = of_id
$function$
;

CREATE OR REPLACE FUNCTION public.find_app_session(hash bytea)
 RETURNS SETOF app_session_row
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
declare
  found_session app_session;
begin
  select * into found_session from app_session s
    where s.token_hash = hash and s.expires_at > now() and s.last_seen_at > now() - interval '7 days';
  if not found then return; end if;
  -- Idle time is kept to the hour, so that most requests only read.
  if found_session.last_seen_at < now() - interval '1 hour' then
    update app_session set last_seen_at = now() where token_hash = hash;
    update end_user set last_seen_at = now()
      where tenant_id = found_session.tenant_id and id = found_session.end_user_id;
  end if;
  return query
    select u.id, u.tenant_id, u.phone, u.name, is_locked(u), u.locked_until, tenant_is_open(t),
      t.state = 'DELETED'
    from end_user u join tenant t on t.id = u.tenant_id
    where u.tenant_id = found_session.tenant_id and u.id = found_session.end_user_id
      and u.deleted_at is null;
end $function$
;

CREATE OR REPLACE FUNCTION public.find_platform_sms(asked_scene text, asked_side text)
 RETURNS TABLE(sms_text text, sms_code text, sms_placeholders jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
  select t.sms_text, t.sms_code, t.sms_placeholders from message_template t
  where t.tenant_id = 1 and t.scene = asked_scene and t.side = asked_side and t.sms_text is not null
$function$
;

CREATE OR REPLACE FUNCTION public.find_session(hash bytea, is_activity boolean)
 RETURNS SETOF session_row
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
declare
  found_session session;
  is_proven boolean;
  is_proven_recently boolean;
begin
  select * into found_session from session s
    where s.token_hash = hash and s.expires_at > now() and s.last_seen_at > now() - interval '30 minutes';
  if not found then return; end if;
  -- Idle time is kept to the minute, so that most requests only read. Who visits is not idle at home.
  if is_activity and found_session.last_seen_at < now() - interval '1 minute' then
    update session set last_seen_at = now() where token_hash in (hash, found_session.opened_by);
  end if;
  is_proven := found_session.proven_at is not null;
  is_proven_recently := is_proven and found_session.proven_at > now() - make_interval(mins => coalesce((
    select setting.proof_minutes from tenant_setting setting where setting.tenant_id = found_session.tenant_id), 15));
  if found_session.visited_tenant_id is null then
    return query
      select o.id, o.tenant_id, o.username, o.display_name, o.user_type, o.must_change_password,
        t.state = 'ACTIVE' and (t.expires_at is null or t.expires_at > now()),
        o.permissions, o.is_store_bound, o.tenant_id, o.has_second_factor, o.needs_second_factor,
        is_proven, is_proven_recently
      from operator o join tenant t on t.id = o.tenant_id
      where o.tenant_id = found_session.tenant_id and o.id = found_session.operator_id
        and o.disabled_at is null;
  else
    -- The tenant itself may have expired or be suspended: that is often why somebody looks.
    return query
      select o.id, v.id, o.username, o.display_name, o.user_type, o.must_change_password, true,
        permissions_of_tenant(v.id), false, o.tenant_id, o.has_second_factor, o.needs_second_factor,
        is_proven, is_proven_recently
      from operator o, tenant v
      where o.tenant_id = 1 and o.tenant_id = found_session.tenant_id
        and o.id = found_session.operator_id and o.user_type = 0 and o.disabled_at is null
        and v.id = found_session.visited_tenant_id and v.state <> 'DELETED';
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION public.first_order_id(at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
RETURN (((floor(EXTRACT(epoch FROM at)))::bigint - 1704067200) << 22)
;

CREATE OR REPLACE FUNCTION public.hold_operator_places(of_tenant integer)
 RETURNS TABLE(tenant_name text, max_operators integer, used integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
begin
  if current_tenant_id() <> of_tenant then return; end if;
  perform from tenant t where t.id = of_tenant for no key update;
  return query
    select t.name, t.max_operators,
      (select count(*)::int from operator o where o.tenant_id = t.id and o.disabled_at is null)
    from tenant t where t.id = of_tenant and t.state <> 'DELETED';
end $function$
;

CREATE OR REPLACE FUNCTION public.is_locked(u end_user)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (((u).state = 'LOCKED'::text) AND (((u).locked_until IS NULL) OR ((u).locked_until > now())))
;

CREATE OR REPLACE FUNCTION public.is_store_bound(of_tenant integer, of_operator bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (SELECT ((o.user_type = 2) OR ((o.user_type = 1) AND (NOT (EXISTS (SELECT FROM (operator_role r JOIN role ON (((role.tenant_id = r.tenant_id) AND (role.id = r.role_id)))) WHERE ((r.tenant_id = is_store_bound.of_tenant) AND (r.operator_id = is_store_bound.of_operator) AND (role.store_scope = 'ALL'::text))))))) FROM operator o WHERE ((o.tenant_id = is_store_bound.of_tenant) AND (o.id = is_store_bound.of_operator)))
;

CREATE OR REPLACE FUNCTION public.live_tokens_without_mac(OUT of_session boolean, OUT of_app_session boolean)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
  select exists (select from session where not has_mac and expires_at > now()),
    exists (select from app_session where not has_mac and expires_at > now())
$function$
;

CREATE OR REPLACE FUNCTION public.measure_jobs()
 RETURNS TABLE(waiting integer, oldest_seconds double precision, failed integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  return query
  select (count(*) filter (where is_due))::int,
    coalesce(extract(epoch from now() - min(run_at) filter (where is_due)), 0)::float8,
    (count(*) filter (where attempts >= max_attempts))::int
  from (
    select run_at, attempts, max_attempts,
      locked_at is null and run_at <= now() and attempts < max_attempts as is_due
    from graphile_worker.jobs) job;
end $function$
;

CREATE OR REPLACE FUNCTION public.measure_schedule()
 RETURNS double precision
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  return (select extract(epoch from now() - max(last_execution))
    from graphile_worker._private_known_crontabs);
end $function$
;

CREATE OR REPLACE FUNCTION public.new_order_id(at timestamp with time zone DEFAULT now())
 RETURNS bigint
 LANGUAGE sql
RETURN (first_order_id(at) | (((nextval('order_number'::regclass) & (4194303)::bigint) * '2654435761'::bigint) & (4194303)::bigint))
;

CREATE OR REPLACE FUNCTION public.note_business_order_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
begin
  insert into business_order_change (tenant_id, order_id, app_id)
  select tenant_id, order_id, app_id from business_order
  where tenant_id = new.tenant_id and order_id = new.order_id
  on conflict (tenant_id, order_id) do update
    set changed_at = excluded.changed_at, change_tx = excluded.change_tx
    where business_order_change.change_tx <> excluded.change_tx;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.permissions_of(of_tenant integer, of_operator bigint)
 RETURNS text[]
 LANGUAGE sql
 STABLE
RETURN (SELECT CASE WHEN (o.user_type = 0) THEN permissions_of_tenant(permissions_of.of_tenant) ELSE ARRAY(SELECT DISTINCT p.p FROM (tenant_entries(permissions_of.of_tenant) m(id, parent_id, kind, uri, title, icon, permissions, sort) CROSS JOIN LATERAL unnest(m.permissions) p(p)) WHERE (m.id IN (SELECT g.menu_entry_id FROM (operator_role r JOIN role_menu_entry g ON (((g.tenant_id = r.tenant_id) AND (g.role_id = r.role_id)))) WHERE ((r.tenant_id = permissions_of.of_tenant) AND (r.operator_id = permissions_of.of_operator)))) ORDER BY p.p) END AS "array" FROM operator o WHERE ((o.tenant_id = permissions_of.of_tenant) AND (o.id = permissions_of.of_operator)))
;

CREATE OR REPLACE FUNCTION public.permissions_of_role(of_tenant integer, of_role bigint)
 RETURNS text[]
 LANGUAGE sql
 STABLE
RETURN ARRAY(SELECT DISTINCT p.p FROM (tenant_entries(permissions_of_role.of_tenant) m(id, parent_id, kind, uri, title, icon, permissions, sort) CROSS JOIN LATERAL unnest(m.permissions) p(p)) WHERE (m.id IN (SELECT role_menu_entry.menu_entry_id FROM role_menu_entry WHERE ((role_menu_entry.tenant_id = permissions_of_role.of_tenant) AND (role_menu_entry.role_id = permissions_of_role.of_role)))) ORDER BY p.p)
;

CREATE OR REPLACE FUNCTION public.permissions_of_tenant(of_tenant integer)
 RETURNS text[]
 LANGUAGE sql
 STABLE
RETURN ARRAY(SELECT DISTINCT p.p FROM (tenant_entries(permissions_of_tenant.of_tenant) m(id, parent_id, kind, uri, title, icon, permissions, sort) CROSS JOIN LATERAL unnest(m.permissions) p(p)) ORDER BY p.p)
;

CREATE OR REPLACE FUNCTION public.protect_tenant_table(name regclass, privileges text DEFAULT 'select, insert, update, delete'::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format(
    'create policy tenant_rows on %s to cabinet_tenant using (tenant_id = (select current_tenant_id())) with check (tenant_id = (select current_tenant_id()))',
    name);
  execute format('create policy platform_rows on %s to cabinet_platform using (true) with check (true)', name);
  execute format('grant %s on %s to cabinet_tenant, cabinet_platform', privileges, name);
end $function$
;

CREATE OR REPLACE FUNCTION public.prune_audit_seals(tenant integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
  delete from audit_seal seal
  where seal.tenant_id = tenant and exists (
    select from audit_seal later
    where later.tenant_id = tenant and later.day = seal.day and later.seq > seal.seq
      and later.day < (select max(newest.day) from audit_seal newest where newest.tenant_id = tenant))
$function$
;

CREATE OR REPLACE FUNCTION public.refresh_accounts(tenants integer[], ids bigint[])
 RETURNS void
 LANGUAGE sql
AS $function$
  with concerned as materialized (
    select o.tenant_id, o.id, o.user_type, array(
      select r.role_id from operator_role r
      where r.tenant_id = o.tenant_id and r.operator_id = o.id order by r.role_id) as roles
    from unnest(tenants, ids) c (tenant_id, id)
    join operator o on o.tenant_id = c.tenant_id and o.id = c.id
  ), alike as materialized (
    select k.tenant_id, k.user_type, k.roles, permissions_of(k.tenant_id, k.one_id) as permissions,
      is_store_bound(k.tenant_id, k.one_id) as is_store_bound,
      exists (
        select from role r where r.tenant_id = k.tenant_id and r.id = any(k.roles)
          and r.needs_second_factor)
      or k.user_type = 0 and exists (
        select from tenant_setting setting where setting.tenant_id = k.tenant_id
          and setting.admins_need_factor) as needs_second_factor
    from (
      select tenant_id, user_type, roles, min(id) as one_id from concerned
      group by tenant_id, user_type, roles) k
  )
  update operator o set permissions = a.permissions, is_store_bound = a.is_store_bound,
    needs_second_factor = a.needs_second_factor
  from concerned c
  join alike a on a.tenant_id = c.tenant_id and a.user_type = c.user_type and a.roles = c.roles
  where o.tenant_id = c.tenant_id and o.id = c.id
    and (o.permissions, o.is_store_bound, o.needs_second_factor)
      is distinct from (a.permissions, a.is_store_bound, a.needs_second_factor)
$function$
;

CREATE OR REPLACE FUNCTION public.refresh_administrators()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
declare
  ids bigint[];
begin
  perform pg_advisory_xact_lock(7214002);
  select array_agg(o.id) into ids from operator o where o.tenant_id = new.tenant_id and o.user_type = 0;
  perform refresh_accounts(array_fill(new.tenant_id, array[coalesce(cardinality(ids), 0)]), ids);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.refresh_permissions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
declare
  tenants int[];
  ids bigint[];
begin
  -- One change at a time: what another transaction grants or takes meanwhile is seen by whoever is later.
  perform pg_advisory_xact_lock(7214002);
  if tg_table_name = 'operator' then
    perform refresh_accounts(array[new.tenant_id], array[new.id]);
    return null;
  elsif tg_table_name = 'operator_role' then
    select array_agg(c.tenant_id), array_agg(c.operator_id) into tenants, ids
    from (select distinct tenant_id, operator_id from changed) c;
  elsif tg_table_name = 'role_menu_entry' then
    select array_agg(c.tenant_id), array_agg(c.operator_id) into tenants, ids
    from (select distinct r.tenant_id, r.operator_id
      from changed c join operator_role r on r.tenant_id = c.tenant_id and r.role_id = c.role_id) c;
  elsif tg_table_name = 'role' then
    select array_agg(r.tenant_id), array_agg(r.operator_id) into tenants, ids
    from operator_role r where r.tenant_id = new.tenant_id and r.role_id = new.id;
  elsif tg_table_name = 'tenant_withheld_entry' then
    select array_agg(o.tenant_id), array_agg(o.id) into tenants, ids
    from operator o where o.tenant_id in (select tenant_id from changed);
  elsif tg_op = 'UPDATE' then
    -- Of the menu: anybody may be concerned, also by what hangs below another entry now.
    select array_agg(o.tenant_id), array_agg(o.id) into tenants, ids from operator o;
  else
    -- No role grants a new entry yet, and what a deleted one granted goes with its grants.
    select array_agg(o.tenant_id), array_agg(o.id) into tenants, ids
    from operator o where o.user_type = 0;
  end if;
  perform refresh_accounts(tenants, ids);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_deleted_end_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from end_user u
    where u.tenant_id = new.tenant_id and u.id = new.end_user_id and u.deleted_at is null
    for key share;
  if not found then
    raise exception 'end user % was deleted', new.end_user_id
      using errcode = 'check_violation', constraint = 'end_user_is_there';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_hand_on_chain()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'the chain of the audit log is written by the database alone' using errcode = '42501';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_removal_by_hand()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if pg_trigger_depth() < 2 then
    if exists (select from tenant where tenant.id = old.tenant_id and tenant.erase_began_at is not null) then
      return old;
    end if;
    raise exception 'entries of the audit log are not deleted by hand' using errcode = '42501';
  end if;
  -- Article 21 of the Cybersecurity Law: network logs are kept for at least six months.
  if tg_table_name = 'audit_log' then
    if old.at > now() - interval '180 days' then
      raise exception 'the audit log keeps this entry' using errcode = '42501';
    end if;
  end if;
  return old;
end $function$
;

CREATE OR REPLACE FUNCTION public.remove_behind_audit_base()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (tg_op = 'UPDATE' and new.seq <= old.seq) or not exists (
    select from audit_link link
    where link.tenant_id = new.tenant_id and link.seq = new.seq and link.hash = new.hash)
  then
    raise exception 'an audit chain is shortened at one of its links only' using errcode = '42501';
  end if;
  delete from audit_log audit using audit_link link
  where link.tenant_id = new.tenant_id and link.seq <= new.seq
    and audit.tenant_id = new.tenant_id and audit.id = link.entry_id;
  delete from audit_link link where link.tenant_id = new.tenant_id and link.seq <= new.seq;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.review_requester(of_tenant integer, of_id bigint, permission text, other_tenant integer, other_id bigint, OUT may_still boolean, OUT is_same_person boolean)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
  select requester.disabled_at is null
      and (requester.tenant_id = 1 and requester.user_type = 0 or permission = any(requester.permissions)),
    requester.id = other.id or requester.phone <> '' and requester.phone = other.phone
  from operator requester, operator other
  where requester.tenant_id = of_tenant and requester.id = of_id
    and other.tenant_id = other_tenant and other.id = other_id
$function$
;

CREATE OR REPLACE FUNCTION public.tenant_entries(of_tenant integer)
 RETURNS SETOF menu_entry
 LANGUAGE sql
 STABLE
AS $function$
  with recursive offered as (
    select m.* from menu_entry m
    where (of_tenant = 1 or (m.uri not like '/register%' and m.uri not like '/set/power%'))
      and not exists (
        select from tenant_withheld_entry w where w.tenant_id = of_tenant and w.menu_entry_id = m.id)
  ), had as (
    select o.* from offered o where o.parent_id is null
    union all
    select o.* from offered o join had on had.id = o.parent_id
  )
  select * from had
$function$
;

CREATE OR REPLACE FUNCTION public.tenant_feature_is_on(switch tenant_feature, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN ((switch).is_on AND ((((at AT TIME ZONE 'Asia/Shanghai'::text))::date >= COALESCE((switch).starts_on, '-infinity'::date)) AND (((at AT TIME ZONE 'Asia/Shanghai'::text))::date <= COALESCE((switch).ends_on, 'infinity'::date))))
;

CREATE OR REPLACE FUNCTION public.tenant_is_open(t tenant)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (((t).state = 'ACTIVE'::text) AND (((t).expires_at IS NULL) OR ((t).expires_at > now())))
;

CREATE OR REPLACE FUNCTION public.tenant_off_features(of_tenant integer)
 RETURNS text[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public'
RETURN ARRAY(SELECT switch.feature FROM tenant_feature switch WHERE ((switch.tenant_id = tenant_off_features.of_tenant) AND (NOT tenant_feature_is_on(switch.*, now()))) ORDER BY switch.feature)
;

CREATE OR REPLACE FUNCTION public.waiting_exports(before timestamp with time zone DEFAULT 'infinity'::timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public'
AS $function$ select count(*)::int from list_export where state = 'WAITING' and created_at < before $function$
;

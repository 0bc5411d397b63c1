-- Terms and privacy texts of tenants by version, and the consents of people. The platform's texts (tenant 1) stand in for
-- tenants that have none.

create table legal_text (
  tenant_id int not null references tenant,
  id bigint generated always as identity unique,
  kind text not null check (kind in ('TERMS', 'PRIVACY')),
  version int not null,
  body text not null,
  published_at timestamptz not null default now(),
  published_by text not null,
  primary key (tenant_id, id),
  unique (tenant_id, kind, version)
);
select protect_tenant_table('legal_text', 'select, insert');
create policy texts_of_platform on legal_text for select to cabinet_tenant
  using (tenant_id = 1 and (select current_tenant_id()) is not null);

create table legal_consent (
  tenant_id int not null,
  end_user_id bigint not null,
  legal_text_id bigint not null references legal_text (id),
  agreed_at timestamptz not null default now(),
  primary key (tenant_id, end_user_id, legal_text_id),
  foreign key (tenant_id, end_user_id) references end_user
);
select protect_tenant_table('legal_consent', 'select, insert');
create index legal_consent_text on legal_consent (legal_text_id, tenant_id);

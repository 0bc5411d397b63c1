-- Notes of operators on a person, for whoever answers the phone next. They are erased with the person (0078).

create table end_user_note (
  tenant_id int not null,
  id bigint generated always as identity,
  end_user_id bigint not null,
  text text not null,
  at timestamptz not null default now(),
  actor_id bigint not null,
  actor_name text not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, end_user_id) references end_user
);
create index end_user_note_user on end_user_note (tenant_id, end_user_id, id desc);
select protect_tenant_table('end_user_note', 'select, insert, delete');

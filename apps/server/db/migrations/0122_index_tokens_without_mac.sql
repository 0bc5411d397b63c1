-- Tokens of the release before: every ten seconds a process asks whether one of them lives.

drop index concurrently if exists session_without_mac;
create index concurrently session_without_mac on session (expires_at) where not has_mac;
drop index concurrently if exists app_session_without_mac;
create index concurrently app_session_without_mac on app_session (expires_at) where not has_mac;

-- Tokens of the release before: whether one of them lives is asked every ten seconds.
create index concurrently if not exists session_without_mac on session (expires_at) where not has_mac;
create index concurrently if not exists app_session_without_mac on app_session (expires_at) where not has_mac;

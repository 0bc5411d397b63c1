-- Whoever asks for what is to be done is told how the carrier stands, in whatever scope that is asked.
grant select (check_state) on sms_channel to cabinet_tenant;

-- Passwords that another account has set expire, and the sign-in log tells the second step apart.

alter table operator add column first_password_until timestamptz;

alter table login_log drop constraint login_log_outcome_check;
alter table login_log add constraint login_log_outcome_check check (outcome in (
  'SIGNED_IN', 'SECOND_STEP_PASSED', 'CREDENTIALS_WRONG', 'SECOND_STEP_WRONG', 'FIRST_PASSWORD_EXPIRED',
  'DISABLED', 'THROTTLED', 'TENANT_EXPIRED')) not valid;
alter table login_log validate constraint login_log_outcome_check;

-- Works under the service's role, which may add events and never change them. No binds.
-- The name is that of infra/postgres/roles.py.
SELECT set_config(
    'role',
    'talon_app_' || left(encode(sha256(convert_to(current_database(), 'UTF8')), 'hex'), 16),
    false
)

-- Stores an application; a repetition changes nothing.
-- $1 uuid  application
-- $2 text  name
INSERT INTO app (app_id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING

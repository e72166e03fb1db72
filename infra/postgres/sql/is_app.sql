-- Whether there is an application with this id.
-- $1 uuid  application
SELECT app_id FROM app WHERE app_id = $1

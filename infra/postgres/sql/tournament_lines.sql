-- The lines of these tournaments, private ones too.
-- $1 uuid[]  tournaments
SELECT tournament_id, line FROM tournament WHERE tournament_id = ANY ($1::uuid[])

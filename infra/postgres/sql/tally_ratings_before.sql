-- The newest ratings of persons, by form of play, as of a position.
-- $1 bigint  generation
-- $2 bigint  position
-- $3 uuid[]  persons
-- $4 text[]  forms
SELECT person.player_id, form.form, found.position, mu, sigma, form_mu, form_sigma
FROM unnest($3::uuid[]) AS person (player_id)
CROSS JOIN unnest($4::text[]) AS form (form)
CROSS JOIN LATERAL (
    SELECT position, mu, sigma, form_mu, form_sigma
    FROM seat_result
    WHERE generation = $1 AND seat_result.player_id = person.player_id
        AND seat_result.form = form.form AND position <= $2 AND mu IS NOT NULL
    ORDER BY position DESC LIMIT 1
) AS found

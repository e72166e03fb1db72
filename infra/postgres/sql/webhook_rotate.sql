-- Gives a webhook a new secret; the one before signs too for a while.
-- $1 uuid         webhook
-- $2 bytea        sealed secret
-- $3 timestamptz  until when the one before signs
UPDATE webhook SET sealed_old = sealed_secret, old_until = $3, sealed_secret = $2
WHERE webhook_id = $1

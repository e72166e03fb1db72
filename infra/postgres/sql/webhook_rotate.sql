-- Gives a webhook a new secret; the one before signs too for a while. A rotation that was asked for
-- before the last one, and comes again, changes nothing.
-- $1 uuid         webhook
-- $2 bytea        sealed secret
-- $3 timestamptz  until when the one before signs
UPDATE webhook SET sealed_old = sealed_secret, old_until = $3, sealed_secret = $2
WHERE webhook_id = $1 AND (old_until IS NULL OR old_until < $3)

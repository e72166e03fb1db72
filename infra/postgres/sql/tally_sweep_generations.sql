-- Removes the generations that nobody reads.
DELETE FROM tally WHERE NOT is_live

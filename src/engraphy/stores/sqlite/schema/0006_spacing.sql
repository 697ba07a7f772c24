-- When a delivery last counted as a retrieval of its own (several within an hour count once), and
-- when utility last drifted: two clocks of their own, as neither is the last delivery nor the last
-- decay.
ALTER TABLE memories ADD COLUMN last_strengthened_at INTEGER;
ALTER TABLE memories ADD COLUMN last_drifted_at INTEGER;

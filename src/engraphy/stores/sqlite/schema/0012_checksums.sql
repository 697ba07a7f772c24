-- CRC-32 over what a row says (relational/rows.py): a bit that flips in the file is told as damage. Not
-- over what reading moves. The rows that stand get theirs in the same transaction.
ALTER TABLE memories ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;

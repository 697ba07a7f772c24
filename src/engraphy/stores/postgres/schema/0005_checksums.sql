-- CRC-32 over what a row says (relational/rows.py), of each row that is written from now on; the number
-- stands for none. PostgreSQL has checksums of its own, over pages; these travel with a row.
ALTER TABLE memories ADD COLUMN checksum BIGINT NOT NULL DEFAULT 7308892986227583097;

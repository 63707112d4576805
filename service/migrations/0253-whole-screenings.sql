-- When a PSP's clients were last compared with all of all lists; between, they are compared with what changed.
ALTER TABLE list_screenings ADD COLUMN whole_at timestamptz;

"""Contains the SQL for a trigger with which PostgreSQL records every change of a judging, independently of the service."""

DIARY = """
CREATE TABLE soak_step (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, judging TEXT, submission TEXT, old_status TEXT, new_status TEXT,
    owner TEXT, applied TEXT, old_verdict TEXT, new_verdict TEXT, attempt INTEGER);
CREATE FUNCTION soak_note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO soak_step (judging, submission, old_status, new_status, owner, applied, old_verdict, new_verdict, attempt)
    VALUES (new.id, new.submission_id, old.status, new.status, old.token,
        CASE WHEN new.judgement IS DISTINCT FROM old.judgement THEN new.judgement::json ->> 'token' END,
        old.verdict, new.verdict, new.attempt);
    RETURN NULL;
END $$;
CREATE TRIGGER soak_steps AFTER UPDATE ON judging FOR EACH ROW
WHEN (old.status IS DISTINCT FROM new.status OR old.verdict IS DISTINCT FROM new.verdict
    OR old.judgement IS DISTINCT FROM new.judgement)
EXECUTE FUNCTION soak_note();
"""

package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Notes about what the servers of a cluster did not report. */
final class NotesTest {
    @Test
    void mentionsACommonNoteOnce() {
        Notes notes = new Notes();
        notes.add("pg_stat_statements of %s is full", "dn2");
        notes.add("pg_stat_statements of %s is full", "dn1");
        notes.add("pg_stat_statements of %s is full", "dn1");
        notes.add("something else");

        assertThat(notes.all()).containsExactly("something else", "pg_stat_statements of dn1, dn2 is full");
    }
}

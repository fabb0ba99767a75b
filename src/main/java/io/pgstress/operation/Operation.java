package io.pgstress.operation;

import io.pgstress.dataset.KeySampler;
import io.pgstress.dataset.KeySamplers;
import io.pgstress.dataset.SplitMix;
import io.pgstress.plan.KeyDistribution;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlSession;
import io.pgstress.target.statement.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;

/** An operation on a table, the same for all clients and in all statement modes. Thread-safe. */
public interface Operation extends AutoCloseable {
    /** A client's statements, in the order of their numbers; all clients have the same number of them, by the same names. */
    List<Sql> statements(int client);

    /** What the run must know of it. {@link #setUp} may find out more. */
    default OperationProfile profile() {
        return OperationProfile.DEFAULT;
    }

    /**
     * Creates what it needs and has the server parse its statements; once, before the load.
     *
     * @param control a control connection in autocommit mode
     */
    default void setUp(Connection control) throws SQLException {}

    /**
     * Brings its own tables into their first state, while no client runs: before the load, and later as its
     * {@link OperationProfile#whenUsedUp} says.
     */
    default void resetTables(Connection control) throws SQLException {}

    /** Makes all ids available again and forgets what was written, while no client runs; after each reset. */
    default void rewind() {}

    /** What to compare with the tables after the load, when every client has ended; asked after {@link #setUp}. */
    default List<TableCheck> checks() {
        return List.of();
    }

    /** The operation as one client runs it. */
    ClientOperation forClient(ClientSeat seat);

    /** Closes what it has opened on this machine; after its last client. */
    @Override
    default void close() {}

    /**
     * One client's part of the run.
     *
     * @param number the operation's number in the mix
     * @param session the client's session
     * @param client the client's number, of {@code clients}
     */
    record ClientSeat(int number, SqlSession session, int client, int clients, long seed) {
        /** The seat's own random numbers: different for each client and for each operation of a client. */
        public SplitMix random() {
            return new SplitMix(seed, (long) number << Integer.SIZE | client);
        }

        /** The seat's statement of this number. */
        public SqlStatement statement(int s) {
            return session.statement(number, s);
        }

        /** Its first statements. */
        public SqlStatement[] statements(int count) {
            return IntStream.range(0, count).mapToObj(this::statement).toArray(SqlStatement[]::new);
        }

        /** Draws from this many ids, or other things, by the seat's own random numbers. */
        public KeySampler sampler(KeyDistribution distribution, int size) {
            return KeySamplers.of(distribution, size, random(), seed, client, clients);
        }
    }
}

package io.pgstress.operation;

import io.pgstress.dataset.Claim;
import io.pgstress.dataset.KeySampler;
import io.pgstress.dataset.KeySamplers;
import io.pgstress.dataset.SplitMix;
import io.pgstress.operation.check.Writes;
import io.pgstress.plan.KeyDistribution;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlSession;
import io.pgstress.target.statement.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** An operation on a table, the same for all clients and in all statement modes. Thread-safe. */
public interface Operation extends AutoCloseable {
    /** Its statements, in the order of their numbers. */
    List<Sql> statements();

    /**
     * Makes what it needs and has the server look at its statements; once, before the load.
     *
     * @param control a connection that is no load, in autocommit mode
     */
    default void setUp(Connection control) throws SQLException {}

    /** Brings what it owns into the first state; before the load and whenever it is used up, all clients standing still. */
    default void resetOwn(Connection control) throws SQLException {}

    /** What is looked at in its tables after the load, in which every client has ended; null where there is nothing. */
    default @Nullable Check check() {
        return null;
    }

    /** The tables that it needs for itself, so that no second run may work on them at the same time. */
    default List<Claim> claims() {
        return List.of();
    }

    /** What its clients write and note in tallies, for the check after the load. To be asked after {@link #setUp}. */
    default List<Writes> writes() {
        return List.of();
    }

    /** What its clients write and cannot be checked afterwards, in words. */
    default List<String> uncheckedWrites() {
        return List.of();
    }

    /** Whether {@link #resetOwn} makes available again what clients have used up. */
    default boolean startsOver() {
        return false;
    }

    /** Whether it goes on where it is when what others have used up is made available again: {@link #resetOwn} is for its begin. */
    default boolean goesOn() {
        return false;
    }

    /** Whether its clients define tables or indexes, which not every server of a cluster may take. */
    default boolean definesTables() {
        return false;
    }

    /** Bytes of a row, for rates of bytes; 0 where nobody asks for them. To be asked after {@link #setUp}. */
    default double rowBytes() {
        return 0;
    }

    /** Its statements as a client has them, where clients have tables of their own; of the same names. */
    default List<Sql> statements(int client) {
        return statements();
    }

    /** Whether it brings its own transaction, so that {@code --transaction} makes no sense. */
    default boolean isTransaction() {
        return false;
    }

    /** What is done to the copy table before a run and whenever the ids are used up. */
    default Reset reset() {
        return Reset.NONE;
    }

    /** Whether there has to be a copy table, in whatever state; one that is missing is made, empty. */
    default boolean needsCopy() {
        return reset() != Reset.NONE;
    }

    /** The operation as one client runs it. */
    ClientOperation forClient(ClientSeat seat);

    /** Lets go of what it has open on this machine; after its last client. */
    @Override
    default void close() {}

    /** All ids can be handed out again; called while every client stands still. */
    default void handOutAgain() {}

    /** Tells what holds in tables. */
    @FunctionalInterface
    interface Check {
        List<PostRunCheck> on(Connection control) throws SQLException;
    }

    /**
     * One client's place in the run.
     *
     * @param number the operation's number in the mix
     * @param session the client's own
     * @param client the client's number, of {@code clients}
     */
    record ClientSeat(int number, SqlSession session, int client, int clients, long seed) {
        /** The seat's own random numbers: no two clients, and no two operations of a client, have the same. */
        public SplitMix random() {
            return new SplitMix(seed, (long) number << Integer.SIZE | client);
        }

        /** The seat's statement of this number. */
        public SqlStatement statement(int s) {
            return session.statement(number, s);
        }

        /** Its first so many statements. */
        public SqlStatement[] statements(int count) {
            return IntStream.range(0, count).mapToObj(this::statement).toArray(SqlStatement[]::new);
        }

        /** Draws from so many ids, or other things, by the seat's own random numbers. */
        public KeySampler sampler(KeyDistribution distribution, int size) {
            return KeySamplers.of(distribution, size, random(), seed, client, clients);
        }
    }
}

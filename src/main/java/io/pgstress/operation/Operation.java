package io.pgstress.operation;

import io.pgstress.dataset.KeySamplers;
import io.pgstress.dataset.KeySamplers.KeySampler;
import io.pgstress.dataset.SplitMix;
import io.pgstress.plan.KeyDistribution;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.statement.ClientStatements;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** An operation on a table, shared by all clients and statement modes. Thread-safe. */
public interface Operation {
    /** A client's statements, by number; the count and the names are the same for all clients. */
    List<Sql> statements(int client);

    /** What the run needs to know about this operation. {@link #setUp} may refine it. */
    default OperationProfile profile() {
        return OperationProfile.DEFAULT;
    }

    /**
     * Creates the tables it needs and has the server parse its statements; called once, before the load.
     *
     * @param control a control connection in autocommit mode
     */
    default void setUp(Connection control) throws SQLException {}

    /** Whether {@link #setUp} may create or change anything on the server; operations after it in the mix may need that. */
    default boolean changesInSetUp() {
        return false;
    }

    /**
     * Sets several operations up, one after the other. After a refusal, nothing is created or changed: the operations are only checked
     * up to the next one that would.
     *
     * @throws InvalidPlanException with what is wrong with all that were checked
     */
    static void setUp(List<Operation> all, Connection control) throws SQLException {
        List<String> problems = new ArrayList<>();
        for (Operation operation : all) {
            if (!problems.isEmpty() && operation.changesInSetUp()) {
                break;
            }
            try {
                operation.setUp(control);
            } catch (InvalidPlanException e) {
                problems.addAll(e.problems());
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidPlanException(problems);
        }
    }

    /**
     * Brings its own tables into their initial state while no client runs: before the load, and later according to
     * {@link OperationProfile#whenUsedUp}.
     */
    default void resetTables(Connection control) throws SQLException {}

    /** The rows of the table it created or found in {@link #setUp}; -1 if only counting them tells. */
    default long knownRows() {
        return -1;
    }

    /** Makes all ids available again and forgets past writes, while no client runs; called after each reset. */
    default void rewind() {}

    /** Checks of the tables after the load, when all clients have ended. May be called before {@link #setUp}. */
    default List<TableCheck> checks() {
        return List.of();
    }

    /** The operation as one client runs it. */
    ClientOperation forClient(ClientSeat seat);

    /**
     * One client's part of the run.
     *
     * @param number the operation's position in the mix
     * @param session the client's session
     * @param client the client's number, less than {@code clients}
     */
    record ClientSeat(int number, ClientStatements session, int client, int clients, long seed) {
        /** Random numbers specific to this client and operation. */
        public SplitMix random() {
            return new SplitMix(seed, (long) number << Integer.SIZE | client);
        }

        /** The statement with this number. */
        public SqlStatement statement(int s) {
            return session.statement(number, s);
        }

        /** The first {@code count} statements. */
        public SqlStatement[] statements(int count) {
            return IntStream.range(0, count).mapToObj(this::statement).toArray(SqlStatement[]::new);
        }

        /** Draws from {@code size} items with this seat's random numbers. */
        public KeySampler sampler(KeyDistribution distribution, long size) {
            return KeySamplers.of(distribution, size, random(), seed, client, clients);
        }
    }
}

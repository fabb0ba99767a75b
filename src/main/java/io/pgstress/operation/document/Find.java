package io.pgstress.operation.document;

import io.pgstress.dataset.KeySamplers.KeySampler;
import io.pgstress.dataset.Keys;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.ClientOperation.Ending;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationType;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import io.pgstress.target.statement.SqlStatement.RowReader;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;

/** {@code find_first}, {@code find_in} and {@code find}: each reads rows by random ids, with one statement. */
public final class Find implements Operation {
    /** The rows that a statement reads. */
    private enum Rows {
        /** That of one existing id. */
        ONE,
        /** Those of a batch of ids; an id drawn twice returns its row once. */
        BATCH,
        /** Those above an id, up to a random limit. The greatest id is never drawn, because no row lies beyond it. */
        ABOVE
    }

    static final Option<Integer> BATCH = Option.of("batch", "N", Forms.integer(1, 32_000))
            .byDefault("40")
            .help(Group.OPERATION, "ids per statement");

    static final Option<Integer> LIMIT_MIN = Option.of("limit-min", "N", Forms.integer(1, Integer.MAX_VALUE))
            .byDefault("100")
            .help(Group.OPERATION, "fewest rows of a query");

    static final Option<Integer> LIMIT_MAX = Option.of("limit-max", "N", Forms.integer(1, Integer.MAX_VALUE))
            .byDefault("10100")
            .refusedIf(o -> o.get(Find.LIMIT_MAX) < o.get(LIMIT_MIN) ? "must be at least --limit-min" : "")
            .help(Group.OPERATION, "most rows of a query");

    static final Option<Boolean> ORDER_BY_ID = Option.flag("order-by-id").help(Group.OPERATION, "order by _id");

    public static final OperationType FIRST = OperationType.of(
                    "find_first", "reads the row of a random id", context -> new Find(Rows.ONE, context))
            .with(RunOptions.KEY_DISTRIBUTION, RunOptions.KEY_SAMPLE);

    public static final OperationType IN = OperationType.of(
                    "find_in", "reads the rows of --batch random ids", context -> new Find(Rows.BATCH, context))
            .with(BATCH, RunOptions.KEY_DISTRIBUTION, RunOptions.KEY_SAMPLE);

    public static final OperationType TYPE = OperationType.of(
                    "find",
                    "reads --limit-min to --limit-max rows after a random id",
                    context -> new Find(Rows.ABOVE, context))
            .with(LIMIT_MIN, LIMIT_MAX, ORDER_BY_ID, RunOptions.KEY_DISTRIBUTION, RunOptions.KEY_SAMPLE);

    private final Rows which;
    private final OperationType.Context context;

    private Find(Rows which, OperationType.Context context) {
        this.which = which;
        this.context = context;
    }

    @Override
    public List<Sql> statements(int client) {
        String condition = switch (which) {
            case ONE -> "= ?";
            case BATCH -> "in (" + String.join(", ", Collections.nCopies(context.get(BATCH), "?")) + ")";
            case ABOVE -> "> ?" + (context.get(ORDER_BY_ID) ? " order by _id" : "") + " limit ?";
        };
        return List.of(new Sql(
                "select", "select _id, data from " + context.table().name().quoted() + " where _id " + condition));
    }

    @Override
    public OperationProfile profile() {
        return which == Rows.ABOVE
                ? OperationProfile.DEFAULT.holdingRows(context.get(LIMIT_MAX))
                : OperationProfile.DEFAULT;
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        boolean isAbove = which == Rows.ABOVE;
        Keys keys = context.table().keys();
        KeySampler sampler = seat.sampler(
                context.get(RunOptions.KEY_DISTRIBUTION), isAbove ? Math.max(1, keys.size() - 1) : keys.size());
        SqlStatement select = seat.statement(0);
        long[] drawn = new long[which == Rows.BATCH ? context.get(BATCH) : 1];
        int limitMin = context.get(LIMIT_MIN);
        int limits = (int) Math.min(Integer.MAX_VALUE, (long) context.get(LIMIT_MAX) - limitMin + 1);
        return new ClientOperation() {
            private int limit;
            private long rows;

            @Override
            public boolean draw() {
                for (int i = 0; i < drawn.length; i++) {
                    drawn[i] = sampler.next();
                }
                if (isAbove) {
                    limit = limitMin + sampler.below(limits);
                }
                return true;
            }

            @Override
            public Ending execute() throws SQLException {
                for (int i = 0; i < drawn.length; i++) {
                    keys.bind(select, i + 1, drawn[i]);
                }
                if (isAbove) {
                    select.setInt(2, limit);
                }
                rows = select.query(RowReader.ID_AND_DATA);
                return rows == 0 ? Ending.MISS : Ending.OK;
            }

            @Override
            public long rows() {
                return rows;
            }
        };
    }
}

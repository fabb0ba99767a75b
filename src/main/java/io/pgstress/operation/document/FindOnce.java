package io.pgstress.operation.document;

import io.pgstress.dataset.KeyHandout;
import io.pgstress.dataset.KeySlices;
import io.pgstress.dataset.Keys;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.ClientOperation.Ending;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationProfile.OperationTrait;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.TalliedClient;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.Writes;
import io.pgstress.operation.Writes.Kind;
import io.pgstress.plan.HostShare;
import io.pgstress.plan.OperationKind.CopyState;
import io.pgstress.plan.RunLoadOptions;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import io.pgstress.target.statement.SqlStatement.RowReader;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code find_insert} and {@code find_delete}: reads one row by id, then inserts it into the copy table, or deletes that id
 * there. Each id is handed out once, so a duplicate means that the row already existed, and a miss that it was not there.
 */
public final class FindOnce implements Operation {
    public static final OperationType INSERT = type(
                    "find_insert", "reads a row by id and inserts it into the copy table", Kind.INSERT)
            .withCopy(CopyState.EMPTY);

    public static final OperationType DELETE = type(
                    "find_delete", "reads a row by id and deletes it from the copy table", Kind.DELETE)
            .withCopy(CopyState.DRAWN);

    private final OperationType.Context context;
    private final KeySlices slices;
    private final KeyHandout handout;
    private final String name;
    private final Kind kind;
    private final WriteTallies tallies;
    private final boolean isReset;

    private FindOnce(String name, Kind kind, OperationType.Context context) {
        this.context = context;
        this.name = name;
        this.isReset = !context.get(RunOptions.NO_RESET);
        this.kind = kind;
        this.tallies = new WriteTallies(context.get(RunOptions.TRANSACTION));
        this.slices = new KeySlices(context.table().keys().size(), context.seed());
        this.handout = new KeyHandout(slices, context.share(), part(context));
    }

    /** Scheduled starts are divided evenly over the hosts; otherwise each client uses as many ids as it can. */
    private static HostShare part(OperationType.Context context) {
        return context.get(RunLoadOptions.RATE).isEmpty()
                ? context.share()
                : context.share().ofEqualHosts();
    }

    private static OperationType type(String name, String summary, Kind kind) {
        return OperationType.of(name, summary, context -> new FindOnce(name, kind, context))
                .with(RunOptions.NO_RESET, RunOptions.KEY_SAMPLE);
    }

    /**
     * The statement that changes the copy table; the id is its first parameter. If it inserts, the document is the second one,
     * and the values of the other columns follow.
     *
     * @param others the other columns of a row, quoted
     */
    private Sql change(TableName copy, List<String> others) {
        if (kind == Kind.DELETE) {
            return new Sql("delete", "delete from " + copy.quoted() + " where _id = ?");
        }
        String columns = others.stream().map(each -> ", " + each).collect(Collectors.joining());
        return new Sql(
                "insert",
                "insert into " + copy.quoted() + " (_id, data" + columns + ") values (?, ?"
                        + ", ?".repeat(others.size()) + ")");
    }

    @Override
    public List<Sql> statements(int client) {
        TableName table = context.table().name();
        return List.of(ReadDocument.selectById(table, others()), change(table.copy(), others()));
    }

    private List<String> others() {
        return kind == Kind.INSERT ? context.table().others() : List.of();
    }

    @Override
    public OperationProfile profile() {
        OperationProfile profile =
                OperationProfile.DEFAULT.claiming(context.table().name().copy().quoted());
        return kind == Kind.INSERT
                ? profile.withCopy(CopyState.EMPTY)
                : profile.withCopyOf(slices).with(OperationTrait.EXPECTS_MISSES, !isReset);
    }

    @Override
    public List<TableCheck> checks() {
        TableName copy = context.table().name().copy();
        return List.of(Writes.copy(name, kind, copy, context.table().keys().areNumbers(), tallies));
    }

    @Override
    public void rewind() {
        handout.reset();
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        Keys keys = context.table().keys();
        KeyHandout.Share share = handout.share();
        ReadDocument read = new ReadDocument(keys, seat.statement(0), others().size());
        SqlStatement change = seat.statement(1);
        boolean isRowDue = kind == Kind.INSERT || isReset; // otherwise the row may never have existed
        return new TalliedClient(tallies.forClient(), 1) {
            private long drawn;
            private long rows;

            @Override
            public boolean draw() {
                drawn = share.next();
                return drawn >= 0;
            }

            @Override
            public Ending execute() throws SQLException {
                if (!read.find(drawn)) {
                    return Ending.MISS;
                }
                keys.bind(change, 1, drawn);
                if (kind == Kind.INSERT) {
                    change.setUntyped(2, read.document());
                    for (int i = 0; i < read.others(); i++) {
                        change.setUntyped(3 + i, read.other(i));
                    }
                }
                try {
                    return sendNoted(isRowDue ? 1 : 0) > 0 ? Ending.OK : Ending.MISS;
                } catch (SQLException e) {
                    if (ServerErrors.isDuplicateKey(e)) {
                        return Ending.DUPLICATE;
                    }
                    throw e;
                }
            }

            @Override
            protected long send() throws SQLException {
                rows = change.update();
                return rows;
            }

            @Override
            public long rows() {
                return rows;
            }

            @Override
            protected long ids(long rows) {
                return rows * keys.number(drawn); // ids may be repeated
            }
        };
    }

    /** Reads one row by id and keeps its document for the write that follows. Not thread-safe. */
    static final class ReadDocument implements RowReader {
        private final Keys keys;
        private final SqlStatement select;
        private final @Nullable String[] others;
        private @Nullable String document;
        private boolean isFound;

        /** @param others number of columns after {@code _id} and {@code data} */
        ReadDocument(Keys keys, SqlStatement select, int others) {
            this.keys = keys;
            this.select = select;
            this.others = new String[others];
        }

        /** Reads the row of the id at this place; returns whether there is one, with a document or without. */
        boolean find(long place) throws SQLException {
            isFound = false;
            keys.bind(select, 1, place);
            select.query(this);
            return isFound;
        }

        /** The document of the row that was found; null if its {@code data} is. */
        @Nullable
        String document() {
            return document;
        }

        @Override
        public void row(ResultSet row) throws SQLException {
            isFound = true;
            row.getBytes(1);
            document = row.getString(2);
            for (int i = 0; i < others.length; i++) {
                others[i] = row.getString(3 + i);
            }
        }

        /** The number of columns after {@code _id} and {@code data}. */
        int others() {
            return others.length;
        }

        /** The text of such a column in the row that was read last; null if it is null. */
        @Nullable
        String other(int i) {
            return others[i];
        }

        /** @param others further columns, quoted; they are read as text */
        static Sql selectById(TableName table, List<String> others) {
            String columns = others.stream().map(each -> ", " + each + "::text").collect(Collectors.joining());
            return new Sql("select", "select _id, data" + columns + " from " + table.quoted() + " where _id = ?");
        }
    }
}

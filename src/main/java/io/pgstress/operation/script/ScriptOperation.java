package io.pgstress.operation.script;

import io.pgstress.dataset.RunLock.Claim;
import io.pgstress.dataset.SplitMix;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.EmptyResults;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationProfile.OperationTrait;
import io.pgstress.operation.OperationProfile.WhenUsedUp;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.custom.StepsOperation.OperationTables;
import io.pgstress.operation.table.WorkloadOptions;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.StatementMode;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.script.Script;
import io.pgstress.plan.script.ScriptCommand.Gather;
import io.pgstress.plan.script.ScriptCommand.Send;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.StatementProbe;
import io.pgstress.target.statement.StatementProbe.Described;
import io.pgstress.text.SqlVerb;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** An operation that is a script in the language of pgbench. */
public final class ScriptOperation implements Operation {
    private static final String SYNTAX_ERROR = "42601";

    /** The stream of random numbers that gives the hash functions their seed, the same for all clients. */
    private static final long SEEDS = 4_000_000;

    private final Script script;
    private final OperationType.Context context;
    private final OperationTables tables;
    private final Outcome outcome;
    private final boolean isText;
    private final ScriptWrites writes;
    private final List<Sql> statements;
    private List<List<String>> types;
    private EmptyResults empty = new EmptyResults();

    /**
     * What counts as an outcome.
     *
     * @param fixedRows rows per execution; -1: those of its SQL
     * @param expectsRows whether SQL that reads or changes no row makes the execution a miss
     */
    public record Outcome(long fixedRows, boolean expectsRows) {
        /** All rows count, and a script without rows succeeds. */
        public static final Outcome ANY = new Outcome(-1, false);
    }

    /**
     * @param name the operation's name
     * @param tables the tables that it needs
     * @throws InvalidPlanException if variables in quotes would not be replaced
     */
    public ScriptOperation(
            String name, Script script, OperationType.Context context, OperationTables tables, Outcome outcome) {
        this.script = script;
        this.context = context;
        this.tables = tables;
        this.outcome = outcome;
        this.isText = context.get(RunOptions.STATEMENT) == StatementMode.PLAIN;
        this.writes = new ScriptWrites(name, script, context.get(RunOptions.TRANSACTION));
        this.statements = script.sends().stream()
                .map(send -> new Sql(send.name(), send.sql().text()))
                .toList();
        this.types = statements.stream().map(statement -> List.<String>of()).toList();
        if (!isText && !context.isDryRun()) {
            checkQuoted(variable ->
                    script.hasValue(variable, context.get(Script.DEFINE).keySet()));
        }
    }

    /**
     * pgbench replaces variables in quotes only in its simple mode.
     *
     * @param hasValue whether a variable with this name has a value
     * @throws InvalidPlanException if a variable with a value is in quotes
     */
    private void checkQuoted(Predicate<String> hasValue) {
        List<String> problems = new ArrayList<>();
        for (Send send : script.sends()) {
            send.quoted().stream()
                    .filter(variable -> hasValue.test(variable.name()))
                    .forEach(variable -> problems.add(script.message(
                            send.line(),
                            "variable ':" + variable.name() + "' is in quotes, where only -M simple replaces it")));
        }
        if (!problems.isEmpty()) {
            throw new InvalidPlanException(problems);
        }
    }

    /** Whether a script begins transactions. */
    public static boolean hasTransactions(Script script) {
        return script.sends().stream()
                .flatMap(send -> SqlVerb.ofEach(send.sql().text()).stream())
                .anyMatch(SqlVerb::isOfTransaction);
    }

    @Override
    public List<Sql> statements(int client) {
        return statements;
    }

    @Override
    public OperationProfile profile() {
        return OperationProfile.DEFAULT
                .claiming(tables.claims().stream()
                        .map(table -> new Claim(table, false))
                        .toList())
                .when(tables.claims().isEmpty() ? WhenUsedUp.CONTINUE : WhenUsedUp.RESET)
                .with(OperationTrait.TRANSACTION, hasTransactions(script))
                .withRowBytes(tables.rowBytes());
    }

    @Override
    public long knownRows() {
        return tables.knownRows();
    }

    @Override
    public boolean changesInSetUp() {
        return tables != OperationTables.NONE;
    }

    @Override
    public void setUp(Connection control) throws SQLException {
        tables.setUp(control);
        if (isText) {
            return;
        }
        List<Described> found = new ArrayList<>();
        Set<String> gathered = new HashSet<>();
        List<String> problems = new ArrayList<>();
        for (Send send : script.sends()) {
            Described described = described(send, control, problems);
            found.add(described);
            Gather into = send.gather();
            if (into != null) {
                described.columns().forEach(column -> gathered.add(into.prefix() + column));
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidPlanException(problems);
        }
        if (!context.isDryRun()) {
            checkQuoted(gathered::contains);
        }
        types = found.stream().map(Described::types).toList();
    }

    /** What the server knows of it; nothing if it cannot parse it yet, because the script creates its tables. */
    private Described described(Send send, Connection control, List<String> problems) throws SQLException {
        try {
            return new StatementProbe(control, new Sql(send.name(), send.sql().text())).describe();
        } catch (SQLException e) {
            if (ServerErrors.isConnectionLost(e) || script.isShipped()) {
                throw e;
            }
            if (SYNTAX_ERROR.equals(e.getSQLState())) {
                problems.add(script.message(send.line(), ServerErrors.sampleWithState(e)));
            }
            return new Described(List.of(), List.of());
        }
    }

    @Override
    public void resetTables(Connection control) throws SQLException {
        tables.reset(control);
    }

    @Override
    public List<TableCheck> checks() {
        List<TableCheck> checks = new ArrayList<>(tables.checks());
        checks.addAll(writes.checks());
        if (script.sends().stream().anyMatch(send -> send.gather() != null)) {
            checks.add((TableCheck.Local) () -> empty.found());
        }
        return checks;
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        if (seat.client() == context.share().firstClient()) {
            empty = new EmptyResults();
        }
        return new ClientScript(
                script,
                new ClientScript.Rules(isText, types, outcome.fixedRows, outcome.expectsRows, empty),
                seat.statements(statements.size()),
                variables(seat),
                new ScriptRandom(seat.random().next()),
                writes.forClient(),
                hasTransactions(script) && !context.get(RunOptions.TRANSACTION) ? seat.session() : null);
    }

    private ScriptVariables variables(ClientSeat seat) {
        ScriptVariables variables = new ScriptVariables(script.slots().size());
        int asked = context.get(WorkloadOptions.SCALE);
        Map<String, Long> given = Map.of(
                Script.SCALE,
                tables.values().getOrDefault(Script.SCALE, (long) Math.max(1, asked)),
                Script.CLIENT_ID,
                (long) seat.client(),
                Script.RANDOM_SEED,
                context.seed(),
                Script.DEFAULT_SEED,
                new SplitMix(context.seed(), SEEDS).next());
        Map<String, String> defined = context.get(Script.DEFINE);
        script.slots().forEach((name, slot) -> {
            Long number = given.get(name);
            String text = defined.get(name);
            if (text != null) {
                variables.setText(slot, text);
            } else if (number != null) {
                variables.setInteger(slot, number);
            }
        });
        return variables;
    }
}

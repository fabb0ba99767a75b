package io.pgstress.report;

import io.pgstress.result.RunResult;
import java.io.IOException;
import java.util.List;

/** The final report for people: what was run, the figures as tables, what else to know, and whether to trust it. */
final class ConsoleReport implements ReportWriter {
    /** What is said beside the times of a closed load: see Tene's "coordinated omission". */
    static final String CLOSED = "service time only: a closed load hides stalls (an open one, --rate, shows them)";

    /** What is said beside the times of an open load. */
    static final String OPEN = "response time: from the intended start, waiting included";

    private static final int LABEL = 12;

    @Override
    public String name() {
        return "console";
    }

    @Override
    public String description() {
        return "The table for people.";
    }

    @Override
    public void write(List<RunResult> results, Appendable out) throws IOException {
        for (int i = 0; i < results.size(); i++) {
            out.append(i == 0 ? "" : "\n");
            write(results.get(i), out);
        }
    }

    private static void write(RunResult result, Appendable out) throws IOException {
        RunFacts head = new RunFacts(result);
        out.append(head.title()).append('\n');
        facts(head.all(), out);
        OperationTables tables = new OperationTables(result);
        out.append('\n');
        tables.operations().appendTo(out);
        out.append(new Asked(result).isOpen() ? OPEN : CLOSED).append('\n');
        for (TextTable table : List.of(tables.parts(), tables.nodes())) {
            if (!table.isEmpty()) {
                out.append('\n');
                table.appendTo(out);
            }
        }
        out.append('\n');
        facts(new EndFacts(result).all(), out);
        for (String warning : result.warnings()) {
            out.append("warning: ").append(warning).append('\n');
        }
        out.append(result.valid() ? "valid: yes\n" : "valid: NO, see the warnings\n");
    }

    private static void facts(List<Fact> facts, Appendable out) throws IOException {
        for (Fact fact : facts) {
            String label = fact.label();
            out.append("  ").append(label).append(" ".repeat(Math.max(1, LABEL - label.length())));
            out.append(fact.text()).append('\n');
        }
    }
}

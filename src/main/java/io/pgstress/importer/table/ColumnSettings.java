package io.pgstress.importer.table;

import static io.pgstress.plan.option.Group.TABLES;

import io.pgstress.importer.table.ColumnOptions.Misfit;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import java.util.List;

/** The options of {@code import} for typed columns. */
public final class ColumnSettings {
    public static final Option<List<ColumnSpec>> COLUMN = Option.list("column", "NAME=PATH:TYPE", ColumnSpec::parse)
            .help(
                    TABLES,
                    "A typed column for the value at a path, such as total=amount.total:numeric; may be repeated. At"
                            + " the end, :index creates an index. Before the name, COLLECTION. adds it only to that"
                            + " collection.");

    public static final Option<Misfit> MISFIT = Option.of("column-misfit", "WHAT", Forms.choice(Misfit.class))
            .byDefault("reject")
            .refusedIf(o -> o.isGiven(ColumnSettings.MISFIT) && !o.isGiven(COLUMN) ? "needs --column" : "")
            .help(TABLES, "A value that does not fit its column: reject the document, or make the column null.");

    private ColumnSettings() {}

    /** The columns that the options describe. */
    public static ColumnOptions of(Options o) {
        return new ColumnOptions(o.get(COLUMN), o.get(MISFIT));
    }
}

package io.pgstress.cli;

import static io.pgstress.plan.option.Group.INPUT;
import static io.pgstress.plan.option.Group.TABLES;

import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.importer.table.Naming;
import io.pgstress.importer.table.Naming.Renaming;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import java.util.List;
import java.util.Optional;

/** Which collections of a dump are meant, and the names of their tables. */
public final class DumpOptions {
    private static final Option<List<String>> DATABASES = Option.list("db", "GLOB", Forms::text)
            .help(INPUT, "Only these databases; may be repeated. For a single file or stream: the name to give it.");

    private static final Option<List<String>> COLLECTIONS = Option.list("collection", "GLOB", Forms::text)
            .help(INPUT, "Only these collections; may be repeated. For a single file or stream: the name to give it.");

    private static final Option<List<String>> INCLUDE = Option.list(
                    "include", "DATABASE.COLLECTION", DumpFilter::namespacePattern)
            .help(INPUT, "Only collections that match a pattern such as 'shop.*'; may be repeated.");

    private static final Option<List<String>> EXCLUDE = Option.list(
                    "exclude", "DATABASE.COLLECTION", DumpFilter::namespacePattern)
            .help(INPUT, "No collections that match a pattern such as '*.tmp_*'; may be repeated.");

    private static final Option<Boolean> SYSTEM =
            Option.flag("system").help(INPUT, "Reads system collections, the oplog and views too.");

    private static final Option<List<Renaming>> RENAME = Option.list("rename", "FROM=TO", Renaming::parse)
            .help(
                    TABLES,
                    "Renames collections: 'prod.*=test.*' or 'shop.$x$_old=archive.$x$'; may be repeated. The last rule"
                            + " that matches applies.");

    private static final Option<Optional<String>> SCHEMA = Option.optional("schema", "NAME", Naming::schemaName)
            .help(
                    TABLES,
                    "Schema of all tables. Default: one per database if there are several, or else the search path.");

    private static final Option<Optional<TableName>> TABLE = Option.optional("table", "NAME", TableName::parse)
            .refusedIf(DumpOptions::table)
            .help(TABLES, "Name of the table, if only one collection is imported.");

    /** All of them, in the order of the help. */
    public static final List<Option<?>> ALL =
            List.of(DATABASES, COLLECTIONS, INCLUDE, EXCLUDE, SYSTEM, RENAME, SCHEMA, TABLE);

    private DumpOptions() {}

    private static String table(Options o) {
        boolean twice = o.get(TABLE).filter(name -> !name.schema().isEmpty()).isPresent()
                && o.get(SCHEMA).isPresent();
        return twice ? "names a schema, and so does --schema" : "";
    }

    /** The collections that are read. */
    public static DumpFilter filter(Options o) {
        return new DumpFilter(o.get(DATABASES), o.get(COLLECTIONS), o.get(SYSTEM), o.get(INCLUDE), o.get(EXCLUDE));
    }

    /** The names of the tables. */
    public static Naming naming(Options o) {
        return new Naming(o.get(RENAME), o.get(SCHEMA).orElse(""), o.get(TABLE).orElse(null));
    }
}

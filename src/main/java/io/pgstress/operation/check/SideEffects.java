package io.pgstress.operation.check;

import io.pgstress.operation.Writes;
import io.pgstress.operation.Writes.Kind;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the run's own statements may do to rows without reporting it: through foreign keys, through functions that they call, and
 * through triggers and rules of other tables. It is looked for only when rows differ, because most of it never matters. Triggers of the
 * tables themselves are not among it: whatever they do, acknowledged rows are not there.
 */
final class SideEffects {
    private static final Pattern CALLED = Pattern.compile("([\\p{L}_][\\p{L}\\p{N}_$]*|\"(?:[^\"]|\"\")+\")\\s*\\(");

    /** Tables whose deleted rows take rows of the table along. */
    private static final String CASCADES = """
            with recursive own (oid) as (
              select c.oid from pg_class c where c.oid in (%1$s)
              union select i.inhrelid from pg_inherits i join own on i.inhparent = own.oid
            ), parent (oid) as (
              select c.confrelid from pg_constraint c join own on c.conrelid = own.oid
              where c.contype = 'f' and c.confdeltype = 'c'
              union select c.confrelid from pg_constraint c join parent p on c.conrelid = p.oid
              where c.contype = 'f' and c.confdeltype = 'c'
            )
            select string_agg(oid::regclass::text, ', ' order by oid) from parent where oid in (%2$s)
            """;

    /** Tables that have rows in common with the tables, as partitions or parents of theirs. */
    private static final String RELATIVES = """
            with recursive part (oid) as (
              select c.oid from pg_class c where c.oid in (%1$s)
              union select i.inhrelid from pg_inherits i join part on i.inhparent = part.oid
            ), whole (oid) as (
              select c.oid from pg_class c where c.oid in (%1$s)
              union select i.inhparent from pg_inherits i join whole on i.inhrelid = whole.oid
            )
            select string_agg(oid::regclass::text, ', ' order by oid)
            from (select oid from part union select oid from whole) relatives
            where oid in (%2$s) and oid not in (select c.oid from pg_class c where c.oid in (%1$s))
            """;

    /** The names of functions that can change rows. Those in C are the server's and its extensions'. */
    private static final String FUNCTIONS = """
            select string_agg(distinct p.proname::text, ', ') from pg_proc p join pg_language l on l.oid = p.prolang
            where p.provolatile = 'v' and l.lanname not in ('internal', 'c') and p.proname in (%s)
            and (l.lanname not in ('sql', 'plpgsql') or p.prosrc = '' or p.prosrc ~*
                 '\\m(insert|update|delete|merge|truncate|execute|call|perform|copy|drop|alter)\\M')
            """;

    private static final String TRIGGERS = """
            select string_agg(c.oid::regclass::text, ', ' order by c.oid) from pg_class c
            where c.oid in (%2$s) and c.oid not in (select o.oid from pg_class o where o.oid in (%1$s))
            and (exists (select 1 from pg_trigger t
                         where t.tgrelid = c.oid and not t.tgisinternal and t.tgenabled <> 'D')
                 or exists (select 1 from pg_rewrite r where r.ev_class = c.oid and r.rulename <> '_RETURN'))
            """;

    private final Set<String> called = new TreeSet<>();
    private final List<Writes> writes;

    /**
     * @param statements the SQL of all operations of the run
     * @param writes all writes whose number is known
     */
    SideEffects(List<String> statements, List<Writes> writes) {
        this.writes = List.copyOf(writes);
        for (String sql : statements) {
            Matcher name = CALLED.matcher(sql);
            while (name.find()) {
                String found = name.group(1);
                called.add(
                        found.startsWith("\"")
                                ? found.substring(1, found.length() - 1).replace("\"\"", "\"")
                                : found.toLowerCase(Locale.ROOT));
            }
        }
    }

    /** Why the rows of tables may be others than the acknowledged writes leave; empty if nothing is known that does this. */
    String on(List<TableName> tables, Connection control) throws SQLException {
        Optional<String> parents =
                named(CASCADES, tables, writes.stream().filter(one -> one.kind() == Kind.DELETE), control);
        if (parents.isPresent()) {
            return "foreign keys delete rows of it with those that the run deletes from " + parents.get();
        }
        Optional<String> relatives = named(RELATIVES, tables, writes.stream(), control);
        if (relatives.isPresent()) {
            return "the run also writes to its partitions or parents: " + relatives.get();
        }
        Optional<String> functions = called.isEmpty()
                ? Optional.empty()
                : ControlSql.text(
                        control,
                        FUNCTIONS.replace(
                                "%s", called.stream().map(Quoting::literal).collect(Collectors.joining(", "))));
        if (functions.isPresent()) {
            return "the run calls functions that may change its rows: " + functions.get();
        }
        return named(TRIGGERS, tables, writes.stream(), control)
                .map(others -> "triggers or rules of tables that the run writes to may change its rows: " + others)
                .orElse("");
    }

    /** The tables that a query finds for tables among others; empty if it finds none. */
    private static Optional<String> named(String sql, List<TableName> tables, Stream<Writes> others, Connection control)
            throws SQLException {
        String own = tables.stream()
                .map(table -> "to_regclass(" + table.literal() + ")::oid")
                .collect(Collectors.joining(", "));
        String ids = others.map(one -> "to_regclass(" + Quoting.literal(one.table()) + ")::oid")
                .distinct()
                .collect(Collectors.joining(", "));
        return ids.isEmpty()
                ? Optional.empty()
                : ControlSql.text(control, sql.replace("%1$s", own).replace("%2$s", ids));
    }
}

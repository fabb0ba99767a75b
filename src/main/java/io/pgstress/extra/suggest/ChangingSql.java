package io.pgstress.extra.suggest;

import java.util.List;

/** Statements that change rows, all of them in the copy table. */
final class ChangingSql {
    private static final String COPY = "${copy}";
    /** Bytes of sampled documents that a process holds for each operation that sends documents. */
    private static final long SAMPLE_BYTES = 16L << 20;

    private static final int MIN_SAMPLE = 10;
    private static final int MAX_SAMPLE = 1_000;

    private final DocumentFacts facts;
    private final Parameters parameters;
    private final FilterSql filters;
    private final RowsSql rows;

    ChangingSql(DocumentFacts facts, Parameters parameters) {
        this.facts = facts;
        this.parameters = parameters;
        this.filters = new FilterSql(facts, parameters);
        this.rows = new RowsSql(facts);
    }

    String of(Shape shape, Usage usage) {
        if (shape instanceof Shape.Update update) {
            String target = target(update.filter(), update.many(), update.sort(), usage);
            String data = update.changes().isEmpty()
                    ? document() + " || jsonb_build_object('_id', data -> '_id')"
                    : new UpdateSql(facts, parameters).of(update.changes());
            return "update " + COPY + "\nset data = " + data + RowsSql.where(target);
        }
        if (shape instanceof Shape.Delete delete) {
            return "delete from " + COPY + RowsSql.where(target(delete.filter(), delete.many(), delete.sort(), usage));
        }
        return insert(((Shape.Insert) shape).documents());
    }

    /** The condition for the rows to change. */
    private String target(Filter filter, boolean many, List<SortKey> sort, Usage usage) {
        Selection chosen = Selection.of(filter, sort, many ? 0 : 1, usage, facts);
        String where = filters.of(filter, chosen.down());
        boolean isById = filter.pins("_id");
        if (isById || (many && chosen.isWhole())) {
            return where;
        }
        return "_id " + (many ? "in" : "=") + " " + RowsSql.subquery(rows.select("_id", COPY, where, chosen, 0));
    }

    private String document() {
        return ":" + parameters.documents(1, sample(1)) + "::jsonb";
    }

    private int sample(int count) {
        long size = Math.max(1, facts.meanBytes());
        return (int) Math.max(Math.max(MIN_SAMPLE, count), Math.min(MAX_SAMPLE, SAMPLE_BYTES / size));
    }

    private String insert(int count) {
        IdSql ids = new IdSql(facts, parameters);
        String number = ids.newNumber(count);
        if (count == 1) {
            return "insert into " + COPY + " (_id, data)\nvalues (" + ids.column(number) + ", " + document()
                    + " || jsonb_build_object('_id', " + ids.json(number) + "))";
        }
        String each = number + " * " + count + " + d.number";
        String documents = ":" + parameters.documents(count, sample(count)) + "::jsonb[]";
        return "insert into " + COPY + " (_id, data)\nselect " + ids.column(each)
                + ", d.document || jsonb_build_object('_id', " + ids.json(each) + ")\nfrom unnest(" + documents
                + ") with ordinality d (document, number)";
    }
}

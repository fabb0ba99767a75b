package io.pgstress.extra.indexes;

import io.pgstress.plan.TableName;
import io.pgstress.plan.sql.Quoting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A collation of MongoDB, which takes its rules from ICU, as a collation of the server. Strings that differ may be equal in it,
 * as in MongoDB. The attributes are those of Unicode Technical Standard 35, "Unicode Locale Data Markup Language".
 *
 * @param sql its quoted name
 * @param create the statement that creates it
 */
record IcuCollation(String sql, String create) {
    private static final Map<Integer, String> STRENGTHS = Map.of(1, "level1", 2, "level2", 4, "level4", 5, "identic");

    private static final Map<String, String> TYPES = Map.of(
            "phonebook", "phonebk",
            "traditional", "trad",
            "dictionary", "dict",
            "gb2312han", "gb2312");

    /** @param schema the schema to create it in; an empty string: the first of the search path */
    static IcuCollation of(Map<String, Object> collation, String schema, IndexRules rules) throws Untranslatable {
        String tag = tag(collation);
        if (!rules.hasLooseCollations()) {
            throw new Untranslatable("its collation, " + tag
                    + ", needs ICU and collations in which different strings are equal (PostgreSQL 12)");
        }
        TableName name =
                new TableName(schema, "mongo_" + tag.toLowerCase(Locale.ROOT).replace('-', '_'));
        return new IcuCollation(
                name.quoted(),
                "create collation if not exists " + name.quoted() + " (provider = icu, locale = " + Quoting.literal(tag)
                        + ", deterministic = false)");
    }

    /** The language tag, such as {@code en-u-ks-level2}. */
    private static String tag(Map<String, Object> collation) {
        String[] locale = String.valueOf(collation.get("locale")).split("@collation=", 2);
        List<String> attributes = new ArrayList<>();
        if (locale.length > 1) {
            attributes.add("co-" + TYPES.getOrDefault(locale[1], locale[1]));
        }
        boolean shifted = "shifted".equals(collation.get("alternate"));
        add(attributes, shifted, "ka-shifted");
        add(attributes, MetadataValues.isTrue(collation.get("backwards")), "kb-true");
        add(attributes, MetadataValues.isTrue(collation.get("caseLevel")), "kc-true");
        Object first = collation.get("caseFirst");
        add(attributes, "upper".equals(first) || "lower".equals(first), "kf-" + first);
        add(attributes, MetadataValues.isTrue(collation.get("normalization")), "kk-true");
        add(attributes, MetadataValues.isTrue(collation.get("numericOrdering")), "kn-true");
        Double strength = MetadataValues.number(collation.get("strength"));
        String level = strength == null ? "" : STRENGTHS.getOrDefault(strength.intValue(), "");
        add(attributes, !level.isEmpty(), "ks-" + level);
        add(attributes, shifted && "space".equals(collation.get("maxVariable")), "kv-space");
        String language = locale[0].replace('_', '-');
        return attributes.isEmpty() ? language : language + "-u-" + String.join("-", attributes);
    }

    private static void add(List<String> attributes, boolean is, String attribute) {
        if (is) {
            attributes.add(attribute);
        }
    }
}

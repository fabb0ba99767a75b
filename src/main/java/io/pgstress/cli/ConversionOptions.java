package io.pgstress.cli;

import static io.pgstress.plan.option.Group.CONVERSION;

import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.JsonOptions.DuplicateKeyPolicy;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.bson.json.JsonOptions.NulPolicy;
import io.pgstress.bson.json.JsonOptions.Utf8Policy;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import java.util.List;

/** How documents become JSON. */
public final class ConversionOptions {
    private static final Option<ExtendedJson> EXTENDED_JSON = Option.of(
                    "extended-json", "FORM", Forms.choice(ExtendedJson.class))
            .byDefault("relaxed")
            .help(CONVERSION, "relaxed or canonical.");

    private static final Option<NulPolicy> NUL = Option.of("nul", "WHAT", Forms.choice(NulPolicy.class))
            .byDefault("reject")
            .help(CONVERSION, "U+0000 in strings: reject, strip or replace.");

    private static final Option<Utf8Policy> INVALID_UTF8 = Option.of(
                    "invalid-utf8", "WHAT", Forms.choice(Utf8Policy.class))
            .byDefault("reject")
            .help(CONVERSION, "Bytes that are not UTF-8: reject or replace.");

    private static final Option<DuplicateKeyPolicy> DUPLICATE_KEYS = Option.of(
                    "duplicate-keys", "WHAT", Forms.choice(DuplicateKeyPolicy.class))
            .byDefault("keep_last")
            .help(CONVERSION, "A field name that occurs twice in one object: keep_last or reject.");

    private static final String GENERATE = "generate";

    private static final Option<String> MISSING_ID = Option.of(
                    "missing-id", "WHAT", Forms.choice(List.of("reject", GENERATE)))
            .byDefault("reject")
            .help(CONVERSION, "A document without an _id: reject it, or generate an ObjectId.");

    private static final Option<Integer> MAX_DEPTH = Option.of(
                    "max-depth", "N", Forms.integer(1, JsonOptions.LARGEST_MAX_DEPTH))
            .byDefault(Integer.toString(JsonOptions.DEFAULT_MAX_DEPTH))
            .help(CONVERSION, "Deepest nesting of a document.");

    /** All of them, in the order of the help. */
    public static final List<Option<?>> ALL =
            List.of(EXTENDED_JSON, NUL, INVALID_UTF8, DUPLICATE_KEYS, MISSING_ID, MAX_DEPTH);

    private ConversionOptions() {}

    /** How documents become JSON. */
    public static JsonOptions documents(Options o) {
        return new JsonOptions(
                o.get(EXTENDED_JSON), o.get(NUL), o.get(INVALID_UTF8), o.get(DUPLICATE_KEYS), o.get(MAX_DEPTH));
    }

    /** Whether documents without an {@code _id} are given one. */
    public static boolean generatesIds(Options o) {
        return o.get(MISSING_ID).equals(GENERATE);
    }
}

package io.pgstress.extra.suggest;

import java.util.Map;

/**
 * An operation for an operations file.
 *
 * @param name a proposal, made of letters, digits and _; several operations may have the same
 * @param step the name of its step
 * @param note what is not translated exactly; empty: nothing
 * @param changes whether it changes the copy table
 * @param parameters descriptions of the parameters by name, as YAML
 * @param sql the statement, in several lines
 */
public record Statement(
        String name, String step, String note, boolean changes, Map<String, String> parameters, String sql) {}

package io.pgstress.extra.oplog;

import io.pgstress.extra.oplog.BsonFields.Field;
import io.pgstress.extra.oplog.OplogOperation.Kind;
import io.pgstress.importer.table.Naming.Namespace;
import io.pgstress.plan.TableName;
import java.sql.SQLException;
import java.util.List;

/** Applies commands to tables, within the caller's transaction. Used by one thread. */
final class OplogCommands {
    private final ReplayTables tables;
    private final Namespaces namespaces;

    OplogCommands(ReplayTables tables, Namespaces namespaces) {
        this.tables = tables;
        this.namespaces = namespaces;
    }

    /**
     * Applies a command, and counts it.
     *
     * @throws EntryException if it cannot be applied
     */
    void apply(OplogOperation operation, Tally tally) throws SQLException {
        BsonFields command = operation.required();
        String name = command.first().name();
        switch (name) {
            case "renameCollection" -> rename(command, tally);
            case "dropDatabase" -> dropDatabase(operation.namespace().database(), tally);
            case "commitTransaction" ->
                throw new EntryException("a transaction that began before the oplog", "its operations are unknown");
            case "dbCheck" -> tally.leftOut("dbCheck, which changes nothing");
            case "create", "drop", "emptycapped" -> onTable(operation, command, tally);
            case "createIndexes",
                    "startIndexBuild",
                    "commitIndexBuild",
                    "abortIndexBuild",
                    "dropIndexes",
                    "dropIndex",
                    "deleteIndexes",
                    "deleteIndex",
                    "collMod",
                    "convertToCapped",
                    "setMultikeyMetadata" -> structure(operation, command, tally);
            default -> throw new EntryException("an unknown command", name);
        }
    }

    /** Notes the collection that a command or an insert may have made, in an earlier part of the replay. */
    void note(OplogOperation operation) {
        if (operation.kind() == Kind.INSERT
                && namespaces.reasonAgainst(operation.namespace()).isEmpty()) {
            namespaces.table(operation.namespace());
        } else if (operation.kind() == Kind.COMMAND) {
            List<Namespace> changed = changed(operation);
            if (!changed.isEmpty()) {
                namespaces.table(changed.get(changed.size() - 1));
            }
        }
    }

    /** The namespaces of the collections that a command creates, empties, drops or renames; the new name is the last. */
    static List<Namespace> changed(OplogOperation operation) {
        BsonFields command = operation.required();
        Field first = command.list().isEmpty() ? null : command.first();
        if (first == null || !first.isString() || command.find("viewOn") != null) {
            return List.of();
        }
        Field to = command.find("to");
        return switch (first.name()) {
            case "create", "drop", "emptycapped" -> List.of(operation.inDatabase(first.string()));
            case "renameCollection" ->
                to == null || !to.isString()
                        ? List.of()
                        : List.of(Namespace.of(first.string()), Namespace.of(to.string()));
            default -> List.of();
        };
    }

    private void onTable(OplogOperation operation, BsonFields command, Tally tally) throws SQLException {
        String name = command.first().name();
        Namespace collection = operation.inDatabase(command.first().string());
        String against = command.find("viewOn") != null ? "a view" : namespaces.reasonAgainst(collection);
        if (!against.isEmpty()) {
            tally.leftOut(against);
            return;
        }
        TableName table = namespaces.table(collection);
        switch (name) {
            case "create" -> tables.create(table);
            case "drop" -> {
                if (tables.drop(table)) {
                    tally.note("table " + table + " was dropped, as entry "
                            + operation.entry().time() + " says");
                }
            }
            default -> tables.empty(table);
        }
        tally.applied(name);
    }

    private void dropDatabase(String database, Tally tally) throws SQLException {
        String against = namespaces.reasonAgainstAll(database);
        if (!against.isEmpty()) {
            tally.leftOut(against);
            return;
        }
        for (TableName each : namespaces.tables(database)) {
            if (tables.drop(each)) {
                tally.note("table " + each + " was dropped with its database");
            }
        }
        tally.applied("dropDatabase");
    }

    private void rename(BsonFields command, Tally tally) throws SQLException {
        Namespace from = Namespace.of(command.first().string());
        Namespace to = Namespace.of(command.get("to").string());
        String source = namespaces.reasonAgainst(from);
        String target = namespaces.reasonAgainst(to);
        if (!source.isEmpty() && !target.isEmpty()) {
            tally.leftOut(source);
            return;
        }
        if (!source.isEmpty() || !target.isEmpty()) {
            throw new EntryException(
                    "a collection renamed between a selected and an excluded name", from + " to " + to);
        }
        TableName old = namespaces.table(from);
        TableName renamed = namespaces.table(to);
        tables.rename(old, renamed, command.isTrue("dropTarget"));
        tally.note("table " + old + " was renamed to " + renamed);
        tally.applied("renameCollection");
    }

    /** Names a command that changes indexes or options, which the tables do not follow. */
    private static void structure(OplogOperation operation, BsonFields command, Tally tally) {
        Field collection = command.first();
        StringBuilder indexes = new StringBuilder();
        Field one = command.find("name");
        if (one != null && one.isString()) {
            indexes.append(' ').append(one.string());
        }
        Field several = command.find("indexes");
        for (Field each : several == null ? List.<Field>of() : several.fields().list()) {
            Field index = each.document().find("name");
            indexes.append(' ').append(index == null ? "" : index.string());
        }
        tally.leftOut("commands on indexes and options");
        tally.note("not applied: " + collection.name() + " on "
                + (collection.isString() ? operation.inDatabase(collection.string()) : "")
                + (indexes.isEmpty() ? "" : ":" + indexes));
    }
}

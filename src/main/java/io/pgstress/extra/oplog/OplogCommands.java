package io.pgstress.extra.oplog;

import io.pgstress.bson.BsonType;
import io.pgstress.extra.oplog.BsonFields.Field;
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
        String name = operation.command();
        switch (name) {
            case "renameCollection" -> rename(command, tally);
            case "dropDatabase" -> dropDatabase(operation.database(), tally);
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
        BsonFields command = operation.content();
        if (operation.kind() == OplogOperation.Kind.INSERT) {
            if (namespaces
                    .reasonAgainst(operation.database(), operation.collection())
                    .isEmpty()) {
                namespaces.table(operation.database(), operation.collection());
            }
            return;
        }
        if (operation.kind() != OplogOperation.Kind.COMMAND || command == null || command.count() == 0) {
            return;
        }
        Field made = command.first().name().equals("create") ? command.first() : command.find("to");
        if (made == null || made.type() != BsonType.STRING) {
            return;
        }
        boolean renamed = made.name().equals("to");
        namespaces.table(
                renamed ? database(made.string()) : operation.database(),
                renamed ? collection(made.string()) : made.string());
    }

    /** The namespaces of the collections that a command creates, empties, drops or renames. */
    static List<String> changed(OplogOperation operation, BsonFields command) {
        Field first = command.count() == 0 ? null : command.first();
        if (first == null || first.type() != BsonType.STRING || command.find("viewOn") != null) {
            return List.of();
        }
        Field to = command.find("to");
        return switch (first.name()) {
            case "create", "drop", "emptycapped" -> List.of(operation.database() + "." + first.string());
            case "renameCollection" ->
                to == null || to.type() != BsonType.STRING ? List.of() : List.of(first.string(), to.string());
            default -> List.of();
        };
    }

    private void onTable(OplogOperation operation, BsonFields command, Tally tally) throws SQLException {
        String name = command.first().name();
        String collection = command.first().string();
        String against =
                command.find("viewOn") != null ? "a view" : namespaces.reasonAgainst(operation.database(), collection);
        if (!against.isEmpty()) {
            tally.leftOut(against);
            return;
        }
        TableName table = namespaces.table(operation.database(), collection);
        switch (name) {
            case "create" -> tables.create(table);
            case "drop" -> {
                if (tables.drop(table)) {
                    tally.note("table " + table + " was dropped, as " + time(operation) + " says");
                }
            }
            default -> tables.empty(table);
        }
        tally.applied(name);
    }

    private static String time(OplogOperation operation) {
        return "entry " + operation.entry().time();
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
        String from = command.first().string();
        String to = command.get("to").string();
        String source = namespaces.reasonAgainst(database(from), collection(from));
        String target = namespaces.reasonAgainst(database(to), collection(to));
        if (!source.isEmpty() && !target.isEmpty()) {
            tally.leftOut(source);
            return;
        }
        if (!source.isEmpty() || !target.isEmpty()) {
            throw new EntryException(
                    "a collection renamed between a selected and an excluded name", from + " to " + to);
        }
        TableName old = namespaces.table(database(from), collection(from));
        TableName renamed = namespaces.table(database(to), collection(to));
        tables.rename(old, renamed, command.isTrue("dropTarget"));
        tally.note("table " + old + " was renamed to " + renamed);
        tally.applied("renameCollection");
    }

    private static String database(String namespace) {
        int dot = namespace.indexOf('.');
        return dot < 0 ? namespace : namespace.substring(0, dot);
    }

    private static String collection(String namespace) {
        int dot = namespace.indexOf('.');
        return dot < 0 ? "" : namespace.substring(dot + 1);
    }

    /** Names a command that changes indexes or options, which the tables do not follow. */
    private static void structure(OplogOperation operation, BsonFields command, Tally tally) {
        String name = command.first().name();
        Field collection = command.first();
        String of = collection.type() == BsonType.STRING ? operation.database() + "." + collection.string() : "";
        StringBuilder indexes = new StringBuilder();
        Field one = command.find("name");
        if (one != null && one.type() == BsonType.STRING) {
            indexes.append(' ').append(one.string());
        }
        Field several = command.find("indexes");
        for (Field each : several == null ? List.<Field>of() : several.fields()) {
            Field index = each.document().find("name");
            indexes.append(' ').append(index == null ? "" : index.string());
        }
        tally.leftOut("commands on indexes and options");
        tally.note("not applied: " + name + " on " + of + (indexes.isEmpty() ? "" : ":" + indexes));
    }
}

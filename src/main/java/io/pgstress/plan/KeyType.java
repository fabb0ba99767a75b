package io.pgstress.plan;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The SQL type of a table's {@code _id}. */
public enum KeyType {
    INT("integer", "int4"),
    BIGINT("bigint", "int8"),
    NUMERIC("numeric", "numeric"),
    TEXT("text", "text"),
    UUID("uuid", "uuid"),
    TIMESTAMPTZ("timestamp with time zone", "timestamptz");

    private final String sql;
    private final String catalogName;

    KeyType(String sql, String catalogName) {
        this.sql = sql;
        this.catalogName = catalogName;
    }

    /** The type's name in SQL, with the collation that makes text compare by bytes. */
    public String ddl() {
        return this == TEXT ? "text collate \"C\"" : sql;
    }

    /** The key type of a column of this {@code pg_type} name; varchar and bpchar count as text. */
    public static Optional<KeyType> ofCatalogName(String typname) {
        if (typname.equals("varchar") || typname.equals("bpchar")) {
            return Optional.of(TEXT);
        }
        return Stream.of(values())
                .filter(type -> type.catalogName.equals(typname))
                .findFirst();
    }

    /** The name on the command line and in results. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}

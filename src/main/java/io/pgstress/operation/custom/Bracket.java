package io.pgstress.operation.custom;

import io.pgstress.target.statement.SqlStatement;

/** The statements around an operation that is one transaction. */
record Bracket(SqlStatement begin, SqlStatement commit, SqlStatement rollback) {}

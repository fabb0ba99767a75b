package io.pgstress.operation.custom;

import io.pgstress.target.statement.SqlStatement;

/** The statements that enclose an operation run as one transaction. */
record Bracket(SqlStatement begin, SqlStatement commit, SqlStatement rollback) {}

package io.pgstress.report.format;

import io.pgstress.result.Result;

/** The validity of a result in words. */
public final class ValidityText {
    private ValidityText() {}

    /** {@code valid}, {@code valid, 2 warnings}, or {@code not valid: } and the first reason. */
    public static String of(Result finding) {
        return switch (finding.usability()) {
            case VALID -> "valid";
            case VALID_WITH_WARNINGS -> "valid, " + number(finding.warnings().size(), "warning");
            case NOT_VALID -> "not valid: " + reason(finding);
        };
    }

    private static String reason(Result finding) {
        int reasons = finding.reasons().size();
        return finding.reasons().get(0).text() + (reasons == 1 ? "" : "; " + number(reasons - 1, "more reason"));
    }

    public static String number(int n, String what) {
        return Figures.count(n) + " " + what + (n == 1 ? "" : "s");
    }
}

package io.pgstress.report;

import io.pgstress.result.Finding;

/** How far a finding's figures may be used, in words. */
final class ValidityWords {
    private ValidityWords() {}

    /** {@code valid}, {@code valid, 2 warnings}, or {@code not valid: } and the first reason. */
    static String of(Finding finding) {
        return switch (finding.usability()) {
            case VALID -> "valid";
            case VALID_WITH_WARNINGS -> "valid, " + number(finding.warnings().size(), "warning");
            case NOT_VALID -> "not valid: " + reason(finding);
        };
    }

    private static String reason(Finding finding) {
        int reasons = finding.reasons().size();
        if (reasons == 0) {
            return "see the warnings"; // a result of before there were reasons
        }
        return finding.reasons().get(0) + (reasons == 1 ? "" : "; " + number(reasons - 1, "more reason"));
    }

    static String number(int n, String what) {
        return Figures.count(n) + " " + what + (n == 1 ? "" : "s");
    }
}

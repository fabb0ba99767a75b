package io.pgstress.report.page;

import io.pgstress.report.format.ValidityText;
import io.pgstress.result.Result;
import io.pgstress.result.Result.Verdict;
import java.util.Locale;

/**
 * The badge at the top of a result's page.
 *
 * @param state {@code valid}, {@code valid_with_warnings} or {@code not_valid}
 * @param text the validity, with the number of warnings or the first reason why the result is not valid
 */
public record Badge(String state, String text) {
    public static Badge of(Result finding) {
        Verdict verdict = finding.usability();
        String sign = switch (verdict) {
            case VALID -> "✓ ";
            case VALID_WITH_WARNINGS -> "⚠ ";
            case NOT_VALID -> "✗ ";
        };
        return new Badge(verdict.name().toLowerCase(Locale.ROOT), sign + capital(ValidityText.of(finding)));
    }

    private static String capital(String words) {
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }
}

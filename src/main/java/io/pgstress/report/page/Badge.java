package io.pgstress.report.page;

import io.pgstress.report.format.ComparisonVerdict;
import io.pgstress.report.format.ResultLine;
import io.pgstress.report.format.ValidityText;
import io.pgstress.result.Comparison;
import io.pgstress.result.Result;
import io.pgstress.result.Result.Verdict;
import io.pgstress.result.Scaling;
import java.util.Locale;

/**
 * The badge at the top of a result's page.
 *
 * @param state {@code valid}, {@code valid_with_warnings} or {@code not_valid}
 * @param text the validity of a run; the verdict of a comparison or scaling, unless it is not valid
 */
public record Badge(String state, String text) {
    public static Badge of(Result finding) {
        Verdict verdict = finding.usability();
        String sign = switch (verdict) {
            case VALID -> "✓ ";
            case VALID_WITH_WARNINGS -> "⚠ ";
            case NOT_VALID -> "✗ ";
        };
        return new Badge(verdict.name().toLowerCase(Locale.ROOT), sign + text(finding));
    }

    private static String text(Result finding) {
        if (finding.usability() == Verdict.NOT_VALID) {
            return capital(ValidityText.of(finding));
        }
        String warnings = finding.warnings().isEmpty()
                ? ""
                : ", " + ValidityText.number(finding.warnings().size(), "warning");
        if (finding instanceof Comparison comparison) {
            return ComparisonVerdict.of(comparison) + warnings;
        }
        return capital(
                finding instanceof Scaling scaling ? ResultLine.knee(scaling) + warnings : ValidityText.of(finding));
    }

    private static String capital(String words) {
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }
}

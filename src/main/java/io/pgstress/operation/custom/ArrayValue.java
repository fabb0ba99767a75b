package io.pgstress.operation.custom;

import io.pgstress.dataset.KeySampler;
import io.pgstress.dataset.SplitMix;
import io.pgstress.plan.sql.Quoting;
import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/** Arrays of texts as the server writes them: one drawn like a single value, the others at random. Not thread-safe. */
final class ArrayValue implements Value {
    private final String[] quoted;
    private final int count;
    private final KeySampler sampler;
    private final SplitMix random;
    private final StringBuilder array = new StringBuilder();

    ArrayValue(String[] texts, int count, KeySampler sampler, SplitMix random) {
        this.quoted = Arrays.stream(texts).map(Quoting::element).toArray(String[]::new);
        this.count = count;
        this.sampler = sampler;
        this.random = random;
    }

    @Override
    public boolean draw() {
        array.setLength(0);
        array.append('{').append(quoted[(int) sampler.next()]);
        for (int i = 1; i < count; i++) {
            array.append(',').append(quoted[random.below(quoted.length)]);
        }
        array.append('}');
        return true;
    }

    @Override
    public void bind(SqlStatement statement, int parameter) throws SQLException {
        statement.setUntyped(parameter, array.toString());
    }

    @Override
    public List<String> untyped() {
        return Arrays.stream(quoted).map(text -> '{' + text + '}').toList();
    }
}

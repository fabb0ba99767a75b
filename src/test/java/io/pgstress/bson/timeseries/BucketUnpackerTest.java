package io.pgstress.bson.timeseries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.ByteSink;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Buckets of all versions; those with columns are from the tests in MongoDB's repository. */
final class BucketUnpackerTest {
    private static final TimeSeries SERIES = new TimeSeries("t", "m");

    private static List<BsonDocument> unpack(String bucket, TimeSeries series) throws ColumnException {
        ByteBuffer bytes = new RawBsonDocument(BsonDocument.parse(bucket), new BsonDocumentCodec())
                .getByteBuffer()
                .asNIO();
        byte[] array = new byte[bytes.remaining() + 3];
        bytes.get(array, 3, array.length - 3);
        ByteSink out = new ByteSink(16);
        new BucketUnpacker(series).unpack(array, 3, out);
        List<BsonDocument> all = new ArrayList<>();
        for (int at = 0; at < out.length(); ) {
            int size =
                    ByteBuffer.wrap(out.array()).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
            all.add(new RawBsonDocument(Arrays.copyOfRange(out.array(), at, at + size)));
            at += size;
        }
        return all;
    }

    private static List<BsonDocument> documents(String... json) {
        return Arrays.stream(json).map(BsonDocument::parse).toList();
    }

    @Test
    void unpacksVersion1() throws Exception {
        String bucket = "{_id: {$oid: '64dd4adcac4fd7e3ebbd9af3'}, control: {version: 1, min: {}, max: {}},"
                + " meta: {s: 1}, data: {t: {'0': {$date: 1000}, '1': {$date: 2000}, '2': {$date: 3000}},"
                + " a: {'0': 1, '2': 'x'}, b: {'1': null}, _id: {'0': 7, '1': 8, '2': 9}}}";

        assertThat(unpack(bucket, SERIES))
                .isEqualTo(documents(
                        "{t: {$date: 1000}, m: {s: 1}, a: 1, _id: 7}",
                        "{t: {$date: 2000}, m: {s: 1}, b: null, _id: 8}",
                        "{t: {$date: 3000}, m: {s: 1}, a: 'x', _id: 9}"));
        assertThat(unpack(bucket, new TimeSeries("t", "")).get(1).keySet()).containsExactly("t", "b", "_id");
    }

    @ParameterizedTest
    @CsvSource({"2", "3"})
    void unpacksColumns(int version) throws Exception {
        String bucket =
                "{_id: {$oid: '65a6eb806ffc9fa4280ecac4'}, control: {version: " + version + ", count: 2}, meta: 0,"
                        + " data: {t: {$binary: {base64: 'CQAYhggUjQEAAIAOAAAAAAAAAAA=', subType: '07'}},"
                        + " a: {$binary: {base64: 'AQAAAAAAAAAAAJAuAAAAAAAAAAA=', subType: '07'}},"
                        + " _id: {$binary: {base64: 'BwBlpuun5tLoSOCMN1CALgAAAAAAAAAA', subType: '07'}}}}";

        String time = "{$date: '2024-01-16T20:48:39.448Z'}";
        assertThat(unpack(bucket, SERIES))
                .isEqualTo(documents(
                        "{t: " + time + ", m: 0, a: 0.0, _id: {$oid: '65a6eba7e6d2e848e08c3750'}}",
                        "{t: " + time + ", m: 0, a: 1.0, _id: {$oid: '65a6eba7e6d2e848e08c3751'}}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{a: 1} | no bucket: it has no field control",
                "{control: {version: 1}} | no bucket: it has no field data",
                "{control: {version: 4}, data: {t: {}}} | version 4 of the bucket format, not 1 to 3",
                "{control: {version: 1}, data: {u: {}}} | no field t with the time",
                "{control: {version: 1}, data: {t: 1}} | the field t is neither a document nor a column",
                "{control: {version: 1, count: 2}, data: {t: {'0': 1}}} | 1 measurements, but control.count is 2",
                "{control: {version: 2}, data: {t: {$binary: {base64: 'CQDoAwAAAAAAAAA=', subType: '07'}},"
                        + " a: {$binary: {base64: 'AA==', subType: '07'}}}} | the field a has fewer rows than the time",
                "{control: {version: 2}, data: {t: {$binary: {base64: 'CQDoAw==', subType: '07'}}}} | no valid value"
                        + " of type 0x09",
            })
    void saysWhatIsWrong(String bucket, String why) {
        assertThatThrownBy(() -> unpack(bucket, SERIES))
                .isInstanceOf(ColumnException.class)
                .hasMessage(why);
    }
}

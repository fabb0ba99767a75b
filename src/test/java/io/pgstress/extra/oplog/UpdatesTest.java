package io.pgstress.extra.oplog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.Documents;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.text.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Updates of the documented forms, on documents as they expect them and on later ones. */
final class UpdatesTest {
    private static final Updates UPDATES = new Updates(new ValueJson(JsonOptions.of(ExtendedJson.RELAXED)));

    private static BsonFields bson(String json) {
        byte[] bytes = Documents.ofJson(json);
        return BsonFields.of(bytes, 0, bytes.length);
    }

    private static Map<String, Object> after(String before, String update) {
        return new LinkedHashMap<>(Json.readMap(UPDATES.apply(before, bson(update))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"a":1,"b":2}             | {"d":{"a":false}}                            | {"b":2}
        {"a":1,"b":2}             | {"u":{"a":5}}                                | {"a":5,"b":2}
        {"a":1}                   | {"u":{"b":5}}                                | {"a":1,"b":5}
        {"a":1}                   | {"i":{"b":{"c":[1]}}}                        | {"a":1,"b":{"c":[1]}}
        {"a":1,"b":1}             | {"i":{"a":2}}                                | {"b":1,"a":2}
        {"a":{"b":1,"c":1}}       | {"sa":{"d":{"b":false},"u":{"c":2},"i":{"d":3}}} | {"a":{"c":2,"d":3}}
        {"a":[1,2,3]}             | {"sa":{"a":true,"l":2,"u0":9}}               | {"a":[9,2]}
        {"a":[1]}                 | {"sa":{"a":true,"u3":4}}                     | {"a":[1,null,null,4]}
        {"a":[1]}                 | {"sa":{"a":true,"l":3}}                      | {"a":[1,null,null]}
        {"a":[{"b":1},[1,2]]}     | {"sa":{"a":true,"s0":{"u":{"b":2}},"s1":{"a":true,"l":1}}} | {"a":[{"b":2},[1]]}
        {"a":[]}                  | {"sa":{"a":true,"s1":{"u":{"b":2}}}}         | {"a":[null,null]}
        {"a":5}                   | {"sa":{"u":{"b":2}}}                         | {"a":null}
        {"a":{"b":1}}             | {"sa":{"a":true,"u0":2}}                     | {"a":null}
        {"a":{"$date":"x"}}       | {"sa":{"u":{"b":2}}}                         | {"a":null}
        {"b":1}                   | {"sa":{"u":{"b":2}}}                         | {"b":1}
        {"a.b":1,"a":{"b":1}}     | {"u":{"a.b":2}}                              | {"a.b":2,"a":{"b":1}}
        {"":1,"s":{"":2}}         | {"d":{"":false},"ss":{"u":{"":3}}}           | {"s":{"":3}}
        {"a":1.50,"b":10000000000000000000001} | {"u":{"c":1}}                   | {"a":1.50,"b":10000000000000000000001,"c":1}
        """)
    void diffIsApplied(String before, String diff, String expected) {
        assertThat(after(before, "{\"$v\":2,\"diff\":" + diff + "}")).isEqualTo(Json.readMap(expected));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"a":1}          | {"$set":{"a":2,"b":3}}                    | {"a":2,"b":3}
        {"a":1}          | {"$v":1,"$set":{"b.c.d":3}}               | {"a":1,"b":{"c":{"d":3}}}
        {"a":[1,2]}      | {"$set":{"a.1":5,"a.4":7}}                | {"a":[1,5,null,null,7]}
        {"a":[{"b":1}]}  | {"$set":{"a.0.b":2,"a.1.b":3}}            | {"a":[{"b":2},{"b":3}]}
        {"a":5}          | {"$set":{"a.b":1,"c":0}}                  | {"a":5,"c":0}
        {"a":[1]}        | {"$set":{"a.b":1}}                        | {"a":[1]}
        {"a":{"$oid":"x"}} | {"$set":{"a.b":1}}                      | {"a":{"$oid":"x"}}
        {"a":{"0":1}}    | {"$set":{"a.1":2}}                        | {"a":{"0":1,"1":2}}
        {"a":1,"b":2}    | {"$unset":{"a":true,"x.y":true}}          | {"b":2}
        {"a":{"b":1,"c":2}} | {"$unset":{"a.b":true}}                | {"a":{"c":2}}
        {"a":[1,2]}      | {"$unset":{"a.0":true,"a.7":true}}        | {"a":[null,2]}
        """)
    void setAndUnsetAreApplied(String before, String update, String expected) {
        assertThat(after(before, update)).isEqualTo(Json.readMap(expected));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {}                                        | it is empty
        {"x":{}}                                  | section x
        {"i":{"a":1},"u":{"b":1}}                 | section u
        {"u":{"a":1},"u":{"b":1},"z":1}           | section z
        {"d":{"a":false},"i":{"a":1}}             | field a occurs twice
        {"sa":{"a":true,"u1":1,"u0":1}}           | out of order
        {"sa":{"a":true,"l":1,"u1":1}}            | beyond the length
        {"sa":{"a":true,"u999999999":1}}          | not a number of elements
        {"sa":{"a":true,"x1":1}}                  | x1
        {"sa":{"a":true,"u":1}}                   | not a number of elements
        {"sa":{"a":false,"u1":1}}                 | a is not true
        {"sa":{}}                                 | it is empty
        """)
    void malformedDiffIsRefused(String diff, String reason) {
        assertThatThrownBy(() -> after("{\"a\":[1]}", "{\"$v\":2,\"diff\":" + diff + "}"))
                .isInstanceOf(EntryException.class)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"$v":3,"diff":{}}     | $v is 3
        {"$v":2}               | it has no diff
        {"$inc":{"a":1}}       | it has $inc
        {"$set":5}             | $set is not a document
        """)
    void unknownUpdateIsRefused(String update, String reason) {
        assertThatThrownBy(() -> after("{\"a\":1}", update))
                .isInstanceOf(EntryException.class)
                .hasMessageContaining(reason);
    }
}

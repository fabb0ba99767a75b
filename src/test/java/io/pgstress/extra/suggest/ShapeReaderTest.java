package io.pgstress.extra.suggest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pgstress.extra.Untranslatable;
import io.pgstress.text.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which operations are one shape, and which have none. */
final class ShapeReaderTest {
    private static Filter filter(String json) {
        return FilterReader.read(Json.readMap(json));
    }

    private static Shape shape(String op, String command) {
        return ShapeReader.read(op, Json.readMap(command), 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "true  | {'a': 1, 'b': 2} | {'b': 'x', 'a': null, 'a': 7}",
                "true  | {'a': 1, 'b': 2} | {'$and': [{'b': {'$eq': 3}}, {'a': {'$in': [4]}}]}",
                "true  | {'a': {'$gt': 1, '$lte': 2}} | {'a': {'$lt': 'x', '$gte': 'y'}}",
                "true  | {'a': {'$in': [1, 2, 3]}} | {'a': {'$in': [5, 6, 7, 8]}}",
                "true  | {'a': {'$numberInt': '7'}} | {'a': {'$oid': '65a000000000000000000007'}}",
                "true  | {'a': {'b': 1}} | {'a': {'c': 2}}",
                "true  | {'a': {'$regex': '^abc'}} | {'a': {'$regularExpression': {'pattern': '^xyz.*', 'options': 'm'}}}",
                "true  | {'$or': [{'a': 1}, {'b': 2}]} | {'$or': [{'b': 1}, {'a': 2}, {'b': 3}]}",
                "true  | {'a': 1, '$comment': 'x'} | {'a': 2}",
                "false | {'a': 1} | {'a': null}",
                "false | {'a': 1} | {'a': {'$ne': 1}}",
                "false | {'a': {'$gt': 1}} | {'a': {'$lt': 1}}",
                "false | {'a': {'$in': [1, 2]}} | {'a': {'$in': [1, 2, 3]}}",
                "false | {'a.b': 1} | {'a': {'b': 1}}",
                "false | {'a': {'$regex': '^abc'}} | {'a': {'$regex': 'abc'}}",
                "false | {'a': {'$not': {'$gt': 1}}} | {'a': {'$gt': 1}}"
            })
    void meaningsMakeADifferenceValuesAndOrderDoNot(boolean same, String one, String other) {
        assertThat(filter(one.replace('\'', '"')).equals(filter(other.replace('\'', '"'))))
                .isEqualTo(same);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "query | {'find': 'c', 'filter': {'$where': 'secret'}} | $where",
                "query | {'find': 'c', 'filter': {'a': {'$near': [1, 2]}}} | $near",
                "query | {'find': 'c', 'filter': {'a': {'$regex': 'a(b.c)'}}} | a regular expression other than a"
                        + " beginning (^abc) or a part (abc) of the string",
                "query | {'find': 'c', 'filter': {'a': 'secret'}, 'collation': {'locale': 'de'}} | a collation",
                "query | {'find': 'c', 'filter': {}, 'sort': {'s': {'$meta': 'textScore'}}} | a sort by something other"
                        + " than fields",
                "query | {'$truncated': 'secret'} | the profiler truncated the command",
                "update | {'q': {}, 'u': [{'$set': {'a': 1}}]} | an update with an aggregation pipeline",
                "update | {'q': {}, 'u': {'$set': {'a.$[e].b': 1}}} | an update of the array elements that the filter"
                        + " finds ($ in a path)",
                "update | {'q': {}, 'u': {'$push': {'a': {'$each': [1], '$slice': -5}}}} | $push with $slice",
                "command | {'aggregate': 'c', 'pipeline': [{'$lookup': {}}]} | the stage $lookup",
                "command | {'aggregate': 'c', 'pipeline': [{'$group': {'_id': {'$year': '$at'}}}]} | $group by an"
                        + " expression",
                "command | {'aggregate': 'c', 'pipeline': [{'$project': {'y': {'$year': '$at'}}}, {'$group': {'_id':"
                        + " '$y'}}]} | $group after a $project with expressions",
                "command | {'aggregate': 'c', 'pipeline': [{'$skip': 5}, {'$sort': {'a': 1}}]} | $sort after $limit or"
                        + " $skip",
                "command | {'aggregate': 'c', 'pipeline': [{'$limit': 5}, {'$skip': 2}]} | $skip after $limit or $skip",
                "command | {'delete': 'c', 'deletes': [{'q': {}, 'limit': 1, 'collation': {'locale': 'de'}}]} | a"
                        + " collation",
                "command | {'createIndexes': 'c'} | the command createIndexes"
            })
    void namesTheReason(String op, String command, String reason) {
        assertThat(catchThrowableOfType(Untranslatable.class, () -> shape(op, command.replace('\'', '"')))
                        .reason())
                .isEqualTo(reason);
    }

    @Test
    void readsTheFormsOfAnUpdate() {
        String statement = "{\"q\": {\"a\": 1}, \"u\": {\"$inc\": {\"n\": 5}}, \"multi\": true}";

        assertThat(shape("command", "{\"update\": \"c\", \"updates\": [" + statement + "]}"))
                .isEqualTo(shape("update", statement))
                .isNotEqualTo(shape("update", statement.replace("true", "false")))
                .isNotEqualTo(shape("update", statement.replace("5", "-5")));
        assertThat(shape("remove", "{\"q\": {\"a\": 1}, \"limit\": 1}"))
                .isEqualTo(shape(
                        "command",
                        "{\"findAndModify\": \"c\", \"query\": {\"a\": 2}, \"remove\": true, \"sort\": null}"));
    }
}

package io.pgstress.target.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.target.dialect.Citus.CitusPlans;
import io.pgstress.target.dialect.Greenplum.GreenplumPlans;
import io.pgstress.target.dialect.Plans.Footprint;
import io.pgstress.target.dialect.PostgresXl.XlPlans;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Plans as written by the servers. */
final class PlansTest {
    private static Footprint read(Plans plans, String text) {
        return plans.read(text.lines().toList());
    }

    @Test
    void citusRoutesAnIdToOneShard() {
        Footprint found = read(new CitusPlans(), """
                Custom Scan (Citus Adaptive)  (cost=0.00..0.00 rows=0 width=0)
                  Output: remote_scan._id, remote_scan.data
                  Task Count: 1
                  Tasks Shown: All
                  ->  Task
                        Query: SELECT _id, data FROM public.check_in_102174 check_in WHERE (_id OPERATOR(pg_catalog.=) 5)
                        Node: host=127.0.0.1 port=5501 dbname=postgres
                        ->  Index Scan using check_in_pkey_102174 on public.check_in_102174 check_in  (cost=0.28..8.29)
                              Index Cond: (check_in._id = 5)
                """);

        assertThat(found).isEqualTo(new Footprint(OptionalInt.of(1), List.of("127.0.0.1:5501"), List.of("Index Scan")));
    }

    @Test
    void citusNamesEveryNodeOfABroadcastOnce() {
        Footprint found = read(new CitusPlans(), """
                Custom Scan (Citus Adaptive)  (cost=0.00..0.00 rows=100000 width=4)
                  Task Count: 3
                  Tasks Shown: All
                  ->  Task
                        Node: host=w1 port=5432 dbname=postgres
                        ->  Seq Scan on public.check_in_102169 check_in  (cost=0.28..17.85 rows=4 width=4)
                  ->  Task
                        Node: host=w2 port=5432 dbname=postgres
                        ->  Index Only Scan using check_in_pkey_102192 on public.check_in_102192 check_in
                  ->  Task
                        Node: host=w1 port=5432 dbname=postgres
                        ->  Seq Scan on public.check_in_102183 check_in  (cost=0.28..17.85 rows=4 width=4)
                """);

        assertThat(found)
                .isEqualTo(new Footprint(
                        OptionalInt.of(3), List.of("w1:5432", "w2:5432"), List.of("Seq Scan", "Index Only Scan")));
    }

    @Test
    void xlBroadcastsABindParameter() {
        Footprint found = read(new XlPlans(), """
                Remote Fast Query Execution  (cost=0.00..0.00 rows=0 width=0)
                  Output: check_in._id, check_in.data
                  Node/s: dn1, dn2
                  Remote query: SELECT _id, data FROM check_in WHERE (_id = $1)
                  ->
                """);

        assertThat(found).isEqualTo(new Footprint(OptionalInt.of(2), List.of("dn1", "dn2"), List.of()));
    }

    @Test
    void xlSelectsTheNodeOfAnInsertAtRunTime() {
        Footprint found = read(new XlPlans(), """
                Remote Fast Query Execution  (cost=0.00..0.00 rows=0 width=0)
                  Output: $1, $2
                  Node expr: $1
                  Remote query: INSERT INTO check_in_copy (_id, data) VALUES ($1, $2)
                  ->
                """);

        assertThat(found.touched()).hasValue(1);
    }

    @Test
    void xlNamesTheNodesOfACoordinatorsPlan() {
        Footprint found = read(new XlPlans(), """
                Limit  (cost=100.00..100.31 rows=10 width=73)
                  ->  Remote Subquery Scan on all (dn1,dn2)  (cost=100.00..100.31 rows=10 width=73)
                        ->  Limit  (cost=0.00..0.26 rows=10 width=73)
                              ->  Seq Scan on public.check_in  (cost=0.00..518.00 rows=19996 width=73)
                """);

        assertThat(found).isEqualTo(new Footprint(OptionalInt.of(2), List.of("dn1", "dn2"), List.of("Seq Scan")));
    }

    @Test
    void planWithoutANodeHasNone() {
        assertThat(read(new XlPlans(), "Result  (cost=0.00..0.01 rows=1 width=4)")
                        .touched())
                .isEmpty();
    }

    @Test
    void greenplumShowsSegmentsOfAllSlices() {
        Footprint routed = read(new GreenplumPlans(), """
                [
                  {
                    "Plan": {
                      "Node Type": "ModifyTable",
                      "Operation": "Update",
                      "Slice": 0,
                      "Segments": 1,
                      "Gang Type": "primary writer",
                      "Plans": [
                        {
                          "Node Type": "Index Scan",
                          "Slice": 0,
                          "Segments": 1,
                """);
        Footprint all = read(new GreenplumPlans(), """
                      "Node Type": "Limit",
                      "Slice": 0,
                      "Segments": 0,
                      "Gang Type": "unallocated",
                      "Plans": [
                        {
                          "Node Type": "Gather Motion",
                          "Senders": 2,
                          "Receivers": 1,
                          "Slice": 1,
                          "Segments": 2,
                          "Plans": [
                              "Node Type": "Seq Scan",
                              "Slice": 1,
                              "Segments": 2,
                """);

        assertThat(routed).isEqualTo(new Footprint(OptionalInt.of(1), List.of(), List.of("Index Scan")));
        assertThat(all).isEqualTo(new Footprint(OptionalInt.of(2), List.of(), List.of("Seq Scan")));
    }
}

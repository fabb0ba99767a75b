package io.pgstress.testing;

/**
 * The catalog of Citus 7.5 in a database of the test server: its tables with the columns of that version (citus--7.5 and earlier
 * scripts of citusdata/citus, tag v7.5.0), and its functions, which do their work on local tables. Each table that is distributed
 * has its rows in the table itself, as if they were all in its first shard; the shards exist only in the catalog, on two workers.
 */
public final class OldCitus {
    private OldCitus() {}

    /** Creates the catalog; the workers have the address of the test server, so that they answer. */
    public static void createIn(String url) {
        TestServer.execute(url, CATALOG);
        TestServer.execute(
                url,
                "insert into pg_dist_node (nodeid, groupid, nodename, nodeport, hasmetadata) values"
                        + " (1, 1, '127.0.0.1', " + TestServer.port() + ", true), (2, 2, 'localhost', "
                        + TestServer.port() + ", false)");
    }

    private static final String CATALOG = """
            set allow_system_table_mods = on;
            create type pg_catalog.noderole as enum ('primary', 'secondary', 'unavailable');
            create table pg_catalog.pg_dist_node (
                nodeid int not null primary key, groupid int not null, nodename text not null, nodeport int not null,
                noderack text not null default 'default', hasmetadata bool not null default false,
                isactive bool not null default true, noderole noderole not null default 'primary',
                nodecluster name not null default 'default', unique (nodename, nodeport));
            create table pg_catalog.pg_dist_local_group (groupid int not null primary key);
            create table pg_catalog.pg_dist_partition (
                logicalrelid regclass not null, partmethod "char" not null, partkey text, colocationid int not null,
                repmodel "char" not null);
            create table pg_catalog.pg_dist_shard (
                logicalrelid regclass not null, shardid bigint not null, shardstorage "char" not null, shardminvalue text,
                shardmaxvalue text);
            create table pg_catalog.pg_dist_placement (
                placementid bigint generated always as identity, shardid bigint not null, shardstate int not null,
                shardlength bigint not null, groupid int not null);
            create sequence pg_catalog.pg_dist_shardid_seq start 102008;
            insert into pg_dist_local_group values (0);
            insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
                values (99999, 'citus', 10, 'pg_catalog'::regnamespace, false, '7.5-7');

            create function pg_catalog.create_distributed_table(
                table_name regclass, distribution_column text, distribution_type text default 'hash',
                colocate_with text default 'default') returns void language plpgsql as $$
            declare
                shards int := coalesce(nullif(current_setting('citus.shard_count', true), '')::int, 32);
            begin
                insert into pg_dist_partition values (table_name, 'h', distribution_column, 1, 's');
                for i in 1 .. shards loop
                    insert into pg_dist_shard values (table_name, nextval('pg_dist_shardid_seq'), 't', '', '');
                    insert into pg_dist_placement (shardid, shardstate, shardlength, groupid)
                        values (currval('pg_dist_shardid_seq'), 1, 0, 1 + i % 2);
                end loop;
            end $$;
            create function pg_catalog.get_shard_id_for_distribution_column(table_name regclass, distribution_value anyelement)
                returns bigint language sql as $$
                select shardid from pg_dist_shard where logicalrelid = table_name
                order by (shardid + distribution_value::bigint) % 32 limit 1 $$;
            create function pg_catalog.citus_total_relation_size(logicalrelid regclass) returns bigint language sql as
                $$ select pg_total_relation_size(logicalrelid) $$;
            create function pg_catalog.citus_table_size(logicalrelid regclass) returns bigint language sql as
                $$ select pg_table_size(logicalrelid) $$;
            create function pg_catalog.citus_relation_size(logicalrelid regclass) returns bigint language sql as
                $$ select pg_relation_size(logicalrelid) $$;
            create function pg_catalog.run_command_on_placements(
                table_name regclass, command text, parallel bool default true,
                out nodename text, out nodeport int, out shardid bigint, out success bool, out result text)
                returns setof record language plpgsql as $$
            begin
                for nodename, nodeport, shardid, success in
                    select n.nodename, n.nodeport, s.shardid, true
                    from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)
                    where s.logicalrelid = table_name order by shardid limit 1
                loop
                    execute format(command, table_name) into result;
                    return next;
                end loop;
            end $$;
            """;
}

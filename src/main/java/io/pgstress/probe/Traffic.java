package io.pgstress.probe;

import io.pgstress.result.Network;
import io.pgstress.target.Node;
import java.util.List;

/** The traffic of the load's sockets so far, by node. */
@SuppressWarnings("ArrayRecordComponent") // never compared, never handed on
record Traffic(long[] in, long[] out) {
    static Traffic read(List<Node> nodes) {
        long[] in = new long[nodes.size()];
        long[] out = new long[nodes.size()];
        for (int i = 0; i < in.length; i++) {
            in[i] = nodes.get(i).connector().bytes().bytesIn();
            out[i] = nodes.get(i).connector().bytes().bytesOut();
        }
        return new Traffic(in, out);
    }

    Network since(Traffic before, double seconds) {
        long bytesIn = 0;
        long bytesOut = 0;
        for (int i = 0; i < in.length; i++) {
            bytesIn += in[i] - before.in[i];
            bytesOut += out[i] - before.out[i];
        }
        return network(bytesIn, bytesOut, seconds);
    }

    Network since(Traffic before, int node, double seconds) {
        return network(in[node] - before.in[node], out[node] - before.out[node], seconds);
    }

    private static Network network(long bytesIn, long bytesOut, double seconds) {
        double bitsToMbitPerSecond = seconds == 0 ? 0 : 8 / 1e6 / seconds;
        return new Network(bytesIn * bitsToMbitPerSecond, bytesOut * bitsToMbitPerSecond, bytesIn, bytesOut);
    }
}

package io.pgstress.fleet;

import io.pgstress.measure.IntervalData;
import io.pgstress.measure.Timeline;
import io.pgstress.operation.WriteSums;
import io.pgstress.runner.IntervalExtras;
import java.util.List;

/** Adds what the hosts have recorded to the command's run. Thread-safe. */
final class HostRecords {
    private final Timeline timeline;
    private final IntervalExtras extras;
    private final Acknowledged acknowledged;

    HostRecords(Timeline timeline, IntervalExtras extras, Acknowledged acknowledged) {
        this.timeline = timeline;
        this.extras = extras;
        this.acknowledged = acknowledged;
    }

    void progress(RemoteHost host, Message.Progress progress) {
        host.progress(progress);
        wrote(host, progress.writes());
    }

    void increment(RemoteHost host, Message.Increment increment) {
        host.add(increment, timeline, extras);
    }

    void usage(RemoteHost host, Message.Usage usage) {
        IntervalData interval = RemoteHost.interval(timeline, usage.phase(), usage.index());
        IntervalExtras.Usage its =
                new IntervalExtras.Usage(usage.inMbitPerSecond(), usage.outMbitPerSecond(), usage.cpuCores());
        extras.hostUsage(interval, host.name(), its);
    }

    /** Takes what the server has acknowledged to a host. */
    void wrote(RemoteHost host, List<WriteSums> sums) {
        acknowledged.ofHost(host.work().host(), sums);
    }

    /** A lost host may have written more than it has reported. */
    void lost(RemoteHost host) {
        acknowledged.lost(host.work().host());
        extras.hostLost(host.name());
    }

    /** Takes a host's result and the rest of what it recorded, unless it was lost before. */
    void ended(RemoteHost host, Message.Ended ended) {
        host.ended(ended, () -> add(host, ended));
    }

    private void add(RemoteHost host, Message.Ended ended) {
        wrote(host, ended.writes());
        for (int i = 0;
                i < Math.min(ended.updatedIds().size(), acknowledged.updated().size());
                i++) {
            acknowledged.updated().get(i).add(ended.updatedIds().get(i));
        }
        for (int n = 0; n < ended.successes().size(); n++) {
            timeline.successes(host.work().nodes().get(n)).add(ended.successes().get(n));
        }
    }
}

// The load generator hosts of a run on several hosts: a table, and their rates over time.

const MAX_HOST_LINES = 20;

const loadHosts = (run) => run.hosts || [];

function loadHostsTable(run) {
  const millis3 = (us) => decimal(us / 1000, 3);
  return !loadHosts(run).length ? null : table('Load generator hosts', ['host', 'clients', 'ops/s', 'ok', 'errors', 'times', ...TIMES.map((t) => t[1]),
    'CPU cores', 'of', 'CPU per operation', 'GC pauses s', 'compiled s', 'load average', 'memory', 'waited for turn', 'in', 'out', 'bytes in', 'bytes out',
    'clock offset ms', '± ms', 'lost at s', 'state'],
    loadHosts(run).map((host, i) => {
      const path = pointer(RESULTS.indexOf(run), 'hosts', i);
      return [host.name, ...cellsOf(host, path, ['clients', count], ['opsPerSecond', rate], ['ok', count], ['failed', count]),
        figure(host.latencyMicros && host.latencyMicros.count, path + '/latencyMicros/count', count),
        ...timeCells(host.latencyMicros, path + '/latencyMicros'),
        ...cellsOf(host.client, path + '/client', ['cpuCoresUsed', decimals(2)], ['cpus', count], ['cpuMicrosPerOperation', time],
          ['gcPauseSeconds', decimals(3)], ['compilerSeconds', decimals(2)], ['loadAverage', decimals(2)], ['residentBytes', bytes],
          ['ownWaitShare', percent]),
        ...cellsOf(host.network, path + '/network', ...NETWORK),
        ...cellsOf(host, path, ['clockOffsetMicros', millis3], ['clockBoundMicros', millis3], ['lostAtSeconds', decimals(1)]),
        host.lostAtSeconds != null ? 'lost' : host.valid ? 'valid' : 'not valid'];
    }));
}

/** What each host did within each interval. */
function hostIntervalsTable(run) {
  return !loadHosts(run).length ? null : unfolding('Every load generator host in every interval',
    () => table('Successful operations, by load generator host and interval', ['from s', ...loadHosts(run).map((host) => host.name)],
      eachInterval(run, (i, path) => loadHosts(run).map((host) => hostCell(i, host, path)))));
}

const hostCell = (i, host, path) => figure(i.hostsOk && i.hostsOk[host.name], path + pointer('hostsOk', host.name), count);

/** The hosts' rates over time; more hosts than a chart can show are in the table only. */
function hostsChart(run, id) {
  const hosts = loadHosts(run);
  const intervals = measured(run).filter((i) => i.hostsOk);
  if (!hosts.length || hosts.length > MAX_HOST_LINES || !intervals.length) {
    return null;
  }
  const perSecond = (i, host) => (i.hostsOk[host.name] == null ? null : i.hostsOk[host.name] / i.seconds);
  return chart({
    id: id + 'hosts',
    title: 'Operations per second, by load generator host',
    alternative: hosts.map((host) => host.name + ': ' + rangeWords(intervals.map((i) => perSecond(i, host)), (v) => rate(v) + ' ops/s')).join(' '),
    wide: true,
    option: (t) => ({
      tooltip: {...base(t).tooltip, valueFormatter: (v) => (v == null ? '–' : rate(v))},
      xAxis: secondsAxis(t),
      yAxis: axis(t, {type: 'value', name: 'ops/s', min: 0, label: {formatter: plain}}),
      series: hosts.map((host, n) => line(host.name, intervals.map((i) => [middle(i), perSecond(i, host)]), n, n ? {} : marks(run, t))),
    }),
    header: ['from s', ...hosts.map((host) => host.name)],
    rows: () => eachInterval(run, (i, path) => hosts.map((host) => hostCell(i, host, path))),
  });
}

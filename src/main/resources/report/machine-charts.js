// Charts and tables of the machines of a run: those of the nodes, the client's, and those that were watched.

/** The machines with their place in the JSON. */
const machinesOf = (run) => ['hosts', 'machines'].flatMap((list) => (run.serverProfile[list] || []).map((m, i) => ({
  ...m, title: hostOf(m.node) + (m.role && m.role !== m.node ? ' (' + m.role + ')' : ''),
  path: pointer(RESULTS.indexOf(run), 'serverProfile', list, i)})));

const shareAxis = (t, name) => axis(t, {type: 'value', name, min: 0, max: 1, label: {formatter: (v) => decimal(v * 100, 0) + ' %'}});

/** A chart of shares that are all smaller would be empty. */
const NOTHING = 0.01;

/** A line per machine of a share that each reading has. @param of the share in a reading */
function sharesChart(run, id, spec) {
  const machines = machinesOf(run).filter((m) => m.samples.some((s) => spec.of(s) != null));
  const shares = machines.flatMap((m) => m.samples.map(spec.of).filter((v) => v != null));
  if (shares.length && shares.every((v) => v < NOTHING)) {
    return sentenceInstead(spec.title, 'Below ' + decimal(NOTHING * 100, 0) + ' % all the time.');
  }
  return !machines.length ? null : chart({
    id: id + spec.id,
    title: spec.title,
    note: spec.note,
    alternative: machines.map((m) => m.title + ': ' + rangeWords(m.samples.map(spec.of), percent)).join(' '),
    wide: true,
    option: (t) => ({
      tooltip: {...base(t).tooltip, valueFormatter: (v) => (v == null ? '–' : percent(v))},
      xAxis: secondsAxis(t),
      yAxis: shareAxis(t, 'busy'),
      series: machines.map((m, n) => line(m.title, m.samples.map((s) => [s.atSeconds + s.seconds / 2, spec.of(s)]), n, {})),
    }),
    header: ['from s', 'machine', ...spec.columns.map((c) => c[0])],
    rows: () => machines.flatMap((m) => m.samples.map((s, n) => [decimal(s.atSeconds, 1), m.title,
      ...spec.columns.map(([, path, format]) => cellOf(inside(s, path), m.path + pointer('samples', n) + path, format))])),
  });
}

/** A figure; a text has no place among them. */
const cellOf = (value, path, format) => (typeof value === 'number' ? figure(value, path, format) : value == null ? '–' : format(value));

/** The value at a JSON pointer, or null. */
const inside = (value, path) => path.split('/').slice(1).reduce((v, key) => (v == null ? null : v[key]), value);

const CPU_KINDS = [['user', '/use/cpu/user'], ['system', '/use/cpu/system'], ['interrupts', '/use/cpu/interrupts'],
  ['iowait', '/use/cpu/iowait'], ['steal', '/use/cpu/steal']];

/** CPU use of each machine; shows, for example, a full coordinator with idle workers. */
const machinesChart = (run, id) => sharesChart(run, id, {
  id: 'machines', title: 'CPU of the machines over time', of: (s) => s.cpuBusy,
  columns: [['CPU busy', '/cpuBusy', percent], ...CPU_KINDS.map(([name, path]) => [name, path, percent]),
    ['load average', '/loadAverage', (v) => decimal(v, 2)]],
});

const DISK = [['reads/s', 'readsPerSecond', rate], ['writes/s', 'writesPerSecond', rate],
  ['read MB/s', 'readMbPerSecond', (v) => decimal(v, 1)], ['write MB/s', 'writeMbPerSecond', (v) => decimal(v, 1)],
  ['await', 'awaitMillis', (ms) => time(ms * 1000)], ['read await', 'readAwaitMillis', (ms) => time(ms * 1000)],
  ['write await', 'writeAwaitMillis', (ms) => time(ms * 1000)], ['read merges/s', 'readMergesPerSecond', rate],
  ['write merges/s', 'writeMergesPerSecond', rate], ['request kB', 'requestKilobytes', (kb) => decimal(kb, 1)],
  ['queue', 'queueLength', (n) => decimal(n, 2)], ['busy', 'utilization', percent]];

const firstDisk = (s) => inside(s, '/use/disks/0');

/** Use of the disk with the data, or of the busiest one. */
const disksChart = (run, id) => sharesChart(run, id, {
  id: 'disks', title: 'Disks of the machines over time', of: (s) => (firstDisk(s) ? firstDisk(s).utilization : null),
  note: 'The share of the time in which requests were under way, of the disk with the data or else the busiest one. A disk that'
    + ' serves requests in parallel can do more even at 100 %.',
  columns: [['disk', '/use/disks/0/device', String], ...DISK.map(([name, path, format]) => [name, '/use/disks/0/' + path, format])],
});

/** What the CPUs did, as shares of their time. */
function cpuKindsChart(run, id) {
  const machines = machinesOf(run).filter((m) => m.use);
  return !machines.length ? null : barChart({
    id: id + 'cpu', title: 'What the machines’ CPUs did', groups: machines.map((m) => m.title), format: percent, stack: 'cpu',
    axisFormat: (v) => decimal(v * 100, 0) + ' %',
    series: CPU_KINDS.map(([name, path]) => ({name, values: machines.map((m) => inside(m, path))})),
  });
}

const cores = (v) => decimal(v, 2) + ' cores';

const MACHINE = [['CPU busy', '/cpuBusy', percent], ['own processes', '/processCpu', percent], ...CPU_KINDS.map(([name, path]) => [name, path, percent]),
  ['busiest CPU', '/use/cpu/busiest', percent], ['load average', '/loadAverage', (v) => decimal(v, 2)],
  ['in', '/inMbitPerSecond', megabits], ['out', '/outMbitPerSecond', megabits],
  ['disk writes', '/diskWriteMbPerSecond', (v) => decimal(v, 1) + ' MB/s'],
  ['received by one CPU', '/use/receive/share', percent], ['of', '/use/receive/perSecond', (v) => rate(v) + '/s'],
  ['its number', '/use/receive/cpu', count], ['it was busy', '/use/receive/cpuBusy', percent],
  ['with interrupts', '/use/receive/cpuInterrupts', percent],
  ['card interrupts by one CPU', '/use/networkCards/share', percent], ['of', '/use/networkCards/perSecond', (v) => rate(v) + '/s'],
  ['its number', '/use/networkCards/cpu', count], ['it was busy', '/use/networkCards/cpuBusy', percent],
  ['with interrupts', '/use/networkCards/cpuInterrupts', percent],
  ['CPU quota', '/use/quota/cores', cores], ['used of it', '/use/quota/usedCores', cores], ['used up', '/use/quota/throttled', percent],
  ['memory limit', '/use/memoryLimit/bytes', bytes], ['evicted pages read again', '/use/memoryLimit/rereadsPerSecond', (v) => rate(v) + '/s']];

const ENVIRONMENT = [['CPU', 'cpuModel', String], ['CPUs', 'cpus', count], ['NUMA nodes', 'numaNodes', count], ['governor', 'governor', String],
  ['memory', 'memoryBytes', bytes], ['huge pages', 'hugePages', String], ['kernel', 'kernel', String],
  ['virtualization', 'virtualization', String], ['clock source', 'clockSource', String], ['data on', 'dataDevice', String],
  ['file system', 'dataFileSystem', String], ['mount options', 'dataMountOptions', String],
  ['single receive queue', 'singleReceiveQueue', (v) => (v ? 'yes' : 'no')], ['open files', 'openFiles', count],
  ['max_connections', 'maxConnections', count], ['max_prepared_transactions', 'maxPrepared', count],
  ['durability', 'settings', (v) => Object.entries(v).map(([name, value]) => name + ' ' + value).join(', ')]];

const machineTables = (run) => tablesOfMachines(machinesOf(run), 'during the measurement');

/** The machines of a comparison: their load by variant, and their properties. */
const machinesOfComparison = (comparison) => [
  ...comparison.variants.flatMap((v, n) => (v.machines || []).map((m, i) => ({...m,
    title: v.name + ': ' + hostOf(m.node) + (m.role && m.role !== m.node ? ' (' + m.role + ')' : ''),
    path: pointer(RESULTS.indexOf(comparison), 'variants', n, 'machines', i)}))),
  ...(comparison.machines || []).map((m, i) => ({...m, title: hostOf(m.node) + (m.role && m.role !== m.node ? ' (' + m.role + ')' : ''),
    path: pointer(RESULTS.indexOf(comparison), 'machines', i)}))];

const bottlenecksTable = (comparison) => {
  const known = comparison.variants.filter((v) => v.bottleneck.length);
  return known.length ? words('Bottleneck', known.map((v) => [v.name, textsOf(v.bottleneck)])) : null;
};

/** @param when the period of the load, in words */
function tablesOfMachines(machines, when) {
  const loaded = machines.filter((m) => m.use);
  if (!machines.length) {
    return [];
  }
  const disks = loaded.flatMap((m) => ((m.use && m.use.disks) || []).map((disk, i) => [m.title, disk.device + (disk.holdsData ? ' (data)' : ''),
    ...DISK.map(([, name, format]) => cellOf(disk[name], m.path + pointer('use', 'disks', i, name), format))]));
  const known = machines.filter((m) => m.environment);
  return [
    table('The machines ' + when + ' (not the client’s sockets)', ['machine', ...MACHINE.map((c) => c[0])],
      loaded.map((m) => [m.title, ...MACHINE.map(([, path, format]) => cellOf(inside(m, path), m.path + path, format))])),
    disks.length ? table('Disks ' + when, ['machine', 'disk', ...DISK.map((c) => c[0])], disks) : null,
    known.length ? table('Properties of the machines', ['machine', ...ENVIRONMENT.map((c) => c[0])],
      known.map((m) => [m.title, ...ENVIRONMENT.map(([, name, format]) => cellOf(m.environment[name], m.path + pointer('environment', name), format))])) : null,
    machines.some((m) => m.samples.length) ? unfolding('The machines over time', () => table('The machines over time',
      ['from s', 'machine', 'seconds', ...MACHINE.map((c) => c[0])],
      machines.flatMap((m) => m.samples.map((s, n) => [decimal(s.atSeconds, 1), m.title,
        figure(s.seconds, m.path + pointer('samples', n, 'seconds'), (v) => decimal(v, 1)),
        ...MACHINE.map(([, path, format]) => cellOf(inside(s, path), m.path + pointer('samples', n) + path, format))])))) : null,
  ];
}

/** pg_stat_io within the measurement. */
function ioTable(profile, path) {
  const columns = [...new Set((profile.io || []).flatMap((row) => Object.keys(row.counts)))].sort();
  return columns.length ? table('I/O by kind of process, during the measurement (pg_stat_io)',
    ['node', 'process', 'object', 'context', ...columns],
    profile.io.map((row, i) => [row.node, row.backendType, row.object, row.context,
      ...columns.map((c) => figure(row.counts[c], path + pointer(i, 'counts', c), (v) => decimal(v, Number.isInteger(v) ? 0 : 1)))])) : null;
}

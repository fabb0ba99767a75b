// Tables of the servers, the client and the data.

const words = (caption, entries) => (entries.length
  ? table(caption, ['name', 'value'], entries.map(([name, value]) => [name, String(value)]))
  : null);

function serverTables(run) {
  const profile = run.serverProfile;
  const here = pointer(RESULTS.indexOf(run), 'serverProfile');
  return [
    ...run.servers.map((s, i) => words('Settings of ' + s.url + ': changed or requested', Object.entries(s.settings))),
    Object.keys(run.client.pool || {}).length ? words('Pool', Object.entries(run.client.pool)) : null,
    profile.statements.length ? table('Statements as the server counted them',
      ['node', 'calls', 'rows', 'time in all', 'time each', 'blocks hit', 'blocks read', 'WAL', 'SQL'],
      profile.statements.map((s, i) => [s.node,
        figure(s.calls, here + pointer('statements', i, 'calls'), count),
        figure(s.rows, here + pointer('statements', i, 'rows'), count),
        figure(s.totalExecMillis, here + pointer('statements', i, 'totalExecMillis'), (ms) => time(ms * 1000)),
        figure(s.meanExecMicros, here + pointer('statements', i, 'meanExecMicros'), time),
        figure(s.blocksHit, here + pointer('statements', i, 'blocksHit'), count),
        figure(s.blocksRead, here + pointer('statements', i, 'blocksRead'), count),
        figure(s.walBytes, here + pointer('statements', i, 'walBytes'), bytes), s.query])) : null,
    deltas('Database, over the run', profile.database, here + '/database'),
    deltas('WAL and checkpoints, over the run', profile.wal, here + '/wal'),
    waitsTable(profile, here + '/waitEvents'),
    deltas('Checkpoints, during the measurement', profile.checkpointer || {}, here + '/checkpointer'),
    ioTable(profile, here + '/io'),
    ...machineTables(run),
    ...explainedTables(profile.explained, here + '/explained'),
    profile.notes.length ? h('p', {class: 'note'}, 'Not told by the server: ' + profile.notes.map((n) => n.text).join('; ')) : null,
  ];
}

function deltas(caption, values, path) {
  const entries = Object.entries(values);
  return entries.length ? table(caption, ['counter', 'by'], entries.map(([name, value]) => [name,
    figure(value, path + pointer(name), (v) => decimal(v, Number.isInteger(v) ? 0 : 1))])) : null;
}

function waitsTable(profile, path) {
  const waits = byCount(profile);
  return waits.length ? table('What the server’s sessions were doing, of ' + count(profile.waitSamples) + ' samples',
    ['state and wait event', 'samples'], waits.map(([name, n]) => [name, figure(n, path + pointer(name), count)])) : null;
}

/** The expected destinations of statements, and the nodes' counts. */
function explainedTables(explained, path) {
  if (!explained) {
    return [];
  }
  return [
    explained.lines.length ? h('p', {class: 'note'}, explained.lines.join('; ')
      + (explained.verdict ? '. On the nodes: ' + explained.verdict : '')) : null,
    explained.nodes.length ? table('Statements on the nodes, over the run', ['node', 'role', 'statements', 'two-phase commits'],
      explained.nodes.map((n, i) => [n.node, n.role, figure(n.statements, path + pointer('nodes', i, 'statements'), count),
        figure(n.twoPhase, path + pointer('nodes', i, 'twoPhase'),
          (v) => (n.twoPhaseAtLeast ? 'at least ' : '') + count(v))])) : null,
    explained.expectedPerOperation == null && explained.seenPerOperation == null && explained.genericPlans == null ? null
      : table('Explained and seen', ['figure', 'value'], [
        ['statements on the nodes per operation, as explained', 'expectedPerOperation', (v) => decimal(v, 2)],
        ['the same as the nodes counted', 'seenPerOperation', (v) => decimal(v, 2)],
        ['generic plans of one session', 'genericPlans', count],
        ['custom plans of one session', 'customPlans', count],
      ].map(([label, name, format]) => [label, figure(explained[name], path + '/' + name, format)])),
    routesTable(explained.routes, path + '/routes'),
  ];
}

/** Each statement in each mode, as the server planned it before the run. */
function routesTable(routes, path) {
  return routes.length ? unfolding('Every statement’s way', () => table('Ways of the statements, as explained before the run',
    ['operation: statement', 'mode', 'touched', 'from the sixth time on', 'of', 'unit', 'plan', 'commit', 'nodes', 'scans', 'error'],
    routes.map((r, i) => [r.operation + ': ' + r.statement, r.mode,
      ...['touched', 'touchedLater', 'of'].map((c) => figure(r[c], path + pointer(i, c), count)),
      r.unit, r.plan, r.commit, r.nodes.join(', ') + (r.nodesOf ? ' (of ' + count(r.nodesOf) + ')' : ''), r.scans.join(', '),
      r.error || '']))) : null;
}

const settingWords = (server) => Object.entries(server.settings).map(([name, value]) => name + '=' + value).join(', ');

const poolerWords = (p) => p.name + (p.version ? ' ' + p.version : '') + (p.pooling ? ', ' + p.pooling + ' pooling' : '')
  + ' (' + p.foundBy + ')' + (Object.keys(p.settings).length ? ': ' + settingWords(p) : '');

const serverFacts = (finding) => finding.servers.flatMap((s) => [
  ['server', s.url + (s.transport === 'unix' ? ' over a Unix socket' : '') + (finding.servers.length === 1 ? '' : ' (' + s.role + ')') + ': ' + s.kind + ', ' + s.version + (s.tls ? '; ' + s.tls : '') + '; data column as ' + s.transferFormat
    + '; load average ' + (s.loadAverage == null ? 'unknown' : decimal(s.loadAverage, 2))],
  ...(s.pooler ? [['through', poolerWords(s.pooler)]] : []),
  ...(finding.nodes || []).filter((n) => n.url === s.url && n.reached).map((n) => ['sessions', n.reached.map((r) => count(r.sessions) + ' on ' + r.server + (r.standby ? ' (standby)' : '')).join(', ')]),
  ['settings', settingWords(s) || 'as by default']]);

const clientWords = (c, tool) => c.jvm + ' on ' + c.os + ', ' + tool.driver + ', pgstress ' + tool.version
  + (tool.commit ? ' (' + tool.commit + ')' : '');

/** The setup of a comparison or scaling, one line per fact. */
function factsOfFinding(finding) {
  const d = finding.dataset;
  return [
    ['data', d.table + (d.idsDrawnFrom ? ': ' + count(d.rowsBefore) + ' rows, ' + d.keyType + ' keys'
      + (d.bytes ? ', ' + bytes(d.bytes) : '') : '')], // operations with their own tables draw no ids
    ['client', clientWords(finding.client, finding.tool) + ', ' + finding.client.threadKind + ' threads, ' + finding.client.cpus + ' cores'],
    ...serverFacts(finding),
    ['run', finding.run.id + ', ' + moment(finding.run.startedAt)],
  ];
}

function rowsOf(run) {
  const d = run.dataset;
  const distribution = optionOf(run, 'key-distribution');
  return ': ' + count(d.rowsBefore) + (d.rowsAfter === d.rowsBefore ? '' : ' → ' + (d.rowsAfter < 0 ? 'unknown' : count(d.rowsAfter)))
    + ' rows, ' + d.keyType + ' keys, ' + (d.bytes ? bytes(d.bytes) + ', ' : '') + count(d.idsDrawnFrom) + ' ids to draw from'
    + (distribution ? ' (' + distribution + ')' : '');
}

/** The time for connecting, and the rates with and without it. */
function connectingWords(c) {
  const rates = (first, second) => [first, second].filter(([v]) => v != null).map(([v, words]) => rate(v) + ' ops/s ' + words).join(', ');
  const whole = [c.opsPerSecondWith, 'with connecting'];
  const rest = [c.opsPerSecondWithout, 'without'];
  return (c.connect === 'per-transaction'
    ? 'a new session for each operation' + (c.meanMicros == null ? '' : ': ' + time(c.meanMicros) + ' on average')
    : seconds(c.seconds) + ' until all clients were connected, before the load') + '; ' + rates(whole, rest);
}

/** The setup of a run, one line per fact. */
function factsOf(run) {
  const c = run.client;
  const d = run.dataset;
  const pool = optionOf(run, 'pool');
  return [
    ['data', d.table + (d.idsDrawnFrom ? rowsOf(run) : '')],
    ['phases', run.run.phases.map((p) => p.name + ' ' + seconds(p.seconds)).join(', ')],
    ['clients', count(clientsOf(run)) + ' on ' + c.threadKind + ' threads, ' + (pool && pool !== 'none' ? 'pool ' + pool : 'no pool')
      + ', seed ' + run.run.seed],
    ...(run.connecting ? [['connecting', connectingWords(run.connecting)]] : []),
    ...run.nodes.filter((n) => n.clientOperations && n.clientOperations.clients > 1).map((n) => ['per client',
      (run.nodes.length > 1 ? n.url + ': ' : '') + count(n.clientOperations.min) + ' to ' + count(n.clientOperations.max)
      + ' operations, mean ' + count(Math.round(n.clientOperations.mean))
      + (n.clientOperations.stddev == null ? '' : ', standard deviation ' + count(Math.round(n.clientOperations.stddev)))]),
    ['client', clientWords(c, run.tool)],
    ['client’s load', decimal(c.cpuCoresUsed, 2) + ' of ' + c.cpus + ' cores, ' + time(c.cpuMicrosPerOperation)
      + ' of CPU an operation, garbage collection paused ' + decimal(c.gcPauseSeconds, 3) + ' s, '
      + (c.compilerSeconds == null ? '' : 'the JVM compiled for ' + decimal(c.compilerSeconds, 2) + ' s, ') + 'load average '
      + (c.loadAverage == null ? 'unknown' : decimal(c.loadAverage, 2))
      + (c.residentBytes ? ', ' + bytes(c.residentBytes) + ' resident' : '')],
    ...serverFacts(run),
    ['network', 'in ' + megabits(run.network.inMbitPerSecond) + ' (' + bytes(run.network.bytesIn) + '), out '
      + megabits(run.network.outMbitPerSecond) + ' (' + bytes(run.network.bytesOut) + ')'],
    ...(run.scheduleLagMicros ? [['schedule lag', ['p50', 'p99', 'max'].map((q) => q + ' ' + time(run.scheduleLagMicros[q])).join(', ')]] : []),
    ...(d.afterwards || []).map((words) => ['afterwards', words]),
    ...(run.halts.count ? [['halts', count(run.halts.count) + '  pauses to reset the tables, ' + seconds(run.halts.seconds)
      + ' in total, excluded from results']] : []),
    ['run', run.run.id + ', ' + moment(run.run.startedAt)],
  ];
}

// Tables of the servers, the client and the data.

const words = (caption, entries) => (entries.length
  ? table(caption, ['name', 'value'], entries.map(([name, value]) => [name, String(value)]))
  : null);

const serverWords = (s) => [...(s.build ? [['programs from', s.build.origin], ['SHA-256 of these', s.build.sha256]] : []),
  ...Object.entries(s.settings)];

function serverTables(run) {
  const profile = run.serverProfile;
  const here = pointer(RESULTS.indexOf(run), 'serverProfile');
  return [
    ...run.servers.map((s, i) => words('Settings of ' + s.url + ': changed or requested', serverWords(s))),
    Object.keys(run.client.pool || {}).length ? words('Pool', Object.entries(run.client.pool)) : null,
    profile.statements.length ? table('Statements as the server counted them',
      ['node', 'calls', 'rows', 'time in all', 'time each', 'blocks hit', 'blocks read', 'WAL', 'SQL'],
      profile.statements.map((s, i) => [s.node,
        ...cellsOf(s, here + pointer('statements', i), ['calls', count], ['rows', count], ['totalExecMillis', (ms) => time(ms * 1000)],
          ['meanExecMicros', time], ['blocksHit', count], ['blocksRead', count], ['walBytes', bytes]), s.query])) : null,
    deltas('Database, over the run', profile.database, here + '/database'),
    deltas('WAL and checkpoints, over the run', profile.wal, here + '/wal'),
    waitsTable(profile, here + '/waitEventSeconds'),
    blockersTable(profile.operationWaits, here + '/operationWaits/blockers'),
    deltas('Checkpoints, during the measurement', profile.checkpointer || {}, here + '/checkpointer'),
    ioTable(profile, here + '/io'),
    ...machineTables(run),
    ...explainedTables(profile.explained, here + '/explained'),
    profile.notes.length ? h('p', {class: 'note'}, profile.notes.map(sentencesOf).join(' ')) : null,
  ];
}

function deltas(caption, values, path) {
  const entries = Object.entries(values);
  return entries.length ? table(caption, ['counter', 'by'], entries.map(([name, value]) => [name,
    figure(value, path + pointer(name), (v) => decimal(v, Number.isInteger(v) ? 0 : 1))])) : null;
}

function waitsTable(profile, path) {
  const waits = byTime(profile);
  return waits.length ? table('What the server’s sessions were doing, of ' + count(profile.waitSamples) + ' samples',
    ['state and wait event', 'time'], waits.map(([name, s]) => [name, figure(s, path + pointer(name), (x) => time(x * 1e6))])) : null;
}

const BLOCKERS = {RUN: 'this run', MAINTENANCE: 'maintenance', OTHER: 'another session', PREPARED_TRANSACTION: 'a prepared transaction', UNKNOWN: 'unknown'};

/** The sessions for which operations waited. */
function blockersTable(waits, path) {
  return waits && waits.blockers.length ? table('Who blocked operations', ['operation', 'blocked by', 'name', 'state', 'samples', 'longest chain', 'statement'],
    waits.blockers.map((b, i) => [b.operation, BLOCKERS[b.kind], b.name, b.state,
      ...cellsOf(b, path + pointer(i), ['samples', count], ['longestChain', count]), b.statement])) : null;
}

/** The expected destinations of statements, and the nodes' counts. */
function explainedTables(explained, path) {
  if (!explained) {
    return [];
  }
  return [
    explained.lines.length ? h('p', {class: 'note'}, explained.lines.join('; ')
      + (explained.verdict ? '. On the nodes: ' + explained.verdict : '')) : null,
    explained.nodes.length ? table('Statements on the nodes, over the run', ['node', 'role', 'statements', 'prepared transactions'],
      explained.nodes.map((n, i) => [n.node, n.role, figure(n.statements, path + pointer('nodes', i, 'statements'), count),
        figure(n.twoPhase, path + pointer('nodes', i, 'twoPhase'),
          (v) => (n.twoPhaseAtLeast ? 'at least ' : '') + count(v))])) : null,
    explained.expectedPerOperation == null && explained.seenPerOperation == null && explained.genericPlans == null ? null
      : table('Explained and seen', ['figure', 'value'], [
        ['statements on the nodes per operation, as explained', 'expectedPerOperation', (v) => decimal(v, 2)],
        ['the same as the nodes counted', 'seenPerOperation', (v) => decimal(v, 2)],
        ['transactions committed in two phases', 'twoPhaseCommits', count],
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

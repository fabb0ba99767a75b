// Tables with every figure of a run; each cell knows where its figure stands in the result.

const TIMES = [['mean', 'mean'], ['p50', 'p50'], ['p90', 'p90'], ['p95', 'p95'], ['p99', 'p99'], ['p999', 'p99.9'],
  ['max', 'max']];

const timeCells = (latency, path) => TIMES.map(([name]) => figure(
  latency && latency.count ? latency[name] : null, path + '/' + name, time));

/** The parts of operations' time: label, where it stands, and its times. */
function partsOf(run) {
  const parts = [];
  for (const [name, o] of Object.entries(run.operations)) {
    const path = pointer(RESULTS.indexOf(run), 'operations', name);
    for (const kind of ['response', 'total', 'acquire', 'service', 'fetch', 'failed']) {
      if (o.latencyMicros[kind]) {
        parts.push({label: name + ' ' + kind, path: path + '/latencyMicros/' + kind, latency: o.latencyMicros[kind]});
      }
    }
    const statements = Object.entries(o.statements);
    for (const [statement, s] of statements) {
      if (statements.length > 1 && s.latencyMicros) {
        parts.push({label: name + ': ' + statement,
          path: path + '/statements' + pointer(statement) + '/latencyMicros', latency: s.latencyMicros});
      }
    }
  }
  return parts;
}

function operationsTable(run) {
  const counts = ['ok', 'misses', 'duplicates', 'retries', 'late', 'unfinished', 'rows'];
  const bytesToo = Object.values(run.operations).some((o) => o.megabytesPerSecond != null);
  return table('Operations', ['operation', 'ops/s', 'rows/s', ...(bytesToo ? ['MB/s'] : []), ...counts, 'errors'],
    Object.entries(run.operations).map(([name, o]) => {
      const path = pointer(RESULTS.indexOf(run), 'operations', name);
      return [name,
        figure(o.opsPerSecond, path + '/opsPerSecond', rate),
        figure(o.rowsPerSecond, path + '/rowsPerSecond', rate),
        ...(bytesToo ? [figure(o.megabytesPerSecond, path + '/megabytesPerSecond', (v) => decimal(v, 1))] : []),
        ...counts.map((c) => figure(o[c], path + '/' + c, count)),
        figure(failures(o), '', count)];
    }));
}

function timesTable(run) {
  return table('Times', ['time', 'count', ...TIMES.map((t) => t[1])],
    partsOf(run).map((p) => [p.label, figure(p.latency.count, p.path + '/count', count), ...timeCells(p.latency, p.path)]));
}

function statementsTable(run) {
  const rows = Object.entries(run.operations).flatMap(([name, o]) => Object.entries(o.statements).map(([statement, s]) => {
    const path = pointer(RESULTS.indexOf(run), 'operations', name, 'statements', statement);
    return [name + ': ' + statement, figure(s.calls, path + '/calls', count),
      figure(s.callsInAll, path + '/callsInAll', count), figure(s.rows, path + '/rows', count), s.sql];
  }));
  return table('Statements', ['statement', 'calls', 'calls with warm-up', 'rows', 'SQL'], rows);
}

function errorsTable(run) {
  const rows = Object.entries(run.operations).flatMap(([name, o]) => Object.entries(o.errors).map(([state, e]) => [
    state, name, figure(e.count, pointer(RESULTS.indexOf(run), 'operations', name, 'errors', state, 'count'), count),
    e.sample]));
  return rows.length ? table('Errors', ['SQLSTATE', 'operation', 'count', 'first message'], rows) : null;
}

function nodesTable(run) {
  if (run.nodes.length < 2) {
    return null;
  }
  const rows = run.nodes.flatMap((n, i) => Object.entries(n.operations).map(([name, o]) => {
    const path = pointer(RESULTS.indexOf(run), 'nodes', i);
    const own = path + '/operations' + pointer(name);
    const times = o.latencyMicros[headline(run)];
    return [n.url, name, figure(n.clients, path + '/clients', count), figure(o.opsPerSecond, own + '/opsPerSecond', rate),
      figure(failures(o), '', count),
      ...timeCells(times, own + '/latencyMicros/' + headline(run)),
      figure(n.network && n.network.inMbitPerSecond, path + '/network/inMbitPerSecond', megabits),
      figure(n.network && n.network.outMbitPerSecond, path + '/network/outMbitPerSecond', megabits)];
  }));
  return table('Nodes', ['node', 'operation', 'clients', 'ops/s', 'errors', ...TIMES.map((t) => t[1]), 'in', 'out'], rows);
}

function intervalsTable(run) {
  return unfolding('Every interval', () => table('Intervals',
    ['from s', 'ops/s', 'ok', 'errors', 'misses', 'duplicates', 'late', ...TIMES.map((t) => t[1]),
      'acquire mean', 'service mean', 'service p99', 'in Mbit/s', 'out Mbit/s'],
    eachInterval(run, (i, path) => [
      figure(i.opsPerSecond, path + '/opsPerSecond', rate),
      ...['ok', 'failed', 'misses', 'duplicates', 'late'].map((c) => figure(i[c], path + '/' + c, count)),
      ...timeCells(headlineOf(run, i), path + '/' + headline(run) + 'Micros'),
      ...[['acquireMicros', 'mean'], ['serviceMicros', 'mean'], ['serviceMicros', 'p99']].map(([kind, part]) => figure(
        i[kind] && i[kind].count ? i[kind][part] : null, path + '/' + kind + '/' + part, time)),
      figure(i.inMbitPerSecond, path + '/inMbitPerSecond', (v) => decimal(v, 1)),
      figure(i.outMbitPerSecond, path + '/outMbitPerSecond', (v) => decimal(v, 1))])));
}

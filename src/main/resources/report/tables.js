// Tables with every figure of a run; each cell contains its figure's path in the result.

const TIMES = [['mean', 'mean'], ['stddev', 'stddev'], ['min', 'min'], ['p50', 'p50'], ['p90', 'p90'], ['p95', 'p95'], ['p99', 'p99'], ['p999', 'p99.9'],
  ['max', 'max']];

const NETWORK = [['inMbitPerSecond', megabits], ['outMbitPerSecond', megabits], ['bytesIn', bytes], ['bytesOut', bytes]];

const timeCells = (latency, path) => TIMES.map(([name]) => figure(
  latency && latency.count ? latency[name] : null, path + '/' + name, time));

/** The cells of an object's figures, each with its name and format; an object that is missing has none. */
const cellsOf = (of, path, ...columns) => columns.map(([name, format]) => figure(of && of[name], path + '/' + name, format));

const decimals = (n) => (v) => decimal(v, n);

/** Operations of the run, or of one of its nodes, with their paths in the result. */
const wholeRun = (run) => ({operations: run.operations, path: pointer(RESULTS.indexOf(run), 'operations')});
const ofNode = (run, i) => ({operations: run.nodes[i].operations, path: pointer(RESULTS.indexOf(run), 'nodes', i, 'operations')});

/** The parts of operations' time: label, path, times, and whether it equals the service time. */
function partsOf({operations, path}) {
  return Object.entries(operations).flatMap(([name, o]) => {
    const own = path + pointer(name);
    const statements = Object.entries(o.statements);
    return [
      ...['response', 'total', 'acquire', 'service', 'fetch', 'failed'].filter((kind) => o.latencyMicros[kind])
        .map((kind) => ({label: name + ' ' + kind, path: own + '/latencyMicros/' + kind, latency: o.latencyMicros[kind]})),
      ...statements.filter(([, s]) => s.latencyMicros).map(([statement, s]) => ({label: name + ': ' + statement,
        path: own + '/statements' + pointer(statement) + '/latencyMicros', latency: s.latencyMicros, plain: statements.length === 1})),
    ];
  });
}

function operationsTable({operations, path}) {
  const counts = ['ok', 'okInWindow', 'misses', 'duplicates', 'retries', 'late', 'unfinished', 'rows'];
  const label = (name) => (name === 'okInWindow' ? 'ok in the window' : name);
  const bytesToo = Object.values(operations).some((o) => o.megabytesPerSecond != null);
  return table('Operations', ['operation', 'ops/s', 'rows/s', ...(bytesToo ? ['MB/s'] : []), ...counts.map(label), 'errors'],
    Object.entries(operations).map(([name, o]) => {
      const own = path + pointer(name);
      return [name,
        ...cellsOf(o, own, ['opsPerSecond', rate], ['rowsPerSecond', rate], ...(bytesToo ? [['megabytesPerSecond', decimals(1)]] : []),
          ...counts.map((c) => [c, count])),
        figure(failures(o), '', count)];
    }));
}

function timesTable(of) {
  return table('Times', ['time', 'count', ...TIMES.map((t) => t[1])],
    partsOf(of).map((p) => [p.label, figure(p.latency.count, p.path + '/count', count), ...timeCells(p.latency, p.path)]));
}

function statementsTable({operations, path}) {
  const rows = Object.entries(operations).flatMap(([name, o]) => Object.entries(o.statements).map(([statement, s]) => {
    const own = path + pointer(name, 'statements', statement);
    return [name + ': ' + statement, ...cellsOf(s, own, ['calls', count], ['callsInAll', count], ['rows', count]), s.sql];
  }));
  return table('Statements', ['statement', 'calls', 'calls with warm-up', 'rows', 'SQL'], rows);
}

function errorsTable({operations, path}) {
  const rows = Object.entries(operations).flatMap(([name, o]) => Object.entries(o.errors).map(([state, e]) => [
    state, name, figure(e.count, path + pointer(name, 'errors', state, 'count'), count), e.sample]));
  return rows.length ? table('Errors', ['SQLSTATE', 'operation', 'count', 'first message'], rows) : null;
}

const operationsTables = (of) => [operationsTable(of), timesTable(of), errorsTable(of), statementsTable(of)];

/** Each node separately, if there are several. */
const nodesFigures = (run) => (run.nodes.length < 2 ? [] : run.nodes.map((node, i) => unfolding('Every figure of ' + node.url,
  () => operationsTables(ofNode(run, i)))));

/** One row per step of the target rate, if there are several. */
function rateStepsTable(run) {
  const steps = run.rateSteps || [];
  if (steps.length < 2) {
    return null;
  }
  return table('Steps of the target rate', ['from s', 'seconds', 'target/s', 'ops/s', ...TIMES.map((t) => t[1]), 'backlog', 'sustained'],
    steps.map((s, n) => {
      const path = pointer(RESULTS.indexOf(run), 'rateSteps', n);
      return [decimal(s.fromSeconds, 1), ...cellsOf(s, path, ['seconds', decimals(1)], ['targetRate', rate], ['opsPerSecond', rate]),
        ...timeCells(s.responseMicros, path + '/responseMicros'), ...cellsOf(s, path, ['backlog', count]), s.knee ? 'highest' : ''];
    }));
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
      ...cellsOf(n.network, path + '/network', ...NETWORK)];
  }));
  return table('Nodes', ['node', 'operation', 'clients', 'ops/s', 'errors', ...TIMES.map((t) => t[1]), 'in', 'out', 'bytes in',
    'bytes out'], rows);
}

// Tables with every figure of every interval; created when they are opened.

const fromSecond = (i) => decimal(i.atSeconds, 1) + (i.phase === 'drain' ? ' (drain)' : '');
const intervalPath = (run, n) => pointer(RESULTS.indexOf(run), 'intervals', n);
const KINDS = ['total', 'acquire', 'service', 'response', 'lag'];

function intervalsTable(run) {
  return unfolding('Every interval', () => table('Intervals',
    ['from s', 'seconds', 'ops/s', 'target', 'ok', 'errors', 'misses', 'duplicates', 'late', 'backlog', ...TIMES.map((t) => t[1]),
      'in Mbit/s', 'out Mbit/s', 'client CPU cores'],
    eachInterval(run, (i, path) => [
      ...cellsOf(i, path, ['seconds', decimals(2)], ['opsPerSecond', rate], ['targetRate', rate],
        ...['ok', 'failed', 'misses', 'duplicates', 'late', 'backlog'].map((c) => [c, count])),
      ...timeCells(headlineOf(run, i), path + '/' + headline(run) + 'Micros'),
      ...cellsOf(i, path, ['inMbitPerSecond', decimals(1)], ['outMbitPerSecond', decimals(1)], ['clientCpuCores', decimals(2)])])));
}

/** Each operation within each interval. */
function operationIntervalsTable(run) {
  const kind = headline(run);
  return unfolding('Every operation in every interval', () => table('Operations by interval (' + kind + ')',
    ['from s', 'operation', 'ok', 'errors', 'rows', 'bytes', 'mean', 'p99'],
    run.intervals.flatMap((i, n) => Object.entries(i.operations).map(([name, o]) => {
      const path = intervalPath(run, n) + pointer('operations', name);
      return [fromSecond(i), name,
        ...['ok', 'failed', 'rows'].map((c) => figure(o[c], path + '/' + c, count)),
        figure(o.bytes, path + '/bytes', bytes),
        ...['meanMicros', 'p99Micros'].map((c) => figure(o.ok ? o[c] : null, path + '/' + c, time))];
    }))));
}

/** What each node did within each interval. */
function nodeIntervalsTable(run) {
  return run.nodes.length < 2 ? null : unfolding('Every node in every interval', () => table('Operations that ended well, by node and interval',
    ['from s', ...run.nodes.map((node) => hostOf(node.url))],
    eachInterval(run, (i, path) => run.nodes.map((node) => figure(i.nodesOk[node.url], path + pointer('nodesOk', node.url), count)))));
}

/** Each kind of time within each interval. */
function intervalTimesTable(run) {
  return unfolding('Every time in every interval', () => table('Times by interval', ['from s', 'time', 'count', ...TIMES.map((t) => t[1])],
    run.intervals.flatMap((i, n) => KINDS.filter((kind) => i[kind + 'Micros']).map((kind) => {
      const path = intervalPath(run, n) + '/' + kind + 'Micros';
      return [fromSecond(i), kind, figure(i[kind + 'Micros'].count, path + '/count', count), ...timeCells(i[kind + 'Micros'], path)];
    }))));
}

/** Each SQLSTATE within each interval that had errors, of all operations and of each. */
function intervalErrorsTable(run) {
  const rowsOf = (errors, from, name, path) => Object.entries(errors || {}).map(([state, c]) => [from, name, state,
    figure(c, path + pointer('errors', state), count)]);
  const rows = run.intervals.flatMap((i, n) => [...rowsOf(i.errors, fromSecond(i), 'all', intervalPath(run, n)),
    ...Object.entries(i.operations).flatMap(([name, o]) => rowsOf(o.errors, fromSecond(i), name, intervalPath(run, n) + pointer('operations', name)))]);
  return rows.length ? unfolding('Every error in every interval',
    () => table('Errors by interval', ['from s', 'operation', 'SQLSTATE', 'count'], rows)) : null;
}

const intervalTables = (run) => [intervalsTable(run), intervalTimesTable(run), operationIntervalsTable(run),
  nodeIntervalsTable(run), intervalErrorsTable(run)];

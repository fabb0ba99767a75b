// The charts of one run.

const MAX_STEPS = 20;

/** Where the target rate changed; a ramp, which changes continuously, has no such points. */
function rateSteps(run) {
  const asked = measured(run).filter((i) => i.targetRate != null);
  const steps = asked.filter((i, n) => n > 0 && i.targetRate !== asked[n - 1].targetRate);
  return parseFloat(optionOf(run, 'ramp')) > 0 || steps.length > MAX_STEPS ? [] : steps;
}

/** Vertical lines: rate steps, with the rate before the first one, and pauses. */
function instants(run, t) {
  const halts = run.halts.atSeconds;
  const steps = rateSteps(run);
  const first = steps.length ? measured(run).filter((i) => i.targetRate != null).slice(0, 1) : [];
  return {
    silent: true,
    symbol: 'none',
    lineStyle: {color: t.muted, width: 1, type: 'dotted'},
    label: {color: t.muted, position: 'insideEndTop', formatter: '{b}', rotate: 90, backgroundColor: t.paper, padding: [1, 3]},
    data: [...[...first, ...steps].map((i) => ({name: rate(i.targetRate) + '/s', xAxis: i.atSeconds})),
      ...halts.map((at, n) => ({name: n < MAX_STEPS && halts.length <= MAX_STEPS ? 'pause' : '', xAxis: at}))],
  };
}

/** The background of charts over time: outages, what else the server did, the drain, rate steps and pauses. */
function marks(run, t) {
  const areas = run.outages.map((o) => [
    {name: run.outages.length > MAX_STEPS ? '' : o.silent ? hostOf(o.node) + ' silent' : o.node ? 'outage of ' + hostOf(o.node) : 'outage', xAxis: o.fromSeconds, itemStyle: {color: t.bad, opacity: 0.15}, label: {color: t.bad}},
    {xAxis: o.toSeconds},
  ]);
  areas.push(...factAreas(factsInTime(run), {itemStyle: {color: t.muted, opacity: 0.2}, label: {position: 'insideBottom'}}));
  const drain = run.intervals.find((i) => i.phase === 'drain');
  const end = measured(run).reduce((max, i) => Math.max(max, i.atSeconds + i.seconds), 0);
  if (drain) {
    areas.push([{name: drain.seconds > end / 20 ? 'drain' : '', xAxis: end, itemStyle: {color: t.muted, opacity: 0.12}}, {xAxis: end + drain.seconds}]);
  }
  return {
    markArea: {silent: true, label: {color: t.muted, position: 'insideTop', backgroundColor: t.paper, padding: [1, 3]}, data: areas},
    markLine: instants(run, t),
  };
}

const outageWords = (o) => (o.silent ? o.node + ' did not answer its checks' : 'Nothing succeeded' + (o.node ? ' on ' + o.node : ''))
  + ' from ' + millis(o.fromSeconds) + ' to ' + millis(o.toSeconds) + '.';

const stepWords = (run) => rateSteps(run).map((i) => ' From ' + seconds(i.atSeconds) + ' on, the target was '
  + rate(i.targetRate) + ' ops/s.').join('');

function throughputChart(run, id) {
  const intervals = [...warmupShown(run), ...measured(run)];
  const names = operationNames(run);
  const errors = intervals.some((i) => i.failed > 0);
  const target = intervals.some((i) => i.targetRate != null);
  return chart({
    id: id + 'throughput',
    title: 'Throughput and errors over time',
    alternative: rangeWords(measured(run).map((i) => i.opsPerSecond), (v) => rate(v) + ' ops/s')
      + run.outages.map((o) => ' ' + outageWords(o)).join('') + stepWords(run),
    note: factsNote(run),
    wide: true,
    option: (t) => ({
      tooltip: {...base(t).tooltip, valueFormatter: (v) => (v == null ? '–' : rate(v))},
      xAxis: timelineAxis(run, t),
      yAxis: [
        axis(t, {type: 'value', name: 'ops/s', ...limitEnds(run.limits, 'opsPerSecond'), min: 0, label: {formatter: plain}}),
        axis(t, {type: 'value', name: 'errors/s', min: 0, show: errors, splitLine: {show: false}}),
      ],
      series: [
        line('all', intervals.map((i) => [middle(i), i.opsPerSecond]), 0, withLimits(timelineMarks(run, t), run.limits, 'opsPerSecond', t)),
        ...(names.length > 1 ? names.map((name, n) => line(name,
          intervals.map((i) => [middle(i), i.operations[name] ? i.operations[name].ok / i.seconds : 0]), n + 1)) : []),
        ...(target ? [line('target', intervals.flatMap((i) => [[i.atSeconds, i.targetRate], [i.atSeconds + i.seconds, i.targetRate]]), 2,
          {lineStyle: {width: 1, type: 'dashed', color: t.muted}, itemStyle: {color: t.muted}})] : []),
        ...(errors ? [{name: 'errors/s', type: 'bar', yAxisIndex: 1, itemStyle: {color: t.bad}, barMaxWidth: 8,
          data: intervals.map((i) => [middle(i), i.failed / i.seconds])}] : []),
      ],
    }),
    header: ['from s', 'ops/s', 'target', 'ok', 'errors', 'misses', 'duplicates', 'SQLSTATEs'],
    rows: () => eachInterval(run, (i, path) => [
      ...cellsOf(i, path, ['opsPerSecond', rate], ['targetRate', rate],
        ...['ok', 'failed', 'misses', 'duplicates'].map((c) => [c, count])),
      Object.entries(i.errors).map(([state, n]) => state + ' ' + count(n)).join(', ')]),
  });
}

/** Rows and bytes over time, if they are the purpose of the run; shows a decline. */
function rowsChart(run, id) {
  const names = operationNames(run).filter((name) => run.intervals.some((i) => i.operations[name] && i.operations[name].bytes != null));
  if (!names.length) {
    return null;
  }
  const intervals = measured(run);
  const perSecond = (i, name, what) => (i.operations[name] ? i.operations[name][what] / i.seconds : 0);
  return chart({
    id: id + 'rows',
    title: 'Rows and MB over time',
    alternative: names.map((name) => name + ': ' + rangeWords(intervals.map((i) => perSecond(i, name, 'rows')), (v) => rate(v) + ' rows/s')
      + ' ' + rangeWords(intervals.map((i) => perSecond(i, name, 'bytes') / 1e6), (v) => decimal(v, 1) + ' MB/s')).join(' '),
    note: factsNote(run),
    wide: true,
    option: (t) => ({
      tooltip: {...base(t).tooltip, valueFormatter: (v) => (v == null ? '–' : rate(v))},
      xAxis: secondsAxis(t),
      yAxis: [
        axis(t, {type: 'value', name: 'rows/s', min: 0, label: {formatter: plain}}),
        axis(t, {type: 'value', name: 'MB/s', min: 0, splitLine: {show: false}, label: {formatter: plain}}),
      ],
      series: names.flatMap((name, n) => [
        line(name + ' rows/s', intervals.map((i) => [middle(i), perSecond(i, name, 'rows')]), 2 * n, n === 0 ? marks(run, t) : {}),
        line(name + ' MB/s', intervals.map((i) => [middle(i), perSecond(i, name, 'bytes') / 1e6]), 2 * n + 1, {yAxisIndex: 1}),
      ]),
    }),
    header: ['from s', ...names.flatMap((name) => [name + ' rows', name + ' bytes'])],
    rows: () => eachInterval(run, (i, path) => names.flatMap((name) => [
      figure(i.operations[name] && i.operations[name].rows, path + pointer('operations', name) + '/rows', count),
      figure(i.operations[name] && i.operations[name].bytes, path + pointer('operations', name) + '/bytes', bytes)])),
  });
}

/** One row per interval; the row function receives the interval's path in the result. */
function eachInterval(run, cells) {
  return run.intervals.map((i, n) => [decimal(i.atSeconds, 1) + (i.phase === 'drain' ? ' (drain)' : ''),
    ...cells(i, pointer(RESULTS.indexOf(run), 'intervals', n))]);
}

const PERCENTILES = [['p50', 'p50'], ['p95', 'p95'], ['p99', 'p99'], ['p999', 'p99.9'], ['max', 'max']];

function latencyChart(run, id) {
  const intervals = [...warmupShown(run), ...measured(run)];
  const of = (i, p) => (headlineOf(run, i) ? positive(headlineOf(run, i)[p]) : null);
  const name = headline(run) + 'Micros';
  return chart({
    id: id + 'latency',
    title: 'Latency over time (' + headline(run) + ')',
    alternative: PERCENTILES.slice(0, 4).map(([p, label]) => label + ' '
      + rangeWords(measured(run).map((i) => of(i, p)), time)).join(' '),
    note: factsNote(run),
    wide: !curvesOf(run).map,
    option: (t) => ({
      tooltip: {...base(t).tooltip, valueFormatter: (v) => (v == null ? '–' : milliseconds(v))},
      xAxis: timelineAxis(run, t),
      yAxis: timeAxis(t, {...limitEnds(run.limits, 'micros')}),
      series: PERCENTILES.map(([p, label], n) => line(label, intervals.map((i) => [middle(i), of(i, p)]), n,
        n === 0 ? withLimits(timelineMarks(run, t), run.limits, 'micros', t) : {})),
    }),
    header: ['from s', 'mean', ...PERCENTILES.map((p) => p[1])],
    rows: () => eachInterval(run, (i, path) => ['mean', ...PERCENTILES.map((p) => p[0])].map((p) => figure(
      headlineOf(run, i) && headlineOf(run, i)[p], path + '/' + name + '/' + p, time))),
  });
}

/** The minimum and maximum of some values, as text. */
function rangeWords(values, format) {
  const known = values.filter((v) => v !== null && v !== undefined);
  return known.length ? 'Between ' + format(Math.min(...known)) + ' and ' + format(Math.max(...known)) + '.' : '';
}

// Where the time of operations goes, as stacked means; the throughput-latency curve of rate steps.

/** A part below this share of an operation's mean time is not worth a chart of its own. */
const SHOWN_SHARE = 0.002;

const meanOf = (o, kind) => (o.latencyMicros[kind] ? o.latencyMicros[kind].mean : 0);

/** An operation's statements: their names and shares of its service time. */
function statementShares(o) {
  const own = Object.entries(o.statements).map(([name, s]) => [name, s.latencyMicros ? s.latencyMicros.mean * s.calls : 0]);
  const sum = own.reduce((all, [, time]) => all + time, 0);
  return sum > 0 ? own.map(([name, time]) => ['statement ' + name, time / sum]) : [['statements', 1]];
}

/** The parts of an operation's mean time in microseconds, by name, which add up to its total or response time. */
function meanParts(o) {
  const [total, pool, service, fetch] = ['total', 'acquire', 'service', 'fetch'].map((kind) => meanOf(o, kind));
  const turn = o.latencyMicros.response ? Math.max(0, meanOf(o, 'response') - total) : 0;
  return [
    ['wait for a client', turn],
    ['pool', pool],
    ...statementShares(o).map(([name, share]) => [name, share * Math.max(0, service - fetch)]),
    ['fetch', fetch],
    ['commit and client', Math.max(0, total - pool - service)],
  ];
}

/** Means, because only means add up; their percentiles are in the table of times. */
function partsChart(run, id) {
  const operations = Object.entries(run.operations).filter(([, o]) => o.latencyMicros.total);
  const parts = operations.map(([, o]) => new Map(meanParts(o)));
  const whole = (of) => [...of.values()].reduce((sum, v) => sum + v, 0);
  const shown = (of) => [...of.keys()].filter((name) => of.get(name) > SHOWN_SHARE * whole(of));
  const names = [...new Set([...parts].sort((a, b) => b.size - a.size).flatMap(shown))]; // in the order of the operation with most
  return !parts.some((of) => shown(of).length > 1) ? null : barChart({
    id: id + 'parts',
    title: 'Where the time goes',
    note: 'Mean time of an operation, by part.' + (isOpen(run) ? ' An operation that is due waits until a client is free.' : ''),
    groups: operations.map(([name]) => name),
    format: milliseconds,
    axisFormat: (v) => inMillis(v),
    axisName: 'ms',
    stack: 'parts',
    series: names.map((name) => ({name, values: parts.map((of) => of.get(name) || 0)})),
  });
}

const STEP_TIMES = [['p50', 'p50'], ['p95', 'p95'], ['p99', 'p99']];

/** Response times by throughput, one point per step of the target rate. */
function stepsChart(run, id) {
  const steps = run.rateSteps || [];
  const timed = steps.filter((s) => s.responseMicros);
  const name = (s) => 'target ' + rate(s.targetRate) + '/s' + (s.knee ? ', the highest sustained' : '');
  return timed.length < 2 ? null : chart({
    id: id + 'steps',
    title: 'Response time by throughput',
    note: 'One point per step of the target rate, in their order.',
    alternative: timed.map((s) => name(s) + ': ' + rate(s.opsPerSecond) + ' ops/s, '
      + STEP_TIMES.map(([p, label]) => label + ' ' + milliseconds(s.responseMicros[p])).join(', ') + '.').join(' '),
    option: (t) => ({
      grid: {...base(t).grid, right: 40, bottom: 30},
      tooltip: {...base(t).tooltip, trigger: 'item', formatter: (p) => name(timed[p.dataIndex]) + '<br>' + rate(p.value[0])
        + ' ops/s, ' + p.seriesName + ' ' + milliseconds(p.value[1])},
      xAxis: axis(t, {type: 'value', min: 0, name: 'ops/s', nameLocation: 'middle', nameGap: 26, label: {formatter: plain}}),
      yAxis: timeAxis(t, {}),
      series: STEP_TIMES.map(([p, label], n) => line(label, timed.map((s) => [s.opsPerSecond, positive(s.responseMicros[p])]), n, {
        symbol: 'circle',
        sampling: 'none',
        ...(n === 2 ? {markLine: {silent: true, symbol: 'none', lineStyle: {color: t.muted, type: 'dashed'},
          label: {formatter: 'highest sustained', color: t.text, rotate: 0, position: 'end'},
          data: timed.filter((s) => s.knee).map((s) => ({xAxis: s.opsPerSecond}))}} : {}),
      })),
    }),
    header: ['target/s', 'ops/s', ...STEP_TIMES.map((p) => p[1]), ''],
    rows: () => timed.map((s) => [rate(s.targetRate), figure(s.opsPerSecond, '', rate),
      ...STEP_TIMES.map(([p]) => figure(s.responseMicros[p], '', time)), s.knee ? 'highest sustained' : '']),
  });
}

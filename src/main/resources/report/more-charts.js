// The other charts of one run: percentiles, nodes, waits; bar charts.

const quantile = (p) => 1 / (1 - p / 100);

/** The percentile axis, which gives each further nine the same space. */
const percentileAxis = (t) => axis(t, {
  type: 'log', min: 1, name: 'percentile', nameLocation: 'middle', nameGap: 28,
  label: {formatter: (v) => decimal(100 - 100 / v, Math.max(0, Math.round(Math.log10(v)) - 2)) + ' %'},
});

/** @param lines name and points, each a percentile and microseconds */
function curvesChart(id, title, lines, note, height) {
  const known = lines.filter((l) => l.points.length);
  return !known.length ? null : chart({
    id: id + 'percentiles',
    title,
    note,
    height,
    alternative: known.map((l) => l.name + ': median ' + time(l.points[0] ? at(l.points, 50) : 0) + ', 99 % '
      + time(at(l.points, 99)) + '.').join(' '),
    option: (t) => ({
      grid: {...base(t).grid, right: 40, bottom: 30},
      tooltip: {...base(t).tooltip, valueFormatter: (v) => (v == null ? '–' : milliseconds(v)),
        axisPointer: {label: {show: true, formatter: (p) => decimal(100 - 100 / p.value, 3) + ' %'}}},
      xAxis: percentileAxis(t),
      yAxis: timeAxis(t, known.some((l) => l.points.some((p) => p[1] < 1)) ? {min: 1} : {}), // shorter times are all the same
      series: known.map((l, n) => line(l.name, l.points.map(([p, us]) => [quantile(p), positive(us)]), n,
        {sampling: 'none'})),
    }),
    header: ['percentile', ...known.map((l) => l.name)],
    rows: () => [...new Set(known.flatMap((l) => l.points.map((p) => p[0])))].sort((a, b) => a - b)
      .map((p) => [decimal(p, 3) + ' %', ...known.map((l) => {
        const point = l.points.find((x) => x[0] === p);
        return figure(point ? point[1] : null, '', time);
      })]),
  });
}

const at = (points, percentile) => (points.find((p) => p[0] >= percentile) || points[points.length - 1])[1];

function percentilesChart(run, id) {
  const all = curvesOf(run).all;
  const lines = ['response', 'total', 'service', 'acquire'].filter((kind) => all[kind])
    .map((kind) => ({name: kind, points: all[kind].points}));
  return curvesChart(id, 'Percentiles', lines.filter((l) => l.points.some((p) => p[1] > 0)),
    isOpen(run) ? 'Where response leaves service behind, operations waited for their turn.' : null,
    300);
}

const barHeight = (groups, series) => 60 + groups * (14 + 16 * series);

/** Horizontal bars. @param groups names of the bars, from the top; series name and values */
function barChart(spec) {
  return chart({
    ...spec,
    height: barHeight(spec.groups.length, spec.stack ? 1 : spec.series.length),
    alternative: spec.groups.map((g, i) => g + ' ' + spec.series.map((s) => (spec.series.length > 1 ? s.name + ' ' : '')
      + (s.values[i] == null ? '–' : spec.format(s.values[i]))).join(', ') + '.').join(' '),
    option: (t) => ({
      legend: {...base(t).legend, show: spec.series.length > 1},
      grid: {...base(t).grid, top: spec.series.length > 1 ? 40 : 12, right: 70, bottom: spec.axisName ? 30 : 8},
      tooltip: {...base(t).tooltip, axisPointer: {type: 'shadow'}, valueFormatter: (v) => (v == null ? '–' : spec.format(v))},
      xAxis: axis(t, {type: 'value', min: 0, name: spec.axisName, nameLocation: 'middle', nameGap: 24, label: {formatter: spec.axisFormat || plain}}),
      yAxis: axis(t, {type: 'category', data: spec.groups, inverse: true,
        label: {color: t.text, formatter: (name) => (name.length > 36 ? name.slice(0, 35) + '…' : name)}}),
      series: spec.series.map((s) => ({
        name: s.name, type: 'bar', barMaxWidth: 22, data: s.values, stack: spec.stack,
        label: {show: !spec.stack, position: 'right', color: t.text, formatter: (p) => (p.value == null ? '' : spec.format(p.value))},
      })),
    }),
    header: ['', ...spec.series.map((s) => s.name)],
    rows: () => spec.groups.map((g, i) => [g, ...spec.series.map((s) => figure(s.values[i], '', spec.format))]),
  });
}

function ratesChart(run, id) {
  const names = Object.keys(run.operations);
  return names.length < 2 ? null : barChart({
    id: id + 'operations', title: 'Operations per second', groups: names, format: rate,
    series: [{name: 'ops/s', values: names.map((n) => run.operations[n].opsPerSecond)}],
  });
}

function nodesChart(run, id) {
  const ops = (n) => Object.values(n.operations).reduce((sum, o) => sum + o.opsPerSecond, 0);
  return run.nodes.length < 2 ? null : barChart({
    id: id + 'nodes', title: 'Operations per second, by node', groups: run.nodes.map((n) => n.url), format: rate,
    series: [{name: 'ops/s', values: run.nodes.map(ops)}],
  });
}

/** The sessions' sampled waits, most frequent first. */
const byCount = (profile) => Object.entries(profile.waitEvents).sort((a, b) => b[1] - a[1]);

function waitsChart(run, id) {
  const all = byCount(run.serverProfile);
  const waits = all.slice(0, 12);
  const samples = run.serverProfile.waitSamples;
  return !waits.length || !samples ? null : barChart({
    id: id + 'waits', title: 'What the server’s sessions were doing', groups: waits.map((w) => w[0]), format: percent,
    axisFormat: (v) => decimal(v * 100, 0) + ' %',
    note: count(samples) + ' samples of pg_stat_activity' + (all.length > waits.length ? '; the ' + waits.length
      + ' most frequent of ' + count(all.length) + ', all of them are in a table below' : ''),
    series: [{name: 'share of samples', values: waits.map((w) => w[1] / samples)}],
  });
}

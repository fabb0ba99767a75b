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

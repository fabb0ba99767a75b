// Thread scaling: throughput by number of clients, the fitted curve and its knee.

const titleOfScaling = (s) => 'Thread scaling on ' + s.dataset.table + ': ' + mixOf(s);

/** Gunther's Universal Scalability Law. */
const fitted = (fit, n) => fit.lambda.value * n / (1 + fit.sigma.value * (n - 1) + fit.kappa.value * n * (n - 1));

/** Vertical lines: the knee and the peak. */
function clientMarks(scaling, t) {
  const points = [['knee', scaling.knee], ['peak', scaling.peak]];
  const data = [];
  for (const [name, point] of points) {
    if (point) {
      const same = data.find((d) => d.xAxis === point.clients);
      if (same) {
        same.name += ', ' + name;
      } else {
        data.push({xAxis: point.clients, name: count(point.clients) + ': ' + name});
      }
    }
  }
  return {silent: true, symbol: 'none', lineStyle: {color: t.muted, type: 'dashed'},
    label: {formatter: '{b}', color: t.text, rotate: 0, position: 'end'}, data};
}

function curve(scaling) {
  const all = scaling.steps.map((s) => s.clients);
  const [from, to] = [Math.min(...all), Math.max(...all)];
  return [...Array(81).keys()].map((i) => from * Math.pow(to / from, i / 80)).map((n) => [n, fitted(scaling.fit, n)]);
}

const repeatsOf = (scaling) => (scaling.kneeSearch ? scaling.kneeSearch.repeats : []);

function scalingChart(scaling, id) {
  const steps = scaling.steps;
  const numbers = steps.map((s) => s.clients);
  const again = repeatsOf(scaling);
  const band = bandOf(scaling);
  const names = {law: 'fitted (Universal Scalability Law)', band: plain(CONFIDENCE * 100) + ' % band of the fit'};
  return chart({
    id: id + 'scaling',
    title: 'Throughput by clients',
    note: 'Bars: ' + plain(CONFIDENCE * 100) + ' % intervals of each step. ' + kneeWords(scaling),
    alternative: steps.map((s) => countOf(s.clients, 'client', 'clients') + ': ' + rate(s.opsPerSecond) + ' ops/s.').join(' ')
      + ' ' + kneeWords(scaling),
    wide: true,
    height: 400,
    option: (t, narrow) => ({
      grid: {...base(t).grid, bottom: 48},
      tooltip: {...base(t).tooltip, valueFormatter: (v) => (v == null ? '–' : rate(v) + ' ops/s'),
        axisPointer: {label: {show: true, formatter: (p) => plain(Math.round(p.value)) + ' clients'}}},
      xAxis: clientsAxis(t, numbers),
      yAxis: [axis(t, {type: 'value', name: 'ops/s', min: 0, max: steepest(scaling, band), label: {formatter: plain}}), tickAxis],
      series: [
        {name: 'measured', type: 'scatter', symbolSize: 10, z: 6, data: steps.map((s) => [s.clients, s.opsPerSecond]),
          markLine: clientMarks(scaling, t), ...kneeArea(scaling, t)},
        ...(again.length ? [{name: 'measured again', type: 'scatter', symbol: 'emptyCircle', symbolSize: 8,
          data: again.map((r) => [r.clients, r.opsPerSecond])}] : []),
        ...(scaling.fit ? [line(names.law, curve(scaling), 0,
          {sampling: 'none', lineStyle: {width: 2, color: t.colors[1]}, itemStyle: {color: t.colors[1]}})] : []),
        ...(band ? bandSeries(names.band, band, t.colors[1]) : []),
        whiskers(steps.map((s) => [s.clients, s.low, s.high]), t.colors[0], false),
        clientTicks(t, numbers, plotPixels(narrow, true)),
      ],
      legend: {...base(t).legend, data: ['measured', ...(again.length ? ['measured again'] : []),
        ...(scaling.fit ? [names.law] : []), ...(band ? [names.band] : [])]},
    }),
    header: ['clients', 'ops/s', 'from', 'to', 'fitted', 'fitted from', 'to', 'errors'],
    rows: () => stepRows(scaling, (s, path) => [
      figure(s.opsPerSecond, path + '/opsPerSecond', rate), figure(s.low, path + '/low', rate),
      figure(s.high, path + '/high', rate), figure(scaling.fit ? fitted(scaling.fit, s.clients) : null, '', rate),
      ...[1, 2].map((end) => figure(band ? bandOf(scaling, [s.clients])[0][end] : null, '', rate)),
      figure(s.errors, path + '/errors', count)]),
  });
}

const stepRows = (scaling, cells) => scaling.steps.map((s, i) => [count(s.clients),
  ...cells(s, pointer(RESULTS.indexOf(scaling), 'steps', i))]);

function scalingLatencyChart(scaling, id) {
  return chart({
    id: id + 'latency',
    title: 'Latency by clients',
    alternative: scaling.steps.map((s) => countOf(s.clients, 'client', 'clients') + ': p99 ' + time(s.latencyMicros.p99) + '.').join(' '),
    wide: true,
    option: (t, narrow) => ({
      grid: {...base(t).grid, bottom: 48},
      tooltip: {...base(t).tooltip, valueFormatter: (v) => (v == null ? '–' : milliseconds(v)),
        axisPointer: {label: {show: true, formatter: (p) => plain(Math.round(p.value)) + ' clients'}}},
      xAxis: clientsAxis(t, scaling.steps.map((s) => s.clients)),
      yAxis: [timeAxis(t, {}), tickAxis],
      legend: {...base(t).legend, data: PERCENTILES.map(([, label]) => label)},
      series: [...PERCENTILES.map(([p, label], n) => line(label,
        scaling.steps.map((s) => [s.clients, positive(s.latencyMicros[p])]), n, {
          sampling: 'none',
          ...(n === 0 ? kneeArea(scaling, t) : {})})), clientTicks(t, scaling.steps.map((s) => s.clients), plotPixels(narrow, true))],
    }),
    header: ['clients', 'mean', ...PERCENTILES.map((p) => p[1])],
    rows: () => stepRows(scaling, (s, path) => ['mean', ...PERCENTILES.map((p) => p[0])].map((p) => figure(
      s.latencyMicros[p], path + '/latencyMicros/' + p, time))),
  });
}

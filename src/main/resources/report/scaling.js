// Thread scaling: throughput by number of clients, the fitted curve and its knee.

const titleOfScaling = (s) => 'Thread scaling on ' + s.dataset.table + ': ' + optionOf(s, 'op');

/** Gunther's Universal Scalability Law. */
const fitted = (fit, n) => fit.lambda.value * n / (1 + fit.sigma.value * (n - 1) + fit.kappa.value * n * (n - 1));

function clientsAxis(t, scaling) {
  const all = scaling.steps.map((s) => s.clients);
  return axis(t, {
    ...(Math.max(...all) / Math.min(...all) > 10 ? {type: 'log', logBase: 2} : {type: 'value', min: 0}),
    name: 'clients', nameLocation: 'middle', nameGap: 26, label: {formatter: plain},
  });
}

/** Vertical lines: the knee, the peak, the limit. */
function clientMarks(scaling, t) {
  const points = [['knee', scaling.knee], ['peak', scaling.peak], ['within limit', scaling.withinLimit]];
  const data = [];
  for (const [name, point] of points) {
    if (point) {
      const same = data.find((d) => d.xAxis === point.clients);
      if (same) {
        same.name += ', ' + name;
      } else {
        data.push({xAxis: point.clients, name});
      }
    }
  }
  return {silent: true, symbol: 'none', lineStyle: {color: t.muted, type: 'dashed'},
    label: {formatter: '{b}', color: t.text, rotate: 0, position: 'end'}, data};
}

/** The possible range of the knee while it is undetermined. */
function kneeArea(scaling, t) {
  const search = scaling.kneeSearch;
  return search && !scaling.knee && search.toClients
    ? {markArea: {silent: true, itemStyle: {color: t.muted, opacity: 0.15}, label: {color: t.text, position: 'insideTop'},
      data: [[{name: 'knee: not determined', xAxis: search.fromClients}, {xAxis: search.toClients}]]}}
    : {};
}

function curve(scaling) {
  const all = scaling.steps.map((s) => s.clients);
  const [from, to] = [Math.min(...all), Math.max(...all)];
  return [...Array(81).keys()].map((i) => from * Math.pow(to / from, i / 80)).map((n) => [n, fitted(scaling.fit, n)]);
}

const repeatsOf = (scaling) => (scaling.kneeSearch ? scaling.kneeSearch.repeats : []);

function scalingChart(scaling, id) {
  const steps = scaling.steps;
  return chart({
    id: id + 'scaling',
    title: 'Throughput by clients',
    alternative: steps.map((s) => countOf(s.clients, 'client', 'clients') + ': ' + rate(s.opsPerSecond) + ' ops/s.').join(' ')
      + (scaling.knee ? ' The knee is at ' + count(scaling.knee.clients) + ' clients.' : ' The knee is not determined.'),
    wide: true,
    height: 380,
    option: (t) => ({
      grid: {...base(t).grid, bottom: 30},
      tooltip: {...base(t).tooltip, valueFormatter: (v) => (v == null ? '–' : rate(v) + ' ops/s'),
        axisPointer: {label: {show: true, formatter: (p) => plain(Math.round(p.value)) + ' clients'}}},
      xAxis: clientsAxis(t, scaling),
      yAxis: axis(t, {type: 'value', name: 'ops/s', min: 0, label: {formatter: plain}}),
      series: [
        {name: 'measured', type: 'scatter', symbolSize: 11, data: steps.map((s) => [s.clients, s.opsPerSecond]),
          markLine: clientMarks(scaling, t), ...kneeArea(scaling, t)},
        {name: 'measured again', type: 'scatter', symbol: 'emptyCircle', symbolSize: 8,
          data: repeatsOf(scaling).map((r) => [r.clients, r.opsPerSecond])},
        ...(scaling.fit ? [line('fitted (Universal Scalability Law)', curve(scaling), 0,
          {sampling: 'none', lineStyle: {width: 2, color: t.colors[1]}, itemStyle: {color: t.colors[1]}})] : []),
        ...steps.filter((s) => s.low != null && s.high != null).map((s) => ({name: 'interval', type: 'line', symbol: 'none',
          silent: true, lineStyle: {width: 3, color: t.colors[0], opacity: 0.6}, itemStyle: {color: t.colors[0]},
          tooltip: {show: false}, data: [[s.clients, s.low], [s.clients, s.high]]})),
      ],
      legend: {...base(t).legend, data: ['measured', ...(repeatsOf(scaling).length ? ['measured again'] : []), ...(scaling.fit ? ['fitted (Universal Scalability Law)'] : [])]},
    }),
    header: ['clients', 'ops/s', 'from', 'to', 'fitted', 'errors'],
    rows: () => stepRows(scaling, (s, path) => [
      figure(s.opsPerSecond, path + '/opsPerSecond', rate), figure(s.low, path + '/low', rate),
      figure(s.high, path + '/high', rate), figure(scaling.fit ? fitted(scaling.fit, s.clients) : null, '', rate),
      figure(s.errors, path + '/errors', count)]),
  });
}

const stepRows = (scaling, cells) => scaling.steps.map((s, i) => [count(s.clients),
  ...cells(s, pointer(RESULTS.indexOf(scaling), 'steps', i))]);

function scalingLatencyChart(scaling, id) {
  const limit = scaling.latencyLimitMicros;
  return chart({
    id: id + 'latency',
    title: 'Latency by clients',
    alternative: scaling.steps.map((s) => countOf(s.clients, 'client', 'clients') + ': p99 ' + time(s.latencyMicros.p99) + '.').join(' '),
    wide: true,
    option: (t) => ({
      grid: {...base(t).grid, bottom: 30},
      tooltip: {...base(t).tooltip, valueFormatter: (v) => (v == null ? '–' : milliseconds(v)),
        axisPointer: {label: {show: true, formatter: (p) => plain(Math.round(p.value)) + ' clients'}}},
      xAxis: clientsAxis(t, scaling),
      yAxis: timeAxis(t, {}),
      series: PERCENTILES.map(([p, label], n) => line(label,
        scaling.steps.map((s) => [s.clients, positive(s.latencyMicros[p])]), n, {
          sampling: 'none',
          ...(n === 0 && limit ? {markLine: {silent: true, symbol: 'none', lineStyle: {color: t.bad},
            label: {formatter: 'limit', color: t.bad, position: 'insideStartTop'}, data: [{yAxis: limit}]}} : {})})),
    }),
    header: ['clients', 'mean', ...PERCENTILES.map((p) => p[1])],
    rows: () => stepRows(scaling, (s, path) => ['mean', ...PERCENTILES.map((p) => p[0])].map((p) => figure(
      s.latencyMicros[p], path + '/latencyMicros/' + p, time))),
  });
}

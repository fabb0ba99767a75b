// The section of a search for the highest rate within limits.

const titleOfRateSearch = (s) => 'Highest rate on ' + s.dataset.table + ': ' + mixOf(s);

function rateSearchSection(search) {
  const index = RESULTS.indexOf(search);
  return h('section', {id: 'run' + index, 'aria-label': titleOfRateSearch(search)},
    headed(BADGES[index].state === 'not_valid' ? null : search.verdict[0].replace(/\.$/, ''), titleOfRateSearch(search)),
    verdictBox(search, search.verdict, OPEN_LOOP),
    h('div', {class: 'charts'}, rateLatencyChart(search, 'run' + index + '-')),
    whatWasRun(search),
    h('h3', {}, 'Every figure'),
    table('Rates in the order in which they were tried', ['rate', 'for', 'seconds', 'ops/s', ...TIMES.map((t) => t[1]),
      ...search.limits.flatMap((l) => ['beyond ' + l.limit, 'from', 'to']), 'errors', 'held'],
      search.tried.map((t, i) => {
        const path = pointer(index, 'tried', i);
        return [figure(t.rate, path + '/rate', rate), t.stage, ...cellsOf(t, path, ['seconds', decimals(1)], ['opsPerSecond', rate]),
          ...timeCells(t.responseMicros || {}, path + '/responseMicros'),
          ...t.beyond.flatMap((b, l) => [b.operations ? percent(b.beyond / b.operations) : '–',
            ...cellsOf(b, path + '/beyond/' + l, ['low', percent], ['high', percent])]),
          figure(t.errors, path + '/errors', count), t.held ? 'yes' : t.complete ? 'no' : 'no, ended early'];
      })),
    serversTables(search),
    raw(search));
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

/** A point for each tried rate: the median of its trials. */
const byRate = (tried, p) => [...new Set(tried.map((r) => r.rate))]
  .map((at) => [at, positive(median(tried.filter((r) => r.rate === at).map((r) => r.responseMicros[p])))]);

/** The response times of all tried rates, the limits, and where the highest rate is. */
function rateLatencyChart(search, id) {
  const tried = search.tried.filter((t) => t.responseMicros).sort((a, b) => a.rate - b.rate);
  const again = new Set(tried.map((t) => t.rate)).size < tried.length;
  const interval = search.low == null ? {} : {markArea: {silent: true, itemStyle: {color: 'gray', opacity: 0.2},
    label: {position: 'insideTop'}, data: [[{xAxis: search.low}, {xAxis: search.high}]]}};
  return chart({
    id: id + 'rates',
    title: 'Latency by rate',
    note: [...(again ? ['Each point is the median of the trials of a rate.'] : []),
      ...(search.low == null ? [] : ['Gray: the interval of the highest rate, ' + rate(search.low) + ' to ' + rate(search.high) + ' ops/s.'])].join(' '),
    alternative: tried.map((t) => rate(t.rate) + ' ops/s: p99 ' + time(t.responseMicros.p99) + (t.held ? '.' : ', not held.')).join(' '),
    wide: true,
    option: (t) => ({
      tooltip: {...base(t).tooltip, valueFormatter: (v) => (v == null ? '–' : milliseconds(v))},
      xAxis: axis(t, {type: 'log', name: 'ops/s', nameLocation: 'middle', nameGap: 28, label: {formatter: plain},
        min: Math.min(...tried.map((r) => r.rate)), max: Math.max(...tried.map((r) => r.rate))}),
      yAxis: timeAxis(t, {}),
      grid: {...base(t).grid, bottom: 32},
      legend: {...base(t).legend, data: PERCENTILES.map(([, label]) => label)},
      series: PERCENTILES.map(([p, label], n) => line(label, byRate(tried, p), n, {
        sampling: 'none', symbol: 'circle', symbolSize: 5,
        ...(n === 0 ? {...withLimits({}, search.limits, 'micros', t), ...interval} : {})})),
    }),
    header: ['rate', ...PERCENTILES.map((p) => p[1]), 'held'],
    rows: () => tried.map((r) => [rate(r.rate), ...PERCENTILES.map(([p]) => figure(r.responseMicros[p],
      pointer(RESULTS.indexOf(search), 'tried', search.tried.indexOf(r)) + '/responseMicros/' + p, time)), r.held ? 'yes' : 'no']),
  });
}

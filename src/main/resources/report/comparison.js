// A comparison: ratios of each variant to the baseline with their intervals, and what they are made of.

/** Whether more of the metric is better: rates, unlike times. */
const isRate = (metric) => /PerSecond$/.test(metric);
const metricName = (metric) => ({opsPerSecond: 'ops/s', p999: 'p99.9'}[metric] || metric);
const effectName = (e) => e.variant + ', ' + metricName(e.metric);
const change = (ratio) => (ratio >= 1 ? '+' : '−') + decimal(Math.abs(ratio - 1) * 100, 1) + ' %';

/** Which colour an effect has; the words beside it say the same. */
function effectColor(t, e) {
  if (e.verdict === 'faster') {
    return t.good;
  }
  return e.verdict === 'slower' ? t.bad : t.muted;
}

function forestChart(comparison, id) {
  const effects = comparison.effects;
  const words = (e) => '×' + decimal(e.ratio, 3) + ' (' + decimal(e.low, 3) + ' to ' + decimal(e.high, 3) + ') ' + e.verdict;
  const span = ratioSpan(comparison);
  const point = (e, i, t) => ({value: [e.ratio, i], itemStyle: {color: effectColor(t, e)},
    symbol: e.metric === comparison.primary ? 'diamond' : 'circle', symbolSize: e.metric === comparison.primary ? 14 : 9});
  return chart({
    id: id + 'forest',
    title: 'Ratios to ' + comparison.baseline,
    note: plain(comparison.confidence * 100) + ' %' + ' intervals. Diamonds: ' + metricName(comparison.primary)
      + ', which decides. Grey band: the margin of ' + plain(comparison.margin * 100) + ' %' + ' that counts as the same.',
    alternative: effects.map((e) => effectName(e) + ': ' + words(e) + '.').join(' '),
    wide: true,
    height: 70 + 26 * effects.length,
    option: (t) => ({
      legend: {show: false},
      grid: {...base(t).grid, top: 12, bottom: 24},
      tooltip: {...base(t).tooltip, trigger: 'item', formatter: (p) => (p.dataIndex < effects.length ? echarts.format.encodeHTML(words(effects[p.dataIndex])) : '')},
      xAxis: axis(t, {type: 'value', scale: true, name: 'ratio', nameLocation: 'middle', nameGap: 26,
        ...span, label: {formatter: (v) => decimal(v, 2), showMinLabel: false, showMaxLabel: false}}),
      yAxis: [effectName, words].map((label, i) => axis(t, {type: 'category', data: effects.map(label), inverse: true,
        position: i ? 'right' : 'left', label: {color: t.text}})),
      series: [
        ...effects.map((e, i) => ({name: effectName(e) + ' interval', type: 'line', symbol: 'none', silent: true,
          lineStyle: {width: 3, color: effectColor(t, e)}, data: [[e.low, i], [e.high, i]]})),
        {name: 'ratio', type: 'scatter', data: effects.map((e, i) => point(e, i, t)),
          markLine: {silent: true, symbol: 'none', lineStyle: {color: t.text, type: 'solid', width: 1},
            label: {show: false}, data: [{xAxis: 1}]},
          markArea: {silent: true, itemStyle: {color: t.muted, opacity: 0.15},
            data: [[{xAxis: 1 - comparison.margin}, {xAxis: 1 + comparison.margin}]]}},
      ],
    }),
    header: ['effect', 'ratio', 'change', 'from', 'to', 'rounds', 'verdict'],
    rows: () => effectRows(comparison),
  });
}

/** The axis' ends: all intervals and the margin, with some room. */
function ratioSpan(comparison) {
  const from = Math.min(1 - comparison.margin, ...comparison.effects.map((e) => e.low));
  const to = Math.max(1 + comparison.margin, ...comparison.effects.map((e) => e.high));
  return {min: from - (to - from) * 0.04, max: to + (to - from) * 0.04};
}

function effectRows(comparison) {
  const here = (i, name) => pointer(RESULTS.indexOf(comparison), 'effects', i, name);
  return comparison.effects.map((e, i) => [effectName(e),
    figure(e.ratio, here(i, 'ratio'), (v) => decimal(v, 3)), figure(e.ratio, here(i, 'ratio'), change),
    figure(e.low, here(i, 'low'), (v) => decimal(v, 3)), figure(e.high, here(i, 'high'), (v) => decimal(v, 3)),
    figure(e.rounds, here(i, 'rounds'), count),
    e.verdict + (e.secondsToDecide == null ? '' : ' (' + seconds(e.secondsToDecide) + ' more would tell)')
      + (e.cause ? ': ' + e.cause : '')]);
}

/** Each block where it ran, so that drift and outliers show. */
function blocksChart(comparison, id) {
  const names = comparison.variants.map((v) => v.name);
  const of = (name) => comparison.blocks.filter((b) => b.variant === name);
  return chart({
    id: id + 'blocks',
    title: 'Every block, in the order in which they ran',
    alternative: names.map((n) => n + ': ' + rangeWords(of(n).map((b) => b.opsPerSecond), (v) => rate(v) + ' ops/s')).join(' ')
      + (comparison.drift ? ' ' + comparison.drift.words : ''),
    note: comparison.drift ? comparison.drift.words : null,
    wide: true,
    option: (t) => ({
      tooltip: {...base(t).tooltip, valueFormatter: (v) => (v == null ? '–' : rate(v) + ' ops/s')},
      xAxis: secondsAxis(t),
      yAxis: axis(t, {type: 'value', name: 'ops/s', scale: true, label: {formatter: plain}}),
      series: names.map((name, n) => line(name, of(name).map((b) => [b.atSeconds + b.seconds / 2, b.opsPerSecond]), n,
        {symbol: ['circle', 'rect', 'triangle', 'diamond', 'pin'][n % 5], symbolSize: 8, sampling: 'none',
          lineStyle: {width: 1, type: DASHES[n % DASHES.length]}})),
    }),
    header: ['at s', 'round', 'variant', 'ops/s', 'p50', 'p99', 'errors'],
    rows: () => comparison.blocks.map((b, i) => {
      const here = pointer(RESULTS.indexOf(comparison), 'blocks', i);
      return [decimal(b.atSeconds, 1), figure(b.round, here + '/round', count), b.variant,
        figure(b.opsPerSecond, here + '/opsPerSecond', rate), figure(b.p50Micros, here + '/p50Micros', time),
        figure(b.p99Micros, here + '/p99Micros', time), figure(b.errors, here + '/errors', count)];
    }),
  });
}

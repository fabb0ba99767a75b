// A comparison: each variant's ratios to the baseline with their intervals, and the blocks behind them.

/** Whether a higher value of the metric is better: true for rates, false for times. */
const isRate = (metric) => /PerSecond$/.test(metric);
const metricName = (metric) => ({opsPerSecond: 'ops/s', p999: 'p99.9'}[metric] || metric);
const effectName = (e) => e.variant + ', ' + metricName(e.metric);
const change = (ratio) => (ratio >= 1 ? '+' : '−') + decimal(Math.abs(ratio - 1) * 100, 1) + ' %';

/** The color of an effect, in addition to its text. */
function effectColor(t, e) {
  if (e.verdict === 'faster') {
    return t.good;
  }
  return e.verdict === 'slower' ? t.bad : t.muted;
}

const ratioWords = (e) => '×' + decimal(e.ratio, 3) + ' (' + decimal(e.low, 3) + ' to ' + decimal(e.high, 3) + ') ' + e.verdict;

function forestChart(comparison, id) {
  return forest({
    id: id + 'forest',
    title: 'Ratios to ' + comparison.baseline,
    note: plain(comparison.confidence * 100) + ' %' + ' intervals. Diamonds: ' + metricName(comparison.primary)
      + ', which decides.' + (comparison.margin > 0
      ? ' Grey band: the margin of ' + plain(comparison.margin * 100) + ' %' + ' that counts as the same.' : ''),
    margin: comparison.margin,
    lines: comparison.effects.map((e) => ({name: effectName(e), effect: e, color: (t) => effectColor(t, e),
      first: e.metric === comparison.primary})),
    header: ['effect', 'ratio', 'change', 'from', 'to', 'rounds', 'verdict'],
    rows: () => effectRows(comparison),
  });
}

/**
 * Ratios with their intervals, one per line.
 * @param spec of a chart, with lines (name, effect, color as a function of the theme, first: to be seen first) and the margin
 *     that counts as the same
 */
function forest(spec) {
  const lines = spec.lines;
  const point = (l, i, t) => ({value: [l.effect.ratio, i], itemStyle: {color: l.color(t)},
    symbol: l.first ? 'diamond' : 'circle', symbolSize: l.first ? 14 : 9});
  return chart({
    ...spec,
    alternative: lines.map((l) => l.name + ': ' + ratioWords(l.effect) + '.').join(' '),
    wide: true,
    height: 70 + 26 * lines.length,
    option: (t) => ({
      legend: {show: false},
      grid: {...base(t).grid, top: 12, bottom: 24},
      tooltip: {...base(t).tooltip, trigger: 'item',
        formatter: (p) => (p.dataIndex < lines.length ? echarts.format.encodeHTML(ratioWords(lines[p.dataIndex].effect)) : '')},
      xAxis: axis(t, {type: 'value', scale: true, name: 'ratio', nameLocation: 'middle', nameGap: 26,
        ...ratioSpan(spec), label: {formatter: (v) => decimal(v, 2), showMinLabel: false, showMaxLabel: false}}),
      yAxis: [(l) => l.name, (l) => ratioWords(l.effect)].map((label, i) => axis(t, {type: 'category', data: lines.map(label),
        inverse: true, position: i ? 'right' : 'left', label: {color: t.text}})),
      series: [
        ...lines.map((l, i) => ({name: l.name + ' interval', type: 'line', symbol: 'none', silent: true,
          lineStyle: {width: 3, color: l.color(t)}, data: [[l.effect.low, i], [l.effect.high, i]]})),
        {name: 'ratio', type: 'scatter', data: lines.map((l, i) => point(l, i, t)),
          markLine: {silent: true, symbol: 'none', lineStyle: {color: t.text, type: 'solid', width: 1},
            label: {show: false}, data: [{xAxis: 1}]},
          markArea: {silent: true, itemStyle: {color: t.muted, opacity: 0.15},
            data: [[{xAxis: 1 - spec.margin}, {xAxis: 1 + spec.margin}]]}},
      ],
    }),
  });
}

/** The range of the axis: all intervals and the margin, with some space. */
function ratioSpan(spec) {
  const from = Math.min(1 - spec.margin, ...spec.lines.map((l) => l.effect.low));
  const to = Math.max(1 + spec.margin, ...spec.lines.map((l) => l.effect.high));
  return {min: from - (to - from) * 0.04, max: to + (to - from) * 0.04};
}

function effectRows(comparison) {
  const here = (i, name) => pointer(RESULTS.indexOf(comparison), 'effects', i, name);
  return comparison.effects.map((e, i) => [effectName(e),
    figure(e.ratio, here(i, 'ratio'), (v) => decimal(v, 3)), figure(e.ratio, here(i, 'ratio'), change),
    figure(e.low, here(i, 'low'), (v) => decimal(v, 3)), figure(e.high, here(i, 'high'), (v) => decimal(v, 3)),
    figure(e.rounds, here(i, 'rounds'), count),
    e.verdict + (e.secondsToDecide == null ? '' : ' (' + about(e.secondsToDecide) + ' more to decide)')
      + (e.cause ? ': ' + e.cause : '')]);
}

/** All blocks in the order in which they ran, to show drift and outliers. */
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

// A comparison: each variant's ratios to the baseline with their intervals, and the blocks behind them.

/** Whether a higher value of the metric is better: true for rates, false for times. */
const isRate = (metric) => /PerSecond$/.test(metric);
const metricName = (metric) => ({opsPerSecond: 'ops/s', p999: 'p99.9'}[metric] || metric);
const effectName = (e) => e.variant + ', ' + metricName(e.metric);

/** The color of an effect, in addition to its text. */
function effectColor(t, e) {
  if (e.verdict === 'faster') {
    return t.good;
  }
  return e.verdict === 'slower' ? t.bad : t.muted;
}

const ratioWords = (e) => '×' + decimal(e.ratio, 3) + ' (' + decimal(e.low, 3) + ' to ' + decimal(e.high, 3) + ') ' + marked(e.verdict);

/** The ratios of the rates, then those of the times, of which less is better. */
function forestCharts(comparison, id) {
  const note = plain(comparison.confidence * 100) + ' % intervals. '
    + (comparison.margin > 0 ? 'Grey band: the margin of ' + plain(comparison.margin * 100) + ' % that counts as the same.' : '');
  const lines = comparison.effects.map((e, i) => ({name: effectName(e), effect: e, color: (t) => effectColor(t, e),
    first: e.metric === comparison.primary, row: () => effectRows(comparison)[i]}));
  return forests({id: id + 'forest', title: 'ratio to ' + comparison.baseline, note, margin: comparison.margin, lines,
    header: ['effect', 'ratio', 'change', 'from', 'to', 'rounds', 'verdict']});
}

/** One chart of rates and one of times, because better is to the right in one and to the left in the other. */
function forests(spec) {
  return [[true, 'Operations per second', ''], [false, 'Times', '-times']].map(([rates, title, suffix]) => {
    const lines = spec.lines.filter((l) => isRate(l.effect.metric) === rates);
    return lines.length ? forest({...spec, id: spec.id + suffix, title: title + ': ' + spec.title, lines, rates,
      note: (rates ? 'More is better. ' : 'Less is better. ') + spec.note, rows: () => lines.map((l) => l.row())}) : null;
  });
}

/**
 * Ratios with their intervals, one per line.
 * @param spec of a chart, with lines (name, effect, color as a function of the theme, first: to be seen first), rates (more is
 *     better) and the margin that counts as the same
 */
function forest(spec) {
  const lines = spec.lines;
  const point = (l, i, t) => ({value: [l.effect.ratio, i], itemStyle: {color: l.color(t)},
    symbol: l.first ? 'diamond' : 'circle', symbolSize: l.first ? 14 : 9});
  return chart({
    ...spec,
    alternative: lines.map((l) => l.name + ': ' + ratioWords(l.effect) + '.').join(' '),
    wide: true,
    height: rowsHeight(lines.length),
    option: (t, narrow) => ({
      legend: {show: false},
      grid: rowsGrid(t, narrow),
      tooltip: {...base(t).tooltip, trigger: 'item',
        formatter: (p) => (p.dataIndex < lines.length ? echarts.format.encodeHTML(ratioWords(lines[p.dataIndex].effect)) : '')},
      xAxis: axis(t, {type: 'value', scale: true, ...directions(t, spec.rates), nameLocation: 'middle', nameGap: 28,
        ...ratioSpan(spec), label: {formatter: (v) => decimal(v, 2), showMinLabel: false, showMaxLabel: false}}),
      yAxis: rowsAxes(t, narrow, lines.map((l) => l.name), lines.map((l) => ratioWords(l.effect))),
      series: [
        ...lines.map((l, i) => ({name: l.name + ' interval', type: 'line', symbol: 'none', silent: true,
          lineStyle: {width: 3, color: l.color(t)}, data: [[l.effect.low, i], [l.effect.high, i]]})),
        {name: 'ratio', type: 'scatter', data: lines.map((l, i) => point(l, i, t)),
          markLine: {silent: true, symbol: 'none', lineStyle: {color: t.text, type: 'solid', width: 1},
            label: {show: false}, data: [{xAxis: 1}]},
          markArea: {silent: true, data: sides(t, spec)}},
      ],
    }),
  });
}

/** The name of the axis, with the better and the worse direction. */
function directions(t, rates) {
  const ends = [['worse', t.bad], ['better', t.good]];
  const [left, right] = (rates ? ends : ends.reverse()).map(([word]) => word);
  return {name: '{' + left + '|◀ ' + left + '}      ratio      {' + right + '|' + right + ' ▶}',
    nameTextStyle: {color: t.muted, rich: Object.fromEntries(ends.map(([word, color]) => [word, {color, fontWeight: 'bold'}]))}};
}

/** The better side, the worse side, and the margin between them. */
function sides(t, spec) {
  const {min, max} = ratioSpan(spec);
  const [low, high] = spec.rates ? [t.bad, t.good] : [t.good, t.bad];
  return [[min, 1 - spec.margin, low, 0.06], [1 - spec.margin, 1 + spec.margin, t.muted, 0.18], [1 + spec.margin, max, high, 0.06]]
    .map(([from, to, color, opacity]) => [{xAxis: from, itemStyle: {color, opacity}}, {xAxis: to}]);
}

/** The range of the axis: all intervals and the margin, with some space. */
function ratioSpan(spec) {
  const from = Math.min(1 - spec.margin, ...spec.lines.map((l) => l.effect.low));
  const to = Math.max(1 + spec.margin, ...spec.lines.map((l) => l.effect.high));
  return {min: from - (to - from) * 0.04, max: to + (to - from) * 0.04};
}

/** Without a margin, smaller differences are not looked for. */
const RESOLUTION = 0.02;

/** What is missing for a verdict, or what is known without one. */
function outlook(e, margin) {
  if (e.secondsToDecide == null) {
    const isWithin = e.verdict === 'undecided' && margin === 0 && e.low >= 1 / (1 + RESOLUTION) && e.high <= 1 + RESOLUTION;
    return isWithin ? ' (less than 2 % apart)' : '';
  }
  const isForResolution = margin === 0 && Math.abs(Math.log(e.ratio)) < Math.log1p(RESOLUTION);
  const needed = e.clustersToDecide ? countOf(e.clustersToDecide, 'cluster', 'clusters') : about(e.secondsToDecide) + ' more';
  return ' (' + needed + (isForResolution ? ' to find 2 %)' : ' to decide)');
}

function effectRows(comparison) {
  const here = (i, name) => pointer(RESULTS.indexOf(comparison), 'effects', i, name);
  return comparison.effects.map((e, i) => [effectName(e),
    figure(e.ratio, here(i, 'ratio'), (v) => decimal(v, 3)), figure(e.ratio, here(i, 'ratio'), change),
    figure(e.low, here(i, 'low'), (v) => decimal(v, 3)), figure(e.high, here(i, 'high'), (v) => decimal(v, 3)),
    figure(e.rounds, here(i, 'rounds'), count),
    e.verdict + outlook(e, comparison.margin)
      + (e.causes.length ? ': ' + e.causes.map((c) => c.text).join('; ') : '')]);
}

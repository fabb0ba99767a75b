// The blocks behind a comparison's ratios.

/** Throughput of each block; one line per round joins the blocks that are compared with each other. */
function roundsChart(comparison, id) {
  const names = comparison.variants.map((v) => v.name);
  const rounds = [...new Set(comparison.blocks.map((b) => b.round))].sort((a, b) => a - b)
    .map((round) => ({round, blocks: names.map((name) => comparison.blocks.find((b) => b.round === round && b.variant === name))}));
  const others = names.filter((name) => name !== comparison.baseline);
  const words = others.map((name) => higherIn(rounds, names.indexOf(name), names.indexOf(comparison.baseline), name)).join(' ');
  return chart({
    id: id + 'rounds',
    title: 'Each round',
    note: 'One line per round: only blocks of the same round are compared. ' + words,
    alternative: words,
    option: (t, narrow) => ({
      legend: {show: false},
      grid: {...base(t).grid, top: 30, right: 40},
      tooltip: {...base(t).tooltip, trigger: 'item', formatter: (p) => echarts.format.encodeHTML(p.seriesName + ', ' + names[p.value[0]] + ': ' + rate(p.value[1]) + ' ops/s')},
      xAxis: axis(t, {type: 'category', data: names, boundaryGap: true, label: {color: t.text, interval: 0, overflow: 'break',
        width: Math.max(48, Math.floor((narrow ? 300 : 480) / names.length))}}),
      yAxis: axis(t, {type: 'value', name: 'ops/s', min: 0, label: {formatter: plain}}),
      series: rounds.map(({round, blocks}) => roundLine(t, names, round, blocks)),
    }),
    header: ['round', ...names],
    rows: () => rounds.map(({round, blocks}) => [count(round), ...blocks.map((b) => (b
      ? figure(b.opsPerSecond, pointer(RESULTS.indexOf(comparison), 'blocks', comparison.blocks.indexOf(b), 'opsPerSecond'), rate)
      : figure(null, '', rate)))]),
  });
}

function roundLine(t, names, round, blocks) {
  const points = blocks.map((b, i) => (b ? [i, b.opsPerSecond] : null)).filter(Boolean);
  const falls = points.length === 2 && points[1][1] < points[0][1];
  const color = names.length > 2 ? t.colors[0] : falls ? t.bad : t.good;
  return line('round ' + count(round), points, 0, {sampling: 'none', symbol: 'circle', symbolSize: 7, itemStyle: {color},
    lineStyle: {width: 2, color, opacity: 0.75, type: falls && names.length === 2 ? DASHES[1] : 'solid'}});
}

/** In how many rounds a variant's throughput was higher than the baseline's. */
function higherIn(rounds, variant, baseline, name) {
  const both = rounds.filter(({blocks}) => blocks[variant] && blocks[baseline]);
  const higher = both.filter(({blocks}) => blocks[variant].opsPerSecond > blocks[baseline].opsPerSecond);
  return name + ' was higher in ' + count(higher.length) + ' of ' + countOf(both.length, 'round', 'rounds') + '.';
}

/** All blocks in the order in which they ran, to show drift and outliers; a grey line joins those of a round. */
function blocksChart(comparison, id) {
  const names = comparison.variants.map((v) => v.name);
  const of = (name) => comparison.blocks.filter((b) => b.variant === name);
  const at = (b) => [b.atSeconds + b.seconds / 2, b.opsPerSecond];
  const rounds = [...new Set(comparison.blocks.map((b) => b.round))];
  return chart({
    id: id + 'blocks',
    wide: true,
    title: 'Every block, in the order in which they ran',
    alternative: names.map((n) => n + ': ' + rangeWords(of(n).map((b) => b.opsPerSecond), (v) => rate(v) + ' ops/s')).join(' ')
      + (comparison.drift ? ' ' + comparison.drift.words : ''),
    note: 'Grey lines join the blocks of a round.' + (comparison.drift ? ' ' + comparison.drift.words : ''),
    option: (t) => ({
      legend: {...base(t).legend, data: names},
      tooltip: {...base(t).tooltip, trigger: 'item', formatter: (p) => echarts.format.encodeHTML(p.seriesName + ': ' + rate(p.value[1]) + ' ops/s')},
      xAxis: secondsAxis(t),
      yAxis: axis(t, {type: 'value', name: 'ops/s', min: 0, label: {formatter: plain}}),
      series: [
        ...rounds.map((r) => ({name: 'round ' + r, type: 'line', symbol: 'none', silent: true, sampling: 'none', tooltip: {show: false},
          lineStyle: {width: 1, color: t.muted, opacity: 0.6}, itemStyle: {color: t.muted},
          data: comparison.blocks.filter((b) => b.round === r).map(at).sort((a, b) => a[0] - b[0])})),
        ...names.map((name, n) => ({name, type: 'scatter', symbol: ['circle', 'rect', 'triangle', 'diamond', 'pin'][n % 5], symbolSize: 10,
          itemStyle: {color: t.colors[n % t.colors.length]}, data: of(name).map(at)})),
      ],
    }),
    header: ['at s', 'round', 'variant', 'ops/s', 'p50', 'p99', 'errors'],
    rows: () => comparison.blocks.map((b, i) => {
      const here = pointer(RESULTS.indexOf(comparison), 'blocks', i);
      return [decimal(b.atSeconds, 1), ...cellsOf(b, here, ['round', count]), b.variant,
        ...cellsOf(b, here, ['opsPerSecond', rate], ['p50Micros', time], ['p99Micros', time], ['errors', count])];
    }),
  });
}

/** Each variant's throughput from zero, with the interval of its ratio applied to the baseline's. */
function variantRates(comparison, id) {
  const all = comparison.variants;
  const effect = (v) => primaryEffects(comparison).find((e) => e.variant === v.name);
  const baseRate = all.find((v) => v.name === comparison.baseline).opsPerSecond;
  return intervalBars({
    id: id + 'rates', wide: true, title: 'Operations per second', unit: 'ops/s', format: rate,
    note: 'Intervals are those of the ratio to ' + comparison.baseline + ', at its ' + rate(baseRate) + ' ops/s.',
    groups: all.map((v) => v.name),
    values: all.map((v) => v.opsPerSecond),
    intervals: all.map((v) => (effect(v) && isRate(comparison.primary) ? [effect(v).low * baseRate, effect(v).high * baseRate] : null)),
    color: (t, i) => (effect(all[i]) ? effectColor(t, effect(all[i])) : t.colors[0]),
    path: (i) => pointer(RESULTS.indexOf(comparison), 'variants', i, 'opsPerSecond'),
  });
}

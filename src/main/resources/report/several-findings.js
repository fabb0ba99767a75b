// Several comparisons, or thread scalings, side by side.

/** A distinguishing name of each result, then a running number. */
const numbered = (findings) => labelsOf(findings).map((label, n) => (label.startsWith('#') ? label : '#' + (n + 1) + ' ' + label));

/** Ratios of the same variant and metric side by side, each with its comparison's interval. */
function severalComparisons(comparisons) {
  const labels = numbered(comparisons);
  const effects = [...new Set(comparisons.flatMap((c) => c.effects.map(effectName)))];
  return h('section', {id: 'comparisons', 'aria-label': 'Comparisons side by side'},
    h('h2', {}, 'Comparisons side by side'),
    h('p', {class: 'note'}, 'Each ratio is to its own comparison’s baseline: ' + comparisons.map((c, n) => labels[n] + ': ' + c.baseline).join('; ') + '.'),
    h('div', {class: 'charts'}, sideBySideForests(comparisons, labels, effects)),
    table('Ratios side by side', ['effect', ...labels.flatMap((label) => [label, 'verdict'])], effects.map((name) => [name,
      ...comparisons.flatMap((c) => {
        const i = c.effects.findIndex((e) => effectName(e) === name);
        const e = c.effects[i];
        return e ? [ratioCell(c, e, i), e.verdict] : [figure(null, '', plain), ''];
      })])));
}

function ratioCell(comparison, e, i) {
  const cell = figure(e.ratio, pointer(RESULTS.indexOf(comparison), 'effects', i, 'ratio'), (v) => decimal(v, 3));
  cell.text += ' (' + decimal(e.low, 3) + ' to ' + decimal(e.high, 3) + ')';
  return cell;
}

function sideBySideForests(comparisons, labels, effects) {
  const part = (e, name) => figure(e[name], '', (v) => decimal(v, 3));
  const lines = effects.flatMap((name) => comparisons.map((c, n) => {
    const effect = c.effects.find((e) => effectName(e) === name);
    const label = name + ', ' + labels[n];
    return effect && {name: label, effect, color: (t) => effectColor(t, effect),
      row: () => [label, ...['ratio', 'low', 'high'].map((p) => part(effect, p)), effect.verdict]};
  })).filter(Boolean);
  return forests({
    id: 'comparisons-forest',
    title: 'ratios side by side',
    margin: Math.max(...comparisons.map((c) => c.margin)),
    note: comparisons.some((c) => c.margin > 0) ? 'Grey band: the widest margin of them that counts as the same.' : '',
    lines,
    header: ['effect', 'ratio', 'from', 'to', 'verdict'],
  });
}

function severalScalings(scalings) {
  const labels = numbered(scalings);
  return h('section', {id: 'scalings', 'aria-label': 'Thread scalings side by side'},
    h('h2', {}, 'Thread scalings side by side'),
    h('p', {class: 'note'}, 'These climbs came one after the other, so a difference may be the hour’s.'),
    h('div', {class: 'charts'},
      byClients(scalings, labels, 'throughput', 'Throughput by clients', (s) => s.opsPerSecond, rate,
        (t) => axis(t, {type: 'value', name: 'ops/s', min: 0, label: {formatter: plain}})),
      byClients(scalings, labels, 'p99', 'Latency p99 by clients', (s) => positive(s.latencyMicros.p99), time, (t) => timeAxis(t, {}))),
    pointsSideBySide(scalings, labels));
}

function byClients(scalings, labels, id, title, of, format, yAxis) {
  const numbers = scalings.flatMap((s) => s.steps.map((step) => step.clients));
  return chart({
    id: 'scalings-' + id,
    title,
    alternative: scalings.map((s, n) => labels[n] + ': ' + rangeWords(s.steps.map(of), format)).join(' '),
    option: (t, narrow) => ({
      grid: {...base(t).grid, bottom: 48},
      tooltip: {...base(t).tooltip, valueFormatter: (v) => (v == null ? '–' : format(v))},
      xAxis: clientsAxis(t, numbers),
      yAxis: [yAxis(t), tickAxis],
      legend: {...base(t).legend, data: labels},
      series: [...scalings.map((s, n) => line(labels[n], s.steps.map((step) => [step.clients, of(step)]), n,
        {sampling: 'none', symbol: 'circle'})), clientTicks(t, numbers, plotPixels(narrow, false))],
    }),
    header: ['scaling', 'clients', title],
    rows: () => scalings.flatMap((s, n) => s.steps.map((step) => [labels[n], count(step.clients), figure(of(step), '', format)])),
  });
}

/** Knee, peak and coefficients, one column per scaling. */
function pointsSideBySide(scalings, labels) {
  const cell = (s, path, format) => {
    const value = path.reduce((at, name) => (at == null ? null : at[name]), s);
    return figure(value, pointer(RESULTS.indexOf(s), ...path), format);
  };
  const points = ['knee', 'peak'].flatMap((point) => [[['clients'], count], [['opsPerSecond'], rate], [['p99Micros'], time]]
    .map(([part, format]) => [[point, ...part], format]));
  const coefficients = [['lambda', 1], ['sigma', 6], ['kappa', 8]]
    .map(([name, decimals]) => [['fit', name, 'value'], (v) => decimal(v, decimals)]);
  return table('Knees, peaks and coefficients side by side', ['figure', ...labels], [...points, ...coefficients]
    .filter(([path]) => scalings.some((s) => s[path[0]] != null))
    .map(([path, format]) => [path.filter((p) => p !== 'value').join(', '), ...scalings.map((s) => cell(s, path, format))]));
}

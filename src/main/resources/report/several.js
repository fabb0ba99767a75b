// Several runs side by side.

/** The names of all operations in any of the runs. */
const operationsOf = (runs) => [...new Set(runs.flatMap((run) => Object.keys(run.operations)))];

function severalSection(runs) {
  const labels = labelsOf(runs);
  const kind = commonTimes(runs);
  return h('section', {'aria-label': 'Side by side'},
    h('h2', {}, 'Side by side'),
    h('p', {class: 'note'}, 'These runs came one after the other, so a difference may be the hour’s. '
      + './stress compare interleaves the variants and says how certain the difference is.'
      + (runs.some(isOpen) && !runs.every(isOpen) ? ' Open and closed loops are among them: the times here are total times, which both have; '
        + 'the waiting of an open loop before its operations began is in its response times below.' : '')),
    sideBySideTable(runs, labels),
    h('div', {class: 'charts'},
      overTime(runs, labels, 'throughput', 'Throughput over time', (run, i) => i.opsPerSecond, rate, 'value'),
      overTime(runs, labels, 'p99', 'Latency p99 over time (' + kind + ')',
        (run, i) => (i[kind + 'Micros'] ? positive(i[kind + 'Micros'].p99) : null), time, 'log'),
      curvesChart('several-', 'Percentiles (' + kind + ')', runs.map((run, n) => ({
        name: labels[n], points: (curvesOf(run).all[kind] || {points: []}).points}))),
      barChart({
        id: 'several-operations', title: 'Operations per second', groups: operationsOf(runs), format: rate,
        series: runs.map((run, n) => ({name: labels[n], values: operationsOf(runs).map((name) => (
          run.operations[name] ? run.operations[name].opsPerSecond : null))})),
      })));
}

function overTime(runs, labels, id, title, of, format, scale) {
  return chart({
    id: 'several-' + id,
    title,
    alternative: runs.map((run, n) => labels[n] + ': ' + rangeWords(measured(run).map((i) => of(run, i)), format)).join(' '),
    option: (t) => ({
      tooltip: {...base(t).tooltip, valueFormatter: (v) => (v == null ? '–' : format(v))},
      xAxis: secondsAxis(t),
      yAxis: scale === 'log' ? timeAxis(t, {}) : axis(t, {type: 'value', min: 0, label: {formatter: plain}}),
      series: runs.map((run, n) => line(labels[n], measured(run).map((i) => [middle(i), of(run, i)]), n, {})),
    }),
    header: ['interval', ...labels],
    rows: () => [...Array(Math.max(...runs.map((run) => measured(run).length))).keys()].map((i) => [count(i + 1),
      ...runs.map((run) => figure(measured(run)[i] ? of(run, measured(run)[i]) : null, '', format))]),
  });
}

const VALIDITY = {valid: 'yes', valid_with_warnings: 'with warnings', not_valid: 'no'};

/** One column per run, with the change against the first. */
function sideBySideTable(runs, labels) {
  const said = (text) => ({text, value: null, path: null});
  const rows = [['valid', ...runs.map((run) => said(VALIDITY[BADGES[RESULTS.indexOf(run)].state]))],
    ...differences(runs).map((name) => [name, ...runs.map((run) => said(optionOf(run, name) || '–'))])];
  const kind = commonTimes(runs);
  const timesOf = (run, name) => run.operations[name] && run.operations[name].latencyMicros[kind];
  for (const name of operationsOf(runs)) {
    rows.push(row(runs, name + ', ops/s', rate, (run) => run.operations[name] && run.operations[name].opsPerSecond,
      (run) => ['operations', name, 'opsPerSecond']));
    for (const [p, label] of TIMES) {
      rows.push(row(runs, name + ', ' + label + ' (' + kind + ')', time, (run) => timesOf(run, name) && timesOf(run, name)[p],
        () => ['operations', name, 'latencyMicros', kind, p]));
    }
    rows.push(row(runs, name + ', errors', count, (run) => run.operations[name] && failures(run.operations[name]), null));
  }
  return table('Figures side by side', ['figure', ...labels], rows);
}

function row(runs, label, format, of, path) {
  const first = of(runs[0]);
  return [label, ...runs.map((run, n) => {
    const value = of(run);
    const cell = figure(value, path ? pointer(RESULTS.indexOf(run), ...path(run)) : '', format);
    if (n > 0 && first > 0 && value != null) {
      cell.text += ' (' + change(value / first) + ')';
    }
    return cell;
  })];
}

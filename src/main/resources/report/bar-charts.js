const barHeight = (groups, series) => 60 + groups * (14 + 16 * series);

/** Horizontal bars. @param groups names of the bars, from the top; series name and values */
function barChart(spec) {
  return chart({
    ...spec,
    height: barHeight(spec.groups.length, spec.stack ? 1 : spec.series.length) + (spec.axisName ? 30 : 0),
    alternative: spec.groups.map((g, i) => g + ' ' + spec.series.map((s) => (spec.series.length > 1 ? s.name + ' ' : '')
      + (s.values[i] == null ? '–' : spec.format(s.values[i]))).join(', ') + '.').join(' '),
    option: (t) => ({
      legend: {...base(t).legend, show: spec.series.length > 1},
      grid: {...base(t).grid, top: spec.series.length > 1 ? 40 : 12, right: 70, bottom: spec.axisName ? 30 : 8},
      tooltip: {...base(t).tooltip, axisPointer: {type: 'shadow'}, valueFormatter: (v) => (v == null ? '–' : spec.format(v))},
      xAxis: axis(t, {type: 'value', min: 0, max: spec.format === percent ? 1 : null, name: spec.axisName, nameLocation: 'middle', nameGap: 24, label: {formatter: spec.axisFormat || plain}}),
      yAxis: axis(t, {type: 'category', data: spec.groups, inverse: true,
        label: {color: t.text, formatter: (name) => (name.length > 36 ? name.slice(0, 35) + '…' : name)}}),
      series: spec.series.map((s) => ({
        name: s.name, type: 'bar', barMaxWidth: 22, data: s.values, stack: spec.stack,
        label: {show: !spec.stack, position: 'right', color: t.text, formatter: (p) => (p.value == null ? '' : spec.format(p.value))},
      })),
    }),
    header: ['', ...spec.series.map((s) => s.name)],
    rows: () => spec.groups.map((g, i) => [g, ...spec.series.map((s) => figure(s.values[i], '', spec.format))]),
  });
}

function ratesChart(run, id) {
  const names = operationNames(run);
  return names.length < 2 ? null : barChart({
    id: id + 'operations', title: 'Operations per second', groups: names, format: rate,
    series: [{name: 'ops/s', values: names.map((n) => run.operations[n].opsPerSecond)}],
  });
}

function nodesChart(run, id) {
  const ops = (n) => Object.values(n.operations).reduce((sum, o) => sum + o.opsPerSecond, 0);
  return run.nodes.length < 2 ? null : barChart({
    id: id + 'nodes', title: 'Operations per second, by node', groups: run.nodes.map((n) => n.url), format: rate,
    series: [{name: 'ops/s', values: run.nodes.map(ops)}],
  });
}

/** The sessions' sampled waits, longest first. */
const byTime = (profile) => Object.entries(profile.waitEventSeconds).sort((a, b) => b[1] - a[1]);

function waitsChart(run, id) {
  const all = byTime(run.serverProfile);
  const waits = all.slice(0, 12);
  const samples = run.serverProfile.waitSamples;
  const seconds = all.reduce((sum, w) => sum + w[1], 0);
  return !waits.length || !seconds ? null : barChart({
    id: id + 'waits', title: 'What the server’s sessions were doing', groups: waits.map((w) => w[0]), format: percent,
    axisFormat: (v) => decimal(v * 100, 0) + ' %',
    note: count(samples) + ' samples of pg_stat_activity' + (all.length > waits.length ? '; the ' + waits.length
      + ' longest of ' + count(all.length) + ', all of them are in a table below' : ''),
    series: [{name: 'share of the time', values: waits.map((w) => w[1] / seconds)}],
  });
}

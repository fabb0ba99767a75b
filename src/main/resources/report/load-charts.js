// Charts of resource use: network, client CPU, the schedule of an open loop.

function networkChart(run, id) {
  const intervals = measured(run);
  return chart({
    id: id + 'network',
    title: 'Network of the client and its CPU',
    alternative: 'In: ' + rangeWords(intervals.map((i) => i.inMbitPerSecond), megabits)
      + ' Out: ' + rangeWords(intervals.map((i) => i.outMbitPerSecond), megabits),
    wide: !isOpen(run),
    option: (t) => ({
      tooltip: {...base(t).tooltip, valueFormatter: (v) => decimal(v, 2)},
      xAxis: measuredAxis(run, t),
      yAxis: [
        axis(t, {type: 'value', name: 'Mbit/s', min: 0, label: {formatter: plain}}),
        axis(t, {type: 'value', name: 'cores', min: 0, splitLine: {show: false}, label: {formatter: plain}}),
      ],
      series: [
        line('in', intervals.map((i) => [middle(i), i.inMbitPerSecond]), 0, {}),
        line('out', intervals.map((i) => [middle(i), i.outMbitPerSecond]), 1, {}),
        line('client CPU', intervals.map((i) => [middle(i), i.clientCpuCores]), 2, {yAxisIndex: 1}),
      ],
    }),
    header: ['from s', 'in Mbit/s', 'out Mbit/s', 'client CPU cores'],
    rows: () => eachInterval(run, (i, path) => [
      figure(i.inMbitPerSecond, path + '/inMbitPerSecond', (v) => decimal(v, 1)),
      figure(i.outMbitPerSecond, path + '/outMbitPerSecond', (v) => decimal(v, 1)),
      figure(i.clientCpuCores, path + '/clientCpuCores', (v) => decimal(v, 2))]),
  });
}

function scheduleChart(run, id) {
  if (!isOpen(run)) {
    return null;
  }
  const intervals = measured(run);
  const lag = (i) => (i.lagMicros ? positive(i.lagMicros.p99) : null);
  return chart({
    id: id + 'schedule',
    title: 'How late operations started',
    alternative: 'p99 of the lag: ' + rangeWords(intervals.map(lag), time)
      + ' Backlog: ' + rangeWords(intervals.map((i) => i.backlog), count),
    option: (t) => ({
      tooltip: {...base(t).tooltip, valueFormatter: (v) => (v == null ? '–' : decimal(v, 1))},
      xAxis: measuredAxis(run, t),
      yAxis: [
        timeAxis(t, {name: 'lag, ms'}),
        axis(t, {type: 'value', name: 'backlog', min: 0, splitLine: {show: false}, label: {formatter: plain}}),
      ],
      series: [
        line('lag p99', intervals.map((i) => [middle(i), lag(i)]), 0,
          {tooltip: {valueFormatter: (v) => (v == null ? '–' : milliseconds(v))}}),
        line('backlog', intervals.map((i) => [middle(i), i.backlog == null ? null : i.backlog]), 1, {yAxisIndex: 1}),
      ],
    }),
    header: ['from s', 'lag mean', 'lag p99', 'lag max', 'backlog'],
    rows: () => eachInterval(run, (i, path) => [
      ...['mean', 'p99', 'max'].map((p) => figure(i.lagMicros && i.lagMicros[p], path + '/lagMicros/' + p, time)),
      figure(i.backlog, path + '/backlog', count)]),
  });
}

// Intervals on bars and points, and axes with ticks at the measured numbers.

const CAP = 10;

/**
 * Intervals with caps.
 * @param intervals position on the category or number axis, low, high; intervals without bounds are left out
 * @param lying whether they lie on horizontal bars
 */
function whiskers(intervals, color, lying) {
  const known = intervals.filter(([, low, high]) => low != null && high != null);
  const point = (position, end) => (lying ? [end, position] : [position, end]);
  return {
    name: 'interval', type: 'line', silent: true, z: 5, tooltip: {show: false}, sampling: 'none', itemStyle: {color},
    lineStyle: {width: 2, color, type: 'solid'}, symbol: 'rect', showSymbol: true, showAllSymbol: true, symbolSize: lying ? [2, CAP] : [CAP, 2],
    data: known.flatMap(([at, low, high]) => [point(at, low), point(at, high), ['-', '-']]),
  };
}

/**
 * Horizontal bars from zero with intervals, each with its figures at the end.
 * @param spec of a chart, with groups (names of the bars, from the top), values, intervals (low and high, or null) and format
 */
function intervalBars(spec) {
  const {groups, values, intervals, format} = spec;
  const words = (i) => format(values[i]) + (intervals[i] ? ' (' + intervals[i].map(format).join(' to ') + ')' : '');
  const ends = values.map((v, i) => Math.max(v, intervals[i] ? intervals[i][1] : 0));
  return chart({
    ...spec,
    height: barHeight(groups.length, 1) + 14 * groups.length,
    alternative: groups.map((g, i) => g + ' ' + words(i) + '.').join(' '),
    option: (t, narrow) => ({
      legend: {show: false},
      grid: {...base(t).grid, top: 12, right: 24},
      tooltip: {...base(t).tooltip, trigger: 'item', formatter: (p) => echarts.format.encodeHTML(groups[p.dataIndex] + ': ' + words(p.dataIndex))},
      xAxis: axis(t, {type: 'value', min: 0, label: {formatter: plain}}),
      yAxis: axis(t, {type: 'category', data: groups, inverse: true, label: {color: t.text, width: narrow ? 96 : 200, overflow: 'break'}}),
      series: [
        {name: spec.title, type: 'bar', barMaxWidth: 18, data: values.map((value, i) => ({value, itemStyle: {color: spec.color(t, i)}}))},
        whiskers(intervals.map((both, i) => [i, ...(both || [null, null])]), t.text, true),
        {name: 'figures', type: 'scatter', symbolSize: 1, silent: true, z: 6, itemStyle: {color: 'transparent'}, tooltip: {show: false},
          data: ends.map((end, i) => ({value: [0, i], label: {show: true, position: 'right', distance: 6, color: t.text, formatter: words(i)}}))},
      ],
    }),
    header: ['', spec.unit, 'from', 'to'],
    rows: () => groups.map((g, i) => [g, figure(values[i], spec.path(i), format),
      ...[0, 1].map((end) => figure(intervals[i] && intervals[i][end], '', format))]),
  });
}

/** A logarithmic axis of client counts. Its labels are those of {@link clientTicks}, because its own are powers. */
function clientsAxis(t, numbers) {
  const [from, to] = [Math.min(...numbers), Math.max(...numbers)];
  const space = Math.pow(Math.max(2, to / from), 0.04);
  return axis(t, {type: 'log', logBase: 2, min: from / space, max: to * space, name: 'clients', nameLocation: 'middle', nameGap: 28,
    axisLabel: {show: false}, axisTick: {show: false}, splitLine: {show: false}});
}

/** A second y axis, on which the ticks lie at 0. */
const tickAxis = {type: 'value', min: 0, max: 1, show: false};

/** Ticks and labels at the measured numbers; labels that would overlap are left out. */
const clientTicks = (t, numbers) => ({
  name: 'ticks', type: 'scatter', yAxisIndex: 1, symbol: 'rect', symbolSize: [1, 8], silent: true, clip: false, itemStyle: {color: t.muted},
  tooltip: {show: false}, labelLayout: {hideOverlap: true}, label: {show: true, position: 'bottom', color: t.muted, formatter: (p) => count(p.value[0])},
  data: [...new Set(numbers)].sort((a, b) => a - b).map((n) => [n, 0]),
});

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

const ROW = {beside: 26, above: 48};
/** The height of a chart of so many rows. */
const rowsHeight = (rows) => (narrow) => (narrow ? 80 + ROW.above * rows : 70 + ROW.beside * rows);
const rowsGrid = (t, narrow) => ({...base(t).grid, right: 24, top: narrow ? 22 : 12, bottom: 28});

/** The y axes of a chart of rows: the names at the left and the figures at the right, or both above if it is narrow. */
function rowsAxes(t, narrow, names, words) {
  const above = {inside: true, margin: 0, align: 'left', verticalAlign: 'bottom', padding: [0, 0, 10, 0], lineHeight: 15,
    // on paper, so that no line of the chart strikes them through; a brace would end the style
    formatter: (row) => row.split('\n').map((text) => '{row|' + text.replaceAll('}', ')') + '}').join('\n'),
    rich: {row: {color: t.text, backgroundColor: t.paper, lineHeight: 15}}};
  const labels = narrow ? [names.map((name, i) => name + '\n' + words[i])] : [names, words];
  return labels.map((data, i) => axis(t, {type: 'category', data, z: 10, axisTick: {show: false}, inverse: true,
    position: i ? 'right' : 'left', label: {color: t.text, interval: 0, hideOverlap: false, ...(narrow ? above : {})}}));
}

/**
 * Horizontal bars from zero with intervals, each with its figures at the end.
 * @param spec of a chart, with groups (names of the bars, from the top), values, intervals (low and high, or null), format, unit,
 *     color (a function of the theme and the bar's number) and path (of a bar's figure)
 */
function intervalBars(spec) {
  const {groups, values, intervals, format} = spec;
  const words = groups.map((_, i) => format(values[i]) + (intervals[i] ? ' (' + intervals[i].map(format).join(' to ') + ')' : ''));
  return chart({
    ...spec,
    height: rowsHeight(groups.length),
    alternative: groups.map((g, i) => g + ' ' + words[i] + '.').join(' '),
    option: (t, narrow) => ({
      legend: {show: false},
      grid: rowsGrid(t, narrow),
      tooltip: {...base(t).tooltip, trigger: 'item', formatter: (p) => echarts.format.encodeHTML(groups[p.dataIndex] + ': ' + words[p.dataIndex])},
      xAxis: axis(t, {type: 'value', min: 0, name: spec.unit, nameLocation: 'middle', nameGap: 28, label: {formatter: plain}}),
      yAxis: rowsAxes(t, narrow, groups, words),
      series: [
        {name: spec.title, type: 'bar', barWidth: 12, data: values.map((value, i) => ({value, itemStyle: {color: spec.color(t, i)}}))},
        whiskers(intervals.map((both, i) => [i, ...(both || [null, null])]), t.text, true),
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

/** Ticks at the measured numbers. Labels that would overlap in a chart of so many pixels are left out. */
function clientTicks(t, numbers, pixels) {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const {min, max} = clientsAxis(t, numbers);
  let free = -Infinity;
  const data = sorted.map((n) => {
    const half = 3.5 * count(n).length + 3;
    const middle = Math.log(n / min) / Math.log(max / min) * pixels;
    const show = middle - half >= free;
    free = show ? middle + half : free;
    return {value: [n, 0], label: {show}};
  });
  return {name: 'ticks', type: 'scatter', yAxisIndex: 1, symbol: 'rect', symbolSize: [1, 8], silent: true, clip: false, itemStyle: {color: t.muted},
    tooltip: {show: false}, label: {position: 'bottom', color: t.muted, formatter: (p) => count(p.value[0])}, data};
}

/** The approximate width of the plot area. */
const plotPixels = (narrow, wide) => (narrow ? 290 : wide ? 1060 : 460);

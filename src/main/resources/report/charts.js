// A chart with its text alternative and a table of its figures; charts adapt to the theme and to printing.

const charts = [];
/** For tests: each chart's option and whether it has been drawn. */
window.__charts = [];

const DASHES = ['solid', [7, 3], [2, 3], [10, 3, 2, 3]];

function theme() {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  return {
    text: color('--text'),
    muted: color('--muted'),
    line: color('--line'),
    paper: color('--paper'),
    good: color('--good'),
    bad: color('--bad'),
    colors: [1, 2, 3, 4, 5, 6, 7].map((i) => color('--series-' + i)),
  };
}

/**
 * Creates a figure with a chart.
 * @param spec id, title, alternative (what it shows, in words), option (a function of the theme and of whether the chart is
 *     narrow), header and rows (a function) of the table, height (in pixels, or a function of whether the chart is narrow)
 */
function chart(spec) {
  const plot = h('div', {class: 'plot', role: 'img', 'aria-label': spec.title + '. ' + spec.alternative});
  plot.style.height = heightOf(spec, false) + 'px';
  const element = h('figure', {id: spec.id, class: spec.wide ? 'wide' : null},
    h('figcaption', {}, h('h3', {}, spec.title), spec.note ? h('p', {class: 'note'}, spec.note) : null),
    plot,
    unfolding('Figures of this chart', () => table(spec.title, spec.header, spec.rows())));
  charts.push({spec, plot, instance: null});
  return element;
}

/** In place of a chart that would show the same all the time. */
const sentenceInstead = (title, sentence) => h('figure', {class: 'wide'}, h('figcaption', {}, h('h3', {}, title), h('p', {class: 'note'}, sentence)));

/** Below this width in pixels, labels go above their lines instead of beside them. */
const NARROW = 560;
const heightOf = (spec, narrow) => (typeof spec.height === 'function' ? spec.height(narrow) : spec.height || 300);

/** Draws all charts that have become visible. */
function drawCharts() {
  for (const entry of charts) {
    if (!entry.instance && entry.plot.clientWidth > 0) {
      fit(entry);
      entry.instance = echarts.init(entry.plot, null, {renderer: 'svg'});
      const told = {id: entry.spec.id, series: [], drawn: false};
      window.__charts.push(told);
      entry.instance.on('finished', () => {
        told.series = entry.instance.getModel().getSeries().map((s) => ({
          name: s.name, points: s.getData().count(), shapes: entry.instance.getViewOfSeriesModel(s).group.childCount()}));
        told.drawn = true;
      });
      paint(entry);
    }
  }
}

function paint(entry) {
  const colors = theme();
  entry.instance.setOption({...base(colors), ...entry.spec.option(colors, entry.narrow)}, true);
}

/** Adapts a chart's layout to its width; returns whether it changed. */
function fit(entry) {
  const before = entry.narrow;
  entry.narrow = entry.plot.clientWidth < NARROW;
  entry.plot.style.height = heightOf(entry.spec, entry.narrow) + 'px';
  return entry.narrow !== before;
}

function base(t) {
  return {
    animation: false,
    backgroundColor: 'transparent',
    color: t.colors,
    textStyle: {color: t.text, fontFamily: 'sans-serif'},
    grid: {left: 8, right: 24, top: 60, bottom: 8, containLabel: true},
    legend: {top: 4, left: 0, type: 'scroll', textStyle: {color: t.text}, itemWidth: 28, itemHeight: 12,
      pageTextStyle: {color: t.text}, pageIconColor: t.text, pageIconInactiveColor: t.line},
    tooltip: {
      trigger: 'axis',
      confine: true,
      backgroundColor: t.paper,
      borderColor: t.line,
      textStyle: {color: t.text},
    },
  };
}

/** An axis in the theme's colors. */
function axis(t, options) {
  return {
    nameTextStyle: {color: t.muted, ...(options.nameLocation ? {} : {align: 'left'})}, // at the end of the axis, where labels may be narrower
    axisLabel: {color: t.muted, hideOverlap: true, ...(options.label || {})},
    axisLine: {onZero: false, lineStyle: {color: t.line}}, // the warm-up is left of zero
    axisTick: {lineStyle: {color: t.line}},
    nameGap: 10,
    splitLine: {show: options.type !== 'category', lineStyle: {color: t.line}},
    minorSplitLine: {show: false},
    ...options,
  };
}

/** Seconds since the start of the measurement. */
const secondsAxis = (t) => axis(t, {
  type: 'value', min: 0, splitLine: {show: false}, label: {formatter: (v) => plain(v) + ' s'},
  axisPointer: {label: {formatter: (p) => decimal(p.value, 1) + ' s'}},
});

/** Times on a logarithmic scale; microseconds, labelled in milliseconds as all charts' times. */
const timeAxis = (t, more) => axis(t, {type: 'log', name: 'ms', label: {formatter: (v) => inMillis(v)}, ...more});

/** A line; the series number determines its color and dashes. */
function line(name, points, index, more) {
  return {
    name,
    type: 'line',
    data: points,
    symbol: points.length < 3 ? 'circle' : 'none',
    symbolSize: 6,
    sampling: 'lttb',
    lineStyle: {width: 2, type: DASHES[index % DASHES.length]},
    emphasis: {disabled: true},
    ...more,
  };
}

/** The marks of a chart's first series, and lines at the limits of this figure. */
function withLimits(marks, limits, figure, t) {
  const style = {lineStyle: {color: t.bad, type: 'solid'}, label: {formatter: '{b}', color: t.bad, position: 'insideStartTop', rotate: 0,
    backgroundColor: t.paper, padding: [1, 3]}};
  return {...marks, markLine: {silent: true, symbol: 'none', ...marks.markLine, data: [...((marks.markLine || {}).data || []),
    ...limits.filter((l) => l[figure]).map((l) => ({name: l.limit, yAxis: l[figure], ...style}))]}};
}

/** Ends of an axis that includes the limits of this figure; null: those of its values. */
function limitEnds(limits, figure) {
  const all = limits.map((l) => l[figure]).filter(Boolean);
  return {min: (v) => (Math.min(...all) < v.min ? Math.min(...all) : null), max: (v) => (Math.max(...all) > v.max ? Math.max(...all) : null)};
}

/** A logarithmic axis cannot show 0. */
const positive = (value) => (value > 0 ? value : null);

function repaintCharts() {
  charts.forEach((entry) => entry.instance && paint(entry));
}

function resizeCharts() {
  charts.filter((entry) => entry.instance).forEach((entry) => {
    const changed = fit(entry);
    entry.instance.resize();
    if (changed) {
      paint(entry);
    }
  });
}

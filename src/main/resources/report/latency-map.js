// The distribution of latencies over time as a heat map: an SVG under a chart that has the axes and the percentiles.

const SHADES = 8;
/** Space for the axes, in pixels; the map covers the rest. */
const MAP_GRID = {left: 52, right: 16, top: 52, bottom: 24, containLabel: false};
/** A warm-up is shown from this part of the measurement's length before its start on. */
const WARMUP_SHOWN = 1 / 3;

const endOf = (run) => measured(run).reduce((max, i) => Math.max(max, i.atSeconds + i.seconds), 0);

/** The last intervals of the warm-up, with times relative to the start of the measurement. */
function warmupShown(run) {
  const length = run.run.phases.filter((p) => p.name === 'warmup').reduce((sum, p) => sum + p.seconds, 0);
  return (run.warmupIntervals || []).map((i) => ({...i, atSeconds: i.atSeconds - length}))
    .filter((i) => i.atSeconds >= -WARMUP_SHOWN * endOf(run));
}

/** The warm-up in the background of a chart over time. */
function warmupArea(run, t) {
  const shown = warmupShown(run);
  return !shown.length ? [] : [[{name: 'warm-up', xAxis: shown[0].atSeconds, itemStyle: {color: t.muted, opacity: 0.14}, label: {color: t.muted}},
    {xAxis: 0}]];
}

/** The seconds axis of charts that show the measurement only. */
const measuredAxis = (run, t) => ({...secondsAxis(t), max: endOf(run)});

/** The seconds axis of charts that show the warm-up. */
const timelineAxis = (run, t) => ({...measuredAxis(run, t), min: warmupShown(run).length ? warmupShown(run)[0].atSeconds : 0});

/** Marks of the run and of its warm-up. */
function timelineMarks(run, t) {
  const all = marks(run, t);
  return {...all, markArea: {...all.markArea, data: [...warmupArea(run, t), ...all.markArea.data]}};
}

function latencyMapChart(run, id) {
  const map = curvesOf(run).map;
  if (!map) {
    return null;
  }
  const columns = map.columns.filter((c) => c.atSeconds >= -WARMUP_SHOWN * endOf(run));
  const buckets = columns.flatMap((c) => c.counts.map(([bucket]) => bucket));
  const [low, high] = [Math.min(...buckets), Math.max(...buckets) + 1];
  const edge = (bucket) => Math.pow(10, bucket / map.perDecade);
  const intervals = [...warmupShown(run), ...measured(run)];
  const of = (i, p) => (headlineOf(run, i) ? positive(headlineOf(run, i)[p]) : null);
  const times = allTimes(run, headline(run));
  const element = chart({
    id: id + 'map',
    title: 'Distribution of latency over time (' + headline(run) + ')',
    note: 'The stronger the color, the more operations.' + (factsNote(run) ? ' ' + factsNote(run) : ''),
    alternative: 'Operations by latency, in each part of the run. ' + (times ? 'Half of them took at most ' + milliseconds(times.p50)
      + ', 99 % at most ' + milliseconds(times.p99) + ', the longest ' + milliseconds(times.max) + '.' : ''),
    option: (t) => ({
      grid: MAP_GRID,
      tooltip: {...base(t).tooltip, valueFormatter: (v) => (v == null ? '–' : milliseconds(v))},
      xAxis: timelineAxis(run, t),
      yAxis: {...timeAxis(t, {min: edge(low), max: edge(high), label: {formatter: decadeLabel(edge(low), edge(high))}}), splitLine: {show: false}},
      series: [['p50', 'p50'], ['p99', 'p99']].map(([p, label], n) => line(label, intervals.map((i) => [middle(i), of(i, p)]), n,
        {lineStyle: {width: 1.5, type: DASHES[n], color: t.text}, itemStyle: {color: t.text}, ...(n ? {} : timelineMarks(run, t))})),
    }),
    ...decades(map, columns, low, high),
  });
  const plot = element.querySelector('.plot');
  const under = h('div', {class: 'heat'});
  plot.before(under);
  under.append(heat(columns, low, high), plot);
  return element;
}

/** Labels of an axis that does not end at powers of ten: only these, if there are any. */
function decadeLabel(from, to) {
  const isDecade = (v) => Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-6;
  const any = Math.floor(Math.log10(to)) >= Math.ceil(Math.log10(from));
  return (v) => (isDecade(v) || !any ? inMillis(v) : '');
}

/** The map's figures as a table: operations by powers of ten of their latency. */
function decades(map, columns, low, high) {
  const from = Math.floor(low / map.perDecade);
  const all = [...Array(Math.ceil(high / map.perDecade) - from).keys()].map((n) => from + n);
  return {
    header: ['from s', ...all.map((n) => 'below ' + milliseconds(Math.pow(10, n + 1)))],
    rows: () => columns.map((c) => [decimal(c.atSeconds, 1) + (c.atSeconds < 0 ? ' (warm-up)' : ''), ...all.map((n) => figure(
      c.counts.filter(([bucket]) => Math.floor(bucket / map.perDecade) === n).reduce((sum, [, times]) => sum + times, 0), '', count))]),
  };
}

/** One path per shade; its scale is logarithmic, so that a few slow operations are seen beside many fast ones. */
function heat(columns, low, high) {
  const start = columns[0].atSeconds;
  const last = columns[columns.length - 1];
  const width = last.atSeconds + last.seconds - start;
  const most = Math.max(...columns.flatMap((c) => c.counts.map(([, times]) => times / c.seconds)));
  const least = Math.min(...columns.flatMap((c) => c.counts.map(([, times]) => times / c.seconds)));
  const shade = (perSecond) => (most > least
    ? Math.min(SHADES - 1, Math.floor(SHADES * Math.log(perSecond / least) / Math.log(most / least))) : SHADES - 1);
  const paths = new Map();
  for (const c of columns) {
    for (const [bucket, times] of c.counts) {
      const key = (c.atSeconds < 0 ? 'warm ' : '') + shade(times / c.seconds);
      const cell = 'M' + (c.atSeconds - start).toFixed(3) + ' ' + (high - 1 - bucket) + 'h' + c.seconds.toFixed(3) + 'v1h-' + c.seconds.toFixed(3) + 'z';
      paths.set(key, (paths.get(key) || '') + cell);
    }
  }
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const set = (e, attributes) => Object.entries(attributes).forEach(([name, value]) => e.setAttribute(name, value));
  set(svg, {viewBox: '0 0 ' + width.toFixed(3) + ' ' + (high - low), preserveAspectRatio: 'none', 'aria-hidden': 'true'});
  for (const [key, d] of paths) {
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    set(path, {d, class: key.startsWith('warm') ? 'warm' : 'cell', 'fill-opacity': (0.12 + 0.88 * parseInt(key.split(' ').pop(), 10) / (SHADES - 1)).toFixed(2)});
    svg.append(path);
  }
  return svg;
}

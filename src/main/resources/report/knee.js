// Where the knee of a thread scaling is, and the band of its fitted curve.

/** The confidence of the intervals of steps and coefficients. */
const CONFIDENCE = 0.95;

/**
 * The range of the knee: above the most clients known not to be enough, up to the fewest known to be enough.
 * @returns after (null if every measured number may be enough), from, to (null if throughput still rose); null if unknown
 */
function kneeRange(scaling) {
  const search = scaling.kneeSearch;
  if (!search) {
    return scaling.knee ? {after: null, from: scaling.knee.clients, to: scaling.knee.clients} : null;
  }
  const fewer = search.ratios.filter((r) => r.enough === false && r.clients < search.fromClients).map((r) => r.clients);
  return {after: fewer.length ? Math.max(...fewer) : null, from: search.fromClients, to: search.toClients == null ? null : search.toClients};
}

const numberOfClients = (n) => countOf(n, 'client', 'clients');

function kneeWords(scaling) {
  const range = kneeRange(scaling);
  if (!range) {
    return 'The knee is not determined.';
  }
  if (range.to === null) {
    return 'The knee was not reached: throughput still rose at ' + numberOfClients(Math.max(...scaling.steps.map((s) => s.clients))) + '.';
  }
  const notEnough = range.after === null ? '' : '; ' + numberOfClients(range.after) + (range.after === 1 ? ' is' : ' are') + ' not enough';
  return scaling.knee
    ? 'The knee is at ' + numberOfClients(scaling.knee.clients) + notEnough + '.'
    : 'The knee is not determined: it is from ' + count(range.from) + ' to ' + numberOfClients(range.to) + notEnough + '.';
}

/** The range of the knee as a vertical band. */
function kneeArea(scaling, t) {
  const range = kneeRange(scaling);
  const numbers = scaling.steps.map((s) => s.clients);
  if (!range || (scaling.knee && range.after === null)) {
    return {};
  }
  const from = scaling.knee ? range.after : range.to === null ? Math.max(...numbers) : range.from;
  const to = range.to === null ? clientsAxis(t, numbers).max : range.to;
  const name = scaling.knee ? '' : range.to === null ? 'knee not reached' : 'knee not determined';
  return {markArea: {silent: true, itemStyle: {color: t.muted, opacity: 0.16}, label: {color: t.text, position: 'insideBottom'},
    data: [[{name, xAxis: from}, {xAxis: to}]]}};
}

/** The result of a search in one line. */
function headlineOfScaling(scaling) {
  if (BADGES[RESULTS.indexOf(scaling)].state === 'not_valid') {
    return null;
  }
  const figures = (p) => rate(p.opsPerSecond) + ' ops/s, p99 ' + time(p.p99Micros);
  const knee = scaling.knee;
  return knee ? numberOfClients(knee.clients) + (knee.clients === 1 ? ' is' : ' are') + ' enough: ' + figures(knee) : kneeWords(scaling).replace(/\.$/, '');
}

/** The inverse of a symmetric 3 by 3 matrix; null if it is singular. */
function inverse3(m) {
  const minor = (i, j) => {
    const [a, b] = [0, 1, 2].filter((x) => x !== i);
    const [c, d] = [0, 1, 2].filter((x) => x !== j);
    return (m[a][c] * m[b][d] - m[a][d] * m[b][c]) * ((i + j) % 2 ? -1 : 1);
  };
  const determinant = [0, 1, 2].reduce((sum, j) => sum + m[0][j] * minor(0, j), 0);
  return Math.abs(determinant) > 0 ? m.map((row, i) => row.map((_, j) => minor(j, i) / determinant)) : null;
}

/** The derivatives of the curve's logarithm by the logarithm of lambda, by sigma and by kappa. */
function slopesAt(fit, n) {
  const d = 1 + fit.sigma.value * (n - 1) + fit.kappa.value * n * (n - 1);
  return [1, -(n - 1) / d, -n * (n - 1) / d];
}

/**
 * The confidence band of the fitted curve (delta method on its logarithm; G. Seber and C. Wild, Nonlinear Regression, 1989,
 * section 5.1), from the curvature at the measured numbers. The interval of lambda, the curve at one client, gives its scale.
 * @param at numbers of clients
 * @returns clients, low, high; null without a fit or its intervals
 */
function bandOf(scaling, at) {
  const fit = scaling.fit;
  if (!fit || fit.lambda.low == null || !(fit.lambda.low > 0)) {
    return null;
  }
  const slopes = scaling.steps.map((s) => slopesAt(fit, s.clients));
  const covariances = inverse3([0, 1, 2].map((i) => [0, 1, 2].map((j) => slopes.reduce((sum, g) => sum + g[i] * g[j], 0))));
  if (!covariances || !(covariances[0][0] > 0)) {
    return null;
  }
  const scale = Math.log(fit.lambda.high / fit.lambda.low) / 2 / Math.sqrt(covariances[0][0]);
  return (at || curve(scaling).map(([n]) => n)).map((n) => {
    const g = slopesAt(fit, n);
    const variance = g.reduce((sum, gi, i) => sum + g.reduce((part, gj, j) => part + gi * gj * covariances[i][j], 0), 0);
    const factor = Math.exp(scale * Math.sqrt(Math.max(0, variance)));
    return [n, fitted(fit, n) / factor, fitted(fit, n) * factor];
  });
}

/**
 * The band as an area: the lower bound, and its distance from the upper one stacked on it. The bound is the first dimension,
 * because ECharts stacks the first one that is a number.
 */
function bandSeries(name, band, color) {
  const area = {type: 'line', stack: 'band', symbol: 'none', silent: true, sampling: 'none', tooltip: {show: false},
    encode: {x: 1, y: 0}, lineStyle: {width: 0}, itemStyle: {color}};
  return [{...area, name: 'lower bound', data: band.map(([n, low]) => [low, n])},
    {...area, name, areaStyle: {color, opacity: 0.18}, data: band.map(([n, low, high]) => [high - low, n])}];
}

/** The end of the axis where a wide band would press the measured steps flat; undefined otherwise. */
function steepest(scaling, band) {
  const most = Math.max(...scaling.steps.map((s) => s.high || s.opsPerSecond), ...repeatsOf(scaling).map((r) => r.opsPerSecond));
  return band && Math.max(...band.map((b) => b[2])) > 1.5 * most ? Number((1.5 * most).toPrecision(1)) : undefined;
}

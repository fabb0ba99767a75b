// Charts of what sessions did, by samples within operations.

const MAX_WAITS = 6;
const OTHER_WAITS = 'other waits';
const NOT_SAMPLED = 'not sampled';
const WAIT_WORDS = {CPU: 'on CPU', client: 'waiting for the client', connection: 'waiting for a connection',
  workers: 'waiting for workers', 'datanodes or CPU': 'waiting for datanodes or on CPU'};

/** The most frequent waits of a run, which have the same colors in all charts. */
function namedWaits(waits) {
  const sums = Object.entries(waits.overTime.waits).map(([name, counts]) => [name, counts.reduce((sum, n) => sum + n, 0)]);
  const slow = (name) => Math.max(0, ...waits.operations.map((o) => (o.slow.waits[name] || {share: 0}).share));
  const all = sums.reduce((sum, [, n]) => sum + n, 0);
  return sums.sort((a, b) => b[1] / all + slow(b[0]) - a[1] / all - slow(a[0])).slice(0, MAX_WAITS).map(([name]) => name);
}

const waitName = (name) => WAIT_WORDS[name] || name;

/** What else the server did, with its periods in seconds. */
function factsInTime(run) {
  const {slotSeconds, during, waits} = (run.serverProfile.operationWaits || {}).overTime || {during: {}};
  return Object.entries(during).map(([what, counts]) =>
    [what, spans(counts, (slot) => Object.values(waits).some((of) => of[slot])).map(([from, to]) => [from * slotSeconds, (to + 1) * slotSeconds])]);
}

/** More than so many facts have no names in charts. */
const MAX_NAMED_FACTS = 3;

/**
 * The periods of facts as areas of a chart, each with its number in {@link factsNote}: names would cover each other and the lines. Those of
 * many facts, such as the autovacuum of each shard, are joined.
 */
function factAreas(facts, more) {
  const area = (name, [from, to]) => [{name, xAxis: from, ...more}, {xAxis: to}];
  if (facts.length <= MAX_NAMED_FACTS) {
    return facts.flatMap(([, periods], fact) => periods.slice(0, MAX_STEPS).map((period, n) => area(n ? '' : '(' + (fact + 1) + ')', period)));
  }
  const joined = facts.flatMap(([, periods]) => periods).sort((a, b) => a[0] - b[0]).reduce((all, [from, to]) => {
    const last = all[all.length - 1];
    return last && from <= last[1] ? [...all.slice(0, -1), [last[0], Math.max(last[1], to)]] : [...all, [from, to]];
  }, []);
  return joined.map((period) => area('', period));
}

/** What the areas are, for charts that show them; null if there are none. */
function factsNote(run) {
  const facts = factsInTime(run);
  return !facts.length ? null : 'Marked: ' + (facts.length > MAX_NAMED_FACTS ? countOf(facts.length, 'activity', 'activities') + ' of the server'
    : facts.map(([what], fact) => '(' + (fact + 1) + ') ' + what).join(', ')) + '.';
}

const factWords = ([what, periods], fact) => '(' + (fact + 1) + ') ' + what + ' (' + periods.slice(0, MAX_WAITS).map(([from, to]) =>
  decimal(from, 1) + ' s to ' + decimal(to, 1) + ' s').join(', ') + (periods.length > MAX_WAITS ? ', and more' : '') + ')';

/** The sessions in operations over time, stacked, with checkpoints and the like as areas. */
function waitsOverTimeChart(run, id) {
  const waits = run.serverProfile.operationWaits;
  if (!waits || !Object.keys(waits.overTime.waits).length) {
    return null;
  }
  const {slotSeconds, waits: counts, during} = waits.overTime;
  const names = namedWaits(waits);
  const slots = [...Object.values(counts)[0].keys()];
  const total = (slot) => Object.values(counts).reduce((sum, of) => sum + of[slot], 0);
  const share = (slot, n) => (total(slot) ? n / total(slot) : 0);
  const rest = (slot) => total(slot) - names.reduce((sum, name) => sum + counts[name][slot], 0);
  const series = [...names.map((name) => [waitName(name), (slot) => counts[name][slot]]),
    ...(slots.some((slot) => rest(slot) > 0) ? [[OTHER_WAITS, rest]] : [])];
  const only = series.find(([, of]) => slots.every((slot) => !total(slot) || share(slot, of(slot)) > 1 - NOTHING));
  if (only && !Object.keys(during).length) {
    return sentenceInstead('What the sessions did over time', only[0] + ' all the time.');
  }
  const areas = (t) => factAreas(Object.entries(during).map(([what, of]) => [what, spans(of, total)]),
    {itemStyle: {color: t.muted, opacity: 0.2}, label: {color: t.muted}});
  return chart({
    id: id + 'waits-over-time',
    title: 'What the sessions did over time',
    note: 'Of the time within operations.' + (Object.keys(during).length ? ' Marked: ' + factsInTime(run).slice(0, MAX_WAITS).map(factWords).join('; ')
      + (Object.keys(during).length > MAX_WAITS ? '; and ' + count(Object.keys(during).length - MAX_WAITS) + ' more' : '') + '.' : ''),
    alternative: series.map(([name, of]) => name + ': ' + rangeWords(slots.map((slot) => share(slot, of(slot))), percent)).join(' '),
    wide: true,
    option: (t) => ({
      tooltip: {...base(t).tooltip, valueFormatter: (v) => (v == null ? '–' : percent(v))},
      xAxis: axis(t, {type: 'category', data: slots.map((slot) => decimal(slot * slotSeconds, 1) + ' s')}),
      yAxis: shareAxis(t),
      series: series.map(([name, of], n) => ({name, type: 'bar', stack: 'waits', barCategoryGap: 0,
        data: slots.map((slot) => share(slot, of(slot))), ...(n ? {} : {markArea: {silent: true, data: areas(t)}})})),
    }),
    header: ['from s', 'samples', ...series.map(([name]) => name)],
    rows: () => slots.map((slot) => [decimal(slot * slotSeconds, 1), count(total(slot)), ...series.map(([, of]) => count(of(slot)))]),
  });
}

/** The periods in which each slot that is known has a count: the first slot and the last. */
function spans(counts, isKnown) {
  const slots = [...counts.keys()].filter((slot) => counts[slot] || isKnown(slot));
  return slots.reduce((all, slot, n) => {
    if (!counts[slot]) {
      return all;
    }
    const goesOn = n > 0 && counts[slots[n - 1]];
    return goesOn ? [...all.slice(0, -1), [all[all.length - 1][0], slot]] : [...all, [slot, slot]];
  }, []);
}

/** Two bars per operation: beyond the p99, and ordinary. */
function slowWaitsChart(run, id) {
  const waits = run.serverProfile.operationWaits;
  const shown = waits ? waits.operations.filter((o) => o.slow.samples && o.usual.samples) : [];
  if (!shown.length) {
    return null;
  }
  const groups = shown.flatMap((o) => [[o.operation + ' beyond p99', o.slow], [o.operation + ' ordinary', o.usual]]);
  const of = (group, name) => (group.waits[name] || {share: 0}).share;
  const named = namedWaits(waits);
  const names = named.includes(NOT_SAMPLED) || !groups.some(([, group]) => of(group, NOT_SAMPLED)) ? named
    : [...named.slice(0, MAX_WAITS - 1), NOT_SAMPLED];
  return barChart({
    id: id + 'slow-waits', title: 'What slow and ordinary operations spent their time on', groups: groups.map((g) => g[0]), format: percent,
    axisFormat: (v) => decimal(v * 100, 0) + ' %', stack: 'waits',
    note: groups.map(([name, group]) => name + ': ' + countOf(group.samples, 'sample', 'samples')).join('; ') + '.'
      + (isOpen(run) ? ' By total time, without the wait for a client.' : ''),
    series: [...names.map((name) => ({name: waitName(name), values: groups.map(([, group]) => of(group, name))})),
      {name: OTHER_WAITS, values: groups.map(([, group]) => Math.max(0, 1 - names.reduce((sum, name) => sum + of(group, name), 0)))}],
  });
}

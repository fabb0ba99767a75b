// The verdict of a comparison in one line, and one line per variant.

/** Sign and words of each verdict. */
const VERDICTS = {faster: ['✓', 'faster'], slower: ['✗', 'slower'], same: ['=', 'the same'], undecided: ['?', 'undecided']};
const marked = (verdict) => VERDICTS[verdict].join(' ');

const primaryEffects = (comparison) => comparison.effects.filter((e) => e.metric === comparison.primary);

/** Percentages with as many decimals as the smallest of them needs. */
function percentages(...shares) {
  const decimals = shares.some((s) => Math.abs(s) < 0.1) ? 1 : 0;
  return shares.map((s) => decimal(Math.abs(s * 100) < 0.05 ? 0 : s * 100, decimals));
}

/** By how much, with the interval: {@code 31% faster (27 to 35%)}, {@code faster (409 times; 400 times to 420 times)}. */
function byHowMuch(e) {
  if (e.ratio > MANY) {
    return VERDICTS[e.verdict][1] + ' (' + change(e.ratio) + '; ' + signedRange(e) + ')';
  }
  const sign = (e.verdict === 'slower') === isRate(e.metric) ? -1 : 1;
  const [ratio, low, high] = percentages(...[e.ratio, e.low, e.high].map((r) => sign * (r - 1)));
  return e.verdict === 'faster' || e.verdict === 'slower'
    ? ratio + '% ' + e.verdict + ' (' + (sign < 0 ? high + ' to ' + low : low + ' to ' + high) + '%)'
    : VERDICTS[e.verdict][1] + ' (' + signedRange(e) + ')';
}

/** The interval as changes: {@code −3.1 to +4.0%}. */
function signedRange(e) {
  if (e.high > MANY) {
    return change(e.low) + ' to ' + change(e.high);
  }
  const [low, high] = [e.low - 1, e.high - 1];
  const signs = [low, high].map((v) => (v < 0 ? '−' : '+'));
  const texts = percentages(Math.abs(low), Math.abs(high));
  return signs[0] + texts[0] + ' to ' + signs[1] + texts[1] + '%';
}

function sentenceOf(e, comparison) {
  const base = comparison.baseline;
  if (e.verdict === 'faster' || e.verdict === 'slower') {
    return e.variant + ' is ' + byHowMuch(e).replace(' (', ' than ' + base + ' (');
  }
  return e.verdict === 'same'
    ? e.variant + ' is the same as ' + base + ' within ' + plain(comparison.margin * 100) + '% (' + signedRange(e) + ')'
    : e.variant + ' compared with ' + base + ' is undecided after ' + countOf(e.rounds, 'round', 'rounds') + ' (' + signedRange(e) + ')';
}

/** The verdict in one sentence: that of the only variant, or the clearest of several; null if the result is not valid. */
function headlineOfComparison(comparison) {
  const effects = primaryEffects(comparison);
  if (!effects.length || BADGES[RESULTS.indexOf(comparison)].state === 'not_valid') {
    return null;
  }
  if (effects.length > 1 && effects.every((e) => e.verdict === 'slower')) {
    return comparison.baseline + ' is faster than the ' + count(effects.length) + ' others';
  }
  const distance = (e) => Math.abs(Math.log(e.ratio));
  const clearest = (of) => [...of].sort((a, b) => distance(b) - distance(a))[0];
  const [faster, slower] = ['faster', 'slower'].map((verdict) => effects.filter((e) => e.verdict === verdict));
  if (effects.length > 1 && !faster.length && !slower.length) {
    return 'No variant differs detectably from ' + comparison.baseline;
  }
  return sentenceOf(clearest(faster.length ? faster : slower.length ? slower : effects), comparison);
}

/** One line per variant, if there are several besides the baseline. */
function effectLines(comparison) {
  const effects = primaryEffects(comparison);
  return effects.length < 2 || BADGES[RESULTS.indexOf(comparison)].state === 'not_valid' ? null : h('ul', {class: 'effects'}, effects.map((e) => h('li', {class: e.verdict},
    h('span', {class: 'mark', 'aria-hidden': 'true'}, VERDICTS[e.verdict][0]), h('strong', {}, e.variant), ' ' + byHowMuch(e))));
}

/** The heading of a result's section: its verdict, with what was measured below. */
const headed = (headline, title) => (headline
  ? [h('h2', {class: 'headline'}, headline), h('p', {class: 'subject'}, title)] : [h('h2', {}, title)]);

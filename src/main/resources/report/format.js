// Numbers and times as text, in the reader's locale; elements without innerHTML, so that no name can be markup.

const LOCALE = navigator.languages && navigator.languages.length ? navigator.languages : undefined;
const formats = new Map();

/** A number with exactly this many decimals. */
function decimal(value, decimals) {
  if (!formats.has(decimals)) {
    formats.set(decimals, new Intl.NumberFormat(LOCALE, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    }));
  }
  return formats.get(decimals).format(value);
}

/** A number for an axis, with decimals only if needed. */
const plain = (value) => decimal(value, Number.isInteger(value) ? 0 : Math.abs(value) < 1 ? 2 : 1);
const count = (value) => decimal(value, 0);
const rate = (value) => decimal(value, value < 1000 ? 1 : 0);
const percent = (share) => decimal(share * 100, share < 0.1 ? 2 : 1) + ' %';
/** A ratio beyond this is no longer shown as a percentage. */
const MANY = 10;
/** A ratio of two figures as a change. */
const change = (ratio) => ratio > MANY
  ? (ratio > 10000 ? 'over ' : '') + decimal(Math.min(ratio, 10000), 0) + ' times'
  : (ratio >= 1 ? '+' : '−') + decimal(Math.abs(ratio - 1) * 100, 1) + ' %';
/** An estimated duration in seconds, rounded. */
const about = (value) =>
  value < 120 ? decimal(value, 0) + ' s' : value < 7200 ? decimal(value / 60, 0) + ' min' : decimal(value / 3600, 1) + ' h';
const seconds = (value) => decimal(value, value < 100 ? 1 : 0) + ' s';
const megabits = (value) => decimal(value, 1) + ' Mbit/s';

/** A time in microseconds, shown in a suitable unit. */
function time(micros) {
  if (micros < 1000) {
    return decimal(micros, micros < 100 ? 1 : 0) + ' us';
  }
  return micros < 1e6
    ? decimal(micros / 1000, micros < 1e5 ? 2 : 0) + ' ms'
    : decimal(micros / 1e6, 2) + ' s';
}

/** Microseconds as a number of milliseconds with three significant digits, so that times of a chart have one unit. */
const inMillis = (micros) => new Intl.NumberFormat(LOCALE, {maximumSignificantDigits: 3}).format(micros / 1000);
const milliseconds = (micros) => inMillis(micros) + ' ms';

/** A count with its noun. */
const countOf = (n, one, many) => count(n) + ' ' + (n === 1 ? one : many);

/** Bytes in powers of 1000. */
function bytes(value) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  while (Math.abs(value) >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return decimal(value, unit === 0 || value >= 100 ? 0 : 1) + ' ' + units[unit];
}

/** An ISO timestamp in the reader's locale. */
function moment(iso) {
  const date = new Date(iso);
  return isNaN(date) ? iso : new Intl.DateTimeFormat(LOCALE, {dateStyle: 'medium', timeStyle: 'medium'}).format(date);
}

/** An element; null and false attributes are omitted, children are texts, elements or null. */
function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * A cell with a figure of the result.
 * @param path its JSON Pointer in the page's results, kept with the figure for verification
 */
function figure(value, path, format) {
  const known = value !== null && value !== undefined;
  return {text: known ? format(value) : '–', value: known ? value : null, path};
}

/** A JSON Pointer (RFC 6901) of names. */
const pointer = (...names) => names.map((n) => '/' + String(n).replace(/~/g, '~0').replace(/\//g, '~1')).join('');

/** A table with more columns shows each row as a list where the page is narrow. */
const MAX_NARROW_COLUMNS = 2;

/** A table; cells are texts or figures. The first column is a heading. */
function table(caption, header, rows) {
  const body = rows.map((row) => h('tr', {}, row.map((cell, i) => tableCell(cell, i, header[i]))));
  return h('div', {class: 'scroll', tabindex: 0, role: 'group', 'aria-label': caption},
    h('table', {class: header.length > MAX_NARROW_COLUMNS ? 'many' : null},
      h('caption', {}, caption),
      h('thead', {}, h('tr', {}, header.map((text, i) => h(text ? 'th' : 'td', {scope: text ? 'col' : null, class: i && isFigure(rows, i) ? 'n' : null}, text)))),
      h('tbody', {}, body)));
}

const isFigure = (rows, column) => rows.length > 0 && typeof rows[0][column] !== 'string';

function tableCell(cell, column, heading) {
  const isText = typeof cell === 'string';
  const source = isText ? {} : {'data-value': cell.value, 'data-path': cell.path};
  const text = isText ? cell : cell.text;
  return column === 0 ? h('th', {scope: 'row', 'data-label': heading, ...source}, text)
    : h('td', {class: isText ? 't' : 'n', 'data-label': heading, ...source}, text);
}

/** A collapsed section, created when it is opened. */
function unfolding(summary, make) {
  const element = h('details', {}, h('summary', {}, summary));
  element.fill = () => {
    if (!element.filled) {
      element.filled = true;
      element.append(...[make()].flat());
    }
  };
  element.addEventListener('toggle', () => element.open && element.fill());
  return element;
}

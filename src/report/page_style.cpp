#include "report/page_style.hpp"

#include <fmt/format.h>

#include "report/palette.hpp"

namespace weir::report {
namespace {

std::string variables(const Palette& palette) {
  std::string css =
      fmt::format("--page:{};--ink:{};--muted:{};--rule:{};--raised:{};", palette.page, palette.ink,
                  palette.muted, palette.rule, palette.raised);
  for (std::size_t i = 0; i < palette.series.size(); ++i)
    css += fmt::format("--c{}:{};", i, palette.series.at(i));
  for (std::size_t i = 0; i < palette.shares.size(); ++i)
    css += fmt::format("--s{}:{};", i, palette.shares.at(i));
  return css;
}

std::string numbered_classes() {
  std::string css;
  for (std::size_t i = 0; i < kSeriesColours; ++i)
    css += fmt::format(".c{0}{{--own:var(--c{0})}}", i);
  for (std::size_t i = 0; i <= kShareLevels; ++i)
    css += fmt::format(".cells .s{0}{{stroke:var(--s{0})}}.ramp .s{0}{{fill:var(--s{0})}}", i);
  return css;
}

constexpr std::string_view kRules = R"(
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);
  font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","DejaVu Sans",sans-serif}
main{max-width:980px;margin:0 auto;padding:40px 28px 56px}
header{position:relative}
.eyebrow{margin:0 0 10px;color:var(--muted);font-size:13px;letter-spacing:.02em}
h1{margin:0 90px 14px 0;font-size:30px;line-height:1.2;font-weight:650;letter-spacing:-.015em;
  text-wrap:balance}
.lede{margin:0;max-width:44em;font-size:17px;text-wrap:pretty}
.lede span{display:block;margin-bottom:4px}
dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:3px 18px;
  margin:22px 0 0;font-size:14px}
dl.facts dt{color:var(--muted)}
dl.facts dd{margin:0;overflow-wrap:anywhere}
section{margin-top:44px;padding-top:18px;border-top:1px solid var(--rule)}
h2{margin:0;font-size:19px;line-height:1.3;font-weight:650;letter-spacing:-.005em}
h3{margin:26px 0 0;font-size:15px;line-height:1.35;font-weight:650}
.note{margin:2px 0 0;max-width:54em;text-wrap:pretty;color:var(--muted);font-size:14px}
figure{margin:14px 0 0}
figcaption{font-size:14px;font-weight:600;margin-bottom:4px}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;margin-top:16px;font-size:13.5px;
  font-variant-numeric:tabular-nums lining-nums}
th,td{padding:4px 0 4px 13px;text-align:right;white-space:nowrap;font-weight:400}
th.text,td.text{text-align:left}
th:first-child,td:first-child{padding-left:0}
thead th{color:var(--muted);font-size:12.5px;vertical-align:bottom}
thead tr.groups th{padding-bottom:0}
thead tr.groups th span{display:block;border-bottom:1px solid var(--rule);padding-bottom:2px;
  text-align:center}
thead tr.titles th{border-bottom:1px solid var(--muted)}
tbody tr.first td{border-top:1px solid var(--rule)}
tbody tr:first-child td{border-top:0}
tbody tr:last-child td{border-bottom:1px solid var(--rule)}
tbody tr:hover td{background:var(--raised)}
td.best{font-weight:700}
td .key{margin-right:9px}
.legend{display:flex;flex-wrap:wrap;align-items:center;gap:2px 26px;margin:10px 0 4px;
  font-size:13.5px}
.entries{display:flex;flex-wrap:wrap;gap:2px 16px}
.entry{display:inline-flex;align-items:center;gap:6px;cursor:default}
.key{width:30px;height:12px;flex:none;vertical-align:-1px;margin-right:6px}
.entry .key{margin:0}
.key path{fill:none;stroke:var(--own);stroke-width:2.4}
.key path[d$=z]{fill:var(--own);stroke:none}
.plain{--own:var(--muted)}
.legend.tones{gap:2px 10px}
.ramp{width:198px;height:10px}
svg.chart{display:block;width:100%;min-width:600px;height:auto;overflow:visible}
svg text{fill:var(--muted);font-size:12px;font-variant-numeric:tabular-nums lining-nums}
svg .strong{fill:var(--ink);font-weight:600}
svg .value{fill:var(--ink)}
.mid{text-anchor:middle}
.end{text-anchor:end}
.grid{stroke:var(--rule);stroke-width:1;fill:none;shape-rendering:crispEdges}
.axis{stroke:var(--muted);stroke-width:1;fill:none;shape-rendering:crispEdges}
path.run{fill:none;stroke:var(--own);stroke-width:1.5;stroke-linejoin:round}
.v1{stroke-dasharray:6 3}
.v2{stroke-dasharray:1.5 2.5}
.v3{stroke-dasharray:8 3 2 3}
g.run,g.run path{stroke-dasharray:none}
.stem{fill:none;stroke:var(--own);stroke-width:1.6}
.dot{fill:var(--own);stroke:var(--page);stroke-width:1}
.bar{fill:var(--own)}
.bar.wide{fill-opacity:.32}
.cells path{fill:none;stroke-width:.9;shape-rendering:crispEdges}
.cells.dense path{stroke-width:1}
.clear{fill:transparent}
.cursor{stroke:var(--ink);stroke-width:1;fill:none;pointer-events:none}
.focused .run:not(.hit){opacity:.13}
.focused path.run.hit{stroke-width:2.2}
#readout{position:absolute;z-index:2;pointer-events:none;padding:7px 10px;font-size:12.5px;
  line-height:1.45;background:var(--raised);border:1px solid var(--rule);border-radius:4px;
  font-variant-numeric:tabular-nums lining-nums;white-space:nowrap}
#readout div{display:flex;justify-content:space-between;gap:16px}
#readout div+div::before{content:"";order:-1;align-self:center;width:14px;margin-right:-8px;
  border-top:2px solid var(--own)}
#readout div+div span:first-child{flex:1}
#theme{position:absolute;right:0;top:0;padding:4px 11px;font:inherit;font-size:13px;
  color:var(--muted);  background:none;border:1px solid var(--rule);border-radius:4px;cursor:pointer}
#theme:hover,#theme:focus-visible{color:var(--ink);border-color:var(--muted)}
[hidden]{display:none}
dl.words{margin:12px 0 0;font-size:14px;display:grid;grid-template-columns:max-content 1fr;
  gap:4px 18px}
dl.words dt{font-weight:600}
dl.words dd{margin:0;color:var(--muted)}
ul.reasons{margin:12px 0 0;padding:0;list-style:none;font-size:14px}
ul.reasons li{display:grid;grid-template-columns:5em 1fr;gap:14px;padding:2px 0}
ul.reasons b{text-align:right;font-weight:600;font-variant-numeric:tabular-nums}
code{font:12px/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;
  overflow-wrap:anywhere}
details{margin-top:22px;font-size:14px}
summary{cursor:pointer;color:var(--muted)}
@media (max-width:760px){main{padding:24px 16px 40px}h1{font-size:25px}
  th,td{padding-left:8px}table{font-size:12px}td .key{width:20px;margin-right:5px}.spare{display:none}
  svg text{font-size:14.5px}dl.words,dl.facts{grid-template-columns:1fr;gap:0}
  dl.words dd,dl.facts dd{margin-bottom:8px}}
@media print{main{max-width:none;padding:0}#theme,#readout{display:none}
  section{break-inside:avoid-page;margin-top:26px}figure,tr{break-inside:avoid}
  .scroll{overflow:visible}svg.chart{min-width:0}body{font-size:13px}table{font-size:10.5px}
  th,td{padding-left:8px}}
)";

}  // namespace

std::string style_sheet() {
  const std::string light = variables(kLight);
  const std::string dark = variables(kDark);
  return fmt::format(
      "\n:root{{color-scheme:light dark;{0}}}\n"
      "@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{1}}}}}\n"
      "@media screen{{:root[data-theme=light]{{color-scheme:light}}"
      ":root[data-theme=dark]{{color-scheme:dark;{1}}}}}\n{2}{3}",
      light, dark, numbered_classes(), kRules);
}

constinit const std::string_view kScript = R"(
(function () {
  var root = document.documentElement, box = document.getElementById('readout');
  var button = document.getElementById('theme'), charts = document.querySelectorAll('svg.time');
  var dark = matchMedia('(prefers-color-scheme: dark)').matches;
  function each(list, f) { Array.prototype.forEach.call(list, f); }
  function theme(name) {
    dark = name === 'dark';
    root.dataset.theme = name;
    button.textContent = dark ? 'Light' : 'Dark';
  }
  function from_address() {
    var name = location.hash.slice(1);
    if (name === 'dark' || name === 'light') theme(name);
  }
  button.textContent = dark ? 'Light' : 'Dark';
  button.hidden = false;
  button.onclick = function () { theme(dark ? 'light' : 'dark'); };
  addEventListener('hashchange', from_address);
  from_address();

  each(document.querySelectorAll('[data-hit]'), function (item) {
    function mark(on) {
      document.body.classList.toggle('focused', on);
      each(document.querySelectorAll('.run' + item.dataset.hit), function (run) {
        run.classList.toggle('hit', on);
      });
    }
    item.onpointerenter = function () { mark(true); };
    item.onpointerleave = function () { mark(false); };
  });

  function value(plot, y) {
    var share = (plot.bottom - y) / (plot.bottom - plot.top), high = Number(plot.high);
    var v = plot.kind === 'log' ? Math.pow(1 + high, share) - 1 : share * high;
    var text = v >= 100 ? Math.round(v).toLocaleString('en') : 0.05 > v ? '0' : v.toFixed(1);
    return text + plot.unit;
  }
  function nearest(points, x) {
    var best = null;
    for (var i = 0; points.length > i + 1; i += 2)
      if (best === null || Math.abs(points[best] - x) > Math.abs(points[i] - x)) best = i;
    return best !== null ? (Math.abs(points[best] - x) > 6 ? null : points[best + 1]) : null;
  }
  function line(classes, name, text) {
    var row = document.createElement('div');
    row.className = classes;
    each([name, text], function (part) {
      row.appendChild(document.createElement('span')).textContent = part;
    });
    box.appendChild(row);
  }
  function when(plot, x) {
    var second = (x - plot.left) / (plot.right - plot.left) * plot.seconds;
    if (plot.begin === 'none') return (second / 3600).toFixed(1) + ' h after the start';
    var text = new Date((Number(plot.begin) + second) * 1000).toISOString();
    return text.slice(0, 10) + ' ' + text.slice(11, 16);
  }
  function move(chart, event) {
    var area = chart.getBoundingClientRect(), plot = chart.querySelector('.plot').dataset;
    var x = (event.clientX - area.left) / area.width * 900;
    if (62 > x || x > 888) { leave(); return; }
    each(charts, function (other) {
      other.querySelector('.cursor').setAttribute('d', 'M' + x + ' 4V' +
        (other.viewBox.baseVal.height - 26));
    });
    box.hidden = plot.unit === undefined;
    if (box.hidden) return;
    box.textContent = '';
    line('', when(plot, x), '');
    each(Array.prototype.slice.call(chart.querySelectorAll('.run')).reverse(), function (run) {
      run.points = run.points || run.getAttribute('d').match(/-?[\d.]+/g).map(Number);
      var y = nearest(run.points, x);
      if (y !== null) line(run.getAttribute('class').replace('run', ''), run.dataset.name,
        value(plot, y));
    });
    var right = event.pageX + 16 + box.offsetWidth > root.clientWidth;
    box.style.left = (right ? event.pageX - 16 - box.offsetWidth : event.pageX + 16) + 'px';
    box.style.top = (event.pageY + 14) + 'px';
  }
  function leave() {
    box.hidden = true;
    each(charts, function (chart) { chart.querySelector('.cursor').setAttribute('d', ''); });
  }
  each(charts, function (chart) {
    chart.onpointermove = function (event) { move(chart, event); };
    chart.onpointerleave = leave;
  });
})();
)";

}  // namespace weir::report

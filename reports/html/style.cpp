// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "reports/html/page.h"

namespace gpufeed::html {

std::string_view style() {
  return R"(
:root{color-scheme:light dark;--back:#eef1f5;--panel:#fff;--line:#c9d0da;--text:#1b2129;
--dim:#55606d;--field:#e6eaf0;--accent:#0060a0;--compute:#0072b2;--gpu_decode:#56b4e9;
--storage:#d55e00;--decode:#e69f00;--copy:#f0e442;--exchange:#cc79a7;--barrier:#8d96a3;
--checkpoint:#009e73;--low:#0072b2;--high:#e69f00;--full:#d55e00}
@media(prefers-color-scheme:dark){:root{--back:#14171c;--panel:#1d2229;--line:#39424e;
--text:#eceff3;--dim:#a8b2bf;--field:#2b323c;--accent:#7cc4f0;--compute:#3f9bd6;--low:#56b4e9;
--full:#f0862f}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);line-height:1.45;
font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
main,header,footer{max-width:1240px;margin:0 auto;padding:0 20px}
header{padding-top:20px}footer{padding-bottom:32px;color:var(--dim)}
h1{font-size:1.7rem;margin:.2em 0;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:0 0 .6em}h3{font-size:1rem;margin:1em 0 .4em}
section{background:var(--panel);border:1px solid var(--line);border-radius:10px;margin:16px 0;
padding:16px 20px;min-width:0}
p{margin:.4em 0;overflow-wrap:anywhere}a{color:var(--accent)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:.5em 0}
dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}
.lead{font-size:1.05rem;margin:.2em 0 .8em}.first .cards{margin:8px 0}
.first .card{padding:8px 12px}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(170px,1fr));gap:12px;margin:16px 0}
.card{background:var(--panel);border:1px solid var(--line);border-radius:10px;padding:12px 16px}
.card .name{color:var(--dim);font-size:.9rem}.card .value{font-size:1.45rem;font-weight:600}
.card .note{color:var(--dim);font-size:.85rem;overflow-wrap:anywhere}
.scroll{overflow-x:auto}.scroll:focus-visible,summary:focus-visible{outline:2px solid var(--accent)}
table{border-collapse:collapse;font-size:.88rem;width:100%}caption{text-align:left;color:var(--dim);
padding:4px 0}
td,th{padding:4px 12px 4px 0;border-bottom:1px solid var(--line);text-align:left;
vertical-align:top;min-width:5em;max-width:34em}
.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
details{margin:.6em 0}summary{cursor:pointer;color:var(--accent);overflow-wrap:anywhere}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.85rem;background:var(--field);
padding:12px;border-radius:8px;margin:.5em 0}
.row{display:grid;grid-template-columns:13em 1fr 15em;gap:2px 14px;align-items:center;margin:6px 0}
.row .label{overflow-wrap:anywhere}.row .value{font-variant-numeric:tabular-nums}
.row small,.dim{color:var(--dim)}
svg.bar{display:block;width:100%;height:22px;background:var(--field);border-radius:4px}
.legend{margin:.3em 0;font-size:.9rem}.entry{white-space:nowrap;margin-right:12px}
.swatch{display:inline-block;width:12px;height:12px;border-radius:3px;margin-right:5px;
vertical-align:-1px;border:1px solid var(--line)}
.compute{fill:var(--compute);background:var(--compute)}
.gpu_decode{fill:var(--gpu_decode);background:var(--gpu_decode)}
.storage{fill:var(--storage);background:var(--storage)}
.decode{fill:var(--decode);background:var(--decode)}
.copy{fill:var(--copy);background:var(--copy)}
.exchange{fill:var(--exchange);background:var(--exchange)}
.barrier{fill:var(--barrier);background:var(--barrier)}
.checkpoint{fill:var(--checkpoint);background:var(--checkpoint)}
.low{fill:var(--low);background:var(--low)}.high{fill:var(--high);background:var(--high)}
.full{fill:var(--full);background:var(--full)}
.idle{fill:var(--line);background:var(--line)}
.machine{display:block;margin:0 auto}.machine text,.chart text{fill:var(--text)}
.machine .dim,.chart .dim{fill:var(--dim)}
.box{fill:var(--field);stroke:var(--line)}.chip{fill:var(--panel);stroke:var(--line);stroke-width:.5}
.wire{fill:none;stroke-linecap:round;stroke-linejoin:round}.wire.idle{stroke:var(--line)}
.wire.low{stroke:var(--low)}.wire.high{stroke:var(--high)}.wire.full{stroke:var(--full)}
.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(230px,1fr));gap:8px 20px}
.plots svg{width:100%}.chart .name{font-weight:bold;font-size:11px}
.equal{stroke:var(--dim);stroke-dasharray:4}.ring{border:2px solid var(--full)}
.frame{fill:none;stroke:var(--line)}.grid{stroke:var(--line);stroke-dasharray:3}
.series0{fill:var(--compute);stroke:var(--compute);background:var(--compute)}.series1{fill:var(--full);stroke:var(--full);background:var(--full)}
.series2{fill:var(--checkpoint);stroke:var(--checkpoint);background:var(--checkpoint)}
.series3{fill:var(--exchange);stroke:var(--exchange);background:var(--exchange)}
.series4{fill:var(--decode);stroke:var(--decode);background:var(--decode)}.series5{fill:var(--barrier);stroke:var(--barrier);background:var(--barrier)}
.line{fill:none;stroke-width:2}.fit{fill:none;stroke:var(--full)}.predict{fill:var(--compute);
fill-opacity:.7;background:var(--compute)}
.zoom label{border:1px solid var(--line);border-radius:6px;padding:2px 10px;cursor:pointer}
.zoom{display:inline}input[type=radio]{accent-color:var(--accent)}
.lanes{display:grid;grid-template-columns:max-content 1fr}
.names{position:sticky;left:0;background:var(--panel);padding-right:10px;font-size:.8rem}
.names div{height:20px;line-height:20px;white-space:nowrap}
.lanes svg{display:block;width:100%}.axis{position:relative;height:20px;font-size:.8rem;
color:var(--dim);grid-column:2}
.axis span{position:absolute;white-space:nowrap}
.z1:checked~.scroll .lanes{width:100%}.z4:checked~.scroll .lanes{width:400%}
.z16:checked~.scroll .lanes{width:1600%}
@media(max-width:700px){main,header,footer{padding:0 10px}section{padding:12px}
.row{grid-template-columns:1fr}dl{grid-template-columns:1fr}dt{margin-top:4px}
h1{font-size:1.35rem}}
@media print{:root{--back:#fff;--panel:#fff;--text:#000;--dim:#333;--line:#999;--field:#eee}
.first{break-after:page;font-size:9pt;line-height:1.25}.first .lead{font-size:10pt}
section{break-inside:avoid;border:none;padding:0;margin:8px 0}section:has(table,pre){break-inside:auto}
tr{break-inside:avoid}h2,h3{break-after:avoid}
.first section{break-inside:auto}table{font-size:8pt}.first table{font-size:7.5pt}
td,th{padding:2px 8px 2px 0;min-width:3em}.first caption{display:none}
header{padding-top:0}h1{font-size:15pt}.first h3{margin:.5em 0 .1em}th.number{white-space:normal}.first ul{margin:.2em 0}
.first .cards{grid-template-columns:repeat(auto-fit,minmax(105px,1fr));gap:6px}
.first .card .value{font-size:11pt}.first h2{font-size:12pt}td:first-child{min-width:6em}
.scroll{overflow:visible}
details::details-content{content-visibility:visible;height:auto}
.machine{max-width:100%!important}.zoomer{display:none}
svg,.swatch{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)";
}

}  // namespace gpufeed::html

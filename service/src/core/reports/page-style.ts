// The style of a printable report. No meaning depends on colour alone; narrow screens show one line per cell.

export const pageStyle = `
:root{color-scheme:light dark;--ink:#17211e;--soft:#55635e;--line:#d9e0dd;--paper:#fff;--band:#f4f7f6;--warn:#7a4b00;--warnband:#fff4dc;
--c0:#0b6e56;--c1:#c2571a;--c2:#3a5fb0;--c3:#8a3f86;--c4:#7d7a12;--c5:#58646b}
@media (prefers-color-scheme:dark){:root{--ink:#e6eeeb;--soft:#9db0a9;--line:#2f3b37;--paper:#111816;--band:#18211e;--warn:#ffd58a;--warnband:#33280f;
--c0:#4fc3a1;--c1:#f0955f;--c2:#8fb0f5;--c3:#d694d1;--c4:#cfcb5c;--c5:#a9b7bd}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:82rem;padding:2.5rem 1.5rem 3rem;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:break-word}
h1{font-size:clamp(1.5rem,1.1rem + 1.8vw,2.25rem);line-height:1.2;margin:.1em 0 .7em;letter-spacing:-.015em;text-wrap:balance}
h2{font-size:1.2rem;line-height:1.3;margin:0 0 .6rem;letter-spacing:-.005em}
.kind{margin:0;color:var(--soft);font-size:.875rem;letter-spacing:.02em}
.provisional{margin:0 0 1.25rem;padding:.6rem .9rem;border-left:4px solid currentColor;background:var(--warnband);color:var(--warn);border-radius:0 4px 4px 0}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(14rem,100%),1fr));gap:.9rem 1.5rem;margin:0;padding:1rem 0;border-block:1px solid var(--line)}
.facts dt{color:var(--soft);font-size:.8125rem}
.facts dd{margin:0;font-variant-numeric:tabular-nums}
nav ol{margin:1rem 0 0;padding:0;list-style:none;display:flex;flex-wrap:wrap;gap:.4rem 1.25rem;font-size:.9375rem}
a{color:var(--c0)}
section{margin-top:2.5rem}
.note,figcaption{color:var(--soft);font-size:.875rem;margin:.4rem 0 .8rem;max-width:65ch}
.table{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:.9375rem;font-variant-numeric:tabular-nums lining-nums}
.narrow{width:auto;min-width:min(100%,34rem)}
.broad table,.broad th{font-size:.75rem}
.broad th,.broad td{padding-inline:.4rem}
.broad td:not(.n){overflow-wrap:break-word}
.fine table,.fine th{font-size:.625rem}
.fine th,.fine td{padding-inline:.25rem}
th{font-size:.8125rem;font-weight:600;color:var(--soft);text-align:left;vertical-align:bottom;border-bottom:2px solid var(--line)}
th,td{padding:.45rem .6rem}
.wide{font-size:.875rem}
th:first-child,td:first-child{padding-left:.25rem}
th:last-child,td:last-child{padding-right:.25rem}
td{vertical-align:top;border-bottom:1px solid var(--line)}
tbody tr:hover{background:var(--band)}
.n{text-align:right}
td.n{white-space:nowrap}
.s{white-space:nowrap}
td small{display:block;color:var(--soft);font-size:.75em;line-height:1.3;overflow-wrap:anywhere}
.none{color:var(--soft)}
.chart{margin:.5rem 0 1.5rem}
.legend{display:flex;flex-wrap:wrap;gap:.3rem 1.25rem;margin:0 0 .6rem;padding:0;list-style:none;font-size:.875rem;color:var(--soft)}
.legend li::before{content:"";display:inline-block;width:.7em;height:.7em;margin-right:.45em;border-radius:2px;background:var(--s)}
.s0{--s:var(--c0)}.s1{--s:var(--c1)}.s2{--s:var(--c2)}.s3{--s:var(--c3)}.s4{--s:var(--c4)}.s5{--s:var(--c5)}
.bars{margin:0;display:grid;gap:.5rem}
.bars>div{display:grid;grid-template-columns:minmax(6rem,14rem) 1fr;column-gap:1rem;align-items:center;font-size:.875rem}
.bars dt{grid-row:1/span 6;align-self:center}
.bars dd{margin:0;grid-column:2;display:grid;grid-template-columns:minmax(0,1fr) minmax(0,min(11rem,40%));gap:.75rem;align-items:center;font-variant-numeric:tabular-nums}
.bars dd span{text-align:right}
.bar{display:block;width:100%;height:.8rem;background:var(--band)}
.bar rect{fill:var(--s)}
.lines{display:block;width:100%;height:14rem;border-bottom:1px solid var(--line)}
.lines polyline{fill:none;stroke:var(--s);stroke-width:2;stroke-linejoin:round;vector-effect:non-scaling-stroke}
.lines .zero{stroke:var(--line);stroke-width:1;vector-effect:non-scaling-stroke}
.axis{display:flex;justify-content:space-between;color:var(--soft);font-size:.8125rem;margin:.25rem 0 .5rem}
footer dl{margin:0;display:grid;gap:.2rem}
footer dl>div{display:grid;grid-template-columns:minmax(7rem,12rem) minmax(0,1fr);gap:.75rem}
footer dd{margin:0;overflow-wrap:anywhere}
footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--soft);font-size:.8125rem}
code{font:.95em/1.4 ui-monospace,"SFMono-Regular",Menlo,Consolas,monospace}
@media screen and (max-width:68rem){
.broad table,.broad table tbody,.broad table tr,.broad table td{display:block}
.broad table thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.broad table tr{padding:.6rem 0;border-bottom:1px solid var(--line)}
.broad table td,.broad table td:first-child,.broad table td:last-child{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,3fr);gap:.75rem;padding:.1rem 0;border:0;text-align:right;white-space:normal;overflow-wrap:anywhere}
.broad table td::before{content:attr(data-title);color:var(--soft);font-size:.8125rem;text-align:left}
}
@media screen and (max-width:48rem){
body{padding:1.5rem 1rem 2rem}
.wide,.wide tbody,.wide tr,.wide td{display:block}
.wide thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.wide tr{padding:.6rem 0;border-bottom:1px solid var(--line)}
.wide td,.wide td:first-child,.wide td:last-child{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,3fr);gap:.75rem;padding:.1rem 0;border:0;text-align:right;white-space:normal;overflow-wrap:anywhere}
.wide td::before{content:attr(data-title);color:var(--soft);font-size:.8125rem;text-align:left}
.wide td:first-child{font-weight:600}
.bars>div{grid-template-columns:1fr}
.bars dt,.bars dd{grid-row:auto;grid-column:1}
}
@media print{
:root{color-scheme:light;--ink:#000;--soft:#444;--line:#bbb;--paper:#fff;--band:#fff;--warn:#000;--warnband:#fff;--c0:#0b6e56;--c1:#c2571a;--c2:#3a5fb0;--c3:#8a3f86;--c4:#7d7a12;--c5:#58646b}
@page{size:A4;margin:16mm 14mm 18mm;@bottom-right{content:counter(page) " / " counter(pages);font:8pt sans-serif;color:#444}}
@page broad{size:A4 landscape;margin:12mm 12mm 15mm}
.landscape{page:broad}
th,td{padding:.2rem .5em}
table,.wide,th{font-size:9pt}
.broad table,.broad th{font-size:7.5pt}
.fine table,.fine th{font-size:5.75pt}
.table{overflow:visible}
body{max-width:none;padding:0;font-size:10pt}
nav{display:none}
footer{break-inside:avoid;break-before:avoid;margin-top:1rem;padding-top:.5rem;font-size:8pt}
.legend,figcaption{break-after:avoid}
.note,figcaption,.legend,.chart{break-inside:avoid}
.facts{gap:.4rem 1.5rem;padding:.6rem 0;font-size:9pt}
.chart .legend,.bars>div,figcaption{font-size:8.5pt}
h1{font-size:18pt}
section{margin-top:1.5rem}
h2,.note{break-after:avoid}
.note{font-size:8.5pt;max-width:none}
tr,.bars>div{break-inside:avoid}
thead{display:table-header-group}
.bar,.legend li::before{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
`;

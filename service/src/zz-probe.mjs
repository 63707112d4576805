const a=process.memoryUsage(); const t=performance.now();
const m=await import('libphonenumber-js/mobile'); global.gc?.(); const b=process.memoryUsage();
console.log('libphonenumber-js/mobile',(performance.now()-t).toFixed(0)+'ms', ((b.rss-a.rss)/1e6).toFixed(1)+'MB rss', ((b.heapUsed-a.heapUsed)/1e6).toFixed(1)+'MB heap', Object.keys(m).slice(0,14).join(' '));

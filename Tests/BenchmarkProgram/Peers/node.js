// Serves the files of a folder from memory, as Rollcall would: node node.js FOLDER PORT
const cluster = require('node:cluster'), fs = require('node:fs'), http = require('node:http'), os = require('node:os');
const [folder, port] = process.argv.slice(2);

if (cluster.isPrimary) {
  for (const _ of os.cpus()) cluster.fork();
} else {
  const answers = new Map();
  for (const name of fs.readdirSync(folder).filter(name => name.endsWith('.gz'))) {
    const path = name.slice(0, -3), body = fs.readFileSync(`${folder}/${name}`);
    const fields = fs.readFileSync(`${folder}/${path}.fields`, 'utf8').split('\n').filter(line => line);
    answers.set(`/${path}`, [body, [
      ...fields.flatMap(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      'Content-Type', 'text/html; charset=utf-8', 'Content-Encoding', 'gzip', 'Content-Length', body.length,
      'ETag', '"peer"', 'Vary', 'Accept-Encoding',
    ]]);
  }
  http.createServer({ keepAliveTimeout: 600000 }, (request, response) => {
    const answer = answers.get(request.url);
    if (!answer) return response.writeHead(404).end();
    response.writeHead(200, answer[1]).end(answer[0]);
  }).listen(port, '127.0.0.1');
}

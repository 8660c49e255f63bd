/** Ways in which an address of one's own house has been written so that a guard does not know it. */

/** One or more of each block of IANA's registries of special addresses, and the ends of ranges. */
export const innerAddresses = [
  '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.100.100.200', '100.127.255.255', '127.0.0.1',
  '127.255.255.254', '168.63.129.16', '169.254.0.1', '169.254.169.254', '169.254.170.2', '172.16.0.1', '172.31.255.255',
  '192.0.0.1', '192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.0.1', '192.168.255.255', '198.18.0.1', '198.19.255.255',
  '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.254', '255.255.255.255',
  '::', '::1', '::2', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::7f00:1', '100::1', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:10::1', '2001:20::1', '2001:db8::1', '2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1', '3fff::1', '4000::1',
  '5f00::1', 'fc00::1', 'fd00::1', 'fd00:ec2::254', 'fd20:ce::254', 'fdff:ffff::1', 'fe80::1', 'fe80::1%eth0', 'febf::1', 'fec0::1',
  'ff02::1', 'ff0e::1', 'ffff::1'
]

export const publicAddresses = [
  '1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '93.184.216.34', '100.63.255.255', '100.128.0.0', '126.255.255.255',
  '128.0.0.1', '151.101.1.1', '172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0',
  '223.255.255.255', '2001:4860:4860::8888', '2606:4700:4700::1111', '2a00:1450:4001::200e', '2620:fe::fe', '::ffff:8.8.8.8'
]

/** As the host of a URL. */
export const hostVectors = [
  // Decimal, octal, hexadecimal, short and mixed.
  '127.0.0.1', '127.1', '127.0.1', '2130706433', '017700000001', '0177.0.0.1', '0177.0.0.01', '0x7f000001', '0x7f.1', '0x7f.0.0.1',
  '0x7F.0x0.0x0.0x1', '0x7f.0.0x0.01', '127.0x1', '00000177.1', '127.000.000.001', '0', '0.0.0.0', '0x0', '00', '127.255.255.254',
  '127.0.0.1.', '127.1.', '2130706433.', '0x7f000001.', '%31%32%37.0.0.1', '127%2e0%2e0%2e1', '%30x7f.1',
  '3232235777', '0xc0a80101', '192.168.257', '10.1', '167772161', '012.0.0.1', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376',
  '169.254.43518', '169.254.169.254', '0xa9.0xfe.0xa9.0xfe', '100.100.100.200', '168.63.129.16', '192.0.0.192', '172.16.1', '1684300900',
  '198.18.0.1', '192.88.99.1', '224.0.0.1', '240.1', '255.255.255.255', '4294967295', '0xffffffff', '192.0.2.1', '198.51.100.1', '203.0.113.1',
  // Digits, letters and dots that are folded.
  '１２７.０.０.１', '①②⑦.⓪.⓪.①', '127。0。0。1', '127．0．0．1', '127｡0｡0｡1', '𝟏𝟐𝟕.𝟎.𝟎.𝟏', '０x7f.1', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'ｌｏｃａｌｈｏｓｔ', 'LOCALHOST', 'loc\u00ADalhost', 'l\u200Bocalhost',
  // IPv6 in its forms, and IPv4 within it.
  '[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::0001]', '[0::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]',
  '[::FFFF:7F00:0001]', '[0:0:0:0:0:ffff:127.0.0.1]', '[::ffff:a9fe:a9fe]', '[::ffff:10.0.0.1]', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2002:a9fe:a9fe::1]',
  '[2001::7f00:1]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]', '[fc00::1]', '[fd00:ec2::254]', '[fd20:ce::254]', '[fe80::1]', '[fe80::1%25eth0]', '[fe80::1%25lo]', '[::1%25lo]',
  '[febf::1]', '[fec0::1]', '[ff02::1]', '[ff0e::1]', '[2001:db8::1]', '[3fff::1]', '[100::1]', '[2001:10::1]', '[5f00::1]', '[::2]', '[4000::1]',
  // Names of one's own machine, network, cluster and cloud.
  'localhost', 'localhost.', 'LocalHost', 'localhost..', 'a.localhost', 'a.b.localhost.', 'localhost.localdomain', 'localhost6.localdomain6', 'ip6-localhost', 'ip6-loopback', 'broadcasthost',
  'metadata', 'metadata.google.internal', 'metadata.google.internal.', 'Metadata.Google.Internal', 'instance-data', 'instance-data.ec2.internal', 'kubernetes', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local',
  'host.docker.internal', 'gateway.docker.internal', 'printer.local', 'router.lan', 'nas.home', 'wiki.corp', 'wiki.intranet', 'db.private', 'box.home.arpa', '1.0.0.127.in-addr.arpa', 'intranet', 'wiki', 'mongo', 'nats',
  // Names of the open internet that lead here.
  '127.0.0.1.nip.io', '127-0-0-1.sslip.io', 'localtest.me', 'lvh.me', 'spoofed.example', '7f000001.example.com', 'a'.repeat(60) + '.example', 'xn--bcher-kva.example', '127.0.0.1.example', 'localhost.example'
]

/** Whole addresses that are odd by more than their host. */
export function oddUrls (port: number): string[] {
  const inner = `127.0.0.1:${port}`
  return [
    `http://user@${inner}/`, `http://user:password@${inner}/`, `http://example.org@${inner}/`, `http://example.org:80@${inner}/`, `http://example.org%40${inner}/`,
    `http://user:password@example.org:${port}/`, `http://${inner}@example.org:${port}/`, `http://${inner}#@example.org/`, `http://${inner}?@example.org/`, `http://${inner}\\@example.org/`,
    `http:\\\\${inner}\\a.pdf`, `http:/${inner}/`, `http:${inner}/`, `http:///${inner}/`, `//${inner}/`, `///${inner}/`, inner, '127.0.0.1', 'localhost', '/etc/passwd', '../../etc/passwd', '',
    ` http://${inner}/`, `http://${inner}/ `, `http://127.0.0.1\t:${port}/`, `http://127.0.0\n.1:${port}/`, `ht\ntp://${inner}/`, `http://${inner}/\u0000`, `http://\u202E${inner}/`, `http://${inner}\r\nhost: example.org/`,
    'file:///etc/passwd', 'file://localhost/etc/passwd', 'file:/etc/passwd', `gopher://${inner}/_GET`, `ftp://${inner}/a.pdf`, `ftps://${inner}/`, `sftp://${inner}/`, `dict://${inner}/d`, `ldap://${inner}/`, `tftp://${inner}/`, `ws://${inner}/`, `wss://${inner}/`,
    `blob:http://${inner}/a`, `jar:http://${inner}!/`, `view-source:http://${inner}/`, 'data:application/pdf;base64,JVBERi0=', 'javascript:alert(1)', 'unix:///var/run/docker.sock', 'http+unix://%2Fvar%2Frun%2Fdocker.sock/', 'about:blank', 'netdoc:///etc/passwd', 'php://filter/resource=/etc/passwd', 'redis://127.0.0.1/', 'mongodb://127.0.0.1/',
    'http://example.org:22/', 'http://example.org:25/', 'http://example.org:6379/', 'http://example.org:27017/', 'http://example.org:4222/', 'http://example.org:0/', 'http://example.org:65536/', 'http://93.184.216.34:8080/', 'https://example.org:8443/',
    'http://', 'http://.', 'http://..', 'http:// /', 'http://[', 'http://[::1', 'http://::1/', 'http://[::g]/', 'http://256.256.256.256/', 'http://1.2.3.4.5/', 'http://0x100000000/', 'http://99999999999/', `http://example.org/${'a'.repeat(3_000)}`
  ]
}

// Writes a program for a call of the open API in each language, from the examples of the API document.

/** Request of a sample: path and query as sent, body as JSON. */
export interface SampleRequest {
  method: string;
  target: string;
  /** Null: the call has no body. */
  body: string | null;
  /** The call takes an Idempotency-Key. */
  isOnce: boolean;
}

export interface SampleLanguage {
  name: string;
  /** File name under which the sample runs. */
  file: string;
  write: (request: SampleRequest) => string;
}

interface SampleOperation {
  parameters: { name: string; in: string; required: boolean; example?: unknown }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}

/** Path parameters and required query parameters with their examples; the whole example of the body. */
export function sampleRequestOf(
  method: string,
  path: string,
  { parameters, requestBody }: SampleOperation,
): SampleRequest {
  const examples = new Map(parameters.map(({ name, example }) => [name, String(example)]));
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(examples.get(name) ?? ""),
  );
  const query = parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map(({ name }) => `${name}=${encodeURIComponent(examples.get(name) ?? "")}`);
  const body = requestBody?.content["application/json"]?.example;
  return {
    method: method.toUpperCase(),
    target: [place, ...(query.length > 0 ? [query.join("&")] : [])].join("?"),
    body: body === undefined ? null : JSON.stringify(body),
    isOnce: parameters.some(({ name }) => name === "Idempotency-Key"),
  };
}

const environment =
  "CABINET_URL=https://storage.example.com CABINET_APP=app_… CABINET_KID=k… CABINET_SECRET=cabsk_…";

/** JSON strings are string literals of JavaScript, Python, Java and Go, too. */
const quoted = (text: string) => JSON.stringify(text);
const shellQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const phpQuoted = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;
/** Joins the lines that apply; false ones do not. */
const lines = (...parts: (string | false)[]) =>
  `${parts.filter((part) => part !== false).join("\n")}\n`;
const typeOf = ({ body }: SampleRequest) => (body === null ? "" : "application/json");

function curl(request: SampleRequest): string {
  const { method, target, body, isOnce } = request;
  return lines(
    "#!/bin/bash",
    `# Needs ${environment}`,
    "set -euo pipefail",
    `method=${method}`,
    `target=${shellQuoted(target)}`,
    `type=${typeOf(request)}`,
    isOnce ? "key=$(openssl rand -hex 16)  # keep it for a retry" : "key=",
    `body=${shellQuoted(body ?? "")}`,
    `origin=\${CABINET_URL%/}`,
    `host=$(printf '%s' "\${origin#*://}" | tr 'A-Z' 'a-z')`,
    "ts=$(date +%s)",
    "nonce=$(openssl rand -base64 24 | tr '+/' '-_')",
    `digest=$(printf '%s' "$body" | openssl dgst -sha256 -hex | sed 's/^.* //')`,
    `sig=$(printf '%s\\n' CAB1-HMAC-SHA256 "$method" "$host" "$target" "$type" "$ts" "$nonce" "$key" "$digest" |`,
    `  openssl dgst -sha256 -hmac "$CABINET_SECRET" -binary | openssl base64 -A)`,
    `curl --silent --show-error --fail-with-body -X "$method" "$origin$target" \\`,
    body !== null && `  -H "Content-Type: $type" --data-binary "$body" \\`,
    isOnce && `  -H "Idempotency-Key: $key" \\`,
    `  -H "Authorization: CAB1-HMAC-SHA256 app=$CABINET_APP,kid=$CABINET_KID,ts=$ts,nonce=$nonce,sig=$sig"`,
  );
}

function python(request: SampleRequest): string {
  const { method, target, body, isOnce } = request;
  return lines(
    `# Needs ${environment}`,
    "import base64, hashlib, hmac, os, secrets, sys, time, urllib.error, urllib.parse, urllib.request, uuid",
    "",
    `origin = os.environ["CABINET_URL"].rstrip("/")`,
    `app, kid, secret = (os.environ[name] for name in ("CABINET_APP", "CABINET_KID", "CABINET_SECRET"))`,
    `method, target, content_type = ${quoted(method)}, ${quoted(target)}, ${quoted(typeOf(request))}`,
    `body = ${quoted(body ?? "")}.encode()`,
    isOnce ? "key = str(uuid.uuid4())  # keep it for a retry" : `key = ""`,
    "ts, nonce = str(int(time.time())), secrets.token_urlsafe(24)",
    "host = urllib.parse.urlsplit(origin).netloc.lower()",
    "digest = hashlib.sha256(body).hexdigest()",
    `parts = ["CAB1-HMAC-SHA256", method, host, target, content_type, ts, nonce, key, digest]`,
    `text = "".join(part + "\\n" for part in parts)`,
    "sig = base64.b64encode(hmac.new(secret.encode(), text.encode(), hashlib.sha256).digest()).decode()",
    "headers = {",
    `    "Authorization": f"CAB1-HMAC-SHA256 app={app},kid={kid},ts={ts},nonce={nonce},sig={sig}",`,
    body !== null && `    "Content-Type": content_type,`,
    isOnce && `    "Idempotency-Key": key,`,
    "}",
    `request = urllib.request.Request(origin + target, ${body === null ? "None" : "body"}, headers, method=method)`,
    "try:",
    "    with urllib.request.urlopen(request, timeout=10) as answer:",
    "        print(answer.read().decode())",
    "except urllib.error.HTTPError as refusal:",
    "    sys.exit(refusal.read().decode())",
  );
}

function node(request: SampleRequest): string {
  const { method, target, body, isOnce } = request;
  return lines(
    `// Needs ${environment}`,
    `import { createHash, createHmac, randomBytes${isOnce ? ", randomUUID" : ""} } from "node:crypto";`,
    "",
    "const { CABINET_URL, CABINET_APP, CABINET_KID, CABINET_SECRET } = process.env;",
    `const url = new URL(${quoted(target)}, CABINET_URL);`,
    `const method = ${quoted(method)};`,
    `const type = ${quoted(typeOf(request))};`,
    `const body = ${quoted(body ?? "")};`,
    isOnce ? "const key = randomUUID(); // keep it for a retry" : `const key = "";`,
    "const ts = Math.floor(Date.now() / 1000);",
    `const nonce = randomBytes(24).toString("base64url");`,
    `const digest = createHash("sha256").update(body).digest("hex");`,
    "const target = url.pathname + url.search;",
    `const parts = ["CAB1-HMAC-SHA256", method, url.host, target, type, ts, nonce, key, digest];`,
    `const text = parts.map((part) => \`\${part}\\n\`).join("");`,
    `const sig = createHmac("sha256", CABINET_SECRET).update(text).digest("base64");`,
    "const answer = await fetch(url, {",
    "  method,",
    "  headers: {",
    `    Authorization: \`CAB1-HMAC-SHA256 app=\${CABINET_APP},kid=\${CABINET_KID},ts=\${ts},nonce=\${nonce},sig=\${sig}\`,`,
    body !== null && `    "Content-Type": type,`,
    isOnce && `    "Idempotency-Key": key,`,
    "  },",
    body !== null && "  body,",
    "});",
    "console.log(await answer.text());",
    "process.exitCode = answer.ok ? 0 : 1;",
  );
}

function java(request: SampleRequest): string {
  const { method, target, body, isOnce } = request;
  const publisher = body === null ? "noBody()" : "ofString(body)";
  return lines(
    `// Needs ${environment}`,
    "// Java 17：java Call.java",
    "import java.net.URI;",
    "import java.net.http.HttpClient;",
    "import java.net.http.HttpRequest;",
    "import java.net.http.HttpResponse;",
    "import java.nio.charset.StandardCharsets;",
    "import java.security.MessageDigest;",
    "import java.security.SecureRandom;",
    "import java.util.Base64;",
    "import java.util.HexFormat;",
    isOnce && "import java.util.UUID;",
    "import javax.crypto.Mac;",
    "import javax.crypto.spec.SecretKeySpec;",
    "",
    "public class Call {",
    "  public static void main(String[] args) throws Exception {",
    `    String origin = System.getenv("CABINET_URL").replaceAll("/$", "");`,
    `    String app = System.getenv("CABINET_APP"), kid = System.getenv("CABINET_KID");`,
    `    String method = ${quoted(method)}, target = ${quoted(target)};`,
    `    String type = ${quoted(typeOf(request))};`,
    `    String body = ${quoted(body ?? "")};`,
    isOnce
      ? "    String key = UUID.randomUUID().toString(); // keep it for a retry"
      : `    String key = "";`,
    "    String ts = Long.toString(System.currentTimeMillis() / 1000);",
    "    byte[] random = new byte[24];",
    "    new SecureRandom().nextBytes(random);",
    "    String nonce = Base64.getUrlEncoder().encodeToString(random);",
    `    byte[] hash = MessageDigest.getInstance("SHA-256").digest(body.getBytes(StandardCharsets.UTF_8));`,
    "    String host = URI.create(origin).getAuthority().toLowerCase();",
    `    String text = String.join("\\n", "CAB1-HMAC-SHA256", method, host, target, type, ts, nonce, key,`,
    `        HexFormat.of().formatHex(hash)) + "\\n";`,
    `    Mac mac = Mac.getInstance("HmacSHA256");`,
    `    byte[] secret = System.getenv("CABINET_SECRET").getBytes(StandardCharsets.UTF_8);`,
    `    mac.init(new SecretKeySpec(secret, "HmacSHA256"));`,
    "    String sig = Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));",
    "    HttpRequest request = HttpRequest.newBuilder(URI.create(origin + target))",
    `        .header("Authorization", "CAB1-HMAC-SHA256 app=" + app + ",kid=" + kid + ",ts=" + ts`,
    `            + ",nonce=" + nonce + ",sig=" + sig)`,
    body !== null && `        .header("Content-Type", type)`,
    isOnce && `        .header("Idempotency-Key", key)`,
    `        .method(method, HttpRequest.BodyPublishers.${publisher})`,
    "        .build();",
    "    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();",
    "    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());",
    "    System.out.println(answer.body());",
    "    System.exit(answer.statusCode() < 400 ? 0 : 1);",
    "  }",
    "}",
  );
}

function go(request: SampleRequest): string {
  const { method, target, body, isOnce } = request;
  return lines(
    `// Needs ${environment}`,
    "package main",
    "",
    "import (",
    ...[
      '"crypto/hmac"',
      '"crypto/rand"',
      '"crypto/sha256"',
      '"encoding/base64"',
      '"encoding/hex"',
      '"fmt"',
      '"io"',
      '"net/http"',
      '"os"',
      '"strconv"',
      '"strings"',
      '"time"',
    ].map((name) => `\t${name}`),
    ")",
    "",
    "func random() string {",
    "\tbytes := make([]byte, 24)",
    "\trand.Read(bytes)",
    "\treturn base64.RawURLEncoding.EncodeToString(bytes)",
    "}",
    "",
    "func main() {",
    `\torigin := strings.TrimSuffix(os.Getenv("CABINET_URL"), "/")`,
    `\tmethod, target, contentType := ${quoted(method)}, ${quoted(target)}, ${quoted(typeOf(request))}`,
    `\tbody := ${quoted(body ?? "")}`,
    isOnce ? "\tkey := random() // keep it for a retry" : `\tkey := ""`,
    "\tts, nonce := strconv.FormatInt(time.Now().Unix(), 10), random()",
    "\trequest, err := http.NewRequest(method, origin+target, strings.NewReader(body))",
    "\tif err != nil {",
    "\t\tpanic(err)",
    "\t}",
    "\tdigest := sha256.Sum256([]byte(body))",
    `\tparts := []string{"CAB1-HMAC-SHA256", method, strings.ToLower(request.URL.Host), target,`,
    `\t\tcontentType, ts, nonce, key, hex.EncodeToString(digest[:])}`,
    `\tmac := hmac.New(sha256.New, []byte(os.Getenv("CABINET_SECRET")))`,
    `\tmac.Write([]byte(strings.Join(parts, "\\n") + "\\n"))`,
    "\tsig := base64.StdEncoding.EncodeToString(mac.Sum(nil))",
    `\trequest.Header.Set("Authorization", fmt.Sprintf("CAB1-HMAC-SHA256 app=%s,kid=%s,ts=%s,nonce=%s,sig=%s",`,
    `\t\tos.Getenv("CABINET_APP"), os.Getenv("CABINET_KID"), ts, nonce, sig))`,
    body !== null && `\trequest.Header.Set("Content-Type", contentType)`,
    isOnce && `\trequest.Header.Set("Idempotency-Key", key)`,
    "\tanswer, err := (&http.Client{Timeout: 10 * time.Second}).Do(request)",
    "\tif err != nil {",
    "\t\tpanic(err)",
    "\t}",
    "\tdefer answer.Body.Close()",
    "\ttext, _ := io.ReadAll(answer.Body)",
    "\tfmt.Println(string(text))",
    "\tif answer.StatusCode >= 400 {",
    "\t\tos.Exit(1)",
    "\t}",
    "}",
  );
}

function php(request: SampleRequest): string {
  const { method, target, body, isOnce } = request;
  return lines(
    "<?php",
    `// Needs ${environment}`,
    "$origin = rtrim(getenv('CABINET_URL'), '/');",
    `$method = ${phpQuoted(method)};`,
    `$target = ${phpQuoted(target)};`,
    `$type = ${phpQuoted(typeOf(request))};`,
    `$body = ${phpQuoted(body ?? "")};`,
    isOnce ? "$key = bin2hex(random_bytes(16)); // keep it for a retry" : "$key = '';",
    "$ts = time();",
    "$nonce = strtr(base64_encode(random_bytes(24)), '+/', '-_');",
    "$host = strtolower(preg_replace('#^\\w+://#', '', $origin));",
    "$parts = ['CAB1-HMAC-SHA256', $method, $host, $target, $type, $ts, $nonce, $key, hash('sha256', $body)];",
    `$text = implode("\\n", $parts) . "\\n";`,
    "$sig = base64_encode(hash_hmac('sha256', $text, getenv('CABINET_SECRET'), true));",
    "$headers = [",
    "    'Authorization: CAB1-HMAC-SHA256 app=' . getenv('CABINET_APP') . ',kid=' . getenv('CABINET_KID')",
    `        . ",ts=$ts,nonce=$nonce,sig=$sig",`,
    body !== null && `    "Content-Type: $type",`,
    isOnce && `    "Idempotency-Key: $key",`,
    "];",
    "$context = stream_context_create(['http' => [",
    "    'method' => $method,",
    "    'header' => $headers,",
    body !== null && "    'content' => $body,",
    "    'timeout' => 10,",
    "    'ignore_errors' => true,",
    "]]);",
    "echo file_get_contents($origin . $target, false, $context), PHP_EOL;",
    "exit((int) explode(' ', $http_response_header[0])[1] < 400 ? 0 : 1);",
  );
}

export const sampleLanguages: SampleLanguage[] = [
  { name: "cURL", file: "call.sh", write: curl },
  { name: "Python", file: "call.py", write: python },
  { name: "Node", file: "call.mjs", write: node },
  { name: "Java", file: "Call.java", write: java },
  { name: "Go", file: "call.go", write: go },
  { name: "PHP", file: "call.php", write: php },
];

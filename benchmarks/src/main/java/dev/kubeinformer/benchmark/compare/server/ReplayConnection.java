package dev.kubeinformer.benchmark.compare.server;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/** Connection with HTTP/1.1 requests without bodies, one after another. */
final class ReplayConnection implements Runnable {

	private static final int BUFFER = 1 << 18;

	/** Maximum number of changes between two flushes. */
	private static final int BATCH = 64;

	private static final Duration TICK = Duration.ofNanos(250_000);

	private static final String GONE = """
			{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version",\
			"reason":"Expired","code":410}""";

	private static final String NOT_FOUND = """
			{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"only pods are replayed",\
			"reason":"NotFound","code":404}""";

	private final ReplayServer server;

	private final Socket socket;

	ReplayConnection(ReplayServer server, Socket socket) {
		this.server = server;
		this.socket = socket;
	}

	@Override
	public void run() {
		try (Socket open = this.socket;
				InputStream in = new BufferedInputStream(open.getInputStream());
				OutputStream out = new BufferedOutputStream(open.getOutputStream(), BUFFER)) {
			Request request = Request.read(in);
			while (request != null) {
				answer(request, out);
				out.flush();
				request = Request.read(in);
			}
		}
		catch (IOException | UncheckedIOException ex) {
			// Clients end at the end of each run, at any point of a request.
			System.err.println("A connection ended: " + ex.getMessage());
		}
	}

	private void answer(Request request, OutputStream out) throws IOException {
		if (request.path().startsWith("/bench/")) {
			String value = request.query().values().stream().findFirst().orElse("");
			String answer = this.server.order(request.path().substring("/bench/".length()), value);
			reply(out, 200, "text/plain", answer.getBytes(StandardCharsets.UTF_8));
		}
		else if (!request.path().equals("/api/v1/pods")) {
			reply(out, 404, Encoding.JSON.contentType(false), NOT_FOUND.getBytes(StandardCharsets.UTF_8));
		}
		else if (request.headers().containsKey("upgrade")) {
			// Same response as a proxy without WebSocket support: the client repeats the
			// request over HTTP.
			reply(out, 200, Encoding.JSON.contentType(false), new byte[0]);
		}
		else if (request.flag("watch")) {
			watch(request, out);
		}
		else {
			list(request, out);
		}
	}

	private static void reply(OutputStream out, int status, String type, byte[] body) throws IOException {
		head(out, status, type, "Content-Length: " + body.length);
		out.write(body);
	}

	private static void head(OutputStream out, int status, String type, String length) throws IOException {
		String head = "HTTP/1.1 %d Status\r\nContent-Type: %s\r\n%s\r\n\r\n".formatted(status, type, length);
		out.write(head.getBytes(StandardCharsets.US_ASCII));
	}

	private void list(Request request, OutputStream out) throws IOException {
		this.server.listed();
		Encoding encoding = encoding(request);
		ReplayedPods pods = this.server.pods();
		int from = request.number("continue", 0);
		int limit = request.number("limit", 0);
		int to = (limit > 0) ? Math.min(from + limit, pods.size()) : pods.size();
		head(out, 200, encoding.contentType(false), "Transfer-Encoding: chunked");
		Chunks chunks = new Chunks(out);
		List<byte[]> range = pods.range(encoding, from, to);
		encoding.list(chunks, pods.version(), (to < pods.size()) ? Integer.toString(to) : "", range);
		chunks.end();
	}

	private void watch(Request request, OutputStream out) throws IOException {
		Encoding encoding = encoding(request);
		ReplayedPods pods = this.server.pods();
		boolean initial = request.flag("sendInitialEvents");
		if (!initial && pods.isExpired(request.query().getOrDefault("resourceVersion", ""))) {
			reply(out, 410, Encoding.JSON.contentType(false), GONE.getBytes(StandardCharsets.UTF_8));
			return;
		}
		head(out, 200, encoding.contentType(true), "Transfer-Encoding: chunked");
		Chunks chunks = new Chunks(out);
		if (initial) {
			this.server.listed();
			String version = pods.version();
			pods.range(encoding, 0, pods.size()).forEach((pod) -> encoding.event(chunks, "ADDED", pod));
			encoding.event(chunks, "BOOKMARK", encoding.bookmark(version));
		}
		changes(encoding, chunks);
		chunks.end();
	}

	private void changes(Encoding encoding, Chunks chunks) throws IOException {
		if (this.server.watch(this)) {
			this.server.pods().change(System.nanoTime(), encoding, chunks);
		}
		ReplayServer.Rate rate = this.server.rate();
		long sent = 0;
		while (this.server.isWatch(this)) {
			chunks.flush();
			if (rate != this.server.rate()) {
				rate = this.server.rate();
				sent = 0;
			}
			int batch = 0;
			while (rate.perSecond() > 0 && batch < BATCH && rate.due(sent) - System.nanoTime() <= 0) {
				this.server.pods().change(rate.due(sent), encoding, chunks);
				sent++;
				batch++;
			}
			this.server.sent(batch);
			if (batch == 0) {
				LockSupport.parkNanos(TICK.toNanos());
			}
		}
	}

	private Encoding encoding(Request request) {
		String accepted = request.headers().getOrDefault("accept", "");
		boolean protobuf = accepted.contains(Encoding.PROTOBUF.contentType(false))
				&& this.server.pods().encodings().contains(Encoding.PROTOBUF);
		return protobuf ? Encoding.PROTOBUF : Encoding.JSON;
	}

	/**
	 * A request without body.
	 *
	 * @param path the path
	 * @param query the parameters
	 * @param headers the headers, by their names in lower case
	 */
	private record Request(String path, Map<String, String> query, Map<String, String> headers) {

		static @Nullable Request read(InputStream in) throws IOException {
			String first = line(in);
			if (first.isEmpty()) {
				return null;
			}
			Map<String, String> headers = new HashMap<>();
			for (String line = line(in); !line.isEmpty(); line = line(in)) {
				String[] header = line.split(": *", 2);
				headers.put(header[0].toLowerCase(Locale.ROOT), header[1]);
			}
			URI uri = URI.create(first.split(" ")[1]);
			return new Request(uri.getPath(), query(uri.getRawQuery()), headers);
		}

		private static Map<String, String> query(@Nullable String text) {
			Map<String, String> query = new HashMap<>();
			if (text != null && !text.isEmpty()) {
				for (String parameter : text.split("&")) {
					String[] parts = parameter.split("=", 2);
					query.put(parts[0], (parts.length > 1) ? URLDecoder.decode(parts[1], StandardCharsets.UTF_8) : "");
				}
			}
			return query;
		}

		private static String line(InputStream in) throws IOException {
			StringBuilder line = new StringBuilder();
			for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
				if (next != '\r') {
					line.append((char) next);
				}
			}
			return line.toString();
		}

		boolean flag(String name) {
			String value = this.query.getOrDefault(name, "");
			return value.equals("1") || value.equals("true");
		}

		int number(String name, int otherwise) {
			String value = this.query.getOrDefault(name, "");
			return value.isEmpty() ? otherwise : Integer.parseInt(value);
		}

	}

	/** Chunked body, which begins a new chunk when the current one is large enough. */
	private static final class Chunks implements Encoding.Sink {

		private final OutputStream out;

		private final ByteArrayOutputStream chunk = new ByteArrayOutputStream(BUFFER);

		Chunks(OutputStream out) {
			this.out = out;
		}

		@Override
		public void bytes(byte[] bytes) {
			this.chunk.writeBytes(bytes);
			if (this.chunk.size() >= BUFFER / 2) {
				try {
					write();
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			}
		}

		private void write() throws IOException {
			this.out.write((Integer.toHexString(this.chunk.size()) + "\r\n").getBytes(StandardCharsets.US_ASCII));
			this.chunk.writeTo(this.out);
			this.out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
			this.chunk.reset();
		}

		void flush() throws IOException {
			if (this.chunk.size() > 0) {
				write();
			}
			this.out.flush();
		}

		void end() throws IOException {
			flush();
			this.out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
		}

	}

}

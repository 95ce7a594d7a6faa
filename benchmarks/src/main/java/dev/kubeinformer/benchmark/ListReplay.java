package dev.kubeinformer.benchmark;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Server that sends the same file for each LIST, and ends its watches with an expired
 * version for each line of its standard input. Runs in a separate process.
 */
public final class ListReplay {

	private static final String EXPIRED = "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"too old\",\"reason\":\"Expired\",\"code\":410}}\n";

	private final Path list;

	private final String type;

	private final boolean compressed;

	private final AtomicLong watches = new AtomicLong();

	private final LinkedBlockingQueue<String> expiries = new LinkedBlockingQueue<>();

	private ListReplay(Path list, String encoding, boolean compressed) {
		this.list = list;
		this.type = encoding.equals("json") ? "application/json" : "application/vnd.kubernetes.protobuf";
		this.compressed = compressed;
	}

	/**
	 * Serves until its standard input ends; its first line of output is the port.
	 * @param arguments the file, its encoding ({@code json} or {@code protobuf}), and
	 * {@code gzip} or {@code plain}
	 * @throws IOException if the server cannot start
	 */
	public static void main(String... arguments) throws IOException {
		ListReplay replay = new ListReplay(Path.of(arguments[0]), arguments[1], arguments[2].equals("gzip"));
		RawServer.run(replay::answer, replay.expiries::add);
	}

	/**
	 * Returns a file with a list, and writes it unless it exists. The pods are those of
	 * {@link PodList}, without managedFields, because servers drop them on request.
	 * @param pods the number of pods
	 * @param encoding {@code json} or {@code protobuf}
	 * @return the file, compressed like a response of kube-apiserver
	 * @throws IOException if it cannot be written
	 */
	static Path file(int pods, String encoding) throws IOException {
		Path file = Path.of(System.getProperty("java.io.tmpdir"), "pods-%d.%s.gz".formatted(pods, encoding));
		if (!Files.exists(file)) {
			Path part = Files.createTempFile("pods", ".part");
			try (OutputStream out = new FastGzip(Files.newOutputStream(part))) {
				write(pods, encoding, out);
			}
			Files.move(part, file);
		}
		return file;
	}

	private static void write(int pods, String encoding, OutputStream out) throws IOException {
		ObjectNode pod = (ObjectNode) JsonMapper.shared().readTree(PodList.template());
		((ObjectNode) pod.get("metadata")).remove("managedFields");
		String template = pod.toString();
		if (encoding.equals("json")) {
			out.write(
					"{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"4711\"},\"items\":["
						.getBytes(StandardCharsets.UTF_8));
			for (int i = 0; i < pods; i++) {
				out.write(((i > 0) ? "," + PodList.pod(template, i) : PodList.pod(template, i))
					.getBytes(StandardCharsets.UTF_8));
			}
			out.write("]}\n".getBytes(StandardCharsets.UTF_8));
		}
		else {
			PodMessages.write(pods, (number) -> tree(template, number), out);
		}
	}

	private static JsonNode tree(String template, int number) {
		return JsonMapper.shared().readTree(PodList.pod(template, number));
	}

	private void answer(String request, OutputStream output) throws IOException, InterruptedException {
		if (request.contains("watch=true")) {
			watch(output);
		}
		else {
			list(output);
		}
	}

	private void list(OutputStream output) throws IOException {
		output.write(("HTTP/1.1 200 OK\r\nContent-Type: " + this.type + "\r\n"
				+ (this.compressed ? "Content-Encoding: gzip\r\n" : "") + "Transfer-Encoding: chunked\r\n\r\n")
			.getBytes(StandardCharsets.US_ASCII));
		try (InputStream file = Files.newInputStream(this.list);
				InputStream body = this.compressed ? file : new GZIPInputStream(file)) {
			byte[] buffer = new byte[32 * 1024];
			for (int read = body.read(buffer); read > 0; read = body.read(buffer)) {
				RawServer.chunk(output, buffer, 0, read);
			}
		}
	}

	private void watch(OutputStream output) throws IOException, InterruptedException {
		output.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
			.getBytes(StandardCharsets.US_ASCII));
		output.flush();
		long number = this.watches.incrementAndGet();
		// Earlier watches belong to clients that have ended.
		while (number == this.watches.get() && this.expiries.poll(10, TimeUnit.MILLISECONDS) == null) {
			// The next one has not arrived yet.
		}
		byte[] expired = EXPIRED.getBytes(StandardCharsets.US_ASCII);
		RawServer.chunk(output, expired, 0, expired.length);
	}

	/** Compression level of kube-apiserver. */
	private static final class FastGzip extends GZIPOutputStream {

		FastGzip(OutputStream out) throws IOException {
			super(out, 64 * 1024);
			this.def.setLevel(1);
		}

	}

}

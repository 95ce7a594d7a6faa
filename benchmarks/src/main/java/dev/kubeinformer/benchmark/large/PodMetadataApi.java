package dev.kubeinformer.benchmark.large;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.google.protobuf.CodedOutputStream;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;

import dev.kubeinformer.benchmark.RawServer;

/**
 * Server of the metadata of pods in protobuf, page by page, which stores none of them:
 * each is created when it is sent. Until its standard input ends, it executes the
 * commands there: {@code expire percent} changes that share of the pods without an event,
 * and ends the watch, whose version has then expired.
 */
public final class PodMetadataApi {

	/** Maximum number of objects of a page. */
	private static final int PAGE = 5000;

	private static final byte[] MAGIC = { 'k', '8', 's', 0 };

	private static final Pattern LIMIT = Pattern.compile("[?&]limit=(\\d+)");

	private static final Pattern CONTINUE = Pattern.compile("[?&]continue=(\\d+)");

	private static final String HEAD = "HTTP/1.1 %s\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n";

	private static final String EXPIRED = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"too old\",\"reason\":\"Expired\",\"code\":410}";

	private final int pods;

	private final PodMetadata metadata;

	private final Semaphore ended = new Semaphore(0);

	/** Number of times that pods were changed. */
	private volatile int round;

	/** Percentage of the pods that have the version of the round. */
	private volatile int changed;

	/** Whether the version of the next watch has expired. */
	private volatile boolean expired;

	private PodMetadataApi(int pods, boolean diverse) {
		this.pods = pods;
		this.metadata = new PodMetadata(diverse);
	}

	/**
	 * Serves; the first line of output is its port.
	 * @param arguments the number of pods, and {@code uniform} or {@code diverse}
	 * @throws IOException if the server cannot start
	 */
	public static void main(String... arguments) throws IOException {
		PodMetadataApi api = new PodMetadataApi(Integer.parseInt(arguments[0]), arguments[1].equals("diverse"));
		RawServer.run(api::answer, api::expire);
	}

	private void expire(String line) {
		this.changed = Integer.parseInt(line.split(" ")[1]);
		this.round++;
		this.expired = true;
		this.ended.release();
	}

	private void answer(String request, OutputStream output) throws IOException, InterruptedException {
		if (!request.contains("watch=true")) {
			head(output, "200 OK", "application/vnd.kubernetes.protobuf");
			list(request, output);
		}
		else if (this.expired) {
			this.expired = false;
			head(output, "410 Gone", "application/json");
			chunk(output, EXPIRED.getBytes(StandardCharsets.US_ASCII));
		}
		else {
			head(output, "200 OK", "application/vnd.kubernetes.protobuf;stream=watch");
			output.flush();
			this.ended.acquire();
		}
	}

	private static void head(OutputStream output, String status, String type) throws IOException {
		output.write(HEAD.formatted(status, type).getBytes(StandardCharsets.US_ASCII));
	}

	private void list(String request, OutputStream output) throws IOException {
		int from = number(CONTINUE, request, 0);
		int end = (int) Math.min(this.pods, from + (long) number(LIMIT, request, this.pods));
		Meta.ListMeta.Builder meta = Meta.ListMeta.newBuilder()
			.setResourceVersion(Long.toString(version() + this.pods));
		if (end < this.pods) {
			meta.setContinue(Integer.toString(end)).setRemainingItemCount(this.pods - end);
		}
		byte[] header = field(1, meta.build().toByteArray());
		// The length comes first. Objects beyond a page are created twice instead of
		// being kept.
		byte[][] page = new byte[Math.min(end - from, PAGE)][];
		long length = header.length;
		for (int i = from; i < end; i++) {
			byte[] item = item(i);
			length += item.length;
			page[(i - from) % PAGE] = item;
		}
		chunk(output, envelope(length));
		chunk(output, header);
		for (int i = from; i < end; i++) {
			chunk(output, (end - from <= PAGE) ? page[i - from] : item(i));
		}
	}

	private static int number(Pattern pattern, String request, int fallback) {
		Matcher matcher = pattern.matcher(request);
		return matcher.find() ? Integer.parseInt(matcher.group(1)) : fallback;
	}

	private static byte[] envelope(long length) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		CodedOutputStream envelope = CodedOutputStream.newInstance(bytes);
		envelope.writeRawBytes(MAGIC);
		envelope.writeMessage(1,
				Runtime.TypeMeta.newBuilder()
					.setApiVersion("meta.k8s.io/v1")
					.setKind("PartialObjectMetadataList")
					.build());
		envelope.writeTag(2, 2);
		envelope.writeUInt64NoTag(length);
		envelope.flush();
		return bytes.toByteArray();
	}

	private byte[] item(int number) throws IOException {
		long version = (number % 100 < this.changed) ? version() + number : 1_000_000_000L + number;
		return field(2,
				Meta.PartialObjectMetadata.newBuilder()
					.setMetadata(this.metadata.of(number, version))
					.build()
					.toByteArray());
	}

	private long version() {
		return 1_000_000_000L + (long) this.round * this.pods;
	}

	private static byte[] field(int number, byte[] message) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream(message.length + 8);
		CodedOutputStream field = CodedOutputStream.newInstance(bytes, 16);
		field.writeByteArray(number, message);
		field.flush();
		return bytes.toByteArray();
	}

	private static void chunk(OutputStream output, byte[] bytes) throws IOException {
		RawServer.chunk(output, bytes, 0, bytes.length);
	}

}

package dev.kubeinformer.benchmark.large;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import okhttp3.Request;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;

/**
 * Searches a heap dump of a JVM that caches metadata for a marker, which is in the spec,
 * status and data of every object of the server. The server is another process,
 * {@link MarkedApi}. The names of the objects must be found; otherwise the search itself
 * would be doubtful.
 */
public final class MarkerScan {

	/** Type of a byte array, which precedes its bytes in a dump. */
	private static final byte BYTE_ARRAY = 8;

	private MarkerScan() {
	}

	/**
	 * Scans for each encoding, from a server that supports metadata and through a proxy
	 * that drops the request for it; then once more with whole objects, whose marker must
	 * be found.
	 * @param args none
	 * @throws Exception if something fails
	 */
	public static void main(String... args) throws Exception {
		try (MarkedApi.Remote api = new MarkedApi.Remote()) {
			for (boolean protobuf : new boolean[] { false, true }) {
				for (boolean form : new boolean[] { true, false }) {
					scan(api, protobuf, form, true);
				}
			}
			scan(api, true, true, false);
		}
	}

	private static void scan(MarkedApi.Remote api, boolean protobuf, boolean form, boolean metadata) throws Exception {
		ApiClient client = new ApiClient();
		client.setBasePath(api.url());
		client.setHttpClient(client.getHttpClient()
			.newBuilder()
			.addInterceptor((chain) -> chain.proceed(form ? chain.request() : withoutForm(chain.request())))
			.build());
		try (Informers informers = Informers.builder(client).protobuf(protobuf).build()) {
			for (Class<? extends KubernetesObject> type : MarkedApi.TYPES) {
				InformerSpec<?> spec = metadata ? InformerSpec.metadata(type) : InformerSpec.of(type);
				informers.informer(spec);
			}
			informers.start();
			StringBuilder modes = new StringBuilder();
			for (Informer<?> informer : informers.all()) {
				if (!informer.awaitSync(Duration.ofMinutes(1)) || informer.snapshot().size() != MarkedApi.OBJECTS) {
					throw new IllegalStateException("No sync: " + informer.status());
				}
				modes.append(' ').append(informer.id()).append('=').append(informer.status().encoding());
				modes.append('/').append(informer.status().metadata());
			}
			report(metadata, modes.toString());
		}
	}

	private static Request withoutForm(Request request) {
		String accept = String.valueOf(request.header("Accept"));
		return request.newBuilder().header("Accept", accept.replaceAll(";as=[^;,]*;g=[^;,]*;v=[^;,]*", "")).build();
	}

	private static void report(boolean metadata, String modes) throws IOException {
		Path directory = Files.createTempDirectory("marker-scan");
		Path dump = directory.resolve("heap.hprof");
		try {
			// Dump only live objects, because decoded bytes may remain as garbage.
			ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(dump.toString(), true);
			Found markers = count(dump, MarkedApi.marker()).and(count(dump, MarkedApi.markerOfData()));
			int names = count(dump, MarkedApi.name()).values();
			System.out.printf("%s: marker in %d values and %d times in buffers, names in %d values, %d MB of heap;%s%n",
					metadata ? "metadata" : "whole objects", markers.values(), markers.buffers(), names,
					Files.size(dump) / 1_000_000, modes);
			if (names < MarkedApi.OBJECTS || (markers.values() == 0) != metadata
					|| markers.buffers() > MarkedApi.OBJECTS) {
				throw new IllegalStateException("That is not what should be in the heap");
			}
		}
		finally {
			Files.deleteIfExists(dump);
			Files.delete(directory);
		}
	}

	/**
	 * Counts a reversed text in a file. The text is reversed so that the search itself
	 * does not put it on the heap.
	 * @param file the file
	 * @param reversed the reversed text
	 * @return the number of occurrences
	 * @throws IOException if the file cannot be read
	 */
	private static Found count(Path file, String reversed) throws IOException {
		byte[] text = reversed.getBytes(StandardCharsets.ISO_8859_1);
		byte[] window = new byte[text.length + 1];
		Found found = new Found(0, 0);
		long read = 0;
		try (InputStream input = new BufferedInputStream(Files.newInputStream(file), 1 << 20)) {
			for (int next = input.read(); next >= 0; next = input.read()) {
				window[(int) (read++ % window.length)] = (byte) next;
				if (endsWith(window, read, text)) {
					boolean begins = window[(int) (read % window.length)] == BYTE_ARRAY;
					found = found.and(new Found(begins ? 1 : 0, begins ? 0 : 1));
				}
			}
		}
		return found;
	}

	private static boolean endsWith(byte[] window, long read, byte[] reversed) {
		if (read < window.length) {
			return false;
		}
		for (int i = 0; i < reversed.length; i++) {
			if (window[(int) ((read - 1 - i) % window.length)] != reversed[i]) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Numbers of occurrences of a text.
	 *
	 * @param values the occurrences at the beginning of an array, such as that of a
	 * string
	 * @param buffers the occurrences inside an array: in buffers of the HTTP client and
	 * the parser, which are reused
	 */
	private record Found(int values, int buffers) {

		Found and(Found other) {
			return new Found(this.values + other.values, this.buffers + other.buffers);
		}

	}

}

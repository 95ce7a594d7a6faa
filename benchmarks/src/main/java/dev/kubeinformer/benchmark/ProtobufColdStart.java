package dev.kubeinformer.benchmark;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import javax.management.JMException;
import javax.management.ObjectName;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.Pair;
import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.client.Clients;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.internal.codec.pool.PartPool;
import dev.kubeinformer.internal.codec.protobuf.MalformedMessageException;
import dev.kubeinformer.internal.codec.protobuf.MessageCursor;
import dev.kubeinformer.internal.codec.protobuf.MessageDecoder;
import dev.kubeinformer.internal.codec.protobuf.MessageDecoders;
import dev.kubeinformer.internal.codec.protobuf.ProtobufReader;

/**
 * Measures the decoding of a list of pods from protobuf: the time until the first pod,
 * the time for all of them when the JVM has just started and when it is warm, and the
 * heap they retain, by class. The list is fetched once from the cluster of {@code
 * -Dkubeconfig} into the given file. {@code -Dshare=false} shares no parts; {@code
 * -Drounds} is the number of times that all pods are decoded.
 */
public final class ProtobufColdStart {

	private static final int PREFIX = "k8s\0".length();

	private static final int SECOND_BYTES = 2 << 3 | 2;

	private final byte[] body;

	/** Created before the measurement, because responses other than lists use them. */
	private final JsonMappers mappers = new JsonMappers(false);

	private final boolean share = !"false".equals(System.getProperty("share"));

	private ProtobufColdStart(byte[] body) {
		this.body = body;
	}

	/**
	 * Runs the measurement and prints the result.
	 * @param args the file of the list
	 * @throws Exception if the list cannot be fetched or read
	 */
	public static void main(String[] args) throws Exception {
		Path file = Path.of(args[0]);
		if (!Files.exists(file)) {
			fetch(file);
		}
		ProtobufColdStart measured = new ProtobufColdStart(Files.readAllBytes(file));
		long start = System.nanoTime();
		measured.decode(1);
		System.out.printf("first pod     %6.1f ms%n", millisSince(start));
		int rounds = Integer.getInteger("rounds", 15);
		double[] times = new double[rounds];
		for (int i = 0; i < rounds; i++) {
			start = System.nanoTime();
			measured.decode(Integer.MAX_VALUE);
			times[i] = millisSince(start);
		}
		System.out.printf("all, cold     %6.1f ms%n", times[0]);
		Arrays.sort(times);
		System.out.printf("all, warm     %6.1f ms (median %.1f)%n", times[0], times[rounds / 2]);
		measured.measureHeap();
	}

	private void measureHeap() throws MalformedMessageException {
		long before = used();
		@Nullable V1Pod[] pods = decode(Integer.MAX_VALUE);
		System.out.printf("retained      %6d bytes a pod, of %d pods of %d bytes%n", (used() - before) / pods.length,
				pods.length, this.body.length / pods.length);
		histogram(pods.length);
		Reference.reachabilityFence(pods);
	}

	private static double millisSince(long start) {
		return (System.nanoTime() - start) / 1e6;
	}

	private static long used() {
		for (int i = 0; i < 4; i++) {
			System.gc();
		}
		return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
	}

	private @Nullable V1Pod[] decode(int most) throws MalformedMessageException {
		ProtobufReader reader = new ProtobufReader(this.mappers, new KnownValues(),
				this.share ? new PartPool(PartPool.MOST_BYTES) : null);
		int[] list = field(new MessageCursor(), SECOND_BYTES, PREFIX, this.body.length);
		MessageCursor items = new MessageCursor();
		MessageDecoder<V1Pod> decoder = Objects.requireNonNull(MessageDecoders.find(V1Pod.class));
		@Nullable V1Pod[] pods = new V1Pod[1024];
		int count = 0;
		items.reset(this.body, list[0], list[1]);
		for (int tag = items.nextTag(); tag != 0 && count < most; tag = items.nextTag()) {
			if (tag == SECOND_BYTES) {
				int length = items.length();
				int from = items.move(length);
				if (count == pods.length) {
					pods = Arrays.copyOf(pods, 2 * count);
				}
				pods[count++] = reader.read(decoder, this.body, from, from + length);
			}
			else {
				items.skip(tag);
			}
		}
		return Arrays.copyOf(pods, count);
	}

	private int[] field(MessageCursor reader, int field, int from, int to) throws MalformedMessageException {
		reader.reset(this.body, from, to);
		for (int tag = reader.nextTag(); tag != 0; tag = reader.nextTag()) {
			if (tag == field) {
				int length = reader.length();
				int start = reader.move(length);
				return new int[] { start, start + length };
			}
			reader.skip(tag);
		}
		throw new IllegalStateException("The file holds no list");
	}

	private static void histogram(int pods) {
		try {
			String lines = (String) ManagementFactory.getPlatformMBeanServer()
				.invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
						new Object[] { null }, new String[] { String[].class.getName() });
			for (String line : lines.lines().skip(2).limit(28).toList()) {
				String[] columns = line.trim().split("\\s+");
				System.out.printf("%8d bytes %6.2f instances a pod  %s%n", Long.parseLong(columns[2]) / pods,
						Double.parseDouble(columns[1]) / pods, columns[3]);
			}
		}
		catch (JMException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void fetch(Path file) throws IOException, ApiException {
		ApiClient client = Clients.fromKubeconfig(Path.of(System.getProperty("kubeconfig"))).build();
		Map<String, String> headers = new HashMap<>(Map.of("Accept", "application/vnd.kubernetes.protobuf"));
		Request request = client.buildRequest(null, "/api/v1/pods", "GET", List.of(new Pair("resourceVersion", "0")),
				List.of(), null, headers, new HashMap<>(), new HashMap<>(), new String[] { "BearerToken" }, null);
		try (Response response = client.getHttpClient().newCall(request).execute();
				InputStream list = response.body().byteStream()) {
			if (response.code() != 200) {
				throw new IOException("The response to the list was %d".formatted(response.code()));
			}
			Files.copy(list, file);
		}
	}

}

package dev.kubeinformer.benchmark;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kubernetes.client.openapi.models.V1Pod;

import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Measures the embedded API: its start in a fresh JVM, lists of 20 000 pods at once and
 * in pages, and the same with 200 000 pods, which must fit into {@code -Xmx3g}. Prints
 * one figure per line.
 */
public final class EmbeddedLoad {

	private static final int SMALL = 20_000;

	private static final int ROUNDS = 3;

	private static final int PAGE = 500;

	private static final Pattern CONTINUE = Pattern.compile("\"continue\":\"([^\"]+)\"");

	private final EmbeddedKubernetes api;

	private final ApiResources<V1Pod> pods;

	private final HttpClient client = HttpClient.newHttpClient();

	private EmbeddedLoad(EmbeddedKubernetes api) {
		this.api = api;
		this.pods = api.resources(V1Pod.class);
	}

	/**
	 * Runs the measurement.
	 * @param arguments the number of pods at the end, 200 000 by default; 0 measures only
	 * the start
	 * @throws Exception if a list fails
	 */
	public static void main(String... arguments) throws Exception {
		int large = (arguments.length > 0) ? Integer.parseInt(arguments[0]) : 200_000;
		long begin = System.nanoTime();
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start()) {
			// Read both clocks first: formatting text and loading the JVM's management
			// classes take time, too.
			long ready = System.nanoTime();
			long now = System.currentTimeMillis();
			print("start, from main to ready", Duration.ofNanos(ready - begin).toMillis() + " ms");
			print("start, from the start of the JVM to ready", now - jvmStart() + " ms");
			EmbeddedLoad load = new EmbeddedLoad(api);
			long first = System.nanoTime();
			load.pods.create(LargePod.of(-1));
			print("the first create", since(first));
			if (large > 0) {
				load.measure(0, Math.min(SMALL, large));
			}
			if (large > SMALL) {
				load.measure(SMALL, large);
			}
		}
	}

	private static long jvmStart() {
		return ManagementFactory.getRuntimeMXBean().getStartTime();
	}

	private void measure(int from, int to) throws Exception {
		String what = to + " pods: ";
		long begin = System.nanoTime();
		this.pods.fill(to - from, (i) -> LargePod.of(from + i));
		print(what + "fill with " + (to - from), since(begin));
		for (int i = 0; i < ROUNDS; i++) {
			begin = System.nanoTime();
			long bytes = list("");
			print(what + "list, " + bytes / 1_000_000 + " MB", since(begin));
		}
		for (int i = 0; i < ROUNDS; i++) {
			begin = System.nanoTime();
			int pages = pages();
			print(what + "list in " + pages + " pages", since(begin));
		}
		begin = System.nanoTime();
		list("?labelSelector=app%3Dapp-7");
		print(what + "list by a label", since(begin));
		print(what + "heap in use after a collection", usedHeap() / 1_000_000 + " MB");
	}

	private long list(String query) throws IOException, InterruptedException {
		long bytes = 0;
		byte[] buffer = new byte[256 * 1024];
		try (InputStream body = this.client.send(request(query), HttpResponse.BodyHandlers.ofInputStream()).body()) {
			for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
				bytes += count;
			}
		}
		return bytes;
	}

	private int pages() throws IOException, InterruptedException {
		String token = "";
		for (int pages = 1;; pages++) {
			byte[] page = this.client.send(request("?limit=" + PAGE + token), HttpResponse.BodyHandlers.ofByteArray())
				.body();
			Matcher next = CONTINUE.matcher(new String(page, 0, 1000, StandardCharsets.ISO_8859_1));
			if (!next.find()) {
				return pages;
			}
			token = "&continue=" + next.group(1);
		}
	}

	private HttpRequest request(String query) {
		return HttpRequest.newBuilder(URI.create(this.api.url() + "/api/v1/pods" + query)).build();
	}

	private static long usedHeap() {
		System.gc();
		return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
	}

	private static String since(long begin) {
		return Duration.ofNanos(System.nanoTime() - begin).toMillis() + " ms";
	}

	private static void print(String what, Object figure) {
		System.out.println(what + ": " + figure);
	}

}

package dev.kubeinformer.benchmark.shards;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Changes random pods directly in the etcd of a cluster, until it is ended: each is
 * written with the content that it has, so it gets a new resourceVersion. The API server
 * itself takes two cores for 500 patches a second.
 * <p>
 * Arguments: the URL of etcd and the number of changes in a second.
 */
public final class ChangePods {

	private static final int PODS = 10_000;

	private static final int PAGE = 1000;

	/** Most requests in a second. */
	private static final int BATCHES = 500;

	private final HttpClient http = HttpClient.newHttpClient();

	private final JsonMapper json = new JsonMapper();

	private final String etcd;

	private ChangePods(String etcd) {
		this.etcd = etcd;
	}

	/**
	 * Changes pods until the process is ended.
	 * @param arguments the URL of etcd, and the number of changes in a second
	 * @throws Exception if it fails
	 */
	public static void main(String[] arguments) throws Exception {
		new ChangePods(arguments[0]).change(Integer.parseInt(arguments[1]));
	}

	private void change(int rate) throws IOException, InterruptedException {
		if (rate < 1) {
			throw new IllegalArgumentException(
					"Invalid number of changes '%d': use one or more a second".formatted(rate));
		}
		int batches = Math.min(BATCHES, rate);
		List<Entry> pods = pods();
		Random random = new Random();
		long begin = System.nanoTime();
		for (long batch = 1;; batch++) {
			StringJoiner puts = new StringJoiner(",", "{\"success\":[", "]}");
			random.ints(0, pods.size())
				.distinct()
				.limit(rate / batches)
				.mapToObj(pods::get)
				.forEach((pod) -> puts
					.add("{\"requestPut\":{\"key\":\"%s\",\"value\":\"%s\"}}".formatted(pod.key(), pod.value())));
			post("/v3/kv/txn", puts.toString());
			long next = begin + batch * TimeUnit.SECONDS.toNanos(1) / batches;
			TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
		}
	}

	private List<Entry> pods() throws IOException, InterruptedException {
		List<Entry> pods = new ArrayList<>();
		String from = base64("/registry/pods/".getBytes(StandardCharsets.UTF_8));
		String end = base64("/registry/pods0".getBytes(StandardCharsets.UTF_8));
		while (pods.size() < PODS) {
			JsonNode page = this.json.readTree(post("/v3/kv/range",
					"{\"key\":\"%s\",\"range_end\":\"%s\",\"limit\":%d}".formatted(from, end, PAGE)));
			for (JsonNode pod : page.path("kvs")) {
				pods.add(new Entry(pod.path("key").asString(), pod.path("value").asString()));
			}
			if (!page.path("more").asBoolean(false)) {
				break;
			}
			byte[] last = Base64.getDecoder().decode(pods.get(pods.size() - 1).key());
			from = base64((new String(last, StandardCharsets.UTF_8) + "\0").getBytes(StandardCharsets.UTF_8));
		}
		return pods;
	}

	private String post(String path, String body) throws IOException, InterruptedException {
		HttpResponse<String> response = this.http.send(HttpRequest.newBuilder(URI.create(this.etcd + path))
			.POST(HttpRequest.BodyPublishers.ofString(body))
			.build(), HttpResponse.BodyHandlers.ofString());
		if (response.statusCode() != 200) {
			throw new IOException("etcd: HTTP %d %s".formatted(response.statusCode(), response.body()));
		}
		return response.body();
	}

	private static String base64(byte[] bytes) {
		return Base64.getEncoder().encodeToString(bytes);
	}

	/**
	 * Pod in etcd.
	 *
	 * @param key the key in base64
	 * @param value the value in base64
	 */
	private record Entry(String key, String value) {
	}

}

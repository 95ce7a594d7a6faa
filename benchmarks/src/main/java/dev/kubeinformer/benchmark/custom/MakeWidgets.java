package dev.kubeinformer.benchmark.custom;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.StringJoiner;

import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.PatchUtils;

/**
 * Creates many widgets directly in the etcd of a cluster, in seconds where the API server
 * would take a minute. Then it defines their resource unless it is defined already: an
 * API server that knows them would decode each object as it arrives.
 * <p>
 * Arguments: the kubeconfig, the URL of etcd, the number, and {@code diverse} to give
 * each application its own settings.
 */
public final class MakeWidgets {

	private static final int NAMESPACES = 20;

	private static final int BATCH = 100;

	private MakeWidgets() {
	}

	/**
	 * Creates widgets.
	 * @param arguments the kubeconfig, the URL of etcd, the number and optionally {@code
	 * diverse}
	 * @throws Exception if it fails
	 */
	public static void main(String[] arguments) throws Exception {
		int count = Integer.parseInt(arguments[2]);
		Widgets widgets = new Widgets(NAMESPACES, arguments.length > 3 && arguments[3].equals("diverse"));
		HttpClient http = HttpClient.newHttpClient();
		long bytes = 0;
		for (int first = 0; first < count; first += BATCH) {
			StringJoiner puts = new StringJoiner(",", "{\"success\":[", "]}");
			for (int i = first; i < Math.min(count, first + BATCH); i++) {
				String json = widgets.json(i);
				bytes += json.length();
				puts.add(
						"{\"requestPut\":{\"key\":\"%s\",\"value\":\"%s\"}}".formatted(
								base64("/registry/bench.example.com/"
										+ "widgets/%s/%s".formatted(widgets.namespace(i), widgets.name(i))),
								base64(json)));
			}
			HttpResponse<String> answer = http.send(HttpRequest.newBuilder(URI.create(arguments[1] + "/v3/kv/txn"))
				.POST(HttpRequest.BodyPublishers.ofString(puts.toString()))
				.build(), HttpResponse.BodyHandlers.ofString());
			if (answer.statusCode() != 200) {
				throw new IOException("etcd: HTTP %d %s".formatted(answer.statusCode(), answer.body()));
			}
		}
		define(Path.of(arguments[0]));
		System.out.printf("%d widgets of %d bytes%n", count, bytes / Math.max(1, count));
		System.exit(0);
	}

	private static String base64(String text) {
		return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

	private static void define(Path kubeconfig) throws IOException, ApiException {
		io.kubernetes.client.openapi.ApiClient client = Config.fromConfig(Files.newBufferedReader(kubeconfig));
		CustomObjectsApi api = new CustomObjectsApi(client);
		PatchUtils.patch(Object.class,
				() -> api
					.patchClusterCustomObject("apiextensions.k8s.io", "v1", "customresourcedefinitions",
							"widgets.bench.example.com", new V1Patch(Widgets.definition()))
					.fieldManager("make-widgets")
					.buildCall(null),
				V1Patch.PATCH_FORMAT_APPLY_YAML, client);
	}

}

package dev.kubeinformer;

import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.VersionApi;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;

import dev.kubeinformer.test.FaultProxy;

import static org.assertj.core.api.Assertions.assertThat;

/** Common parts of tests on a real cluster, with manipulations of it from outside. */
public final class ClusterSupport {

	/** The system property that names etcd's URL. */
	public static final String ETCD = "cluster.etcd";

	/** The system property that names the program that restarts the API server. */
	public static final String RESTART = "cluster.restart";

	private static final Pattern REVISION = Pattern.compile("\"revision\":\\s*\"(\\d+)\"");

	private ClusterSupport() {
	}

	public static ApiClient client(Path kubeconfig) throws IOException {
		try (Reader reader = Files.newBufferedReader(kubeconfig)) {
			return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(reader)).build();
		}
	}

	/**
	 * Returns the minor version of a cluster.
	 */
	public static int minor(ApiClient client) throws ApiException {
		// Some distributions append a "+".
		return Integer.parseInt(new VersionApi(client).getCode().execute().getMinor().replaceAll("\\D+$", ""));
	}

	public static FaultProxy network(Path kubeconfig) throws IOException {
		URI server = URI.create(client(kubeconfig).getBasePath());
		return FaultProxy.to(server.getHost(), server.getPort());
	}

	public static ApiClient proxied(Path kubeconfig, FaultProxy network) throws IOException {
		ApiClient client = client(kubeconfig);
		client.setVerifyingSsl(false);
		client.setBasePath("https://127.0.0.1:" + network.port());
		return client;
	}

	static Map<String, String> versions(List<? extends KubernetesObject> objects) {
		return objects.stream()
			.collect(Collectors.toMap(
					(object) -> object.getMetadata().getNamespace() + "/" + object.getMetadata().getName(),
					(object) -> object.getMetadata().getResourceVersion()));
	}

	/**
	 * Makes etcd forget every revision but the newest.
	 */
	public static void compact() throws IOException, InterruptedException {
		Matcher newest = REVISION.matcher(etcd("/v3/maintenance/status", "{}"));
		assertThat(newest.find()).isTrue();
		etcd("/v3/kv/compaction", "{\"revision\":\"%s\"}".formatted(newest.group(1)));
	}

	private static String etcd(String path, String body) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create(System.getProperty(ETCD) + path))
			.POST(BodyPublishers.ofString(body))
			.build();
		HttpResponse<String> response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return response.body();
	}

	/**
	 * Kills the API server and starts it on the same data.
	 */
	public static void restart() throws IOException, InterruptedException {
		Process restart = new ProcessBuilder(System.getProperty(RESTART)).inheritIO().start();
		assertThat(restart.waitFor(120, TimeUnit.SECONDS)).isTrue();
		assertThat(restart.exitValue()).isZero();
	}

}

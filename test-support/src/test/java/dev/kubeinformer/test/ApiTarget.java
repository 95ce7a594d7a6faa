package dev.kubeinformer.test;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.auth.ApiKeyAuth;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;

import dev.kubeinformer.test.internal.json.Json;

/**
 * A Kubernetes API to test: the embedded one or that of a cluster.
 */
abstract class ApiTarget implements AutoCloseable {

	private final OkHttpClient client;

	private final String url;

	private ApiTarget(OkHttpClient client, String url) {
		this.client = client;
		this.url = url;
	}

	static ApiTarget embedded() {
		return new Embedded(EmbeddedKubernetes.builder()
			.user("admin", "admin-token", ApiUser::allowAll)
			.user("stranger", "stranger-token")
			.garbageCollection(true)
			.shardedListAndWatch(true)
			.start());
	}

	static ApiTarget cluster(Path kubeconfig) {
		try (Reader reader = Files.newBufferedReader(kubeconfig)) {
			return new Cluster(ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(reader)).build());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	OkHttpClient client() {
		return this.client;
	}

	String url() {
		return this.url;
	}

	/**
	 * Makes a request that of a user who may do everything.
	 */
	abstract void authorize(Request.Builder request);

	/**
	 * Makes a request that of a user who is known and may do nothing.
	 */
	abstract void authorizeStranger(Request.Builder request);

	abstract boolean isEmbedded();

	/**
	 * Returns the minor version of Kubernetes whose answers are expected.
	 */
	int minor() {
		Request.Builder request = new Request.Builder().url(this.url + "/version");
		authorize(request);
		try (Response response = this.client.newCall(request.build()).execute(); ResponseBody body = response.body()) {
			// Some distributions append a "+".
			return Integer.parseInt(Json.readObject(body.string()).path("minor").asString().replaceAll("\\D+$", ""));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.client.dispatcher().executorService().shutdown();
		this.client.connectionPool().evictAll();
	}

	/**
	 * The embedded API, one of its own for every test.
	 */
	private static final class Embedded extends ApiTarget {

		private final EmbeddedKubernetes api;

		private Embedded(EmbeddedKubernetes api) {
			super(new OkHttpClient(), api.url());
			this.api = api;
		}

		@Override
		void authorize(Request.Builder request) {
			request.header("Authorization", "Bearer admin-token");
		}

		@Override
		void authorizeStranger(Request.Builder request) {
			request.header("Authorization", "Bearer stranger-token");
		}

		@Override
		boolean isEmbedded() {
			return true;
		}

		@Override
		public void close() {
			super.close();
			this.api.close();
		}

	}

	/**
	 * The API of a cluster.
	 */
	private static final class Cluster extends ApiTarget {

		private final String token;

		private Cluster(ApiClient client) {
			super(client.getHttpClient(), client.getBasePath());
			ApiKeyAuth auth = (ApiKeyAuth) client.getAuthentication("BearerToken");
			this.token = (auth.getApiKey() != null) ? auth.getApiKeyPrefix() + " " + auth.getApiKey() : "";
		}

		@Override
		void authorize(Request.Builder request) {
			// Without a token the client has a certificate.
			if (!this.token.isEmpty()) {
				request.header("Authorization", this.token);
			}
		}

		@Override
		void authorizeStranger(Request.Builder request) {
			authorize(request);
			request.header("Impersonate-User", "stranger");
		}

		@Override
		boolean isEmbedded() {
			return false;
		}

	}

}

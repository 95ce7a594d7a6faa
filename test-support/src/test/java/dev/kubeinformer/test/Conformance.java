package dev.kubeinformer.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Pattern;

import okhttp3.Call;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import dev.kubeinformer.test.internal.json.Json;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests of what an API answers, each in a namespace of its own. "NS" in paths, bodies and
 * answers stands for that namespace. They talk to secrets, of which nobody else makes any
 * in a new namespace.
 */
abstract class Conformance {

	static final String NAMESPACE = "/api/v1/namespaces/NS";

	static final String SECRETS = NAMESPACE + "/secrets";

	static final String PODS = NAMESPACE + "/pods";

	static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/NS/deployments";

	// Not in the middle of a continue token.
	private static final Pattern PLACEHOLDER = Pattern.compile("(?<![A-Za-z0-9])NS(?![A-Za-z0-9])");

	private static final List<String> COLLECTIONS = List.of(SECRETS, PODS, DEPLOYMENTS);

	private final ApiTarget target;

	private final OkHttpClient client;

	private final String namespace = "conformance-" + UUID.randomUUID().toString().substring(0, 8);

	private final List<AutoCloseable> resources = new ArrayList<>();

	Conformance(ApiTarget target) {
		this.target = target;
		this.client = target.client().newBuilder().readTimeout(Duration.ofSeconds(60)).build();
	}

	@BeforeEach
	void createNamespace() {
		post("/api/v1/namespaces", "{metadata: {name: 'NS'}}").hasCode(201);
	}

	@AfterEach
	void removeNamespace() throws Exception {
		for (AutoCloseable resource : this.resources) {
			resource.close();
		}
		if (!this.target.isEmbedded()) {
			COLLECTIONS.forEach((collection) -> delete(collection + "?gracePeriodSeconds=0"));
			Answer deleted = delete(NAMESPACE).hasCode(200);
			// A cluster without controllers leaves this to its clients.
			put(NAMESPACE + "/finalize", deleted.json().set("spec", Json.object()).toString());
		}
		this.target.close();
	}

	/**
	 * Returns the expected value where the embedded API differs on purpose.
	 * @param difference the difference, which docs/testing.md describes
	 */
	final <T> T expected(Difference difference, T embedded, T cluster) {
		return (this.target.isEmbedded()) ? embedded : cluster;
	}

	/**
	 * Returns the expected value where versions of Kubernetes differ. The embedded API
	 * answers like the newest version.
	 * @param minor the first minor version that answers like the newest one
	 */
	final <T> T since(int minor, T newer, T older) {
		return isSince(minor) ? newer : older;
	}

	final boolean isSince(int minor) {
		return this.target.minor() >= minor;
	}

	/**
	 * Skips a test of streaming lists on a server without them: they are on since 1.34
	 * and were in 1.32, and a cluster may have its own setting.
	 */
	final void assumeStreamingLists() {
		assumeTrue(streamingLists(), "The server has no streaming lists");
	}

	final boolean streamingLists() {
		return get(SECRETS + "?watch=true&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan")
			.code() == 200;
	}

	/**
	 * Closes something after the test.
	 */
	final void afterwards(AutoCloseable resource) {
		this.resources.add(resource);
	}

	final Answer get(String path, String... headers) {
		return send("GET", path, "", headers);
	}

	final Answer post(String path, String body, String... headers) {
		return send("POST", path, json(body), headers);
	}

	final Answer put(String path, String body, String... headers) {
		return send("PUT", path, json(body), headers);
	}

	final Answer delete(String path) {
		return send("DELETE", path, "");
	}

	final Answer delete(String path, String body) {
		return send("DELETE", path, json(body));
	}

	final Answer patch(String type, String path, String body) {
		return send("PATCH", path, body.startsWith("[") ? body : json(body), "Content-Type", type);
	}

	final Answer mergePatch(String path, String body) {
		return patch("application/merge-patch+json", path, body);
	}

	private static String json(String body) {
		return Answer.parse(body).toString();
	}

	final Answer send(String method, String path, String body, String... headers) {
		Request request = request(method, path, body, this.target::authorize, headers);
		return answer(request);
	}

	/**
	 * Asks as somebody who may do nothing.
	 */
	final Answer sendAsStranger(String method, String path, String body) {
		return answer(request(method, path, body, this.target::authorizeStranger));
	}

	final Answer sendWithoutUser(String method, String path, String... headers) {
		return answer(request(method, path, "", (request) -> {
		}, headers));
	}

	private Answer answer(Request request) {
		try (Response response = this.client.newCall(request).execute(); ResponseBody body = response.body()) {
			return Answer.of(response.code(), response.header("Content-Type", ""), body.string(), this.namespace,
					response.headers("Warning"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	final LineStream watch(String path, String... headers) throws IOException {
		Request request = request("GET", path, "", this.target::authorize, headers);
		if (request.header("Accept-Encoding") == null) {
			// OkHttp asks for gzip otherwise, of which it reads the first member only;
			// 1.37
			// compresses streaming lists, in many.
			request = request.newBuilder().header("Accept-Encoding", "identity").build();
		}
		Call call = this.client.newCall(request);
		LineStream watch = new LineStream(call, this.namespace);
		afterwards(watch);
		return watch;
	}

	private Request request(String method, String path, String body, Consumer<Request.Builder> user,
			String... headers) {
		boolean hasBody = !body.isEmpty() || List.of("POST", "PUT", "PATCH").contains(method);
		RequestBody content = (hasBody)
				? RequestBody.create(real(body).getBytes(StandardCharsets.UTF_8), (MediaType) null) : null;
		Request.Builder request = new Request.Builder().url(this.target.url() + real(path)).method(method, content);
		if (hasBody) {
			request.header("Content-Type", "application/json");
		}
		user.accept(request);
		for (int i = 0; i < headers.length; i += 2) {
			request.header(headers[i], headers[i + 1]);
		}
		return request.build();
	}

	private String real(String text) {
		return PLACEHOLDER.matcher(text).replaceAll(this.namespace);
	}

	/**
	 * Returns the name of the namespace.
	 */
	final String namespace() {
		return this.namespace;
	}

	final Answer create(String name) {
		return create(name, "{}");
	}

	/**
	 * Creates a secret.
	 * @return the answer, whose resourceVersion is the newest of the namespace
	 */
	final Answer create(String name, String labels) {
		return post(SECRETS, secret(name, labels, "1")).hasCode(201);
	}

	final Answer update(String name, String labels, String value) {
		return put(SECRETS + "/" + name, secret(name, labels, value)).hasCode(200);
	}

	static String secret(String name, String labels, String value) {
		return "{kind: 'Secret', apiVersion: 'v1', metadata: {name: '" + name + "', labels: " + labels
				+ "}, data: {v: '" + base64(value) + "'}, type: 'Opaque'}";
	}

	static String base64(String text) {
		return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

	static String pod(String name, String nodeName) {
		return "{kind: 'Pod', apiVersion: 'v1', metadata: {name: '" + name + "'}, spec: {nodeName: '" + nodeName
				+ "', containers: [{name: 'c', image: 'i'}]}}";
	}

	static String deployment(String name, int replicas) {
		return "{metadata: {name: '" + name + "'}, spec: {replicas: " + replicas + ", selector: {matchLabels: {a: 'b'}}"
				+ ", template: {metadata: {labels: {a: 'b'}}, spec: {containers: [{name: 'c', image: 'i'}]}}}}";
	}

}

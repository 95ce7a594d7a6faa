package dev.kubeinformer.test;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UpsertTests {

	private static final int THREADS = 6;

	private static final int ROUNDS = 50;

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final TestClient client = new TestClient(this.api.url());

	private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);

	@AfterEach
	void tearDown() {
		this.executor.shutdownNow();
		this.api.close();
	}

	@Test
	void applyWhenManyAreTheFirstShouldCreateOnceAndUpdateThen() {
		for (int round = 0; round < ROUNDS; round++) {
			String name = "cm-" + round;
			assertThat(atOnce(() -> apply(name, ""))).containsOnlyOnce(201).containsOnly(200, 201);
		}
	}

	@Test
	void putWhenManyAreTheFirstShouldCreateOnceAndUpdateThen() {
		for (int round = 0; round < ROUNDS; round++) {
			String name = "endpoints-" + round;
			assertThat(atOnce(() -> this.client.send("PUT", "/api/v1/namespaces/default/endpoints/" + name,
					json("{'metadata':{'name':'" + name + "'}}"))))
				.containsOnlyOnce(201)
				.containsOnly(200, 201);
		}
	}

	@Test
	void upsertWhenUidIsGivenShouldNotCreate() {
		HttpResponse<String> applied = apply("s", ",'uid':'abc'");
		assertThat(applied.statusCode()).isEqualTo(409);
		assertThat(TestClient.json(applied).path("message").asString())
			.isEqualTo("Operation cannot be fulfilled on configmaps \"s\": uid mismatch: the provided object specified "
					+ "uid abc, and no existing object was found");
		HttpResponse<String> put = this.client.send("PUT", "/apis/coordination.k8s.io/v1/namespaces/default/leases/l",
				json("{'metadata':{'name':'l','uid':'abc'},'spec':{}}"));
		assertThat(put.statusCode()).isEqualTo(409);
		assertThat(TestClient.json(put).path("message").asString())
			.isEqualTo("Operation cannot be fulfilled on leases.coordination.k8s.io \"l\": StorageError: invalid "
					+ "object, Code: 4, Key: /registry/leases/default/l, ResourceVersion: 0, AdditionalErrorMsg: "
					+ "Precondition failed: UID in precondition: abc, UID in object meta: ");
	}

	private List<Integer> atOnce(Supplier<HttpResponse<String>> request) {
		List<CompletableFuture<Integer>> answers = Stream
			.generate(() -> CompletableFuture.supplyAsync(() -> request.get().statusCode(), this.executor))
			.limit(THREADS)
			.toList();
		return answers.stream().map(CompletableFuture::join).toList();
	}

	private HttpResponse<String> apply(String name, String metadata) {
		return this.client.send("PATCH", "/api/v1/namespaces/default/configmaps/" + name + "?fieldManager=one",
				json("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'" + name + "'" + metadata
						+ "},'data':{'a':'1'}}"),
				"Content-Type", "application/apply-patch+yaml");
	}

	private static String json(String text) {
		return text.replace('\'', '"');
	}

}

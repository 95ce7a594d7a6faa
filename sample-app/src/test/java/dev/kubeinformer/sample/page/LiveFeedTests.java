package dev.kubeinformer.sample.page;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ConfigurableApplicationContext;

import dev.kubeinformer.sample.SampleApplication;
import dev.kubeinformer.sample.page.LiveStream.Received;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests of what the page calls, over HTTP.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "sample.activity.delay=1ms", "sample.activity.period=500ms", "sample.page.beat=100ms",
				"sample.stop-api.time=12s" })
@Tag("slow")
@Timeout(120)
class LiveFeedTests {

	@LocalServerPort
	private int port;

	@Autowired
	private LiveClients clients;

	@Autowired
	private EmbeddedKubernetes kubernetes;

	@Test
	void feedShouldBeginWithTheStateAndGoOnWithChangesAndEvents() throws Exception {
		try (LiveStream stream = LiveStream.open(this.port, 0)) {
			assertThat(stream.status()).isEqualTo(200);
			assertThat(stream.header("Content-Type")).startsWith("text/event-stream");
			assertThat(stream.header("Cache-Control")).isEqualTo("no-store");
			Received first = stream.next();
			assertThat(first).isNotNull();
			assertThat(first.name()).isEqualTo("state");
			Received state = first;
			while (!state.data().contains("\"SYNCED\"")) {
				state = stream.next("state");
			}
			assertThat(state.data()).contains("\"id\":\"pods\"", "\"id\":\"nodes\"", "\"id\":\"podHandler\"");
			Received row = stream.next("row");
			while (!row.data().contains("\"podHandler\"")) {
				row = stream.next("row");
			}
			assertThat(row.data()).contains("\"id\":" + row.id(), "\"type\":", "\"object\":\"");
			assertThat(stream.next("state").data()).isNotEqualTo(state.data());
		}
	}

	@Test
	void feedShouldGoOnAfterTheLastRowThatWasSeen() throws Exception {
		long last;
		try (LiveStream stream = LiveStream.open(this.port, 0)) {
			this.kubernetes.resources(V1Node.class)
				.edit("node-1", (node) -> node.getMetadata().putLabelsItem("new", "yes"));
			Received row = stream.next("row");
			while (!row.data().contains("\"UPDATE\",\"object\":\"node-1\"")) {
				row = stream.next("row");
			}
			last = Long.parseLong(row.id());
			// the next two are history when the page comes back
			stream.next("row");
			stream.next("row");
		}
		try (LiveStream stream = LiveStream.open(this.port, last)) {
			assertThat(Long.parseLong(stream.next("row").id())).isEqualTo(last + 1);
		}
	}

	@Test
	void closedPagesShouldBeRemoved() throws Exception {
		awaitClients(0);
		try (LiveStream stream = LiveStream.open(this.port, 0)) {
			stream.next("row");
			assertThat(this.clients.size()).isEqualTo(1);
		}
		awaitClients(0);
	}

	@Test
	void pagesShouldBeLimited() throws Exception {
		awaitClients(0);
		List<LiveStream> streams = new ArrayList<>();
		for (int i = 0; i < LiveClients.LIMIT; i++) {
			streams.add(LiveStream.open(this.port, 0));
		}
		try (LiveStream more = LiveStream.open(this.port, 0)) {
			assertThat(more.status()).isEqualTo(503);
		}
		for (LiveStream stream : streams) {
			assertThat(stream.next("state").data()).isNotEmpty();
			stream.close();
		}
		awaitClients(0);
	}

	@Test
	void eachStepOfAnEventShouldBeCounted() throws Exception {
		try (LiveStream stream = LiveStream.open(this.port, 0)) {
			stream.next("state");
			this.kubernetes.resources(V1Node.class)
				.edit("node-2", (node) -> node.getMetadata().putLabelsItem("counted", "yes"));
			awaitFlow(stream,
					"{\"stage\":\"RECEIVED\",\"from\":\"nodes\",\"to\":\"\",\"type\":\"MODIFIED\",\"count\":1}",
					"{\"stage\":\"HANDLED\",\"from\":\"nodes\",\"to\":\"nodeHandler\",\"type\":\"UPDATE\",\"count\":1}");
			// An event that is delivered again does not come from a server.
			awaitFlow(stream, "{\"stage\":\"QUEUED\",\"from\":\"pods\",\"to\":\"podHandler\",\"type\":\"CACHED\"");
			awaitFlow(stream, "{\"stage\":\"RAN\",\"from\":\"\",\"to\":\"fooReconciler\",\"type\":\"DONE\"");
		}
	}

	private static void awaitFlow(LiveStream stream, String... texts) throws IOException {
		Set<String> missing = new HashSet<>(Set.of(texts));
		while (!missing.isEmpty()) {
			String flows = stream.next("flows").data();
			missing.removeIf(flows::contains);
		}
	}

	@Test
	void resyncsShouldBeMarked() throws Exception {
		try (LiveStream stream = LiveStream.open(this.port, 0)) {
			Received row = stream.next("row");
			while (!row.data().contains("(resync)")) {
				assertThat(row.data()).contains("\"resync\":false");
				row = stream.next("row");
			}
			assertThat(row.data()).contains("\"source\":\"podHandler\"", "\"resync\":true");
		}
	}

	@Test
	void cacheShouldBeShownByNameAndLittleMetadata() throws Exception {
		V1ObjectMeta metadata = new V1ObjectMeta().name("secretive")
			.labels(Map.of("tier", "front"))
			.annotations(Map.of("password", "hidden-1"));
		this.kubernetes.resources(V1Node.class)
			.create(new V1Node().metadata(metadata).spec(new V1NodeSpec().podCIDR("hidden-2")));
		Awaitility.await()
			.untilAsserted(() -> assertThat(cache("informer=nodes&labels=tier%3Dfront&name=secret").body())
				.contains("\"size\":4", "\"matching\":1", "\"name\":\"secretive\"", "\"labels\":{\"tier\":\"front\"}")
				.doesNotContain("hidden", "node-1"));
		this.kubernetes.resources(V1Node.class).delete("secretive");
	}

	@Test
	void cacheShouldBeShownOfOneNamespaceAndUpToALimit() throws Exception {
		ApiResources<V1Pod> pods = this.kubernetes.resources(V1Pod.class);
		for (int i = 0; i < CacheView.LIMIT + 5; i++) {
			pods.create(new V1Pod().metadata(new V1ObjectMeta().namespace("many").name("pod-" + i)));
		}
		Awaitility.await().untilAsserted(() -> {
			String body = cache("informer=pods&namespace=many").body();
			assertThat(body).contains("\"matching\":" + (CacheView.LIMIT + 5)).doesNotContain("\"shop\"");
			assertThat(body.split("\"name\":")).hasSize(1 + CacheView.LIMIT);
		});
		for (int i = 0; i < CacheView.LIMIT + 5; i++) {
			pods.delete("many", "pod-" + i);
		}
	}

	@Test
	void lookThatCannotBeUnderstoodShouldBeAnsweredWithTheReason() throws Exception {
		HttpResponse<String> selector = cache("informer=nodes&labels=a%3D%3D%3Db");
		assertThat(selector.statusCode()).isEqualTo(400);
		assertThat(selector.body()).contains("\"detail\":", "a===b");
		HttpResponse<String> informer = cache("informer=nonsense");
		assertThat(informer.statusCode()).isEqualTo(404);
		assertThat(informer.body()).contains("Informer 'nonsense' does not exist");
	}

	private HttpResponse<String> cache(String query) throws IOException, InterruptedException {
		return send(HttpRequest.newBuilder(URI.create("http://localhost:%d/cache?%s".formatted(this.port, query))));
	}

	@Test
	void experimentShouldStartAndReportHowLongItLasts() throws Exception {
		assertThat(experiment("stop-api").body()).matches("\\{\"lasts\":1?\\d{4}}");
		assertThatIOException().isThrownBy(this::version);
		Awaitility.await().ignoreExceptionsInstanceOf(IOException.class).until(() -> version() == 200);
	}

	@Test
	void unknownExperimentShouldBeNotFound() throws Exception {
		assertThat(experiment("nonsense").statusCode()).isEqualTo(404);
	}

	@Test
	void openPagesShouldNotHoldUpTheEndOfTheApplication() throws Exception {
		SpringApplication application = new SpringApplication(SampleApplication.class);
		ConfigurableApplicationContext context = application.run("--server.port=0");
		try (LiveStream stream = LiveStream
			.open(Integer.parseInt(context.getEnvironment().getRequiredProperty("local.server.port")), 0)) {
			stream.next("state");
			Instant start = Instant.now();
			context.close();
			assertThat(Duration.between(start, Instant.now())).isLessThan(Duration.ofSeconds(20));
			while (stream.next() != null) {
				assertThat(stream.status()).isEqualTo(200);
			}
		}
	}

	private void awaitClients(int count) {
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.clients.size() == count);
	}

	private int version() throws IOException, InterruptedException {
		return send(HttpRequest.newBuilder(URI.create(this.kubernetes.url() + "/version"))).statusCode();
	}

	private HttpResponse<String> experiment(String name) throws IOException, InterruptedException {
		return send(HttpRequest.newBuilder(URI.create("http://localhost:%d/experiments/%s".formatted(this.port, name)))
			.POST(HttpRequest.BodyPublishers.noBody()));
	}

	private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
		return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

}

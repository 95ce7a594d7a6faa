package dev.kubeinformer;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.RecordedRequest;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reconcilers whose primaries or children cannot be read any more.
 */
class QuarantinedReconcilerTests {

	private static final Duration LONG = WidgetWorld.LONG;

	private static final String FINALIZER = "example.com/widgets";

	private final WidgetWorld world = new WidgetWorld();

	private final HttpClient http = HttpClient.newHttpClient();

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private ApiResources<Gadget> gadgets;

	@BeforeEach
	void serve() {
		this.world.api.serve("example.com", "v1", "gadgets", "Gadget", true);
		this.gadgets = this.world.api.resources(Gadget.class, "example.com", "v1", "gadgets");
	}

	@AfterEach
	void stop() {
		this.world.close();
	}

	@Test
	void ownerOfAChildThatBecomesUnreadableShouldRunAndHealIt() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			run.apply(gadget(widget));
			return Result.done();
		}, (spec) -> spec.withOwned(Gadget.class));
		assertThat(container.awaitIdle(LONG)).isTrue();
		breakSize("gadgets", "a");
		await().untilAsserted(() -> assertThat(size("gadgets", "a")).contains("\"size\":1"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		int runs = this.world.runs.size();
		assertThat(container.status().runs().failed()).isZero();
		long writes = applies().size();
		container.trigger(WidgetWorld.key("a"));
		await().until(() -> this.world.runs.size() > runs);
		assertThat(applies()).as("what is read again need not be sent").hasSize((int) writes);
	}

	@Test
	void primaryThatCannotBeReadShouldNotRunAndFailWithItsReason() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = start();
		assertThat(container.awaitIdle(LONG)).isTrue();
		breakSize("widgets", "a");
		await().until(() -> container.status().queue().failingKeys() == 1);
		this.calls.clear();
		this.world.configMaps.delete("web", "a");
		container.awaitIdle(LONG);
		await().during(Duration.ofMillis(200)).until(this.calls::isEmpty);
		assertThat(this.world.configMaps.get("web", "a")).isNull();
		assertThat(container.status().failing()).singleElement().satisfies((failing) -> {
			assertThat(failing.key()).isEqualTo(WidgetWorld.key("a"));
			assertThat(failing.exceptionClass()).contains("'spec.size' cannot be read as int");
			assertThat(failing.nextAttempt()).isNull();
		});
		assertThat(container.status().runs().failed()).isPositive();
		patch("widgets", "a", "{\"spec\":{\"size\":3}}");
		await().untilAsserted(() -> assertThat(this.calls).contains("run 3"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(container.status().queue().failingKeys()).isZero();
	}

	@Test
	void unreadablePrimaryThatIsDeletedShouldBeCleanedUpInItsLastReadableState() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = start();
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.calls.clear();
		breakSize("widgets", "a");
		this.world.delete("a");
		await().untilAsserted(() -> assertThat(raw("widgets", "a")).contains("\"code\":404"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("cleanup 1");
		assertThat(container.status().queue().failingKeys()).isZero();
	}

	@Test
	void unreadablePrimaryOfAFirstListShouldFailAndComeToLifeWhenItIsMended() throws InterruptedException {
		this.world.create("a");
		assertThat(start().awaitIdle(LONG)).isTrue();
		breakSize("widgets", "a");
		this.world.restartProcess();
		this.calls.clear();
		ReconcilerContainer container = start();
		await().until(() -> container.status().queue().failingKeys() == 1);
		this.world.delete("a");
		await().untilAsserted(() -> assertThat(container.status().failing()).singleElement()
			.satisfies((failing) -> assertThat(failing.exceptionClass()).contains(FINALIZER)));
		assertThat(this.calls).isEmpty();
		patch("widgets", "a", "{\"spec\":{\"size\":3}}");
		await().untilAsserted(() -> assertThat(raw("widgets", "a")).contains("\"code\":404"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("cleanup 3");
		assertThat(container.status().queue().failingKeys()).isZero();
	}

	private ReconcilerContainer start() {
		return start((widget, run) -> Result.done());
	}

	private ReconcilerContainer start(ReconcileFunction<Widget> cleanup) {
		return this.world.start((widget, run) -> {
			this.calls.add("run " + widget.size());
			run.apply(WidgetWorld.child(widget));
			return Result.done();
		}, (spec) -> withCleanup(spec.withOwned(V1ConfigMap.class), cleanup));
	}

	private ReconcilerSpec<Widget> withCleanup(ReconcilerSpec<Widget> spec, ReconcileFunction<Widget> cleanup) {
		return spec.withCleanup(FINALIZER, (widget, run) -> {
			this.calls.add("cleanup " + widget.size());
			return cleanup.reconcile(widget, run);
		});
	}

	private List<RecordedRequest> applies() {
		return this.world.writes().stream().filter((request) -> request.path().contains("gadgets")).toList();
	}

	private void breakSize(String plural, String name) {
		patch(plural, name, "{\"spec\":{\"size\":\"seven\"}}");
	}

	private void patch(String plural, String name, String patch) {
		HttpResponse<String> answer = send(request(plural, name).header("Content-Type", "application/merge-patch+json")
			.method("PATCH", HttpRequest.BodyPublishers.ofString(patch)));
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
	}

	private String raw(String plural, String name) {
		return send(request(plural, name)).body();
	}

	private String size(String plural, String name) {
		return raw(plural, name).replaceAll("\\s", "");
	}

	private HttpRequest.Builder request(String plural, String name) {
		return HttpRequest.newBuilder(URI.create("%s/apis/example.com/v1/namespaces/web/%s/%s"
			.formatted(this.world.api.url(), plural, name)));
	}

	private HttpResponse<String> send(HttpRequest.Builder request) {
		try {
			return this.http.send(request.build(), HttpResponse.BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Gadget gadget(Widget widget) {
		Gadget gadget = new Gadget();
		gadget.metadata = new V1ObjectMeta().name(widget.getMetadata().getName());
		gadget.spec = new Spec();
		gadget.spec.size = widget.size();
		return gadget;
	}

	/**
	 * Child of a widget.
	 */
	@KubernetesResource(group = "example.com", version = "v1", plural = "gadgets")
	static class Gadget implements KubernetesObject {

		private String apiVersion = "example.com/v1";

		private String kind = "Gadget";

		private @Nullable V1ObjectMeta metadata;

		private @Nullable Spec spec;

		@Override
		public String getApiVersion() {
			return this.apiVersion;
		}

		@Override
		public String getKind() {
			return this.kind;
		}

		@Override
		public @Nullable V1ObjectMeta getMetadata() {
			return this.metadata;
		}

	}

	/**
	 * What is wanted.
	 */
	static class Spec {

		private int size;

	}

}

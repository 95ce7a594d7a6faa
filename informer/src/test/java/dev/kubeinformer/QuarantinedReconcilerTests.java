package dev.kubeinformer;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.UnownedResource;
import dev.kubeinformer.controller.UnreadableObjectException;
import dev.kubeinformer.informer.InformerLease;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.test.RecordedRequest;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Reconcilers whose primaries or children cannot be read any more.
 */
class QuarantinedReconcilerTests {

	private static final Duration LONG = WidgetWorld.LONG;

	private static final String FINALIZER = "example.com/widgets";

	private final WidgetWorld world = new WidgetWorld();

	private final HttpClient http = HttpClient.newHttpClient();

	private final List<String> calls = new CopyOnWriteArrayList<>();

	@BeforeEach
	void serve() {
		this.world.api.serve("example.com", "v1", "gadgets", "Gadget", true);
	}

	@AfterEach
	void stop() {
		this.world.close();
	}

	@Test
	void ownerOfAChildThatBecomesUnreadableShouldRunAndHealIt() throws InterruptedException {
		this.world.create("a");
		List<String> seen = new CopyOnWriteArrayList<>();
		ReconcilerContainer container = this.world.start((widget, run) -> {
			Owned<Gadget> owned = run.owned(Gadget.class);
			seen.add("%d readable, %d quarantined".formatted(owned.list().size(), owned.quarantined().size()));
			run.apply(gadget(widget));
			return Result.done();
		}, (spec) -> spec.withOwned(Gadget.class));
		assertThat(container.awaitIdle(LONG)).isTrue();
		breakSize("gadgets", "a");
		await().untilAsserted(() -> assertThat(size("gadgets", "a")).contains("\"size\":1"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		int runs = this.world.runs.size();
		assertThat(seen).contains("1 readable, 1 quarantined").last().isEqualTo("1 readable, 0 quarantined");
		assertThat(container.status().runs().failed()).isZero();
		long writes = applies().size();
		container.trigger(WidgetWorld.key("a"));
		await().until(() -> this.world.runs.size() > runs);
		assertThat(applies()).as("what is read again need not be sent").hasSize((int) writes);
	}

	@Test
	void unownedObjectThatBecomesUnreadableShouldBeHealedAlsoAfterARestart() throws InterruptedException {
		this.world.create("a");
		assertThat(startUnowned().awaitIdle(LONG)).isTrue();
		this.calls.clear();
		breakSize("gadgets", "a");
		await().untilAsserted(() -> assertThat(size("gadgets", "a")).contains("\"size\":1"));
		assertThat(this.calls).contains("1 readable, 1 quarantined");
		this.world.restartProcess();
		breakSize("gadgets", "a");
		ReconcilerContainer container = startUnowned();
		await().untilAsserted(() -> assertThat(size("gadgets", "a")).contains("\"size\":1"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(container.status().runs().failed()).isZero();
		int runs = this.world.runs.size();
		long writes = applies().size();
		container.trigger(WidgetWorld.key("a"));
		await().until(() -> this.world.runs.size() > runs);
		assertThat(applies()).as("what is read again need not be sent").hasSize((int) writes);
	}

	private ReconcilerContainer startUnowned() {
		return this.world.start((widget, run) -> {
			Owned<Gadget> unowned = run.unowned(Gadget.class);
			this.calls
				.add("%d readable, %d quarantined".formatted(unowned.list().size(), unowned.quarantined().size()));
			Gadget gadget = gadget(widget);
			gadget.metadata.setNamespace("web");
			run.applyUnowned(gadget);
			return Result.done();
		}, (spec) -> spec.withUnowned(FINALIZER, UnownedResource.of(Gadget.class)));
	}

	@Test
	void childThatWasNeverReadableShouldBeSeenAndDeletedByItsMetadata() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			for (Metadata<Gadget> gadget : run.owned(Gadget.class).quarantined()) {
				this.calls.add("delete " + gadget.getMetadata().getName());
				run.delete(gadget);
			}
			return Result.done();
		}, (spec) -> spec.withOwned(Gadget.class));
		assertThat(container.awaitIdle(LONG)).isTrue();
		create("gadgets", """
				{"apiVersion":"example.com/v1","kind":"Gadget","spec":{"size":"one"},"metadata":{"name":"broken",
				 "finalizers":["example.com/other"],"ownerReferences":[%s]}}""".formatted(owner("a")));
		await().until(() -> raw("gadgets", "broken").contains("deletionTimestamp"));
		assertThat(container.awaitIdle(LONG)).as("the deletion is seen in the metadata").isTrue();
		assertThat(container.status().runs().ownWriteTimeouts()).isZero();
		assertThat(this.calls).contains("delete broken");
	}

	@Test
	void childThatIsUnreadableShouldNotBeAdoptedFromAnother() throws InterruptedException {
		this.world.create("a");
		this.world.create("b");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			if (widget.getMetadata().getName().equals("a")) {
				run.apply(gadget(widget));
			}
			return Result.done();
		}, (spec) -> spec.withOwned(Gadget.class));
		assertThat(container.awaitIdle(LONG)).isTrue();
		patch("gadgets", "a",
				"{\"spec\":{\"size\":\"seven\"},\"metadata\":{\"ownerReferences\":[%s]}}".formatted(owner("b")));
		await().until(() -> container.status().runs().lastError() != null);
		assertThat(container.status().runs().lastError()).contains("IllegalStateException", "web/a");
		assertThat(size("gadgets", "a")).contains("\"size\":\"seven\"");
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
		assertThat(container.awaitIdle(Duration.ofSeconds(30))).as("before the next bookmark").isTrue();
		await().during(Duration.ofMillis(200)).until(this.calls::isEmpty);
		assertThat(this.world.configMaps.get("web", "a")).isNull();
		assertThat(container.status().failing()).singleElement().satisfies((failing) -> {
			assertThat(failing.key()).isEqualTo(WidgetWorld.key("a"));
			assertThat(failing.exceptionClass()).contains("'spec.size' cannot be read as int");
			assertThat(failing.nextAttempt()).isNull();
		});
		assertThat(container.status().runs().failed()).isPositive();
		assertThatExceptionOfType(UnreadableObjectException.class)
			.isThrownBy(() -> container.trigger(WidgetWorld.key("a")))
			.withMessageContaining("'web/a' is quarantined")
			.satisfies((ex) -> assertThat(ex.getProblem()).isEqualTo("the field 'spec.size' cannot be read as int"));
		container.triggerAll();
		patch("widgets", "a", "{\"spec\":{\"size\":3}}");
		await().untilAsserted(() -> assertThat(this.calls).contains("run 3"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(container.status().queue().failingKeys()).isZero();
	}

	@Test
	void unreadablePrimaryThatIsDeletedShouldBeCleanedUpInItsLastReadableState() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = start((widget, run) -> {
			this.calls.add(run.isQuarantined() ? "quarantined" : "readable");
			assertThat(run.status((object) -> object.ready(7))).isSameAs(run.object());
			return Result.done();
		});
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.calls.clear();
		breakSize("widgets", "a");
		this.world.delete("a");
		await().untilAsserted(() -> assertThat(raw("widgets", "a")).contains("\"code\":404"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("cleanup 1", "quarantined");
		assertThat(container.status().queue().failingKeys()).isZero();
	}

	@Test
	void primaryForWhichATransformThrowsShouldBeCleanedUpInItsLastReadableState() throws InterruptedException {
		this.world.informers.informer(Widget.class).setTransform((object) -> {
			Widget widget = (Widget) object;
			if (widget.size() == 7) {
				widget.getMetadata().finalizers(null).ownerReferences(null).deletionTimestamp(null);
				throw new IllegalStateException("no sevens");
			}
			return widget;
		});
		this.world.create("a");
		ReconcilerContainer container = start();
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.calls.clear();
		patch("widgets", "a", "{\"spec\":{\"size\":7}}");
		await().until(() -> container.status().queue().failingKeys() == 1);
		assertThat(container.status().failing().get(0).exceptionClass()).contains("cannot be transformed");
		this.world.delete("a");
		await().untilAsserted(() -> assertThat(raw("widgets", "a")).contains("\"code\":404"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("cleanup 1");
	}

	@Test
	void primaryThatCanBeReadAgainAsItWasShouldRun() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = start();
		assertThat(container.awaitIdle(LONG)).isTrue();
		breakSize("widgets", "a");
		await().until(() -> container.status().queue().failingKeys() == 1);
		this.calls.clear();
		patch("widgets", "a", "{\"spec\":{\"size\":1}}");
		await().until(() -> this.calls.contains("run 1"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(container.status().queue().failingKeys()).isZero();
	}

	@Test
	void unreadablePrimaryShouldFailAgainAfterAStopOfItsReconciler() throws InterruptedException {
		InformerLease<Widget> kept = this.world.informers.lease(InformerSpec.of(Widget.class));
		this.world.create("a");
		patch("widgets", "a", "{\"spec\":{\"size\":\"seven\"}}");
		// Not before: it must not have been readable here.
		kept.informer().run();
		await().until(() -> kept.informer().status().cache().quarantined() == 1);
		assertThat(kept.informer().quarantined().everything()).isTrue();
		assertThat(kept.informer().quarantined().problems())
			.containsExactly(Map.entry("web/a", "the field 'spec.size' cannot be read as int"));
		ReconcilerContainer container = start();
		await().until(() -> container.status().queue().failingKeys() == 1);
		container.stop();
		container.start();
		await().until(() -> container.status().runs().failed() > 1);
		assertThat(container.status().queue().failingKeys()).isEqualTo(1);
		kept.close();
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

	private String owner(String name) {
		return """
				{"apiVersion":"example.com/v1","kind":"Widget","name":"%s","uid":"%s","controller":true}"""
			.formatted(name, this.world.get(name).getMetadata().getUid());
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

	private void create(String plural, String json) {
		HttpResponse<String> answer = send(request(plural, "").header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(json)));
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
	}

	private String raw(String plural, String name) {
		return send(request(plural, name)).body();
	}

	private String size(String plural, String name) {
		return raw(plural, name).replaceAll("\\s", "");
	}

	private HttpRequest.Builder request(String plural, String name) {
		String path = name.isEmpty() ? plural : plural + "/" + name;
		return HttpRequest
			.newBuilder(URI.create("%s/apis/example.com/v1/namespaces/web/%s".formatted(this.world.api.url(), path)));
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

	/** Desired state. */
	static class Spec {

		private int size;

	}

}

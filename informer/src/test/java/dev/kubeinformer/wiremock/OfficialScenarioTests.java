package dev.kubeinformer.wiremock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import com.github.tomakehurst.wiremock.client.MappingBuilder;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.matching.RequestPatternBuilder;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.exception.ObjectTransformException;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ListMeta;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1NamespaceList;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.openapi.models.V1Status;
import io.kubernetes.client.util.Watch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import dev.kubeinformer.FastInformers;
import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListReason;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.absent;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * The scenarios in which the official client tests its informers on WireMock, with the
 * same stubs ({@code DefaultSharedIndexInformerWireMockTest},
 * {@code SharedInformerFactoryTest}, {@code InformerListTypeMetaTest} and
 * {@code NamespaceInformerTest} of kubernetes-client/java). Outcomes are the same, except
 * for these:
 * <ul>
 * <li>A list is asked for without the parameter {@code watch}, as by client-go and
 * kubectl; the official client sends {@code watch=false}. A stub of lists matches
 * {@code absent()}.
 * <li>An error event in a watch, other than 410, resumes the watch; the official client
 * lists again. Only errors that go on for 30 seconds (0.3 in this test) cost a list: the
 * version may still be good, and lists are what hurts an API server in trouble.
 * <li>A transform is given an object of its own, which it may change: it needs no copy.
 * <li>An object whose transform fails is quarantined, and counted in the status; the
 * official client logs it only.
 * <li>A list that is forbidden shows the state {@link InformerState#FORBIDDEN} and the
 * rule that is missing; the official client has no state.
 * <li>{@code run()} and {@code stop()} of the factory are {@link Informers#start()} and
 * {@link Informers#stop()}.
 * </ul>
 */
class OfficialScenarioTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final String ALL = "/api/v1/pods";

	private static final String DEFAULT_NAMESPACE = "/api/v1/namespaces/default/pods";

	@RegisterExtension
	static final WireMockExtension api = WireMockExtension.newInstance().options(options().dynamicPort()).build();

	private final Informers informers = FastInformers.builder(new ApiClient().setBasePath(api.baseUrl())).build();

	private final Additions<V1Pod> additions = new Additions<>();

	@AfterEach
	void close() {
		this.informers.close();
	}

	@Test
	void podOfAWatchOfOneNamespaceShouldBeAdded() {
		api.stubFor(list(DEFAULT_NAMESPACE).willReturn(json(pods("1000"))));
		api.stubFor(watch(DEFAULT_NAMESPACE).willReturn(event("ADDED", pod("1001"))));
		Informer<V1Pod> pods = this.informers.informer(InformerSpec.of(V1Pod.class).withNamespaces("default"));
		pods.addEventHandler(this.additions);
		this.informers.start();
		await().until(() -> count(watches(DEFAULT_NAMESPACE)) > 1);
		await().untilAsserted(() -> assertThat(this.additions.names()).containsExactly("apod"));
		assertThat(pods.lastSyncResourceVersion()).isEqualTo("1001");
		assertThat(count(lists(DEFAULT_NAMESPACE))).isEqualTo(1);
		assertThat(count(watches(DEFAULT_NAMESPACE).withQueryParam("resourceVersion", equalTo("1000")))).isEqualTo(1);
	}

	@Test
	void podOfAWatchOfAllNamespacesShouldBeAddedAsTransformed() {
		V1Pod labelled = pod("1001");
		labelled.getMetadata().putLabelsItem("foo", "bar").putAnnotationsItem("foo", "bar");
		api.stubFor(list(ALL).willReturn(json(pods("1000"))));
		api.stubFor(watch(ALL).willReturn(event("ADDED", labelled)));
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		pods.setTransform((object) -> {
			object.getMetadata().setAnnotations(null);
			return object;
		});
		pods.addEventHandler(this.additions);
		this.informers.start();
		await().until(() -> count(watches(ALL)) > 1);
		await().untilAsserted(() -> assertThat(this.additions.objects()).singleElement().satisfies((added) -> {
			assertThat(added.getMetadata().getLabels()).containsEntry("foo", "bar");
			assertThat(added.getMetadata().getAnnotations()).isNull();
		}));
		assertThat(pods.lastSyncResourceVersion()).isEqualTo("1001");
		assertThat(count(lists(ALL))).isEqualTo(1);
		assertThatIllegalStateException().isThrownBy(() -> pods.setTransform((object) -> new V1Pod()));
	}

	@Test
	void podWhoseTransformFailsShouldBeQuarantinedAndTheWatchGoOn() {
		api.stubFor(list(ALL).willReturn(json(pods("1000"))));
		api.stubFor(watch(ALL).willReturn(event("ADDED", pod("1001"))));
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		pods.setTransform((object) -> {
			throw new ObjectTransformException("thrown by the test");
		});
		pods.addEventHandler(this.additions);
		this.informers.start();
		await().until(() -> count(watches(ALL)) > 1);
		await().until(() -> pods.status().cache().quarantined() == 1);
		assertThat(this.additions.names()).isEmpty();
		assertThat(pods.lastSyncResourceVersion()).isEqualTo("1001");
		assertThat(count(lists(ALL))).isEqualTo(1);
	}

	@Test
	void conflictInAWatchShouldResumeItAndListOnlyIfItGoesOn() {
		api.stubFor(list(DEFAULT_NAMESPACE).willReturn(json(pods("1000"))));
		api.stubFor(watch(DEFAULT_NAMESPACE).withQueryParam("resourceVersion", equalTo("1000"))
			.willReturn(event("ERROR", new V1Status().apiVersion("v1").kind("Status").code(409))));
		Informer<V1Pod> pods = this.informers.informer(InformerSpec.of(V1Pod.class).withNamespaces("default"));
		this.informers.start();
		await().until(() -> count(lists(DEFAULT_NAMESPACE)) > 1);
		assertThat(count(watches(DEFAULT_NAMESPACE))).isGreaterThan(1);
		await().untilAsserted(() -> assertThat(pods.status().lists().byReason()).containsKeys(ListReason.INITIAL,
				ListReason.ERROR_EVENTS));
	}

	@Test
	void forbiddenListShouldBeRepeated() {
		api.stubFor(list(DEFAULT_NAMESPACE)
			.willReturn(json(new V1Status().apiVersion("v1").kind("Status").code(403).reason("RBAC forbidden"))
				.withStatus(403)));
		Informer<V1Pod> pods = this.informers.informer(InformerSpec.of(V1Pod.class).withNamespaces("default"));
		this.informers.start();
		await().until(() -> count(lists(DEFAULT_NAMESPACE)) > 1);
		assertThat(pods.state()).isEqualTo(InformerState.FORBIDDEN);
		assertThat(pods.status().requiredRbac()).hasSize(1);
		assertThat(pods.hasSynced()).isFalse();
		assertThat(count(watches(DEFAULT_NAMESPACE))).isZero();
	}

	@Test
	void stopRightAfterTheStartShouldEndEverything() {
		api.stubFor(list(ALL).willReturn(json(pods("1000"))));
		api.stubFor(watch(ALL).willReturn(ended()));
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		this.informers.start();
		this.informers.stop();
		assertThat(pods.state()).isEqualTo(InformerState.STOPPED);
	}

	@Test
	void emptyListOfVersionZeroShouldSync() throws InterruptedException {
		api.stubFor(list(ALL).willReturn(json(pods("0"))));
		api.stubFor(list(DEFAULT_NAMESPACE).willReturn(json(pods("0"))));
		api.stubFor(watch(ALL).willReturn(ended()));
		api.stubFor(watch(DEFAULT_NAMESPACE).willReturn(ended()));
		Informer<V1Pod> all = this.informers.informer(V1Pod.class);
		Informer<V1Pod> some = this.informers.informer(InformerSpec.of(V1Pod.class).withNamespaces("default"));
		this.informers.start();
		assertThat(all.awaitSync(LONG)).isTrue();
		assertThat(some.awaitSync(LONG)).isTrue();
	}

	@Test
	void informerThatIsAskedForAgainShouldBeTheSame() {
		InformerSpec<V1Pod> spec = InformerSpec.of(V1Pod.class).withNamespaces("default");
		assertThat(this.informers.informer(spec)).isSameAs(this.informers.informer(spec));
	}

	@Test
	void listedObjectsShouldHaveTheirKindAndVersion() throws InterruptedException {
		V1NamespaceList list = new V1NamespaceList().metadata(new V1ListMeta().resourceVersion("1000"))
			.addItemsItem(new V1Namespace().metadata(new V1ObjectMeta().name("default").resourceVersion("5")));
		api.stubFor(list("/api/v1/namespaces").willReturn(json(list)));
		api.stubFor(watch("/api/v1/namespaces").willReturn(ended()));
		Informer<V1Namespace> namespaces = this.informers.informer(V1Namespace.class);
		Additions<V1Namespace> added = new Additions<>();
		namespaces.addEventHandler(added);
		this.informers.start();
		assertThat(namespaces.awaitSync(LONG)).isTrue();
		assertThat(namespaces.lister().list()).hasSize(1);
		await().untilAsserted(() -> assertThat(added.objects()).singleElement().satisfies((namespace) -> {
			assertThat(namespace.getKind()).isEqualTo("Namespace");
			assertThat(namespace.getApiVersion()).isEqualTo("v1");
		}));
	}

	private static MappingBuilder list(String path) {
		return get(urlPathEqualTo(path)).withQueryParam("watch", absent());
	}

	private static MappingBuilder watch(String path) {
		return get(urlPathEqualTo(path)).withQueryParam("watch", equalTo("true"));
	}

	private static RequestPatternBuilder lists(String path) {
		return getRequestedFor(urlPathEqualTo(path)).withQueryParam("watch", absent());
	}

	private static RequestPatternBuilder watches(String path) {
		return getRequestedFor(urlPathEqualTo(path)).withQueryParam("watch", equalTo("true"));
	}

	private static int count(RequestPatternBuilder requests) {
		return api.findAll(requests).size();
	}

	private static ResponseDefinitionBuilder json(Object body) {
		return aResponse().withHeader("Content-Type", "application/json").withBody(JSON.serialize(body));
	}

	/**
	 * A watch that brings nothing.
	 */
	private static ResponseDefinitionBuilder ended() {
		return aResponse().withHeader("Content-Type", "application/json");
	}

	private static ResponseDefinitionBuilder event(String type, Object object) {
		return json(new Watch.Response<>(type, object));
	}

	private static V1PodList pods(String version) {
		return new V1PodList().metadata(new V1ListMeta().resourceVersion(version)).items(List.of());
	}

	private static V1Pod pod(String version) {
		return new V1Pod().metadata(new V1ObjectMeta().namespace("default").name("apod").resourceVersion(version));
	}

	/**
	 * The objects that were added, in the interface of the official client.
	 *
	 * @param <T> the model class
	 */
	private static final class Additions<T extends KubernetesObject> implements ResourceEventHandler<T> {

		private final List<T> objects = new CopyOnWriteArrayList<>();

		@Override
		public void onAdd(T object) {
			this.objects.add(object);
		}

		@Override
		public void onUpdate(T before, T after) {
		}

		@Override
		public void onDelete(T object, boolean finalStateUnknown) {
		}

		List<T> objects() {
			return List.copyOf(this.objects);
		}

		List<String> names() {
			return this.objects.stream().map((object) -> object.getMetadata().getName()).toList();
		}

	}

}

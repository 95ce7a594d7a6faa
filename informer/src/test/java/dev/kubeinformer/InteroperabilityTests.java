package dev.kubeinformer;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The embedded API serves the informers of the official client, of fabric8 and ours.
 */
@Tag("slow")
class InteroperabilityTests {

	private static final int PODS = 1000;

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final ApiResources<V1Pod> pods = this.api.resources(V1Pod.class);

	@AfterEach
	void stop() {
		this.api.close();
	}

	@ParameterizedTest
	@EnumSource
	@Timeout(120)
	void informerSyncsAndFollowsAlsoAfterRestart(Library library) {
		this.pods.fill(PODS, (i) -> pod("pod-" + i, "old"));
		try (Follower follower = library.follow(this.api.url())) {
			agrees(follower);
			await().until(() -> this.api.openWatches() == 1);
			this.pods.create(pod("new", "1"));
			this.pods.update(pod("pod-1", "new"));
			this.pods.delete("default", "pod-2");
			agrees(follower);
			assertThat(follower.delivered()).hasSize(PODS)
				.doesNotContainKey("default/pod-2")
				.containsEntry("default/pod-1", "new");
			// what happens meanwhile is found by a list, for the watch is answered with
			// 410
			this.api.stopServing();
			this.pods.create(pod("meanwhile", "1"));
			this.pods.update(pod("pod-3", "new"));
			this.pods.delete("default", "pod-4");
			this.api.restart();
			agrees(follower);
			await().until(() -> this.api.openWatches() == 1);
			this.pods.delete("default", "new");
			this.pods.update(pod("pod-5", "new"));
			agrees(follower);
		}
		await().until(() -> this.api.openWatches() == 0);
	}

	private void agrees(Follower follower) {
		Map<String, String> server = this.pods.list()
			.stream()
			.collect(Collectors.toMap((pod) -> key(pod.getMetadata()), (pod) -> version(pod.getMetadata())));
		await().untilAsserted(() -> {
			assertThat(new TreeMap<>(follower.delivered())).isEqualTo(new TreeMap<>(server));
			assertThat(new TreeSet<>(follower.keys())).isEqualTo(new TreeSet<>(server.keySet()));
		});
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(40));
	}

	private static V1Pod pod(String name, String version) {
		return new V1Pod()
			.metadata(new V1ObjectMeta().namespace("default").name(name).labels(Map.of("version", version)));
	}

	private static String key(V1ObjectMeta metadata) {
		return metadata.getNamespace() + "/" + metadata.getName();
	}

	private static String version(V1ObjectMeta metadata) {
		return metadata.getLabels().get("version");
	}

	/**
	 * Whose informer it is.
	 */
	enum Library {

		OFFICIAL {

			@Override
			Follower follow(String url) {
				return new OfficialFollower(url);
			}

		},

		FABRIC8 {

			@Override
			Follower follow(String url) {
				return new Fabric8Follower(url);
			}

		},

		OURS {

			@Override
			Follower follow(String url) {
				return new OurFollower(url);
			}

		};

		abstract Follower follow(String url);

	}

	/**
	 * An informer of pods and what its handler received: the versions by key.
	 */
	abstract static class Follower implements AutoCloseable {

		private final Map<String, String> delivered = new ConcurrentHashMap<>();

		Map<String, String> delivered() {
			return this.delivered;
		}

		void put(V1Pod pod) {
			this.delivered.put(key(pod.getMetadata()), version(pod.getMetadata()));
		}

		void remove(V1Pod pod) {
			this.delivered.remove(key(pod.getMetadata()));
		}

		abstract Set<String> keys();

		@Override
		public abstract void close();

	}

	/**
	 * The informer of the official client.
	 */
	private static final class OfficialFollower extends Follower {

		private final ApiClient client;

		private final SharedInformerFactory factory;

		private final io.kubernetes.client.informer.SharedIndexInformer<V1Pod> informer;

		OfficialFollower(String url) {
			this.client = new ApiClient();
			this.client.setBasePath(url);
			this.client.setReadTimeout(0);
			this.factory = new SharedInformerFactory(this.client);
			this.informer = this.factory.sharedIndexInformerFor(
					new GenericKubernetesApi<>(V1Pod.class, V1PodList.class, "", "v1", "pods", this.client),
					V1Pod.class, 0);
			this.informer.addEventHandler(new io.kubernetes.client.informer.ResourceEventHandler<>() {

				@Override
				public void onAdd(V1Pod pod) {
					put(pod);
				}

				@Override
				public void onUpdate(V1Pod before, V1Pod pod) {
					put(pod);
				}

				@Override
				public void onDelete(V1Pod pod, boolean finalStateUnknown) {
					remove(pod);
				}

			});
			this.factory.startAllRegisteredInformers();
		}

		@Override
		Set<String> keys() {
			return Set.copyOf(this.informer.getIndexer().listKeys());
		}

		@Override
		public void close() {
			this.factory.stopAllRegisteredInformers();
			this.client.getHttpClient().dispatcher().executorService().shutdown();
			this.client.getHttpClient().connectionPool().evictAll();
		}

	}

	/**
	 * The informer of fabric8.
	 */
	private static final class Fabric8Follower extends Follower {

		private final KubernetesClient client;

		private final SharedIndexInformer<Pod> informer;

		Fabric8Follower(String url) {
			Config config = new ConfigBuilder(Config.empty()).withMasterUrl(url).build();
			this.client = new KubernetesClientBuilder().withConfig(config).build();
			this.informer = this.client.pods()
				.inAnyNamespace()
				.inform(new io.fabric8.kubernetes.client.informers.ResourceEventHandler<>() {

					@Override
					public void onAdd(Pod pod) {
						delivered().put(key(pod), pod.getMetadata().getLabels().get("version"));
					}

					@Override
					public void onUpdate(Pod before, Pod pod) {
						onAdd(pod);
					}

					@Override
					public void onDelete(Pod pod, boolean finalStateUnknown) {
						delivered().remove(key(pod));
					}

				});
		}

		private static String key(HasMetadata object) {
			return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
		}

		@Override
		Set<String> keys() {
			return this.informer.getStore().list().stream().map(Fabric8Follower::key).collect(Collectors.toSet());
		}

		@Override
		public void close() {
			this.informer.close();
			this.client.close();
		}

	}

	/**
	 * Our informer.
	 */
	private static final class OurFollower extends Follower {

		private final Informers informers;

		private final Informer<V1Pod> informer;

		OurFollower(String url) {
			this.informers = EngineTestSupport.informers(url);
			this.informer = this.informers.informer(V1Pod.class);
			this.informer.addHandler((event) -> {
				if (event.type() == ResourceEvent.Type.DELETE) {
					remove(event.object());
				}
				else {
					put(event.object());
				}
			}, HandlerOptions.defaults().withId("follower"));
			this.informers.start();
		}

		@Override
		Set<String> keys() {
			return Set.copyOf(this.informer.snapshot().keys());
		}

		@Override
		public void close() {
			this.informers.close();
		}

	}

}

package dev.kubeinformer.spring;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.cache.Cache;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.spring.autoconfigure.endpoint.InformersEndpoint;
import dev.kubeinformer.spring.autoconfigure.endpoint.InformersEndpointAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.health.InformerHealthContributorAutoConfiguration;
import dev.kubeinformer.spring.cluster.ClusterListers;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.leader.FakeLeadership;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers, listers and informers of the metadata of objects.
 */
class MetadataTests {

	private static final String MARKER = "must-not-be-seen";

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final ApiResources<V1Secret> secrets = this.kubernetes.resources(V1Secret.class);

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void wholeAndMetadataOfOneResourceShouldStandSideBySide() {
		this.secrets.create(secret("a"));
		this.runner.withConfiguration(AutoConfigurations.of(InformersEndpointAutoConfiguration.class))
			.withPropertyValues("management.endpoints.web.exposure.include=*")
			.withBean("described", DescribedSecrets.class)
			.withBean("whole", WholeSecrets.class)
			.withBean(Injected.class)
			.run((context) -> {
				Injected injected = context.getBean(Injected.class);
				assertThat(context.getBean(Informers.class).all()).extracting(Informer::id)
					.containsExactlyInAnyOrder("secrets-metadata", "secrets");
				await().until(() -> injected.described.list().size() == 1 && injected.whole.list().size() == 1);
				assertThat(injected.described.list().get(0)).isInstanceOf(Metadata.class)
					.isSameAs(injected.informer.lister().list().get(0))
					.isSameAs(injected.official.getIndexer().list().get(0))
					.isSameAs(injected.provider.getObject().list().get(0))
					.isSameAs(injected.clusters.get("default").list().get(0));
				assertThat(injected.whole.list().get(0).getData()).containsKey("key");
				assertThat(injected.informer.id()).isEqualTo("secrets-metadata");

				this.secrets.edit("web", "a", (secret) -> secret.getMetadata().putLabelsItem("seen", "yes"));
				this.secrets.delete("web", "a");
				for (String bean : List.of("described", "whole")) {
					RecordingHandler handler = context.getBean(bean, RecordingHandler.class);
					await().until(() -> handler.calls().contains("DELETE a"));
					assertThat(handler.calls()).containsExactly("ADD a", "UPDATE a", "DELETE a");
				}

				InformersEndpoint endpoint = context.getBean(InformersEndpoint.class);
				assertThat(endpoint.informer("rbac", null).toString()).containsOnlyOnce("- secrets")
					.contains("- list", "- watch");
			});
	}

	@Test
	void listersOfTheApplicationShouldBePreferredForExactlyTheirTypes() {
		this.runner.withUserConfiguration(OwnListers.class).run((context) -> {
			OwnListers.Reader reader = context.getBean(OwnListers.Reader.class);
			assertThat(reader.described).isSameAs(context.getBean("described"));
			assertThat(reader.open).isSameAs(context.getBean("open"));
			assertThat(reader.whole).isNotNull();
			assertThat(reader.pods).isNotNull();
			assertThat(context.getBean(Informers.class).all()).extracting(Informer::id)
				.containsExactlyInAnyOrder("secrets", "pods-metadata");
		});
	}

	@Test
	void healthShouldKeepWholeAndMetadataApart() {
		this.runner.withConfiguration(AutoConfigurations.of(InformerHealthContributorAutoConfiguration.class))
			.withBean(Injected.class)
			.run((context) -> assertThat(
					context.getBean("informersHealthContributor", CompositeHealthContributor.class).stream())
				.extracting(HealthContributors.Entry::name)
				.contains("secrets-metadata", "secrets"));
	}

	@Test
	void nothingButMetadataShouldBeDelivered() {
		this.secrets.create(secret("a"));
		ApiResources<V1Pod> pods = this.kubernetes.resources(V1Pod.class);
		pods.create(pod("a"));
		this.runner.withBean("secrets", DescribedSecrets.class).withBean("pods", PodEvents.class).run((context) -> {
			DescribedSecrets ofSecrets = context.getBean(DescribedSecrets.class);
			PodEvents ofPods = context.getBean(PodEvents.class);
			await().until(() -> ofSecrets.calls().contains("ADD a") && ofPods.calls().contains("ADD a"));
			this.secrets.edit("web", "a",
					(secret) -> secret.putDataItem("other", MARKER.getBytes(StandardCharsets.UTF_8)));
			pods.update(pod("a").status(new V1PodStatus().message(MARKER)));
			this.secrets.delete("web", "a");
			pods.delete("web", "a");
			await().until(() -> ofSecrets.calls().contains("DELETE a") && ofPods.calls().contains("DELETE a"));
			assertThat(ofPods.seen).hasSize(3);
			assertThat(ofSecrets.seen).hasSize(4);
			assertThat(List.of(ofPods.seen, ofSecrets.seen)).allSatisfy((seen) -> assertThat(seen).allSatisfy(
					(object) -> assertThat(object.getMetadata().toString()).contains("uid: ").doesNotContain(MARKER)));
		});
	}

	@Test
	void leaderOnlyHandlerShouldGetMetadataWhileItsReplicaLeads() {
		this.secrets.create(secret("a"));
		FakeLeadership leadership = new FakeLeadership();
		this.runner.withBean(Leadership.class, () -> leadership)
			.withBean("secrets", LeaderSecrets.class)
			.run((context) -> {
				LeaderSecrets handler = context.getBean(LeaderSecrets.class);
				Informer<?> informer = context.getBean(Informers.class).all().iterator().next();
				await().until(informer::hasSynced);
				assertThat(handler.calls()).isEmpty();
				leadership.grant();
				await().until(() -> handler.calls().equals(List.of("ADD a")));
				assertThat(informer.id()).isEqualTo("secrets-metadata");
			});
	}

	@ParameterizedTest
	@ValueSource(classes = { ObjectParameter.class, BeforeAndAfter.class, EventParameter.class, Superclass.class,
			OfficialInterface.class, ClassInTheAnnotation.class, SupertypeBeside.class })
	void handlerShouldSayByItsTypesThatItWantsMetadata(Class<?> handler) {
		InformerContextRunner.withoutCluster()
			.withPropertyValues("kubernetes.informers.auto-startup=false")
			.withBean("handler", handler)
			.run((context) -> assertThat(context.getBean(InformerHandlerRegistry.class).get("handler").spec().type())
				.isEqualTo(ResourceType.of(V1Pod.class).metadata()));
	}

	@Test
	void beanMethodShouldSayWhatAGenericHandlerLeavesOpen() {
		InformerContextRunner.withoutCluster()
			.withPropertyValues("kubernetes.informers.auto-startup=false")
			.withUserConfiguration(BeanMethods.class)
			.run((context) -> {
				InformerHandlerRegistry handlers = context.getBean(InformerHandlerRegistry.class);
				assertThat(handlers.get("ofNodes").spec().type()).isEqualTo(ResourceType.of(V1Node.class).metadata());
				assertThat(handlers.get("ofPods").spec().type()).isEqualTo(ResourceType.of(V1Pod.class).metadata());
			});
	}

	@Test
	void kindsWithoutAClassShouldBeFoundWithTheirScope() {
		this.kubernetes.serve("example.com", "v1", "widgets", "Widget", true);
		this.kubernetes.serve("example.com", "v1", "planets", "Planet", false);
		create("widgets", "Widget", "web", "in");
		create("widgets", "Widget", "other", "out");
		create("planets", "Planet", null, "earth");
		this.runner.withBean("widgets", Widgets.class)
			.withBean("planets", Planets.class)
			.withBean(NamedListers.class)
			.run((context) -> {
				Widgets widgets = context.getBean(Widgets.class);
				Planets planets = context.getBean(Planets.class);
				NamedListers listers = context.getBean(NamedListers.class);
				await().until(() -> widgets.calls().contains("ADD in") && planets.calls().contains("ADD earth"));
				assertThat(widgets.calls()).containsExactly("ADD in");
				await().until(() -> listers.widgets.list().size() == 2 && listers.planets.list().size() == 1);
				assertThat(listers.planets.get("earth").getKind()).isEqualTo("Planet");
				assertThat(listers.widgets.namespace("web").get("in").getApiVersion()).isEqualTo("example.com/v1");
			});
	}

	private void create(String plural, String kind, String namespace, String name) {
		DynamicResourceTests.Thing thing = new DynamicResourceTests.Thing();
		thing.apiVersion = "example.com/v1";
		thing.kind = kind;
		thing.metadata = new V1ObjectMeta().namespace(namespace).name(name);
		this.kubernetes.resources(DynamicResourceTests.Thing.class, "example.com", "v1", plural).create(thing);
	}

	private static V1Secret secret(String name) {
		return new V1Secret().metadata(new V1ObjectMeta().namespace("web").name(name))
			.data(Map.of("key", MARKER.getBytes(StandardCharsets.UTF_8)));
	}

	private static V1Pod pod(String name) {
		return TestObjects.pod("web", name)
			.spec(new V1PodSpec().addContainersItem(new V1Container().name("c").image(MARKER)));
	}

	record Injected(Lister<Metadata<V1Secret>> described, Lister<V1Secret> whole, Informer<Metadata<V1Secret>> informer,
			SharedIndexInformer<Metadata<V1Secret>> official, ObjectProvider<Lister<Metadata<V1Secret>>> provider,
			@InformerSource(cluster = "default") ClusterListers<Metadata<V1Secret>> clusters) {

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnListers {

		@Bean
		Lister<Metadata<V1Secret>> described() {
			return new Lister<>(new Cache<>());
		}

		@Bean(defaultCandidate = false)
		Lister<Metadata<?>> open() {
			return new Lister<>(new Cache<>());
		}

		@Bean
		Reader reader(Lister<Metadata<V1Secret>> described, Lister<V1Secret> whole, Lister<Metadata<V1Pod>> pods,
				@Qualifier("open") Lister<Metadata<?>> open) {
			return new Reader(described, whole, pods, open);
		}

		record Reader(Lister<Metadata<V1Secret>> described, Lister<V1Secret> whole, Lister<Metadata<V1Pod>> pods,
				Lister<Metadata<?>> open) {

		}

	}

	record NamedListers(
			@InformerSource(resource = "widgets.v1.example.com") Lister<Metadata<DynamicKubernetesObject>> widgets,
			@InformerSource(resource = "planets.v1.example.com") Lister<Metadata<?>> planets) {

	}

	@InformerHandler
	static class DescribedSecrets extends RecordingHandler {

		final List<KubernetesObject> seen = new CopyOnWriteArrayList<>();

		@OnAdd
		void added(Metadata<V1Secret> secret) {
			this.seen.add(secret);
			record("ADD", secret);
		}

		@OnUpdate
		void changed(Metadata<V1Secret> before, Metadata<V1Secret> after) {
			this.seen.addAll(List.of(before, after));
			record("UPDATE", after);
		}

		@OnDelete
		void removed(Metadata<V1Secret> secret) {
			this.seen.add(secret);
			record("DELETE", secret);
		}

	}

	@InformerHandler(leaderOnly = "true")
	static class LeaderSecrets extends DescribedSecrets {

	}

	@InformerHandler
	static class WholeSecrets extends RecordingHandler {

		@OnAdd
		void added(V1Secret secret) {
			record("ADD", secret);
		}

		@OnUpdate
		void changed(V1Secret before, V1Secret after) {
			record("UPDATE", after);
		}

		@OnDelete
		void removed(V1Secret secret) {
			record("DELETE", secret);
		}

	}

	@InformerHandler
	static class PodEvents extends RecordingHandler {

		final List<KubernetesObject> seen = new CopyOnWriteArrayList<>();

		@OnAdd
		@OnUpdate
		@OnDelete
		void event(ResourceEvent<Metadata<V1Pod>> event) {
			this.seen.add(event.object());
			record(event);
		}

	}

	@InformerHandler(resource = "widgets.v1.example.com", namespaces = "web")
	static class Widgets extends RecordingHandler {

		@OnAdd
		void added(Metadata<DynamicKubernetesObject> widget) {
			record("ADD", widget);
		}

	}

	@InformerHandler(resource = "planets.v1.example.com")
	static class Planets extends RecordingHandler {

		@OnAdd
		void added(Metadata<?> planet) {
			record("ADD", planet);
		}

	}

	@InformerHandler
	static class ObjectParameter {

		@OnAdd
		void added(Metadata<V1Pod> pod) {
		}

	}

	@InformerHandler
	static class BeforeAndAfter {

		@OnUpdate
		void changed(Metadata<V1Pod> before, Metadata<V1Pod> after) {
		}

	}

	@InformerHandler
	static class EventParameter {

		@OnAdd
		void added(ResourceEvent<Metadata<V1Pod>> event) {
		}

	}

	static class Open<T extends KubernetesObject> {

		@OnAdd
		void added(Metadata<T> object) {
		}

	}

	@InformerHandler
	static class Superclass extends Open<V1Pod> {

	}

	static class Official<T extends KubernetesObject> implements ResourceEventHandler<Metadata<T>> {

		@Override
		public void onAdd(Metadata<T> object) {
		}

		@Override
		public void onUpdate(Metadata<T> before, Metadata<T> after) {
		}

		@Override
		public void onDelete(Metadata<T> object, boolean finalStateUnknown) {
		}

	}

	@InformerHandler
	static class OfficialInterface extends Official<V1Pod> {

	}

	@InformerHandler(V1Pod.class)
	static class ClassInTheAnnotation {

		@OnAdd
		void added(Metadata<?> pod) {
		}

	}

	@InformerHandler
	static class SupertypeBeside {

		@OnAdd
		void added(Metadata<V1Pod> pod) {
		}

		@OnDelete
		void removed(KubernetesObject object) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BeanMethods {

		@Bean
		@InformerHandler
		Official<V1Node> ofNodes() {
			return new Official<>();
		}

		@Bean
		@InformerHandler
		Open<V1Pod> ofPods() {
			return new Open<>();
		}

	}

}

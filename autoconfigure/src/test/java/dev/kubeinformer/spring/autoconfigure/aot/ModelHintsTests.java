package dev.kubeinformer.spring.autoconfigure.aot;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.generate.GenerationContext;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationCode;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.autoconfigure.model.InformerIndex;
import dev.kubeinformer.spring.autoconfigure.model.InformerTransform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests of what a native image is told of model classes that are not as simple as usual,
 * and of what every application needs.
 */
class ModelHintsTests {

	@ParameterizedTest
	@ValueSource(classes = { Ship.class, Deck.class, Cabin.class, Berth.class, Rope.class, Crate.class, Load.class,
			Flag.class })
	void partsOfModelsShouldBeReadHoweverDeepTheyAre(Class<?> type) {
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(type)
			.withMemberCategories(MemberCategory.ACCESS_DECLARED_FIELDS, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
			.accepts(hints(ShipHandler.class));
	}

	@Test
	void classWithoutPlainConstructorShouldBeMadeWithoutOne() {
		RuntimeHints hints = hints(ShipHandler.class);
		assertThat(unsafe(Crate.class)).accepts(hints);
		assertThat(unsafe(Ship.class)).rejects(hints);
		assertThat(unsafe(Rope.class)).rejects(hints);
		assertThat(unsafe(Cargo.class)).rejects(hints);
	}

	private static Predicate<RuntimeHints> unsafe(Class<?> type) {
		return RuntimeHintsPredicates.reflection().onType(type).withMemberCategory(MemberCategory.UNSAFE_ALLOCATED);
	}

	@Test
	void metadataOfKindsWithoutAClassShouldBeRead() {
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(V1ObjectMeta.class)
			.withMemberCategories(MemberCategory.ACCESS_DECLARED_FIELDS, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
			.accepts(hints(DynamicHandler.class));
	}

	@Test
	void classWhoseMetadataIsReadShouldBeFoundByItsName() {
		RuntimeHints hints = hints(DescribedHandler.class);
		assertThat(read(V1ObjectMeta.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(Ship.class)).accepts(hints);
		assertThat(read(Ship.class)).rejects(hints);
		assertThat(read(Cabin.class)).rejects(hints);
	}

	@Test
	void classWhoseMetadataIsOwnedShouldBeWritten() {
		assertThat(read(Ship.class).and(read(Cabin.class)).and(read(V1ObjectMeta.class)))
			.accepts(hints(OwningReconciler.class));
	}

	@ParameterizedTest
	@ValueSource(classes = { ShipTransform.class, ShipIndex.class })
	void classThatATransformOrIndexIsGivenShouldBeRead(Class<?> bean) {
		assertThat(read(Ship.class).and(read(Cabin.class))).accepts(hints(bean));
	}

	private static Predicate<RuntimeHints> read(Class<?> type) {
		return RuntimeHintsPredicates.reflection()
			.onType(type)
			.withMemberCategories(MemberCategory.ACCESS_DECLARED_FIELDS, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
	}

	@Test
	void applicationWithoutModelsShouldNeedNone() {
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		beanFactory.registerBeanDefinition("text", new RootBeanDefinition(String.class));
		assertThat(new InformerAotProcessor().processAheadOfTime(beanFactory)).isNull();
	}

	@Test
	void everyBuiltInTypeShouldBeFoundByItsName() throws ClassNotFoundException {
		RuntimeHints hints = registered();
		assertThat(ResourceType.builtIn()).hasSizeGreaterThan(50)
			.allSatisfy((type) -> assertThat(RuntimeHintsPredicates.reflection().onType(type.objectClass()))
				.accepts(hints));
		assertThat(RuntimeHintsPredicates.resource().forResource("dev/kubeinformer/resource/built-in-types.txt"))
			.accepts(hints);
	}

	@Test
	void whatTheEndpointAnswersShouldBeWritten() throws ClassNotFoundException {
		RuntimeHints hints = registered();
		for (String name : List.of("InformersDescriptor", "InformerDescriptor", "HandlerDescriptor",
				"ReconcilerDescriptor", "LeaderDescriptor", "ProblemDescriptor")) {
			Class<?> type = Class.forName("dev.kubeinformer.spring.autoconfigure.endpoint." + name);
			assertThat(type.getRecordComponents()).as(name)
				.isNotEmpty()
				.allSatisfy((component) -> assertThat(
						RuntimeHintsPredicates.reflection().onMethodInvocation(component.getAccessor()))
					.accepts(hints));
		}
	}

	private static RuntimeHints registered() throws ClassNotFoundException {
		RuntimeHints hints = new RuntimeHints();
		AotServices.factories()
			.load(RuntimeHintsRegistrar.class)
			.stream()
			.filter((registrar) -> registrar.getClass().getName().startsWith("dev.kubeinformer."))
			.forEach((registrar) -> registrar.registerHints(hints, ModelHintsTests.class.getClassLoader()));
		Class<?> endpoint = Class
			.forName("dev.kubeinformer.spring.autoconfigure.endpoint.InformersEndpointRuntimeHints");
		((RuntimeHintsRegistrar) BeanUtils.instantiateClass(endpoint)).registerHints(hints, null);
		return hints;
	}

	private static RuntimeHints hints(Class<?> handler) {
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		beanFactory.registerBeanDefinition("handler", new RootBeanDefinition(handler));
		BeanFactoryInitializationAotContribution contribution = new InformerAotProcessor()
			.processAheadOfTime(beanFactory);
		GenerationContext generation = new TestGenerationContext();
		assertThat(contribution).isNotNull();
		contribution.applyTo(generation, mock(BeanFactoryInitializationCode.class));
		return generation.getRuntimeHints();
	}

	@InformerHandler
	static class ShipHandler {

		@OnAdd
		void added(Ship ship) {
		}

	}

	@InformerHandler
	static class DynamicHandler {

		@OnAdd
		void added(DynamicKubernetesObject object) {
		}

	}

	@InformerHandler
	static class DescribedHandler {

		private final List<Metadata<Ship>> ships = new ArrayList<>();

		DescribedHandler(Lister<Metadata<Ship>> ships) {
			this.ships.addAll(ships.list());
		}

		@OnAdd
		void added(Metadata<Ship> ship) {
			this.ships.add(ship);
		}

		@OnDelete
		void removed(ResourceEvent<Metadata<Ship>> event) {
			this.ships.clear();
		}

	}

	@Reconciler
	static class OwningReconciler {

		@Reconcile
		void reconcile(V1Pod pod, Owned<Metadata<Ship>> ships) {
		}

	}

	static class ShipTransform implements InformerTransform<Ship> {

		@Override
		public Ship transform(Ship ship) {
			return ship;
		}

	}

	static class ShipIndex implements InformerIndex<Ship> {

		@Override
		public String name() {
			return "name";
		}

		@Override
		public List<String> keys(Ship ship) {
			return List.of();
		}

	}

	/** Superclass of a model. */
	abstract static class Cargo {

		private Load load;

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "ships")
	static class Ship extends Cargo implements KubernetesObject {

		private V1ObjectMeta metadata;

		private Map<String, List<Deck<Cabin>>> decks;

		private Rope[][] ropes;

		private Map<Flag, Crate> crates;

		@Override
		public V1ObjectMeta getMetadata() {
			return this.metadata;
		}

		@Override
		public String getApiVersion() {
			return "example.com/v1";
		}

		@Override
		public String getKind() {
			return "Ship";
		}

	}

	static class Deck<T> {

		private List<? extends T> rooms;

	}

	static class Cabin {

		private List<Map<String, Berth>> berths;

	}

	static class Berth {

		private String name;

	}

	static class Load {

		private int weight;

	}

	enum Flag {

		RED

	}

	record Rope(int length) {

	}

	static class Crate {

		private final String content;

		Crate(String content) {
			this.content = content;
		}

		String content() {
			return this.content;
		}

	}

}

package dev.kubeinformer.internal.codec.model;

import java.io.ByteArrayInputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1Secret;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.copy.ExactCopier;
import dev.kubeinformer.internal.codec.copy.GeneratedCopiers;
import dev.kubeinformer.internal.codec.json.JsonCodec;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.resource.ResourceType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ModelCopiesTests {

	private final JsonMappers mappers = new JsonMappers(true);

	@ParameterizedTest
	@MethodSource("builtIn")
	void copyOfABuiltInTypeIsEqualAndSharesNothingThatCanBeChanged(ResourceType<?> type) throws Exception {
		KubernetesObject object = decoded(type, JSON.serialize(FilledModels.filled(type.objectClass(), Set.of())));
		KubernetesObject copy = ModelCopies.copy(object);
		assertThat(copy).usingRecursiveComparison().isEqualTo(object);
		assertThat(JSON.serialize(copy)).isEqualTo(JSON.serialize(object));
		assertNothingShared(object, copy);
		assertThat(collections(object)).isNotEmpty().allMatch(ModelCopiesTests::isUnmodifiable);
		assertThat(collections(copy)).noneMatch(ModelCopiesTests::isUnmodifiable);
	}

	@ParameterizedTest
	@MethodSource("builtIn")
	void copyDistinguishesNullFromEmpty(ResourceType<?> type) throws Exception {
		for (Object part : changeable(FilledModels.filled(type.objectClass(), Set.of()))) {
			if (ModelClass.isModel(part)) {
				Object fresh = part.getClass().getConstructor().newInstance();
				assertThat(ModelCopies.copy(fresh)).usingRecursiveComparison().isEqualTo(fresh);
				for (Field field : FilledModels.fields(part.getClass())) {
					field.set(fresh, null);
				}
				assertThat(FilledModels.fields(part.getClass()))
					.allMatch((field) -> get(field, ModelCopies.copy(fresh)) == null);
			}
		}
	}

	@ParameterizedTest
	@MethodSource("builtIn")
	void modelsOfABuiltInTypeAreCopiedWithoutReflection(ResourceType<?> type) throws Exception {
		List<Class<?>> models = changeable(FilledModels.filled(type.objectClass(), Set.of())).stream()
			.filter(ModelClass::isModel)
			.<Class<?>>map(Object::getClass)
			.distinct()
			.toList();
		assertThat(models).contains(type.objectClass())
			.allMatch((model) -> copier(model) != null && copier(model).copies(model));
	}

	private static @Nullable ExactCopier copier(Class<?> model) {
		return GeneratedCopiers.find(model.getSimpleName());
	}

	@Test
	void subclassesOfModelsAndCollectionsInAModelAreKept() {
		V1Pod pod = new V1Pod().metadata(new OwnMetadata("o"));
		pod.getMetadata().setFinalizers(new LinkedList<>(List.of("f")));
		pod.getMetadata().setLabels(new TreeMap<>(Map.of("a", "b")));
		pod.setSpec(new V1PodSpec().containers(new LinkedList<>(Arrays.asList(new OwnContainer(), null)))
			.overhead(new HashMap<>(Map.of("cpu", Quantity.fromString("1")))));
		V1Pod copy = ModelCopies.copy(pod);
		assertThat(copy).usingRecursiveComparison().withStrictTypeChecking().isEqualTo(pod);
		assertNothingShared(pod, copy);
		V1Pod own = new OwnPod();
		assertThat(ModelCopies.copy(own)).isExactlyInstanceOf(OwnPod.class);
	}

	@ParameterizedTest
	@MethodSource("builtIn")
	void frozenObjectOfABuiltInTypeIsAsIfItHadBeenDecoded(ResourceType<?> type) throws Exception {
		KubernetesObject object = decoded(type, JSON.serialize(FilledModels.filled(type.objectClass(), Set.of())));
		KubernetesObject copy = ModelCopies.copy(object);
		UnmodifiableModels.freeze(copy);
		assertThat(copy).usingRecursiveComparison().isEqualTo(object);
		assertThat(collections(copy)).isNotEmpty().allMatch(ModelCopiesTests::isUnmodifiable);
	}

	static Stream<ResourceType<?>> builtIn() {
		return ResourceType.builtIn().stream();
	}

	@Test
	void valuesThatJsonWouldChangeStayWhatTheyAre() throws Exception {
		Widget widget = new Widget();
		widget.quantity = Quantity.fromString("0.1Ki");
		widget.port = new IntOrString("http");
		widget.time = OffsetDateTime.of(2026, 1, 2, 3, 4, 5, 123456789, ZoneOffset.ofHours(5));
		widget.untyped = new ArrayList<>(Arrays.asList(1, 2L, 0.5f, null, "x"));
		widget.labels = new HashMap<>();
		widget.labels.put("nothing", null);
		widget.bytes = new byte[] { 1, 2 };
		Widget copy = ModelCopies.copy(widget);
		assertThat(copy).usingRecursiveComparison().isEqualTo(widget);
		assertThat(copy.quantity.getFormat()).isEqualTo(Quantity.Format.BINARY_SI);
		assertThat(copy.untyped).isEqualTo(Arrays.asList(1, 2L, 0.5f, null, "x"));
		assertThat(copy.labels).containsEntry("nothing", null);
		assertThat(copy.bytes).isNotSameAs(widget.bytes);
		assertThat(copy.port).isSameAs(widget.port);
	}

	@Test
	void customClassIsCopiedWithAllThatGsonSees() {
		Widget widget = new Widget();
		widget.sorted.put("b", List.of("x"));
		widget.sorted.put("a", List.of("y"));
		widget.queue.add(new Part("p", List.of("q"), 3));
		widget.byPhase.put(TimeUnit.DAYS, Set.of("d"));
		widget.matrix = new Part[][] { { new Part("m", null, 1), null } };
		widget.cache = new Object();
		widget.inherited.add("z");
		widget.fixed.add("f");
		Widget copy = ModelCopies.copy(widget);
		assertThat(copy).usingRecursiveComparison().ignoringFields("cache").isEqualTo(widget);
		assertThat(copy.cache).isNull();
		assertThat(copy.sorted).containsOnlyKeys("a", "b");
		copy.sorted.get("a").add("more");
		copy.queue.get(0).names().add("more");
		copy.inherited.add("more");
		copy.fixed.add("more");
		assertThat(widget.queue.get(0).names()).containsExactly("q");
		assertThat(widget.fixed).containsExactly("f");
		assertNothingShared(widget, copy);
	}

	@Test
	void freezingReachesRecordsAndLeavesClassesOfCollectionsAlone() {
		Widget widget = new Widget();
		widget.queue.add(new Part("p", new ArrayList<>(List.of("q")), 3));
		widget.labels = new HashMap<>();
		widget.untyped = new HashMap<>(Map.of("a", new ArrayList<>()));
		widget.parts = new ArrayList<>(List.of(new Part("p", new ArrayList<>(List.of("q")), 3)));
		UnmodifiableModels.freeze(widget);
		assertThat(isUnmodifiable(widget.labels)).isTrue();
		assertThat(isUnmodifiable(widget.untyped)).isTrue();
		assertThat(isUnmodifiable(((Map<?, ?>) widget.untyped).get("a"))).isTrue();
		assertThat(isUnmodifiable(widget.parts)).isTrue();
		assertThat(isUnmodifiable(widget.parts.get(0).names())).isTrue();
		assertThat(isUnmodifiable(widget.queue)).isFalse();
		assertThat(isUnmodifiable(widget.sorted)).isFalse();
	}

	@Test
	void partOfAnObjectIsCopiedAsWell() {
		V1Pod pod = new V1Pod().metadata(new V1ObjectMeta().labels(Map.of("a", "b")));
		Map<String, String> labels = ModelCopies.copy(pod.getMetadata().getLabels());
		labels.put("c", "d");
		assertThat(pod.getMetadata().getLabels()).containsOnlyKeys("a");
		assertThat(ModelCopies.copy("text")).isEqualTo("text");
	}

	@Test
	void classThatCannotBeInstantiatedIsNamed() {
		V1Secret anonymous = new V1Secret() {
		};
		assertThatIllegalArgumentException().isThrownBy(() -> ModelCopies.copy(anonymous))
			.withMessageContaining(anonymous.getClass().getName())
			.withMessageContaining("constructor");
	}

	private <T extends KubernetesObject> T decoded(ResourceType<T> type, String json) throws Exception {
		List<DecodedObject<T>> items = new ArrayList<>();
		String list = "{\"kind\":\"%sList\",\"items\":[%s]}".formatted(type.kind(), json);
		new JsonCodec<>(type, this.mappers).readList(new ByteArrayInputStream(list.getBytes(StandardCharsets.UTF_8)),
				items::add);
		assertThat(items.get(0).problem()).isNull();
		return items.get(0).object();
	}

	private static void assertNothingShared(Object object, Object copy) {
		Set<Object> changeable = Collections.newSetFromMap(new IdentityHashMap<>());
		changeable.addAll(changeable(object));
		// The empty collections of the JDK are nobody's.
		assertThat(changeable(copy)).noneMatch(changeable::contains);
	}

	private static List<Object> collections(Object object) {
		return changeable(object).stream().filter((each) -> each instanceof Collection || each instanceof Map).toList();
	}

	/** Returns the beans, collections and arrays in an object, and itself. */
	private static List<Object> changeable(Object object) {
		List<Object> found = new ArrayList<>();
		collect(object, found);
		return found;
	}

	private static void collect(@Nullable Object value, List<Object> found) {
		if (value instanceof Collection<?> collection) {
			found.add(value);
			collection.forEach((each) -> collect(each, found));
		}
		else if (value instanceof Map<?, ?> map) {
			found.add(value);
			map.values().forEach((each) -> collect(each, found));
		}
		else if (value != null && value.getClass().isArray()) {
			found.add(value);
			for (int i = 0; i < Array.getLength(value); i++) {
				collect(Array.get(value, i), found);
			}
		}
		else if (value != null && !(value instanceof Enum) && !value.getClass().getName().startsWith("java.")
				&& value.getClass() != Quantity.class && value.getClass() != IntOrString.class) {
			found.add(value);
			FilledModels.fields(value.getClass()).forEach((field) -> collect(get(field, value), found));
		}
	}

	private static boolean isUnmodifiable(Object collection) {
		try {
			if (collection instanceof Map<?, ?> map) {
				put(map);
			}
			else {
				((Collection<?>) collection).add(null);
			}
			return false;
		}
		catch (UnsupportedOperationException ex) {
			return true;
		}
		catch (NullPointerException ex) {
			return false;
		}
	}

	@SuppressWarnings("unchecked")
	private static void put(Map<?, ?> map) {
		((Map<Object, Object>) map).put("added", null);
	}

	private static @Nullable Object get(Field field, Object object) {
		try {
			return field.get(object);
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static class OwnMetadata extends V1ObjectMeta {

		final String owner;

		OwnMetadata(String owner) {
			this.owner = owner;
		}

	}

	static class OwnContainer extends V1Container {

	}

	static class OwnPod extends V1Pod {

	}

	record Part(String name, @Nullable List<String> names, int number) {

	}

	static class Base {

		List<String> inherited = new ArrayList<>();

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "widgets")
	static class Widget extends Base implements KubernetesObject {

		@Nullable Quantity quantity;

		@Nullable IntOrString port;

		@Nullable OffsetDateTime time;

		@Nullable Object untyped;

		@Nullable Map<String, String> labels;

		byte @Nullable [] bytes;

		TreeMap<String, List<String>> sorted = new TreeMap<>();

		LinkedList<Part> queue = new LinkedList<>();

		EnumMap<TimeUnit, Set<String>> byPhase = new EnumMap<>(TimeUnit.class);

		@Nullable List<Part> parts;

		Part @Nullable [][] matrix;

		final List<String> fixed = new ArrayList<>();

		transient @Nullable Object cache;

		@Override
		public V1ObjectMeta getMetadata() {
			return new V1ObjectMeta();
		}

		@Override
		public String getApiVersion() {
			return "example.com/v1";
		}

		@Override
		public String getKind() {
			return "Widget";
		}

	}

}

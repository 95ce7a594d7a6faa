package dev.kubeinformer.internal.codec.model;

import java.lang.reflect.Field;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1ManagedFieldsEntry;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.resource.ResourceType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Content of an object, and the first difference between two states of it. */
class ModelContentTests {

	@ParameterizedTest
	@MethodSource("builtIn")
	void everyFieldOfABuiltInTypeIsContentButVersionAndManagedFields(ResourceType<?> type) throws Exception {
		Object model = FilledModels.filled(type.objectClass(), Set.of());
		Object copy = ModelCopies.copy(model);
		assertSame(model, copy);
		V1ObjectMeta metadata = ((KubernetesObject) copy).getMetadata();
		metadata.setResourceVersion("another");
		metadata.setManagedFields(List.of(new V1ManagedFieldsEntry().manager("another")));
		assertSame(model, copy);
		for (Field field : ModelClass.of(type.objectClass()).fields()) {
			Object value = ModelClass.get(field, copy);
			ModelClass.set(field, copy, null);
			String name = field.getAnnotation(SerializedName.class).value();
			assertThat(ModelContent.firstDifference(model, copy)).isEqualTo(name);
			assertThat(same(copy, model)).isFalse();
			assertThat(ModelContent.sameApartFromStatus(model, copy)).isEqualTo(name.equals("status"));
			assertThat(ModelContent.hash(model).equals(ModelContent.hash(copy))).isEqualTo(name.equals("status"));
			ModelClass.set(field, copy, value);
		}
		metadata.setGeneration(99L);
		assertDiffers(model, copy, "metadata.generation");
	}

	static Stream<ResourceType<?>> builtIn() {
		return ResourceType.builtIn().stream();
	}

	@ParameterizedTest
	@MethodSource("differences")
	void differenceIsFoundAndNamedWithoutItsValue(Consumer<Widget> change, String path) {
		Widget changed = widget();
		change.accept(changed);
		assertDiffers(widget(), changed, path);
		assertDiffers(changed, widget(), path);
	}

	static Stream<Arguments> differences() {
		return Stream.of(change("renamed", (widget) -> widget.name = "b"),
				change("number", (widget) -> widget.number = 2), change("flag", (widget) -> widget.flag = false),
				change("ratio", (widget) -> widget.ratio = 0.25),
				change("unit", (widget) -> widget.unit = TimeUnit.HOURS),
				change("time", (widget) -> widget.time = OffsetDateTime.parse("2026-01-02T03:04:05.000000001Z")),
				change("quantity", (widget) -> widget.quantity = Quantity.fromString("2")),
				change("quantity", (widget) -> widget.quantity = new Quantity("1Ki")),
				change("port", (widget) -> widget.port = new IntOrString("80")),
				change("port", (widget) -> widget.port = new IntOrString(81)),
				change("bytes", (widget) -> widget.bytes = new byte[] { 1, 3 }),
				change("matrix[0][1]", (widget) -> widget.matrix[0][1] = 5),
				change("labels.app", (widget) -> widget.labels.put("app", "y")),
				change("labels['a.b/c']", (widget) -> widget.labels.put("a.b/c", "secret")),
				change("labels.app", (widget) -> widget.labels.remove("app")),
				change("parts[1]", (widget) -> widget.parts.add(new Part("q", null))),
				change("parts[0].renamed", (widget) -> widget.parts.set(0, new Part("q", List.of("n")))),
				change("parts[0].names[0]", (widget) -> widget.parts.set(0, new Part("p", List.of("m")))),
				change("parts[0]", (widget) -> widget.parts.set(0, null)),
				change("tags", (widget) -> widget.tags.add("more")),
				change("tags", (widget) -> widget.tags = new LinkedHashSet<>(List.of("a", "c"))),
				change("untyped.list[1]", (widget) -> widget.untyped = Map.of("list", List.of(1, 3))),
				change("untyped.list[0]", (widget) -> widget.untyped = Map.of("list", List.of("1", 2))),
				change("json.a[0].b", (widget) -> widget.json = JsonParser.parseString("{\"a\":[{\"b\":true}]}")),
				change("json.a[0]", (widget) -> widget.json = JsonParser.parseString("{\"a\":[1]}")),
				change("inherited", (widget) -> widget.inherited = "z"),
				change("empty", (widget) -> widget.empty = null),
				change("part.status", (widget) -> widget.part.status = "b"),
				change("part.metadata", (widget) -> widget.part.metadata = null));
	}

	private static Arguments change(String path, Consumer<Widget> change) {
		return arguments(change, path);
	}

	@ParameterizedTest
	@MethodSource("equalities")
	void otherFormOfTheSameContentIsNoDifference(Consumer<Widget> change) {
		Widget changed = widget();
		change.accept(changed);
		assertSame(widget(), changed);
		assertSame(changed, widget());
	}

	static Stream<Consumer<Widget>> equalities() {
		return Stream.of((widget) -> widget.none = List.of(), (widget) -> widget.noMap = Map.of(),
				(widget) -> widget.noBytes = new byte[0], (widget) -> widget.parts.set(0, new Part("p", List.of("n"))),
				(widget) -> widget.name = new String("a"), (widget) -> widget.quantity = Quantity.fromString("1.0"),
				(widget) -> widget.time = OffsetDateTime.parse("2026-01-02T05:04:05+02:00"),
				(widget) -> widget.port = new IntOrString(80), (widget) -> widget.cache = new Object(),
				(widget) -> widget.tags = new LinkedHashSet<>(List.of("b", "a")), (widget) -> {
					widget.labels.clear();
					widget.labels.put("z", "1");
					widget.labels.put("app", "x");
				}, (widget) -> widget.untyped = Map.of("list", List.of(1L, 2.0)),
				(widget) -> widget.untyped = JsonParser.parseString("{\"list\":[1,2]}"),
				(widget) -> widget.json = JsonParser.parseString("{\"a\":[{\"b\":false,\"c\":1e0}]}"));
	}

	@Test
	void statusIsContentOnlyWhereItIsAskedFor() {
		Map<String, Object> first = Map.of("spec", 1, "status", "a", "metadata",
				Map.of("name", "n", "resourceVersion", "1"));
		Map<String, Object> second = Map.of("spec", 1, "status", "b", "metadata",
				Map.of("name", "n", "managedFields", List.of("x")));
		assertThat(ModelContent.sameApartFromStatus(first, second)).isTrue();
		assertThat(same(first, second)).isFalse();
		assertThat(ModelContent.firstDifference(first, second)).isEqualTo("status");
		assertThat(ModelContent.hash(first)).isEqualTo(ModelContent.hash(second));
	}

	@Test
	void contentOfASecretIsNotInThePath() {
		V1Secret first = new V1Secret().putDataItem("password", new byte[] { 1 });
		V1Secret second = new V1Secret().putDataItem("password", new byte[] { 2 });
		assertThat(ModelContent.firstDifference(first, second)).isEqualTo("data.password");
	}

	@Test
	void nothingOfAListCanBeTakenForTheNextThing() {
		List<Object> lists = List.of(Arrays.asList("a", null, "b"), List.of(List.of("a"), "b"),
				Arrays.asList(Arrays.asList("a", null), "b"), Arrays.asList(List.of("a"), null, "b"), List.of("ab"),
				List.of("a", "b"), List.of("b", "a"), List.of("a\0", "b"), List.of("a", "\0b"),
				List.of(List.of(List.of("a")), "b"), Arrays.asList("a", "b", null));
		for (Object one : lists) {
			for (Object other : lists) {
				assertThat(ModelContent.hash(one).equals(ModelContent.hash(other))).isEqualTo(one == other);
				assertThat(same(one, other)).isEqualTo(one == other);
			}
		}
	}

	private static boolean same(Object first, Object second) {
		return new ContentComparison(true, null).isSame(first, second, ContentPart.OBJECT);
	}

	private static void assertSame(Object first, Object second) {
		assertThat(ModelContent.firstDifference(first, second)).isNull();
		assertThat(same(first, second)).isTrue();
		assertThat(ModelContent.sameApartFromStatus(first, second)).isTrue();
		assertThat(ModelContent.hash(first)).isEqualTo(ModelContent.hash(second));
	}

	private static void assertDiffers(Object first, Object second, String path) {
		assertThat(ModelContent.firstDifference(first, second)).isEqualTo(path);
		assertThat(ModelContent.sameApartFromStatus(first, second)).isFalse();
		assertThat(ModelContent.hash(first)).isNotEqualTo(ModelContent.hash(second));
	}

	private static Widget widget() {
		Widget widget = new Widget();
		widget.labels.put("app", "x");
		widget.labels.put("z", "1");
		widget.parts.add(new Part("p", List.of("n")));
		return widget;
	}

	static class Base {

		@Nullable String inherited = "i";

	}

	record Part(@SerializedName("renamed") String name, @Nullable List<String> names) {

	}

	static class Empty {

	}

	static class Nested {

		String status = "a";

		@Nullable Object metadata = Map.of("resourceVersion", "1");

	}

	/** Class that cannot compare itself. */
	static class Widget extends Base {

		@SerializedName("renamed")
		String name = "a";

		int number = 1;

		boolean flag = true;

		double ratio = 0.5;

		TimeUnit unit = TimeUnit.DAYS;

		OffsetDateTime time = OffsetDateTime.parse("2026-01-02T03:04:05Z");

		Quantity quantity = Quantity.fromString("1");

		IntOrString port = new IntOrString(80);

		byte[] bytes = { 1, 2 };

		int[][] matrix = { { 3, 4 } };

		Map<String, String> labels = new LinkedHashMap<>();

		List<@Nullable Part> parts = new ArrayList<>();

		Set<String> tags = new LinkedHashSet<>(List.of("a", "b"));

		Object untyped = Map.of("list", List.of(1, 2));

		JsonElement json = JsonParser.parseString("{\"a\":[{\"b\":false,\"c\":1}]}");

		@Nullable Empty empty = new Empty();

		Nested part = new Nested();

		@Nullable List<String> none;

		@Nullable Map<String, String> noMap;

		byte @Nullable [] noBytes;

		transient @Nullable Object cache;

	}

}

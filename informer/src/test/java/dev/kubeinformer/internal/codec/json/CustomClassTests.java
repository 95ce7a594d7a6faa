package dev.kubeinformer.internal.codec.json;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import javax.tools.ToolProvider;

import com.google.gson.JsonArray;
import com.google.gson.JsonDeserializationContext;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.TypeAdapter;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.annotations.SerializedName;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.fixtures.CustomObject;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.model.ModelCopies;
import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.resource.UnreadableClassException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Classes of custom resources are read as the official client reads them, or refused at
 * the start.
 */
class CustomClassTests {

	private static final String HEAD = "\"apiVersion\":\"example.com/v1\",\"kind\":\"%s\",\"metadata\":{\"name\":\"w\"}";

	private final JsonMappers mappers = new JsonMappers(false);

	@Test
	void recordIsReadAsByTheOfficialClient() throws Exception {
		String json = json("RecordWidget", "\"spec\":{\"size\":7,\"names\":[\"a\"],\"in\":{\"size\":1}}");
		RecordWidget widget = assertReadAsOfficially(RecordWidget.class, json);
		assertThat(widget.spec().size()).isEqualTo(7);
		assertThat(widget.spec().inner().names()).isNull();
		assertReadAsOfficially(RecordWidget.class, json("RecordWidget", "\"spec\":null"));
		assertThat(assertReadAsOfficially(RecordWidget.class, json("RecordWidget", "\"spec\":{}")).spec().size())
			.isZero();
	}

	@Test
	void kindThatTheListImpliesIsInARecordToo() throws Exception {
		RecordWidget widget = only(RecordWidget.class, "{\"metadata\":{\"name\":\"w\"},\"spec\":{\"size\":7}}")
			.object();
		assertThat(widget.getKind()).isEqualTo("RecordWidget");
		assertThat(widget.getApiVersion()).isEqualTo("example.com/v1");
		assertThat(widget.spec().size()).isEqualTo(7);
	}

	@Test
	void finalFieldsAreReadAsByTheOfficialClient() throws Exception {
		FinalWidget widget = assertReadAsOfficially(FinalWidget.class, json("FinalWidget",
				"\"spec\":{\"size\":7,\"name\":\"n\"},\"items\":[\"i\"],\"more\":{\"a\":\"b\"},\"made\":{\"size\":8,\"name\":\"m\"}"));
		assertThat(widget.spec.size).isEqualTo(7);
		assertThat(widget.items).containsExactly("i");
		assertThat(widget.made.madeByConstructor).isTrue();
		FinalWidget missing = read(FinalWidget.class, json("FinalWidget", "\"spec\":{}"));
		assertThat(missing.spec.size).isEqualTo(3);
		assertThat(missing.items).isEmpty();
		assertThat(missing.made).isNull();
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> missing.items.add("i"))
			.withMessageContaining("Informers.copyOf");
	}

	@Test
	void constructorIsGivenTheDefaultsOfTheOneWithoutParameters() throws Exception {
		DefaultsWidget widget = read(DefaultsWidget.class, json("DefaultsWidget", "\"name\":null"));
		assertThat(widget.size).isEqualTo(3);
		assertThat(widget.name).isNull();
		assertThat(widget.tags).containsExactly("default");
		assertThat(widget.madeOfValues).isTrue();
	}

	@Test
	void constructorThatRefusesIsNamedWithoutValues() throws Exception {
		DecodedObject<StrictWidget> refused = only(StrictWidget.class,
				json("StrictWidget", "\"spec\":{\"size\":-123}"));
		assertThat(refused.object()).isNull();
		assertThat(refused.metadata().name()).isEqualTo("w");
		assertThat(refused.problem()).isEqualTo("the field 'spec' cannot be read as StrictSpec: its constructor threw "
				+ "java.lang.IllegalArgumentException, and there is no value for 'name'");
		assertThat(read(StrictWidget.class, json("StrictWidget", "\"spec\":{\"size\":1}")).spec.size()).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void parametersWithoutNamesAreFoundByTypesThatLeaveNoDoubt(boolean doubtful, @TempDir Path directory)
			throws Exception {
		Class<?> type = compiled(directory, """
				public class Pair {
					public final %s first;
					public final String second;
					public transient boolean made;
					public Pair(String b, %s a, boolean made) { this.first = a; this.second = b; this.made = true; }
				}
				""".formatted(doubtful ? "String" : "Integer", doubtful ? "String" : "Integer"));
		Object pair = readPart(type, "{\"first\":1,\"second\":\"2\"}");
		assertThat(pair).hasFieldOrPropertyWithValue("first", doubtful ? "1" : (Object) 1)
			.hasFieldOrPropertyWithValue("second", "2")
			.hasFieldOrPropertyWithValue("made", !doubtful);
	}

	@Test
	void whatOnlyGsonKnowsIsReadAsByTheOfficialClient() throws Exception {
		String json = json("OddWidget",
				"""
						"object":{"a":[1,2.50,true,null,{"b":"c"}]},"element":{"x":1},"array":[1,"2"],"primitive":12345678901234567890,
						"adapted":"ab","deserialized":"cd","byClass":"ef","parts":[{"size":1},{"size":2}],"set":["a","b"],
						"byUnit":{"DAYS":{"size":3}},"decimal":1.10,"small":3,"letter":"x","numbers":[1,2],"wild":[{"size":4}],
						"generic":{"value":{"size":5}},"alternative":"alt","quantities":{"DAYS":"1Gi"},"number":5""");
		OddWidget widget = assertReadAsOfficially(OddWidget.class, json);
		assertThat(widget.object.getAsJsonArray("a")).hasSize(5);
		assertThat(widget.adapted).isEqualTo("AB");
		assertThat(widget.deserialized).isEqualTo("CD");
		assertThat(widget.byClass.text).isEqualTo("ef!");
		assertThat(widget.generic.value.size).isEqualTo(5);
		assertThat(widget.byUnit).containsOnlyKeys(TimeUnit.DAYS);
		assertThat(widget.named).isEqualTo("alt");
		OddWidget copy = ModelCopies.copy(widget);
		assertThat(copy).usingRecursiveComparison().isEqualTo(widget);
		copy.object.addProperty("more", 1);
		copy.set.add("c");
		assertThat(widget.object.has("more")).isFalse();
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> widget.set.add("c"))
			.withMessageContaining("Informers.copyOf");
	}

	@Test
	void nullsAreReadAsByTheOfficialClient() throws Exception {
		OddWidget widget = assertReadAsOfficially(OddWidget.class, json("OddWidget",
				"\"element\":null,\"adapted\":null,\"parts\":null,\"small\":null,\"set\":[null],\"nullUnsafe\":null"));
		assertThat(widget.element.isJsonNull()).isTrue();
		assertThat(widget.nullUnsafe).isEqualTo("NULL");
	}

	@ParameterizedTest
	@ValueSource(strings = { "BIG", "LARGE", "large", "huge", "SMALL", "small", "unknown", "" })
	void constantIsReadAsByTheOfficialClient(String constant) throws Exception {
		assertReadAsOfficially(OddWidget.class, json("OddWidget", "\"size\":\"%s\"".formatted(constant)));
	}

	@Test
	void whatAnAdapterCannotReadIsNamedWithoutItsValue() throws Exception {
		DecodedObject<OddWidget> bad = only(OddWidget.class, json("OddWidget", "\"decimal\":\"secret\""));
		assertThat(bad.problem()).isEqualTo("the field 'decimal' cannot be read as BigDecimal");
		bad = only(OddWidget.class, json("OddWidget", "\"parts\":[{\"size\":\"secret\"}]"));
		assertThat(bad.problem()).isEqualTo("the field 'parts' cannot be read as Part[]");
		bad = only(OddWidget.class, json("OddWidget", "\"quantities\":{\"DAYS\":%s}".formatted("1".repeat(65))));
		assertThat(bad.problem()).isEqualTo("the field 'quantities' cannot be read as a map");
	}

	@Test
	void classThatCannotBeReadIsRefusedByName() {
		assertRefused(InterfaceWidget.class, "'backend'", Backend.class.getName(), "@JsonAdapter");
		assertRefused(OptionalWidget.class, "'maybe'", "Optional", "@JsonAdapter");
		assertRefused(TwiceWidget.class, "'metadata'", CustomObject.class.getName(), "@SerializedName");
		assertRefused(NoAdapterWidget.class, "'text'", NoAdapter.class.getName());
		ReadableModels.check(RecordWidget.class);
		ReadableModels.check(OddWidget.class);
	}

	@Test
	void finalFieldThatTheJdkKeepsIsNamed() throws Exception {
		// The class loader of a hidden class is not kept.
		byte[] bytes = Objects
			.requireNonNull(CustomClassTests.class.getResourceAsStream("CustomClassTests$FinalSpec.class"))
			.readAllBytes();
		Class<?> hidden = MethodHandles.lookup().defineHiddenClass(bytes, false).lookupClass();
		assertThatExceptionOfType(UnreadableClassException.class).isThrownBy(() -> ReadableModels.check(hidden))
			.withMessageContainingAll("'size'", "is final", "--enable-final-field-mutation");
		assertThatExceptionOfType(FieldMismatchException.class).isThrownBy(() -> readPart(hidden, "{\"size\":1}"))
			.satisfies((ex) -> assertThat(ex.reason()).contains("size"));
	}

	@Test
	void defaultsOfAClassOfCollectionsStayWhatTheyAre() throws Exception {
		DefaultsWidget widget = read(DefaultsWidget.class, json("DefaultsWidget", "\"size\":1"));
		assertThat(widget.sorted).isEmpty();
		widget.sorted.put("a", "b");
	}

	private static void assertRefused(Class<? extends KubernetesObject> type, String... parts) {
		assertThatExceptionOfType(UnreadableClassException.class).isThrownBy(() -> InformerSpec.of(type))
			.withMessageContaining(type.getName())
			.withMessageContainingAll(parts);
	}

	private <T extends KubernetesObject> T assertReadAsOfficially(Class<T> type, String json) throws IOException {
		T ours = read(type, json);
		T official = JSON.deserialize(json, type);
		assertThat(ours).usingRecursiveComparison()
			.usingOverriddenEquals()
			.withEqualsForFields(Objects::equals, "set")
			.ignoringFields("made.madeByConstructor")
			.isEqualTo(official);
		assertThat(JSON.serialize(ours)).isEqualTo(JSON.serialize(official));
		return ours;
	}

	private <T extends KubernetesObject> T read(Class<T> type, String json) throws IOException {
		DecodedObject<T> item = only(type, json);
		assertThat(item.problem()).isNull();
		return item.object();
	}

	private <T extends KubernetesObject> DecodedObject<T> only(Class<T> type, String json) throws IOException {
		List<DecodedObject<T>> items = new ArrayList<>();
		String list = "{\"kind\":\"%sList\",\"items\":[%s]}".formatted(type.getSimpleName(), json);
		new JsonCodec<>(ResourceType.of(type), this.mappers)
			.readList(new ByteArrayInputStream(list.getBytes(StandardCharsets.UTF_8)), items::add);
		return items.get(0);
	}

	private Object readPart(Class<?> type, String json) {
		byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
		try (var parser = this.mappers.parser(bytes, 0, bytes.length)) {
			parser.nextToken();
			return new dev.kubeinformer.internal.codec.json.JsonReader(parser, new KnownValues())
				.readObject(this.mappers.models().value(type));
		}
	}

	private static String json(String kind, String rest) {
		return "{" + HEAD.formatted(kind) + "," + rest + "}";
	}

	/** Returns a class without the names of its parameters. */
	private static Class<?> compiled(Path directory, String source) throws Exception {
		Path file = Files.writeString(directory.resolve("Pair.java"), source);
		int status = ToolProvider.getSystemJavaCompiler()
			.run(null, null, null, "-d", directory.toString(), file.toString());
		assertThat(status).isZero();
		return new URLClassLoader(new URL[] { directory.toUri().toURL() }).loadClass("Pair");
	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "recordwidgets")
	record RecordWidget(@Nullable String apiVersion, @Nullable String kind, V1ObjectMeta metadata,
			RecordSpec spec) implements KubernetesObject {

		@Override
		public V1ObjectMeta getMetadata() {
			return this.metadata;
		}

		@Override
		public String getApiVersion() {
			return this.apiVersion;
		}

		@Override
		public String getKind() {
			return this.kind;
		}

	}

	record RecordSpec(int size, List<String> names, @SerializedName("in") RecordSpec inner) {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "finalwidgets")
	static class FinalWidget extends CustomObject {

		final FinalSpec spec = new FinalSpec();

		private final List<String> items = new ArrayList<>();

		private final Map<String, String> more = new TreeMap<>();

		private final MadeSpec made = null;

	}

	static class FinalSpec {

		final Integer size;

		final String name;

		FinalSpec() {
			this.size = 3;
			this.name = "default";
		}

	}

	static class MadeSpec {

		final int size;

		final String name;

		final transient boolean madeByConstructor;

		MadeSpec(String name, int size) {
			this.size = size;
			this.name = name;
			this.madeByConstructor = true;
		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "defaultswidgets")
	static class DefaultsWidget extends CustomObject {

		final int size;

		final String name;

		final List<String> tags;

		final TreeMap<String, String> sorted = new TreeMap<>();

		final transient boolean madeOfValues;

		DefaultsWidget() {
			this.size = 3;
			this.name = "default";
			this.tags = List.of("default");
			this.madeOfValues = false;
		}

		DefaultsWidget(String name, int size, List<String> tags) {
			this.size = size;
			this.name = name;
			this.tags = tags;
			this.madeOfValues = true;
		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "strictwidgets")
	static class StrictWidget extends CustomObject {

		StrictSpec spec;

	}

	record StrictSpec(int size, String name) {

		StrictSpec {
			if (size < 0) {
				throw new IllegalArgumentException("size is " + size);
			}
		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "oddwidgets")
	static class OddWidget extends CustomObject {

		JsonObject object;

		JsonElement element;

		JsonArray array;

		JsonPrimitive primitive;

		@JsonAdapter(UpperAdapter.class)
		String adapted;

		@JsonAdapter(UpperDeserializer.class)
		String deserialized;

		@JsonAdapter(value = NullAdapter.class, nullSafe = false)
		String nullUnsafe;

		Adapted byClass;

		Part[] parts;

		Set<String> set;

		Map<TimeUnit, Part> byUnit;

		Map<TimeUnit, Quantity> quantities;

		BigDecimal decimal;

		short small = 9;

		char letter;

		int[] numbers;

		List<? extends Part> wild;

		Holder<Part> generic;

		@SerializedName(value = "named", alternate = "alternative")
		String named;

		Number number;

		Size size;

	}

	static class Part {

		int size;

	}

	static class Holder<T> {

		T value;

	}

	@JsonAdapter(AdaptedAdapter.class)
	static class Adapted {

		String text;

	}

	enum Size {

		@SerializedName(value = "BIG", alternate = "huge")
		LARGE, SMALL;

		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	static class UpperAdapter extends TypeAdapter<String> {

		@Override
		public String read(JsonReader in) throws IOException {
			return in.nextString().toUpperCase(Locale.ROOT);
		}

		@Override
		public void write(JsonWriter out, String value) throws IOException {
			out.value(value);
		}

	}

	static class NullAdapter extends UpperAdapter {

		@Override
		public String read(JsonReader in) throws IOException {
			in.nextNull();
			return "NULL";
		}

	}

	static class AdaptedAdapter extends TypeAdapter<Adapted> {

		@Override
		public Adapted read(JsonReader in) throws IOException {
			Adapted adapted = new Adapted();
			adapted.text = in.nextString() + "!";
			return adapted;
		}

		@Override
		public void write(JsonWriter out, Adapted value) throws IOException {
			out.value(value.text);
		}

	}

	static class UpperDeserializer implements JsonDeserializer<String> {

		@Override
		public String deserialize(JsonElement json, Type type, JsonDeserializationContext context) {
			return Objects.requireNonNull(context.<String>deserialize(json, String.class)).toUpperCase(Locale.ROOT);
		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "interfacewidgets")
	static class InterfaceWidget extends CustomObject {

		List<Backend> backend;

	}

	interface Backend {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "optionalwidgets")
	static class OptionalWidget extends CustomObject {

		Map<TimeUnit, Optional<String>> maybe;

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "twicewidgets")
	static class TwiceWidget extends FinalWidget {

		V1ObjectMeta metadata;

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "noadapterwidgets")
	static class NoAdapterWidget extends CustomObject {

		@JsonAdapter(NoAdapter.class)
		String text;

	}

	static class NoAdapter extends UpperAdapter {

		NoAdapter(String needed) {
			Objects.requireNonNull(needed);
		}

	}

}

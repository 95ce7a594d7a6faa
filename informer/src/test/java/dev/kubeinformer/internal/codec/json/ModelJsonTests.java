package dev.kubeinformer.internal.codec.json;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializationContext;
import com.google.gson.JsonSerializer;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1ManagedFieldsEntry;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1ServicePort;
import io.kubernetes.client.openapi.models.V1ServiceSpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.StatusCause;
import dev.kubeinformer.internal.codec.model.FilledModels;
import dev.kubeinformer.resource.ResourceType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Models are written as the official client writes them, and read back.
 */
class ModelJsonTests {

	private final ModelJson json = new ModelJson(new JsonMappers(true));

	@Test
	void setsWithoutOrderAreWrittenInOne() {
		Collections collections = new Collections();
		// In each process these have another order.
		collections.set = Set.of("c", "a", "d", "b");
		assertThat(this.json.tree(collections)).containsEntry("set", List.of("a", "b", "c", "d"));
		collections.set = new LinkedHashSet<>(List.of("c", "a"));
		assertThat(this.json.tree(collections)).containsEntry("set", List.of("c", "a"));
	}

	static List<ResourceType<?>> types() {
		return List.copyOf(ResourceType.builtIn());
	}

	@ParameterizedTest
	@MethodSource("types")
	<T extends KubernetesObject> void everyTypeIsWrittenAsByTheOfficialClientAndReadBack(ResourceType<T> type)
			throws Exception {
		T model = FilledModels.filled(type.objectClass(), Set.of());
		V1ObjectMeta metadata = model.getMetadata();
		assertThat(metadata).isNotNull();
		metadata.setManagedFields(null);
		byte[] written = this.json.write(this.json.tree(model));
		assertThat(values(JsonParser.parseString(text(written))))
			.isEqualTo(values(JsonParser.parseString(JSON.serialize(model))));
		assertThat(this.json.tree(this.json.read(type, written))).isEqualTo(this.json.tree(model));
	}

	private static @Nullable Object values(JsonElement json) {
		if (json.isJsonObject()) {
			Map<String, @Nullable Object> map = new TreeMap<>();
			json.getAsJsonObject().entrySet().forEach((each) -> {
				Object value = values(each.getValue());
				// Schemas contain schemas; the innermost ones are empty.
				if (!List.of().equals(value) && !Map.of().equals(value)) {
					map.put(each.getKey(), value);
				}
			});
			return map;
		}
		if (json.isJsonArray()) {
			List<@Nullable Object> list = new ArrayList<>();
			json.getAsJsonArray().forEach((each) -> list.add(values(each)));
			return list;
		}
		if (json.isJsonNull()) {
			return null;
		}
		JsonPrimitive value = json.getAsJsonPrimitive();
		return value.isNumber() ? new BigDecimal(value.getAsString()).stripTrailingZeros() : value;
	}

	private static String text(byte[] written) {
		return new String(written, StandardCharsets.UTF_8);
	}

	@Test
	void nullsAreLeftOutOfMapsAndKeptInLists() {
		Map<String, String> data = new HashMap<>();
		data.put("none", null);
		data.put("b", "\u2028 \"quoted\" <&>");
		data.put("a", "");
		V1ConfigMap map = new V1ConfigMap().data(data);
		assertThat(this.json.tree(map)).isEqualTo(Map.of("data", Map.of("a", "", "b", "\u2028 \"quoted\" <&>")));
		V1JSONSchemaProps schema = new V1JSONSchemaProps()._default(Arrays.asList("a", null));
		assertThat(text(this.json.write(this.json.tree(schema)))).isEqualTo("{\"default\":[\"a\",null]}");
		assertThat(JSON.serialize(schema)).contains("\"default\":[\"a\",null]");
	}

	@Test
	void collectionsThatAreEmptyFromTheStartAreLeftOut() {
		V1ServiceSpec spec = new V1ServiceSpec().addPortsItem(new V1ServicePort().port(80));
		assertThat(spec.getClusterIPs()).isEmpty();
		assertThat(this.json.tree(spec)).isEqualTo(Map.of("ports", List.of(Map.of("port", 80))));
		assertThat(this.json.tree(new V1PodSpec().putNodeSelectorItem("a", "b").nodeSelector(Map.of()))).isEmpty();
	}

	@Test
	void equalModelsAreWrittenEqually() {
		Map<String, String> forth = new LinkedHashMap<>(Map.of("a", "1"));
		forth.put("b", "2");
		Map<String, String> back = new LinkedHashMap<>(Map.of("b", "2"));
		back.put("a", "1");
		assertThat(this.json.write(this.json.tree(new V1ConfigMap().data(forth))))
			.isEqualTo(this.json.write(this.json.tree(new V1ConfigMap().data(back))));
	}

	@Test
	void timesAreWrittenInUtcWithMicroseconds() {
		V1LeaseSpec lease = new V1LeaseSpec().renewTime(OffsetDateTime.parse("2026-01-02T03:04:05+02:00"));
		assertThat(this.json.tree(lease)).containsEntry("renewTime", "2026-01-02T01:04:05.000000Z");
		lease.renewTime(OffsetDateTime.parse("2026-11-12T13:14:15.678901999Z"));
		assertThat(this.json.tree(lease)).containsEntry("renewTime", "2026-11-12T13:14:15.678901Z");
	}

	@Test
	void wholeNumbersThatWereReadAsDoublesAreWhole() {
		V1JSONSchemaProps schema = new V1JSONSchemaProps()._default(Map.of("replicas", 3.0, "share", 0.5));
		assertThat(text(this.json.write(this.json.tree(schema))))
			.isEqualTo("{\"default\":{\"replicas\":3,\"share\":0.5}}");
	}

	@Test
	void numbersThatAreNoneAreRefused() {
		V1JSONSchemaProps schema = new V1JSONSchemaProps().minimum(Double.NaN);
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> this.json.tree(schema))
			.withMessageContaining("NaN");
	}

	@Test
	void customClassesAreWrittenAsByTheOfficialClient() {
		Custom custom = new Custom();
		assertThat(values(JsonParser.parseString(text(this.json.write(this.json.tree(custom))))))
			.isEqualTo(values(JsonParser.parseString(JSON.serialize(custom))));
	}

	@Test
	void stringsAreWrittenAsUtf8WithTheLeastEscapes() {
		String text = "a\"b\\c/\n\r\t\b\f\u0000\u001f\u007f\u0080äß\u07ff\u0800世\u2028\uffff\ud83d\ude00<&>";
		String json = "{\"k\\\"\":\"a\\\"b\\\\c/\\n\\r\\t\\b\\f\\u0000\\u001F\u007f\u0080äß\u07ff\u0800世\u2028\uffff\ud83d\ude00<&>\"}";
		assertThat(text(this.json.write(Map.of("k\"", text)))).isEqualTo(json);
		assertThat(JsonParser.parseString(json).getAsJsonObject().get("k\"").getAsString()).isEqualTo(text);
		// However long it is.
		for (int length = 1015; length < 1030; length++) {
			String longer = "x".repeat(length) + "\ud83d\ude00";
			assertThat(text(this.json.write(List.of(longer, "", longer))))
				.isEqualTo("[\"%1$s\",\"\",\"%1$s\"]".formatted(longer));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "\ud83d", "\ude00", "\ud83dx", "\ude00\ud83d" })
	void stringWithHalfOfASurrogatePairIsRefused(String text) {
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> this.json.write(List.of(text)));
	}

	@Test
	void otherValuesAreWrittenAsTheyAre() {
		List<@Nullable Object> values = Arrays.asList(null, true, false, 0, -7, Long.MIN_VALUE, 0.5, 1e300,
				new BigDecimal("1E+3"), List.of(), Map.of(), List.of(List.of(1), Map.of("a", List.of())));
		assertThat(text(this.json.write(values)))
			.isEqualTo("[null,true,false,0,-7,-9223372036854775808,0.5,1.0E300,1E+3,[],{},[[1],{\"a\":[]}]]");
	}

	@Test
	void answersLeaveNothingOfTheirManagedFieldsBehind() throws Exception {
		ModelJson without = new ModelJson(new JsonMappers(false));
		ResourceType<V1ConfigMap> type = ResourceType.of(V1ConfigMap.class);
		com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
		long allocated = 0;
		for (int i = 0; i < 2_000; i++) {
			byte[] answer = """
					{"metadata": {"name": "a", "managedFields": [{"fieldsV1": {"f:metadata": {"f:ownerReferences":
					 {"k:{\\"uid\\":\\"%d\\"}": {}}}}}], "uid": "u"}, "data": {"a": "b"}}""".formatted(i)
				.getBytes(StandardCharsets.UTF_8);
			long before = threads.getCurrentThreadAllocatedBytes();
			V1ConfigMap read = without.read(type, answer);
			WrittenMetadata written = without.readMetadata(answer);
			allocated = threads.getCurrentThreadAllocatedBytes() - before;
			assertThat(read.getMetadata().getUid()).isEqualTo("u");
			assertThat(read.getMetadata().getManagedFields()).isNullOrEmpty();
			assertThat(read.getData()).containsOnly(Map.entry("a", "b"));
			assertThat(written.getMetadata().getUid()).isEqualTo("u");
		}
		// It was 70 KiB and more: a copy of all names that were read before.
		assertThat(allocated).isLessThan(20_000);
		assertThat(this.json
			.read(type,
					"{\"metadata\":{\"name\":\"a\",\"managedFields\":[{\"manager\":\"m\"}]}}"
						.getBytes(StandardCharsets.UTF_8))
			.getMetadata()
			.getManagedFields()).extracting(V1ManagedFieldsEntry::getManager).containsExactly("m");
	}

	@Test
	void answerThatIsNoObjectIsRefusedWithoutItsContents() {
		ResourceType<V1ConfigMap> type = ResourceType.of(V1ConfigMap.class);
		for (String answer : List.of("<html>hunter2</html>", "", "{\"data\":\"hunter2\"}", "{\"metadata\":{}}")) {
			assertThatExceptionOfType(MalformedResponseException.class)
				.isThrownBy(() -> this.json.read(type, answer.getBytes(StandardCharsets.UTF_8)))
				.withMessageContaining("configmaps")
				.withMessageNotContaining("hunter2");
		}
	}

	@Test
	void causesOfARefusalAreRead() {
		String status = """
				{"kind":"Status","details":{"causes":[{"reason":"FieldValueInvalid","message":"Invalid value: 7",
				"field":"spec.replicas"},{"field":"data[x]","message":7},null]}}""";
		assertThat(this.json.readCauses(status.getBytes(StandardCharsets.UTF_8))).containsExactly(
				new StatusCause("FieldValueInvalid", "spec.replicas", "Invalid value: 7"),
				new StatusCause("", "data[x]", ""));
		assertThat(this.json.readCauses("<html>".getBytes(StandardCharsets.UTF_8))).isEmpty();
	}

	private enum Phase {

		@SerializedName("ready-now")
		READY, UNKNOWN

	}

	private record Part(int size, List<String> names) {

	}

	private static final class Shouting implements JsonSerializer<String> {

		@Override
		public JsonElement serialize(String source, Type type, JsonSerializationContext context) {
			return new JsonPrimitive(source + "!");
		}

	}

	@SuppressWarnings("unused")
	private static final class Custom {

		private final Phase phase = Phase.READY;

		private final Phase other = Phase.UNKNOWN;

		private final Part part = new Part(3, List.of("a"));

		@JsonAdapter(Shouting.class)
		private final String word = "hey";

		private final Quantity quantity = new Quantity("1Gi");

		private final IntOrString port = new IntOrString("http");

		private final JsonElement tree = JsonParser.parseString("{\"a\":[1,2.5,\"x\"],\"n\":null}");

		private final JsonElement nothing = JsonNull.INSTANCE;

		private final byte[] bytes = { 1, 2 };

		private final int[] numbers = { 1, 2 };

		private final long large = Long.MAX_VALUE;

		private final Map<Integer, Part> parts = Map.of(7, new Part(1, List.of()));

		private final LocalDate day = LocalDate.of(2026, 1, 2);

		private final transient String hidden = "x";

	}

	private static final class Collections {

		Set<String> set = Set.of();

	}

}

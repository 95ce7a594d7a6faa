package dev.kubeinformer.definitions.hard;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.TypeAdapter;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.annotations.SerializedName;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;

import dev.kubeinformer.definition.Description;
import dev.kubeinformer.definition.PreserveUnknownFields;
import dev.kubeinformer.resource.KubernetesResource;

/**
 * Classes that are hard by the types of their values.
 */
public final class ValueClasses {

	private ValueClasses() {
	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "scalars", singular = "scalar")
	static class Scalars extends Hard {

		Spec spec;

		@Override
		protected void fill() {
			this.spec = new Spec();
			this.spec.boxedInt = Integer.MIN_VALUE;
			this.spec.boxedLong = Long.MAX_VALUE;
			this.spec.boxedDouble = 1.5;
			this.spec.boxedBoolean = false;
			this.spec.big = new BigDecimal("12345.678");
			this.spec.huge = BigInteger.valueOf(1L << 40);
			this.spec.time = OffsetDateTime.parse("2026-01-02T03:04:05.123456Z");
			this.spec.date = LocalDate.of(2026, 1, 2);
			this.spec.legacy = new Date(1_700_000_000_000L);
			this.spec.bytes = new byte[] { 1, 2, 3, -1 };
			this.spec.letter = 'x';
			this.spec.tiny = -128;
			this.spec.small = 32767;
			this.spec.single = 1.5f;
		}

		static class Spec {

			int primitive;

			long primitiveLong;

			boolean primitiveBoolean;

			double primitiveDouble;

			Integer boxedInt;

			Long boxedLong;

			Double boxedDouble;

			Boolean boxedBoolean;

			BigDecimal big;

			BigInteger huge;

			OffsetDateTime time;

			LocalDate date;

			Date legacy;

			byte[] bytes;

			char letter = 'a';

			byte tiny;

			short small;

			float single;

			transient String ignored = "not written";

			static String shared = "not written";

		}

	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "quantities", singular = "quantity")
	static class Quantities extends Hard {

		Spec spec;

		@Override
		protected void fill() {
			this.spec = new Spec();
			this.spec.memory = Quantity.fromString("1Gi");
			this.spec.port = new IntOrString("http");
			this.spec.limits = Map.of("cpu", Quantity.fromString("100m"), "memory", Quantity.fromString("128Mi"));
			this.spec.ports = List.of(new IntOrString(80), new IntOrString("https"));
		}

		static class Spec {

			Quantity memory;

			Quantity defaulted = Quantity.fromString("500m");

			IntOrString port;

			IntOrString surge = new IntOrString("25%");

			IntOrString unavailable = new IntOrString(1);

			Map<String, Quantity> limits;

			List<IntOrString> ports;

		}

	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "enums")
	static class Enums extends Hard {

		Spec spec;

		@Override
		protected void fill() {
			this.spec = new Spec();
			this.spec.several = List.of(Color.RED, Color.DARK_BLUE);
			this.spec.set = new LinkedHashSet<>(List.of(Color.GREEN, Color.RED));
			this.spec.byUnit = new LinkedHashMap<>(Map.of(TimeUnit.DAYS, 3));
			this.spec.body = Operation.PLUS;
		}

		enum Color {

			RED, @SerializedName("Green")
			GREEN, @SerializedName("dark-blue")
			DARK_BLUE

		}

		enum Operation {

			PLUS {
				@Override
				int apply(int a, int b) {
					return a + b;
				}
			};

			abstract int apply(int a, int b);

		}

		static class Spec {

			Color color = Color.DARK_BLUE;

			List<Color> several;

			Set<Color> set;

			Map<TimeUnit, Integer> byUnit;

			Operation body;

		}

	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "anythings")
	static class Anything extends Hard {

		Spec spec;

		@Override
		protected void fill() {
			this.spec = new Spec();
			this.spec.object = Map.of("a", List.of(1.5, "two", true));
			this.spec.map = Map.of("x", Map.of("y", "z"));
			this.spec.list = List.of("text", 2.5, Map.of("deep", true));
			this.spec.tree = new JsonObject();
			this.spec.tree.addProperty("free", true);
			this.spec.element = new JsonPrimitive("any");
			this.spec.array = new JsonArray();
			this.spec.array.add("any");
			this.spec.lists = Map.of("a", List.of("b", 1.5));
			this.spec.raw = Map.of("raw", true);
		}

		static class Spec {

			Object object;

			Map<String, Object> map;

			List<Object> list;

			JsonObject tree;

			JsonElement element;

			JsonArray array;

			Map<String, List<Object>> lists;

			@SuppressWarnings("rawtypes")
			Map raw;

		}

	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "preservings")
	static class Preserving extends Hard {

		Spec spec;

		@PreserveUnknownFields
		Known status;

		@Override
		protected void fill() {
			this.spec = new Spec();
			this.spec.open = new Known();
			this.spec.open.known = "a";
			this.spec.values = Map.of("k", "v");
		}

		static class Spec {

			Known open;

			@PreserveUnknownFields
			Map<String, String> values;

		}

		@PreserveUnknownFields
		static class Known {

			String known;

		}

	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "collections", singular = "collection")
	static class Collections extends Hard {

		Spec spec;

		@Override
		protected void fill() {
			this.spec = new Spec();
			this.spec.words = new String[] { "a", "b" };
			this.spec.matrix = new int[][] { { 1, 2 }, { 3 } };
			this.spec.blobs = List.of(new byte[] { 1 }, new byte[] { 2 });
			this.spec.parts = new Part[] { new Part("p") };
			this.spec.collection = new ArrayList<>(List.of("c"));
			this.spec.sorted = new TreeSet<>(Set.of(1L, 2L));
			this.spec.partSet = new LinkedHashSet<>(List.of(new Part("s")));
			this.spec.nested = Map.of("a", Map.of("b", new Part("n")));
			this.spec.tree = new TreeMap<>(Map.of("k", List.of(List.of("deep"))));
			this.spec.numbered = new TreeMap<>(Map.of(1, "one"));
		}

		record Part(String name) {

		}

		static class Spec {

			String[] words;

			int[][] matrix;

			List<byte[]> blobs;

			Part[] parts;

			Collection<String> collection;

			SortedSet<Long> sorted;

			Set<Part> partSet;

			Map<String, Map<String, Part>> nested;

			TreeMap<String, List<List<String>>> tree;

			Map<Integer, String> numbered;

		}

	}

	abstract static class Typed<S, T> extends Hard {

		S spec;

		T status;

	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "generics")
	static class Generics extends Typed<Generics.Spec<String>, Generics.Status> {

		@Override
		protected void fill() {
			this.spec = new Spec<>();
			this.spec.value = "v";
			this.spec.box = new Box<>();
			this.spec.box.value = new Box<>();
			this.spec.box.value.value = List.of("inner");
			this.spec.wild = List.of(1, 2);
			this.spec.base = "base";
		}

		static class Base<B> {

			B base;

		}

		static class Spec<T> extends Base<T> {

			T value;

			Box<Box<List<T>>> box;

			List<? extends Integer> wild;

		}

		static class Box<T> {

			T value;

		}

		static class Status {

			long observedGeneration;

		}

	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "oddnames", kind = "OddNames",
			singular = "oddname")
	static class OddNames extends Hard {

		Spec spec;

		@Override
		protected void fill() {
			this.spec = new Spec();
			this.spec.dotted = "a";
			this.spec.dashed = "b";
			this.spec.dollar = "c";
			this.spec.isActive = true;
			this.spec.URL = "d";
			this.spec.number = "e";
			this.spec.metadata = new Inner();
			this.spec.metadata.kind = "k";
		}

		static class Spec {

			@SerializedName("a.b/c")
			String dotted;

			@SerializedName(value = "x-y", alternate = "xy")
			String dashed;

			@SerializedName("$dollar")
			String dollar;

			@SerializedName("class")
			String keyword = "k";

			boolean isActive;

			String URL;

			@SerializedName("1st")
			String number;

			Inner metadata;

		}

		static class Inner {

			String apiVersion;

			String kind;

		}

	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "rootfields")
	static class RootField extends Hard {

		Map<String, String> data;

		Map<String, byte[]> binaryData;

		Boolean immutable;

		@Override
		protected void fill() {
			this.data = Map.of("a", "b");
			this.binaryData = Map.of("c", new byte[] { 9 });
			this.immutable = true;
		}

	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "empties", singular = "empty")
	static class Empty extends Hard {

		Nothing spec;

		@Override
		protected void fill() {
			this.spec = new Nothing();
		}

		static class Nothing {

		}

	}

	@KubernetesResource(group = "hard.k8s.io", version = "v1", plural = "bares")
	static class Bare extends Hard {

		@Override
		protected void fill() {
		}

	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "adapteds")
	static class Adapted extends Hard {

		Spec spec;

		@Override
		protected void fill() {
			this.spec = new Spec();
			this.spec.duration = java.time.Duration.ofMinutes(5);
			this.spec.byClass = new Ratio(3);
		}

		static class Spec {

			@JsonAdapter(DurationAdapter.class)
			java.time.Duration duration;

			Ratio byClass;

		}

		@JsonAdapter(RatioAdapter.class)
		record Ratio(int percent) {

		}

		static class DurationAdapter extends TypeAdapter<java.time.Duration> {

			@Override
			public void write(JsonWriter out, java.time.Duration value) throws IOException {
				out.value((value != null) ? value.toString() : null);
			}

			@Override
			public java.time.Duration read(JsonReader in) throws IOException {
				return java.time.Duration.parse(in.nextString());
			}

		}

		static class RatioAdapter extends TypeAdapter<Ratio> {

			@Override
			public void write(JsonWriter out, Ratio value) throws IOException {
				out.value((value != null) ? value.percent() + "%" : null);
			}

			@Override
			public Ratio read(JsonReader in) throws IOException {
				return new Ratio(Integer.parseInt(in.nextString().replace("%", "")));
			}

		}

	}

	@Description("Ünïcode “quotes” — and: {braces} # hash\n\nA second paragraph with a 'colon: inside'.")
	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "describeds")
	static class Described extends Hard {

		@Description("yes")
		Spec spec;

		@Override
		protected void fill() {
			this.spec = new Spec();
			this.spec.text = "on";
		}

		@Description("of the class")
		static class Spec {

			@Description("- not a list\n\t* tabs\\n")
			String text;

		}

	}

}

package dev.kubeinformer.internal.codec.json;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.KnownObjects;
import dev.kubeinformer.internal.codec.ListItems;
import dev.kubeinformer.internal.codec.ObjectIdentity;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.codec.ShardFilter;
import dev.kubeinformer.internal.codec.WatchFrame;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

import static org.assertj.core.api.Assertions.assertThat;

class JsonIdentityScanTests {

	private static final String NOTHING = "///";

	private final JsonIdentityScan scan = new JsonIdentityScan();

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`', value = {
			// where fields may be
			"{'metadata':{'namespace':'n','name':'a','uid':'u','resourceVersion':'7'},'spec':{}} ; n/a/u/7",
			"{'spec':{'a':[1,-2.5e3,true,null]},'status':'x','metadata':{'resourceVersion':'7','uid':'u','name':'a'}} ; /a/u/7",
			"{'kind':'Pod','metadata':{'annotations':{'name':'x','uid':'y'},'managedFields':[{'name':'z'}],'name':'a','ownerReferences':[{'uid':'o','name':'p'}],'uid':'u'}} ; /a/u/",
			"{ 'metadata' : { 'name' : 'a' , 'uid' :\t'u' } , 'spec' : { } } ; /a/u/",
			"{'spec':{'metadata':{'name':'inner'},'template':{'metadata':{'name':'deeper','uid':'x'}}},'metadata':{'name':'a'}} ; /a//",
			"{'spec':[{'metadata':{'name':'inner'}}],'metadata':{'labels':{'metadata':'l'},'name':'a'}} ; /a//",
			// Missing parts.
			"{} ; ///", "{'metadata':{}} ; ///", "{'spec':{'metadata':{'name':'inner'}}} ; ///",
			"{'metadata':{'name':'','uid':'u'}} ; //u/",
			// Special characters in strings.
			"{'a':'}]{[,:','metadata':{'x':'\\'}','name':'a','y':'\\\\'},'z':'\\\\\\''} ; /a//",
			"{'metadata':{'name':'a','annotations':{'json':'{\\'metadata\\':{\\'name\\':\\'b\\'}}'}}} ; /a//",
			"{'metadata':{'name':'ä','uid':'世界'}} ; /ä/世界/",
			// Cases for a parser.
			"{'metadata':{'name':'a\\u002db','uid':'u'}} ; ///", "{'metadata':{'n\\u0061me':'a','uid':'u'}} ; ///",
			"{'met\\u0061data':{'name':'a'},'metadata':{'name':'b'}} ; ///",
			"{'metadata':{'name':null,'uid':'u'}} ; ///", "{'metadata':{'name':7,'uid':'u'}} ; ///",
			"{'metadata':{'name':{'name':'a'},'uid':'u'}} ; ///", "{'metadata':null} ; ///",
			"{'metadata':[{'name':'a'}]} ; ///", "{'metadata':{'name':'a'},'metadata':{'uid':'u'}} ; ///",
			"{'metadata':{'name':'a','name':'b'}} ; ///" })
	void identityIsThatOfTheObjectItself(String object, String expected) {
		byte[] json = utf8(object.replace('\'', '"'));
		for (String around : List.of("", " ,{\"metadata\":{\"name\":\"next\"}}", "\n]}")) {
			byte[] bytes = utf8("xyz" + new String(json, StandardCharsets.UTF_8) + around);
			assertThat(this.scan.scan(bytes, 3, bytes.length)).isEqualTo(3 + json.length);
			assertThat(found()).isEqualTo(expected);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`', value = {
			"{'metadata':{'managedFields':[{'a':[1]},{}],'name':'a'},'spec':{}} ; [{'a':[1]},{}]",
			"{ 'kind' : 'A' , 'metadata' : { 'name' : 'a' , 'managedFields' : [ ] } } ; [ ]",
			"{'metadata':{'managedFields':[{'f:x':{'k:{\\'uid\\':\\']}\\'}':{}}}]}} ; [{'f:x':{'k:{\\'uid\\':\\']}\\'}':{}}}]",
			// The bytes after the metadata are not checked.
			"{'metadata':{'managedFields':[1]} ; [1]",
			// what closes them is left to a parser
			"{'metadata':{'managedFields':[1} ; [1}",
			// none
			"{'metadata':{'name':'a'}} ; ", "{} ; ", "null ; ", "{'metadata':null} ; ",
			"{'managedFields':[1],'metadata':{}} ; ", "{'spec':{'metadata':{'managedFields':[1]}}} ; ",
			"{'metadata':{'labels':{'managedFields':[1]}}} ; ",
			"{'metadata':{'annotations':{'x':'{\\'managedFields\\':[1]}'}}} ; ",
			"{'metadata':{'managedFields':null}} ; ", "{'metadata':{'managedFields':[{'a ; ",
			"{'metadata':{'managedFields' ; " })
	void managedFieldsAreThoseOfTheObjectItself(String object, @Nullable String expected) {
		byte[] json = utf8("xyz" + object.replace('\'', '"'));
		boolean found = this.scan.findManagedFields(json, 3, json.length);
		String managed = found ? new String(json, this.scan.managedFrom(),
				this.scan.managedTo() - this.scan.managedFrom(), StandardCharsets.UTF_8) : null;
		assertThat(managed).isEqualTo((expected != null) ? expected.replace('\'', '"') : null);
		// The next scan is for an identity again.
		byte[] other = utf8("{\"metadata\":{\"managedFields\":[],\"name\":\"a\"}}");
		assertThat(this.scan.scan(other, 0, other.length)).isEqualTo(other.length);
		assertThat(found()).isEqualTo("/a//");
	}

	@ParameterizedTest
	@ValueSource(strings = { "null", "7", "\"{}\"", "[]", "]", ",", "}", "{7:1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}",
			"{\"a\":1,}", "{,}", "{\"a\":,\"b\":2}" })
	void whatIsNoObjectIsLeftToAParser(String json) {
		assertThat(this.scan.scan(utf8(json), 0, utf8(json).length)).isEqualTo(JsonIdentityScan.NO_OBJECT);
		assertThat(found()).isEqualTo(NOTHING);
	}

	@Test
	void objectThatIsCutOffAnywhereHasNoEnd() {
		byte[] json = utf8("{\"a\" : \"x\\\"y\", \"metadata\":{\"name\":\"a\",\"labels\":{\"b\":\"cccccccccccccc\"}},"
				+ "\"spec\":[{\"d\":[1.5,true]},\"\\\\\"]}");
		for (int length = 0; length < json.length; length++) {
			assertThat(this.scan.scan(json, 0, length)).as("%d bytes", length).isEqualTo(JsonIdentityScan.CUT_OFF);
			assertThat(found()).isEqualTo(NOTHING);
		}
		assertThat(this.scan.scan(json, 0, json.length)).isEqualTo(json.length);
		assertThat(found()).isEqualTo("/a//");
	}

	@Test
	void objectIsIdentifiedAsSoonAsItsIdentityIsComplete() {
		byte[] json = utf8("{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\",\"namespace\":\"n\",\"uid\":\"u\","
				+ "\"resourceVersion\":\"7\"");
		for (int length = 0; length < json.length; length++) {
			assertThat(this.scan.identify(json, 0, length)).as("%d bytes", length).isFalse();
			assertThat(found()).isEqualTo(NOTHING);
		}
		for (String rest : List.of("", "}}", ",\"name\":\"b\"}}", "},\"metadata\":{\"name\":\"b\"}}", ",]")) {
			byte[] all = utf8(new String(json, StandardCharsets.UTF_8) + rest);
			assertThat(this.scan.identify(all, 0, all.length)).as(rest).isTrue();
			assertThat(found()).isEqualTo("n/a/u/7");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`', value = {
			// without a namespace, or another part, all metadata is looked at
			"{'metadata':{'name':'a','uid':'u','resourceVersion':'7','labels':{}},'spec' ; true ; /a/u/7",
			"{'metadata':{'name':'a','uid':'u','resourceVersion':'7','labels':{} ; false ; ///",
			"{'metadata':{'name':'a','name':'b'},'spec' ; false ; ///",
			// Cases for a parser.
			"{'metadata':{'name':'a\\u0062','namespace':'n','uid':'u','resourceVersion':'7'}} ; false ; ///",
			"{'metadata':{'n\\u0061me':'b','name':'a','namespace':'n','uid':'u','resourceVersion':'7'}} ; false ; ///",
			"{'metadata':{'namespace':null,'name':'a','namespace':'n','uid':'u','resourceVersion':'7'}} ; false ; ///",
			"{'metadata':null,'spec':{}} ; false ; ///", "{'spec':{}} ; false ; ///", "[] ; false ; ///" })
	void objectIsIdentifiedByItsMetadataAlone(String object, boolean identified, String expected) {
		byte[] json = utf8(object.replace('\'', '"'));
		assertThat(this.scan.identify(json, 0, json.length)).isEqualTo(identified);
		if (identified) {
			assertThat(found()).isEqualTo(expected);
		}
	}

	@Test
	void annotationsMayBeHuge() {
		String huge = "{\\\"a\\\":\\\"}\\\\\\\"".repeat(20_000);
		byte[] json = utf8("{\"metadata\":{\"annotations\":{\"last-applied\":\"" + huge
				+ "\"},\"name\":\"a\",\"uid\":\"u\"},\"spec\":{}}");
		assertThat(this.scan.scan(json, 0, json.length)).isEqualTo(json.length);
		assertThat(found()).isEqualTo("/a/u/");
	}

	@Test
	void nestingCostsNoStack() {
		byte[] json = utf8(
				"{\"spec\":" + "[".repeat(200_000) + "]".repeat(200_000) + ",\"metadata\":{\"name\":\"a\"}}");
		assertThat(this.scan.scan(json, 0, json.length)).isEqualTo(json.length);
		assertThat(found()).isEqualTo("/a//");
	}

	@Test
	void identityIsThatOfTheDecodedObject() throws IOException {
		Random random = new Random(20261123);
		JsonCodec<V1Pod> pods = new JsonCodec<>(ResourceType.of(V1Pod.class), new JsonMappers(false));
		int plain = 0;
		for (int i = 0; i < 3_000; i++) {
			byte[] json = utf8(RandomJson.pod(random));
			assertThat(this.scan.scan(json, 0, json.length)).isEqualTo(json.length);
			List<DecodedObject<V1Pod>> items = new ArrayList<>();
			pods.readList(
					new ByteArrayInputStream(utf8(
							"{\"kind\":\"PodList\",\"items\":[" + new String(json, StandardCharsets.UTF_8) + "]}")),
					items::add);
			ObjectMetadata metadata = items.get(0).metadata();
			if (metadata.hasName() && !found().equals(NOTHING)) {
				plain++;
				assertThat(found()).as(new String(json, StandardCharsets.UTF_8))
					.isEqualTo(metadata.namespace() + "/" + metadata.name() + "/" + metadata.uid() + "/"
							+ metadata.resourceVersion());
			}
		}
		assertThat(plain).isGreaterThan(1_000);
	}

	@Test
	void foreignObjectsAreThoseOfTheParser() throws IOException {
		Random random = new Random(20261126);
		JsonCodec<V1Pod> codec = new JsonCodec<>(ResourceType.of(V1Pod.class), new JsonMappers(false));
		ShardFilter shard = ShardFilter.of(new Shard(ShardKey.UID, 0, 2));
		int dropped = 0;
		for (int i = 0; i < 500; i++) {
			List<String> pods = Stream.generate(() -> RandomJson.pod(random)).limit(random.nextInt(6)).toList();
			byte[] list = utf8("{\"kind\":\"PodList\",\"items\":[" + String.join(",", pods) + "]}");
			List<DecodedObject<V1Pod>> all = new ArrayList<>();
			codec.readList(new ByteArrayInputStream(list), all::add);
			Own own = new Own(shard);
			codec.readList(new Pieces(list, random), own);
			assertThat(own.objects).extracting(DecodedObject::metadata)
				.isEqualTo(all.stream().filter((pod) -> !shard.isForeign(pod)).map(DecodedObject::metadata).toList());
			assertThat(own.objects.size() + own.dropped).isEqualTo(all.size());
			for (int j = 0; j < pods.size(); j++) {
				WatchFrame<V1Pod> event = codec
					.readForeign(utf8("{\"type\":\"ADDED\",\"object\":" + pods.get(j) + "}\n"), shard);
				if (event != null) {
					dropped++;
					assertThat(event.object().metadata()).isEqualTo(all.get(j).metadata());
					assertThat(shard.isForeign(all.get(j))).isTrue();
				}
			}
		}
		assertThat(dropped).isGreaterThan(300);
	}

	private String found() {
		return this.scan.identity().namespace() + "/" + this.scan.identity().name() + "/" + this.scan.identity().uid()
				+ "/" + this.scan.identity().resourceVersion();
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * The objects of a shard.
	 */
	private static final class Own implements ListItems<V1Pod>, KnownObjects {

		private final ShardFilter shard;

		private final List<DecodedObject<V1Pod>> objects = new ArrayList<>();

		private int dropped;

		Own(ShardFilter shard) {
			this.shard = shard;
		}

		@Override
		public void accept(DecodedObject<V1Pod> item) {
			if (this.shard.isForeign(item)) {
				this.dropped++;
			}
			else {
				this.objects.add(item);
			}
		}

		@Override
		public KnownObjects known() {
			return this;
		}

		@Override
		public boolean include(ObjectIdentity identity) {
			boolean foreign = this.shard.isForeign(identity);
			this.dropped += foreign ? 1 : 0;
			return foreign;
		}

		@Override
		public Predicate<ObjectIdentity> dropped() {
			return this::include;
		}

		@Override
		public void exclude(ObjectMetadata metadata) {
			throw new UnsupportedOperationException();
		}

		@Override
		public int size() {
			return 0;
		}

	}

	/**
	 * Bytes that come in pieces of any length.
	 */
	private static final class Pieces extends ByteArrayInputStream {

		private final Random random;

		Pieces(byte[] bytes, Random random) {
			super(bytes);
			this.random = random;
		}

		@Override
		public int read(byte[] buffer, int offset, int length) {
			return super.read(buffer, offset, Math.min(length, 1 + this.random.nextInt(100)));
		}

	}

	/**
	 * Pods with any fields in any order.
	 */
	private static final class RandomJson {

		private static final List<String> TEXTS = List.of("", "a", "web-7d4b9c-x2x1z", "ä€𝄞", "x\\ny", "q\\\"q",
				"b\\\\", "\\u0041", "{\\\"metadata\\\":{\\\"name\\\":\\\"inner\\\"}}", "}]},{[");

		/** So many of them have no escapes. */
		private static final int PLAIN = 4;

		private final Random random;

		private RandomJson(Random random) {
			this.random = random;
		}

		static String pod(Random random) {
			RandomJson json = new RandomJson(random);
			List<String> fields = new ArrayList<>();
			fields.add("\"metadata\":" + json.metadata());
			json.maybe(fields, "\"kind\":\"Pod\"", 2);
			json.maybe(fields, "\"unknown\":" + json.value(4), 2);
			json.maybe(fields, "\"spec\":{\"containers\":[{\"name\":\"app\",\"unknown\":" + json.value(3) + "}]}", 2);
			json.maybe(fields, "\"status\":{\"metadata\":{\"name\":\"inner\"}}", 2);
			return json.object(fields);
		}

		private String metadata() {
			List<String> fields = new ArrayList<>();
			for (String name : List.of("namespace", "name", "uid", "resourceVersion")) {
				maybe(fields, "\"" + name + "\":" + (chance(20) ? "null" : text()), 10);
			}
			maybe(fields, "\"generation\":" + this.random.nextInt(), 2);
			maybe(fields, "\"annotations\":{\"name\":" + text() + ",\"" + "x".repeat(this.random.nextInt(30)) + "\":"
					+ text() + "}", 2);
			maybe(fields, "\"ownerReferences\":[{\"name\":\"owner\",\"uid\":" + text() + "}]", 2);
			maybe(fields, "\"managedFields\":[{\"fieldsV1\":" + value(3) + "}]", 2);
			return object(fields);
		}

		private void maybe(List<String> fields, String field, int chances) {
			if (!chance(chances) || chances == 2 && chance(2)) {
				fields.add(field);
			}
		}

		private boolean chance(int one) {
			return this.random.nextInt(one) == 0;
		}

		private String object(List<String> fields) {
			Collections.shuffle(fields, this.random);
			String space = chance(3) ? " \n" : "";
			return "{" + space + String.join(space + "," + space, fields) + space + "}";
		}

		private String text() {
			return "\"" + TEXTS.get(this.random.nextInt(chance(5) ? TEXTS.size() : PLAIN)) + "\"";
		}

		private String value(int depth) {
			return switch (this.random.nextInt((depth > 0) ? 6 : 4)) {
				case 0 -> text();
				case 1 -> Integer.toString(this.random.nextInt());
				case 2 -> "true";
				case 3 -> "null";
				case 4 -> "[" + value(depth - 1) + "," + value(depth - 1) + "]";
				default -> object(
						new ArrayList<>(List.of("\"metadata\":" + value(depth - 1), "\"name\":" + value(depth - 1))));
			};
		}

	}

}
